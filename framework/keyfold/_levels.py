"""From the numbers of samples to the values of units, level by level."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from itertools import compress
from operator import not_

import attrs

from keyfold._describe import expression_of, length_of, shown
from keyfold._fold import PopulationFold
from keyfold._keys import KeyTable
from keyfold._numbers import NumberColumn
from keyfold._plan import Metric
from keyfold._units import grouped, reduce_units
from keyfold.contracts import AnyReducer
from keyfold.errors import ContractError, DisagreementError, KeyfoldError

__all__ = ["Reduced", "reduce_across", "reduce_each", "reduce_levels", "unit_values"]


@attrs.define(eq=False, order=False)
class Reduced:
    """What the levels of a metric leave.

    Attributes:
        values: One value for each unit of the outermost level that has any, or the
            numbers of the samples where there is no level.
        without: How many units of that kind have none.
        level_units: How many units with a value each level has, innermost first.
        entries: For a breakdown, the entry of each value.
        entries_without: For a breakdown, the entry of each unit without a value.
    """

    values: Sequence[object]
    without: int
    level_units: tuple[int, ...]
    entries: Sequence[int] = ()
    entries_without: Sequence[int] = ()


def reduce_levels(
    population: PopulationFold, column: NumberColumn, metric: Metric
) -> Reduced:
    """Reduce the numbers of one metric, level by level.

    Raises:
        DataError: A reducer refuses the values of a unit.
        ContractError: A reducer does not keep its contract.
    """
    if not metric.keys:
        numbers = column.numbers
        return Reduced(numbers, population.rows - len(numbers), ())
    constant = population.constants.get((metric.keys[0], metric.value))
    if constant is not None and constant.hold:
        known = constant.values()
        return Reduced(known, constant.without(), (len(known),))
    return _level_by_level(population, column, metric)


def _level_by_level(
    population: PopulationFold, column: NumberColumn, metric: Metric
) -> Reduced:
    levels = metric.pipeline.levels
    tables = [population.tables[place] for place in metric.keys]
    values: Sequence[object] = column.numbers
    # Which units (at first: which rows) have these values; None means all of them.
    there: Sequence[int] | None
    there = None if column.irregular is None else column.irregular.mask(population.rows)
    parents: Sequence[int] = tables[0].rows
    size = population.rows
    level_units: list[int] = []
    for depth, level in enumerate(levels):
        codes = parents if there is None else list(compress(parents, there))
        size = len(tables[depth])
        values = reduce_each(level.reducer, codes, values, tables[depth])
        there = None
        if None in values:
            present = [value is not None for value in values]
            values = list(compress(values, present))
            there = present
        level_units.append(len(values))
        if depth + 1 < len(tables):
            link = population.links[metric.keys[depth], metric.keys[depth + 1]]
            parents = [link[unit] for unit in range(size)]
    reduced = Reduced(values, size - len(values), tuple(level_units))
    if metric.pipeline.by is not None:
        reduced.entries = parents
        if there is not None:
            reduced.entries = list(compress(parents, there))
            reduced.entries_without = list(compress(parents, map(not_, there)))
    return reduced


def reduce_each(
    reducer: AnyReducer,
    codes: Sequence[int],
    values: Sequence[object],
    table: KeyTable,
) -> Sequence[object]:
    """Return one result for each unit of a table, None where a unit has none.

    Raises:
        DataError: The reducer refuses the values of a unit; names it.
        ContractError: The reducer does not keep its contract.
    """
    units = len(table)
    try:
        results = reduce_units(reducer, codes, values, units)
    except Exception as error:
        for unit, its_values in enumerate(grouped(codes, values, units)):
            # One after the other, to name the one that fails by itself.
            try:
                reducer.finish(reducer.fold(reducer.init(), its_values))
            except Exception as found:
                raise _unit_error(found, reducer, table.key(unit)) from found
        raise _unit_error(error, reducer, None) from error
    size = length_of(results)
    if size != units:
        raise ContractError(
            f"reducer {expression_of(reducer)} gave {size} results for {units} units",
            hint="reduce_units gives one result a unit, None where it has none",
        )
    return results


def unit_values(
    reducer: AnyReducer, table: KeyTable, column: NumberColumn
) -> Sequence[object]:
    """Return the value of each unit of the innermost level, or None without one."""
    mask = None if column.irregular is None else column.irregular.mask(len(table.rows))
    rows = table.rows if mask is None else list(compress(table.rows, mask))
    return reduce_each(reducer, rows, column.numbers, table)


def reduce_across(reducer: AnyReducer, values: Iterable[object]) -> object:
    """Return the result of all values together, or None where they have none.

    Raises:
        DataError: The reducer refuses the values.
        ContractError: The reducer does not keep its contract.
    """
    try:
        return reducer.finish(reducer.fold(reducer.init(), values))
    except Exception as error:
        raise _unit_error(error, reducer, None) from error


def _unit_error(
    error: Exception, reducer: AnyReducer, key: tuple[Hashable, ...] | None
) -> KeyfoldError:
    where = "" if key is None else f"unit {shown(key, 200)}: "
    if isinstance(error, DisagreementError):
        return DisagreementError(
            where + error.message, values=error.values, hint=error.hint
        )
    if isinstance(error, KeyfoldError):
        return error
    return ContractError(
        f"{where}reducer {expression_of(reducer)} raised "
        f"{type(error).__name__}: {error}"
    )
