"""What a partial holds, as metrics are finished from it."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from keyfold._counts import Counts, tallies_of
from keyfold._partial.layout import Cell, Counting, Layout, cell_of
from keyfold._partial.population import PartialPopulation
from keyfold._partial.units import Units
from keyfold._plan import Metric, Plan
from keyfold._reduce import unit_error
from keyfold._source import Grouping, Tally, UnitValues
from keyfold._states import finish_states

__all__ = ["PartialSource"]


@attrs.frozen(order=False, eq=False)
class PartialSource:
    """Gives what a partial holds; a `Source`."""

    plan: Plan
    samples: int
    layouts: Sequence[Layout]
    populations: Sequence[PartialPopulation]

    def units(self, metric: Metric, depth: int, /) -> Units:
        """Return the units of a metric's level; the breakdown's entries come last."""
        return self._held(metric).units[metric.keys[depth]]

    def parents(self, metric: Metric, depth: int, /) -> Sequence[int]:
        """Return the unit of the next level, or the entry, of each unit of a level."""
        inner, outer = metric.keys[depth : depth + 2]
        links = self.plan.populations[metric.population].links
        return self._held(metric).links[links.index((inner, outer))]

    def unit_values(self, metric: Metric, /) -> UnitValues:
        """Return the values of the innermost units."""
        return UnitValues.of(self._finished(metric, cell_of(metric, None)))

    def results(self, metric: Metric, grouping: Grouping, /) -> Sequence[object]:
        """Return the result across the samples of each group, for want of a level."""
        return self._finished(metric, cell_of(metric, grouping))

    def tallies(self, metric: Metric, grouping: Grouping, /) -> Sequence[Tally]:
        """Return what was counted of each group."""
        return tallies_of(
            self._counts(metric, Counting(grouping, "selected"))["selected"],
            self._counts(metric, Counting(grouping, "value", metric.value)),
            self._counts(metric, Counting(grouping, "key", metric.keys[0]))
            if metric.pipeline.levels
            else {},
        )

    def _held(self, metric: Metric) -> PartialPopulation:
        return self.populations[metric.population]

    def _counts(self, metric: Metric, counting: Counting) -> Counts:
        place = self.layouts[metric.population].countings.index(counting)
        return self._held(metric).counts[place]

    def _finished(self, metric: Metric, cell: Cell) -> Sequence[object]:
        held = self._held(metric)
        place = self.layouts[metric.population].cells.index(cell)
        states = held.states[place]
        try:
            return finish_states(cell.reducer, states)
        except Exception as error:
            for unit, state in enumerate(states):
                # One after the other, to name the one that fails by itself.
                try:
                    cell.reducer.finish(state)
                except Exception as found:
                    key = (
                        None
                        if cell.grouping is None
                        else held.units[cell.grouping].key(unit)
                    )
                    raise unit_error(found, cell.reducer, key) from found
            raise unit_error(error, cell.reducer, None) from error
