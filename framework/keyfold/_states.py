"""The states of many units at once, by whatever a reducer offers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from keyfold._describe import expression_of, length_of
from keyfold._units import grouped
from keyfold.contracts import AnyReducer
from keyfold.errors import ContractError

__all__ = ["States", "finish_states", "fold_states", "merge_states"]

States = Sequence[Any]
"""One state a unit, in the order of the units."""


def fold_states(
    reducer: AnyReducer, codes: Sequence[int], values: Sequence[object], units: int
) -> States:
    """Return the state of each unit's values.

    Args:
        reducer: Folds them.
        codes: The unit of each value, from 0 to `units - 1`.
        values: The values, parallel to `codes`.
        units: How many units there are.
    """
    fast = getattr(reducer, "fold_units", None)
    if fast is not None:
        states: States = fast(codes, values, units)
        return _checked(reducer, "fold_units", states, units)
    return [reducer.fold(reducer.init(), its) for its in grouped(codes, values, units)]


def merge_states(
    reducer: AnyReducer, parts: Sequence[tuple[Sequence[int], States]], units: int
) -> States:
    """Return the states of units whose values are spread over several parts.

    Args:
        reducer: Merges them.
        parts: For each part, the units of its states, and the states.
        units: How many units there are.
    """
    fast = getattr(reducer, "merge_units", None)
    if fast is not None:
        states: States = fast(parts, units)
        return _checked(reducer, "merge_units", states, units)
    merged: list[Any] = [None] * units
    met = bytearray(units)
    for codes, its in parts:
        for code, state in zip(codes, its, strict=True):
            merged[code] = reducer.merge(merged[code], state) if met[code] else state
            met[code] = 1
    return merged


def finish_states(reducer: AnyReducer, states: States) -> Sequence[object]:
    """Return the result of each state, None where it has none."""
    fast = getattr(reducer, "finish_units", None)
    if fast is not None:
        results: Sequence[object] = fast(states)
        return _checked(reducer, "finish_units", results, len(states))
    return list(map(reducer.finish, states))


def _checked(
    reducer: AnyReducer, method: str, given: Sequence[Any], units: int
) -> Sequence[Any]:
    size = length_of(given)
    if size != units:
        raise ContractError(
            f"reducer {expression_of(reducer)} gave {size} entries from {method} for "
            f"{units} units",
            hint=f"{method} gives one entry a unit",
        )
    return given
