"""From bytes that nobody vouches for to what a partial holds."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from keyfold._counts import Counts
from keyfold._describe import expression_of, shown
from keyfold._partial.layout import Cell, Counting, Layout
from keyfold._partial.population import PartialPopulation
from keyfold._partial.units import Units
from keyfold._plan import Population
from keyfold._source import Grouping
from keyfold._states import States
from keyfold._wire.atoms import from_total
from keyfold._wire.columns import from_column, from_floats, from_ints
from keyfold._wire.message import (
    WireCounts,
    WirePlain,
    WirePopulation,
    WireTotals,
    WireUnits,
)
from keyfold.contracts import AnyReducer
from keyfold.errors import PartialFormatError
from keyfold.totals import Totals

__all__ = ["from_wire"]

_MOST = 1 << 62
_NAMES = {
    "selected": ("selected",),
    "value": ("dropped", "missing", "rejected", "nonfinite"),
}


def from_wire(
    wire: WirePopulation, population: Population, layout: Layout, samples: int
) -> PartialPopulation:
    """Return what a partial holds of a population.

    Args:
        wire: What was read.
        population: What the pipelines need of it.
        layout: The states and counts that a partial of such pipelines holds.
        samples: How many samples the partial is of.

    Raises:
        PartialFormatError: It is not what a partial of such pipelines holds.
    """
    for what, found, expected in (
        ("values", wire.bound, population.values),
        ("keys", wire.units, population.keys),
        ("links", wire.links, population.links),
        ("states", wire.states, layout.cells),
        ("counts", wire.counts, layout.countings),
    ):
        if len(found) != len(expected):
            raise PartialFormatError(
                f"expected {len(expected)} {what}, as its pipelines have, "
                f"found {len(found)}"
            )
    if not 0 <= wire.rows <= samples:
        raise PartialFormatError(
            f"expected at most {samples} selected samples, found {wire.rows}"
        )
    units = tuple(_units(each, wire.rows) for each in wire.units)
    reading = _Reading(units, wire.rows)
    return PartialPopulation(
        wire.rows,
        wire.bound,
        units,
        tuple(
            from_ints(links, units[inner].size, 0, units[outer].size)
            for links, (inner, outer) in zip(wire.links, population.links, strict=True)
        ),
        tuple(map(reading.states, layout.cells, wire.states)),
        tuple(map(reading.counts, layout.countings, wire.counts)),
    )


def _units(wire: WireUnits, rows: int) -> Units:
    if not 0 <= wire.size <= rows or (wire.size > 1 and not wire.columns):
        raise PartialFormatError(
            f"expected at most as many units as selected samples, {rows}, "
            f"found {wire.size}"
        )
    columns = tuple(from_column(column, wire.size) for column in wire.columns)
    units = Units(wire.size, columns, wire.ragged)
    keys = list(units.keys())
    if len(set(keys)) != len(keys) or any(_has_nan(column) for column in columns):
        raise PartialFormatError("expected distinct units, found some of them twice")
    return units


def _has_nan(column: Sequence[object]) -> bool:
    return float in set(map(type, column)) and any(some != some for some in column)  # noqa: PLR0124 - only NaN differs from itself


def _its_own(reducer: AnyReducer, states: States) -> States:
    # A state of another kind would be told as a fault of the reducer, later on.
    for state in states:
        try:
            reducer.merge(state, state)
        except Exception as error:
            raise PartialFormatError(
                f"expected a state of the reducer {expression_of(reducer)}, "
                f"found {shown(state)}"
            ) from error
    return states


@attrs.frozen(order=False, eq=False)
class _Reading:
    units: tuple[Units, ...]
    rows: int

    def states(self, cell: Cell, wire: WireTotals | WirePlain) -> States:
        size = self._size(cell.grouping)
        if not isinstance(wire, WireTotals):
            return _its_own(cell.reducer, from_column(wire.states, size))
        values = from_floats(wire.values, size)
        counts = from_ints(wire.counts, size, 0, self.rows + 1)
        units = from_ints(wire.units, len(wire.others), 0, size)
        if len(set(units)) != len(units) or any(map(counts.__getitem__, units)):
            raise PartialFormatError("expected one exact sum a unit, found two")
        return Totals(
            values, counts, dict(zip(units, map(from_total, wire.others), strict=True))
        )

    def counts(self, counting: Counting, wire: WireCounts) -> Counts:
        names = wire.names
        expected = _NAMES.get(counting.what, names)
        if names != expected or not len(set(names)) == len(names) == len(wire.counts):
            raise PartialFormatError(
                f"expected counts of {expected}, found {names} and {len(wire.counts)}"
            )
        size = self._size(counting.grouping)
        return {
            name: from_ints(counts, size, 0, self.rows + 1)
            for name, counts in zip(names, wire.counts, strict=True)
        }

    def _size(self, grouping: Grouping) -> int:
        return 1 if grouping is None else self.units[grouping].size
