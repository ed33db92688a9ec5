"""From the values of the innermost units to those of the outermost, level by level."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from operator import not_

import attrs

from keyfold._plan import Metric
from keyfold._reduce import reduce_each
from keyfold._source import Source, UnitValues

__all__ = ["Reduced", "reduce_levels"]


@attrs.frozen(order=False, eq=False)
class Reduced:
    """What the levels of a metric leave.

    Attributes:
        values: The value of each unit of the outermost level that has one.
        without: How many units of that level have none.
        level_units: How many units with a value each level has, innermost first.
        entries: For a breakdown, the entry of each value.
        entries_without: For a breakdown, the entry of each unit without a value.
    """

    values: Sequence[object]
    without: int
    level_units: tuple[int, ...]
    entries: Sequence[int] = ()
    entries_without: Sequence[int] = ()


def reduce_levels(source: Source, metric: Metric) -> Reduced:
    """Reduce the values of a metric's innermost units, level by level.

    Raises:
        DataError: A reducer refuses the values of a unit.
        ContractError: A reducer does not keep its contract.
    """
    its = source.unit_values(metric)
    level_units = [len(its.values)]
    for depth, level in enumerate(metric.pipeline.levels[1:], start=1):
        codes, _ = _parents(source, metric, depth - 1, its)
        units = source.units(metric, depth)
        its = UnitValues.of(reduce_each(level.reducer, codes, its.values, units))
        level_units.append(len(its.values))
    entries: Sequence[int] = ()
    without: Sequence[int] = ()
    if metric.pipeline.by is not None:
        entries, without = _parents(source, metric, len(level_units) - 1, its)
    return Reduced(its.values, its.without, tuple(level_units), entries, without)


def _parents(
    source: Source, metric: Metric, depth: int, units: UnitValues
) -> tuple[Sequence[int], Sequence[int]]:
    # The outer unit of each unit that has a value, and of each that has none.
    parents = source.parents(metric, depth)
    if units.present is None:
        return parents, ()
    return (
        list(compress(parents, units.present)),
        list(compress(parents, map(not_, units.present))),
    )
