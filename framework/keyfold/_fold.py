"""Samples in, columns out: the one pass over the samples that all pipelines share."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress, starmap
from typing import Any

from keyfold._admission import Admitted
from keyfold._constant import ConstantUnits
from keyfold._describe import expression_of, shown
from keyfold._keys import KeyTable
from keyfold._notes import note_key, note_selection, note_value
from keyfold._numbers import NumberColumn
from keyfold._plan import Plan, Population
from keyfold._reading import mask_of
from keyfold.errors import InconsistentUnitError, KeyfoldError

__all__ = ["Fold", "PopulationFold"]


class PopulationFold:
    """The columns of one population.

    Attributes:
        rows: How many samples were selected.
        tables: The units of each key strategy.
        columns: The numbers of each value.
        links: For each link of the plan, the outer unit of each inner unit.
        constants: The units of metrics that need no more than one value a unit, by the
            places of their key and value.
    """

    __slots__ = ("columns", "constants", "links", "population", "rows", "tables")

    def __init__(self, population: Population) -> None:
        self.population = population
        self.rows = 0
        self.tables = list(map(KeyTable, population.keys))
        self.columns = list(starmap(NumberColumn, population.values))
        self.links: dict[tuple[int, int], dict[int, int]] = {
            link: {} for link in population.links
        }
        self.constants = {pair: ConstantUnits() for pair in population.constants}

    def add(self, samples: Sequence[Any], positions: Sequence[int]) -> None:
        """Take in those of the samples that are selected.

        Raises:
            KeyfoldError: As `Fold.add`; a note names the plugin and its metrics.
        """
        if self.population.selection is not None:
            try:
                mask = mask_of(self.population.selection, samples, positions)
            except KeyfoldError as error:
                note_selection(error, self.population)
                raise
            if mask is not None:
                samples = list(compress(samples, mask))
                positions = list(compress(positions, mask))
        if not samples:
            return
        admitted: list[Admitted] = []
        for place, column in enumerate(self.columns):
            try:
                admitted.append(column.add(samples, positions, self.rows))
            except KeyfoldError as error:
                note_value(error, self.population, place)
                raise
        for place in range(len(self.tables)):
            try:
                self._key(place, samples, positions, admitted)
            except KeyfoldError as error:
                note_key(error, self.population, place)
                raise
        for (inner, outer), link in self.links.items():
            units = [self.tables[level].rows[self.rows :] for level in (inner, outer)]
            try:
                self._connect(link, (inner, outer), (units[0], units[1]), positions)
            except KeyfoldError as error:
                note_key(error, self.population, outer)
                raise
        self.rows += len(samples)

    def _key(
        self,
        place: int,
        samples: Sequence[Any],
        positions: Sequence[int],
        admitted: Sequence[Admitted],
    ) -> None:
        table = self.tables[place]
        table.add(samples, positions)
        try:
            self._place(place, admitted)
        except Exception as error:  # noqa: BLE001 - a hash may run anybody's code
            table.refuse_unhashable(error, samples, positions)

    def _place(self, place: int, admitted: Sequence[Admitted]) -> None:
        # Sort the samples of a batch into the units of one key.
        table = self.tables[place]
        numbered = place in self.population.numbered
        for (key, value), units in self.constants.items():
            if key == place and units.hold:
                batch = admitted[value]
                units.add(table, batch.numbers, batch.dropped)
            numbered = numbered or not units.hold
        if numbered:
            table.number()

    def _connect(
        self,
        link: dict[int, int],
        levels: tuple[int, int],
        units: tuple[list[int], list[int]],
        positions: Sequence[int],
    ) -> None:
        inner, outer = units
        # Backwards, so that of a unit's samples the first says where it belongs.
        pairs = zip(reversed(inner), reversed(outer), strict=True)
        for unit, parent in dict(pairs).items():
            link.setdefault(unit, parent)
        if list(map(link.__getitem__, inner)) == outer:
            return
        row = next(row for row, unit in enumerate(inner) if link[unit] != outer[row])
        below, above = (self.tables[level] for level in levels)
        split = shown(below.key(inner[row]), 200)
        first = shown(above.key(link[inner[row]]), 200)
        other = shown(above.key(outer[row]), 200)
        raise InconsistentUnitError(
            f"its unit {split} by {expression_of(below.strategy)} has samples in two "
            f"units of {expression_of(above.strategy)}: {first} and {other}",
            position=positions[row],
            hint="scope the inner key by the outer one, as in scoped(outer, inner)",
        )


class Fold:
    """Everything that the pipelines of a plan need of the samples added so far.

    Attributes:
        plan: What the pipelines need.
        first: The position of the first sample.
        samples: How many samples were added.
        populations: The columns of each population of the plan.
    """

    __slots__ = ("first", "plan", "populations", "samples")

    def __init__(self, plan: Plan, first: int = 0) -> None:
        self.plan = plan
        self.first = first
        self.samples = 0
        self.populations = list(map(PopulationFold, plan.populations))

    def add(self, samples: Sequence[Any]) -> None:
        """Take in more samples.

        Raises:
            SampleError: A sample can't be selected, keyed or valued.
            InconsistentUnitError: A unit's samples belong to two units above it.
            ContractError: A plugin does not keep its contract.
        """
        start = self.first + self.samples
        positions = range(start, start + len(samples))
        for population in self.populations:
            population.add(samples, positions)
        self.samples += len(samples)
