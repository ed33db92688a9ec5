"""What a fold holds, as metrics are finished from it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress

import attrs

from keyfold._counts import (
    count_irregular,
    count_keyed,
    count_selected,
    tallies_of,
    tally_of_all,
)
from keyfold._fold import Fold, PopulationFold
from keyfold._keys import KeyTable
from keyfold._plan import Metric
from keyfold._reduce import reduce_across, reduce_each
from keyfold._source import Grouping, Tally, UnitValues

__all__ = ["FoldSource"]


@attrs.frozen(order=False, eq=False)
class FoldSource:
    """Gives what a fold holds of the samples that it took in; a `Source`."""

    fold: Fold

    @property
    def samples(self) -> int:
        """How many samples there were."""
        return self.fold.samples

    def units(self, metric: Metric, depth: int, /) -> KeyTable:
        """Return the units of a metric's level; the breakdown's entries come last."""
        return self._population(metric).tables[metric.keys[depth]]

    def parents(self, metric: Metric, depth: int, /) -> Sequence[int]:
        """Return the unit of the next level, or the entry, of each unit of a level."""
        inner, outer = metric.keys[depth : depth + 2]
        population = self._population(metric)
        link = population.links[inner, outer]
        return [link[unit] for unit in range(len(population.tables[inner]))]

    def unit_values(self, metric: Metric, /) -> UnitValues:
        """Return the values of the innermost units."""
        population = self._population(metric)
        place = metric.keys[0]
        constant = population.constants.get((place, metric.value))
        if constant is not None and constant.hold:
            return UnitValues(constant.values(), constant.without())
        return UnitValues.of(self.each_unit(metric))

    def each_unit(self, metric: Metric) -> Sequence[object]:
        """Return the value of each innermost unit, None where it has none."""
        place = metric.keys[0]
        codes, numbers = self._numbers(metric, place)
        reducer = metric.pipeline.levels[0].reducer
        table = self._population(metric).tables[place]
        return reduce_each(reducer, codes, numbers, table)

    def results(self, metric: Metric, grouping: Grouping, /) -> Sequence[object]:
        """Return the result across the samples of each group, for want of a level."""
        population = self._population(metric)
        across = metric.pipeline.across
        if grouping is None:
            return [reduce_across(across, population.columns[metric.value].numbers)]
        codes, numbers = self._numbers(metric, grouping)
        return reduce_each(across, codes, numbers, population.tables[grouping])

    def tallies(self, metric: Metric, grouping: Grouping, /) -> Sequence[Tally]:
        """Return what was counted of each group."""
        population = self._population(metric)
        key = metric.keys[0] if metric.pipeline.levels else None
        if grouping is None:
            return [tally_of_all(population, metric.value, key)]
        return tallies_of(
            count_selected(population, grouping),
            count_irregular(population, metric.value, grouping),
            {} if key is None else count_keyed(population, key, grouping),
        )

    def _population(self, metric: Metric) -> PopulationFold:
        return self.fold.populations[metric.population]

    def _numbers(
        self, metric: Metric, key: int
    ) -> tuple[Sequence[int], Sequence[object]]:
        # The numbers of the samples that gave one, with the unit of each.
        population = self._population(metric)
        column, codes = population.columns[metric.value], population.tables[key].rows
        if column.irregular is not None:
            mask = column.irregular.mask(population.rows)
            codes = codes if mask is None else list(compress(codes, mask))
        return codes, column.numbers
