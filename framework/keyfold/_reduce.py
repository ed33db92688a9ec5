"""Reducing the values of units, with the unit named on which a reducer fails."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from keyfold._describe import expression_of, length_of, shown
from keyfold._source import UnitKeys
from keyfold._units import grouped, reduce_units
from keyfold.contracts import AnyReducer
from keyfold.errors import ContractError, DisagreementError, KeyfoldError

__all__ = ["reduce_across", "reduce_each", "unit_error"]


def reduce_each(
    reducer: AnyReducer,
    codes: Sequence[int],
    values: Sequence[object],
    units: UnitKeys,
) -> Sequence[object]:
    """Return one result for each of some units, None where a unit has none.

    Raises:
        DataError: The reducer refuses the values of a unit; names it.
        ContractError: The reducer does not keep its contract.
    """
    size = len(units)
    try:
        results = reduce_units(reducer, codes, values, size)
    except Exception as error:
        for unit, its_values in enumerate(grouped(codes, values, size)):
            # One after the other, to name the one that fails by itself.
            try:
                _reduce_one(reducer, its_values)
            except Exception as found:
                raise unit_error(found, reducer, units.key(unit)) from found
        raise unit_error(error, reducer, None) from error
    given = length_of(results)
    if given != size:
        raise ContractError(
            f"reducer {expression_of(reducer)} gave {given} results for {size} units",
            hint="reduce_units gives one result a unit, None where it has none",
        )
    return results


def reduce_across(reducer: AnyReducer, values: Iterable[object]) -> object:
    """Return the result of all values together, or None where they have none.

    Raises:
        DataError: The reducer refuses the values.
        ContractError: The reducer does not keep its contract.
    """
    try:
        return _reduce_one(reducer, values)
    except Exception as error:
        raise unit_error(error, reducer, None) from error


def _reduce_one(reducer: AnyReducer, values: Iterable[object]) -> object:
    return reducer.finish(reducer.fold(reducer.init(), values))


def unit_error(
    error: Exception,
    reducer: AnyReducer,
    key: tuple[Hashable, ...] | None,
    where: str = "",
) -> KeyfoldError:
    """Return the error to raise for a unit on whose values a reducer failed.

    Args:
        error: What the reducer raised.
        reducer: The reducer.
        key: The unit's key; None where no unit is to blame, or there is none.
        where: What more is known of the place, as text behind the message.
    """
    told = _told(error, reducer, key, where)
    unit = "" if key is None else f", unit {shown(key, 200)}"
    told.add_note(f"in the reducer {expression_of(reducer)}{unit}")
    return told


def _told(
    error: Exception,
    reducer: AnyReducer,
    key: tuple[Hashable, ...] | None,
    where: str,
) -> KeyfoldError:
    unit = "" if key is None else f"unit {shown(key, 200)}: "
    if isinstance(error, DisagreementError):
        return DisagreementError(
            unit + error.message + where, values=error.values, hint=error.hint
        )
    if isinstance(error, KeyfoldError):
        return error
    return ContractError(
        f"{unit}reducer {expression_of(reducer)} raised "
        f"{type(error).__name__}: {error}{where}"
    )
