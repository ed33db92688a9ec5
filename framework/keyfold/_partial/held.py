"""What a session holds of one population: it grows by what each batch brings."""

from __future__ import annotations

from collections.abc import Sequence

from keyfold._counts import Counts
from keyfold._partial.layout import Layout
from keyfold._partial.merging import merged_populations
from keyfold._partial.party import Party
from keyfold._partial.population import PartialPopulation
from keyfold._partial.stores import StateStore, store_of
from keyfold._partial.units import Key, units_of
from keyfold._plan import Population
from keyfold._source import Grouping

__all__ = ["HeldPopulation"]


class HeldPopulation:
    """The states and counts of one population, by the numbers of its units.

    A batch is merged with those units only that it shares, so what it costs does not
    grow with what is held.
    """

    def __init__(self, population: Population, layout: Layout) -> None:
        self._population = population
        self._layout = layout
        self._rows = 0
        self._bound: tuple[str | None, ...] = (None,) * len(population.values)
        self._numbers: list[dict[Key, int]] = [{} for _ in population.keys]
        self._keys: list[list[Key]] = [[] for _ in population.keys]
        self._links: list[list[int]] = [[] for _ in population.links]
        self._states: list[StateStore | None] = [None] * len(layout.cells)
        self._counts: list[dict[str, list[int]]] = [{} for _ in layout.countings]

    def merged(
        self, batch: PartialPopulation, parties: tuple[Party, Party]
    ) -> PartialPopulation:
        """Return a batch with what is held of its units; nothing changes.

        Args:
            batch: What the batch brings.
            parties: How errors name what is held, and the batch.

        Raises:
            DataError: The two can't be merged.
        """
        if not self._rows:
            return batch
        known = self._part(self._shared(batch))
        held, new = parties
        return merged_populations(
            self._population, self._layout, [(held, known), (new, batch)]
        )

    def put(self, merged: PartialPopulation) -> None:
        """Take what `merged` gave in the place of what is held of its units."""
        self._rows += merged.rows
        self._bound = merged.bound
        codes = [
            self._numbered(place, units.keys())
            for place, units in enumerate(merged.units)
        ]
        for place, (inner, outer) in enumerate(self._population.links):
            parents = map(codes[outer].__getitem__, merged.links[place])
            for unit, parent in zip(codes[inner], parents, strict=True):
                self._links[place][unit : unit + 1] = [parent]
        for place, cell in enumerate(self._layout.cells):
            states = merged.states[place]
            store = self._states[place]
            if store is None:
                store = self._states[place] = store_of(states)
            store.put([0] if cell.grouping is None else codes[cell.grouping], states)
        for place, counting in enumerate(self._layout.countings):
            grouping = counting.grouping
            self._put_counts(
                self._counts[place],
                merged.counts[place],
                [0] if grouping is None else codes[grouping],
                self._size(grouping),
            )

    def snapshot(self) -> PartialPopulation:
        """Return all that is held."""
        return PartialPopulation(
            self._rows,
            self._bound,
            tuple(map(units_of, self._keys)),
            tuple(map(tuple, self._links)),
            tuple(store.all() for store in self._states if store is not None),
            tuple(
                {name: tuple(its) for name, its in counts.items()}
                for counts in self._counts
            ),
        )

    def _numbered(self, place: int, keys: Sequence[Key]) -> list[int]:
        numbers, known = self._numbers[place], self._keys[place]
        for key in keys:
            if numbers.setdefault(key, len(known)) == len(known):
                known.append(key)
        return list(map(numbers.__getitem__, keys))

    def _size(self, grouping: Grouping) -> int:
        return 1 if grouping is None else len(self._keys[grouping])

    def _shared(self, batch: PartialPopulation) -> list[list[int]]:
        # The held units that the batch has samples of, and the outer units of those.
        shared = [
            dict.fromkeys(numbers[key] for key in keys if key in numbers)
            for keys, numbers in zip(
                (units.keys() for units in batch.units), self._numbers, strict=True
            )
        ]
        for _ in self._population.links:
            # A link may lead to the inner units of one that was looked at before.
            for place, (inner, outer) in enumerate(self._population.links):
                links = self._links[place]
                shared[outer] |= {links[unit]: None for unit in shared[inner]}
        return list(map(list, shared))

    def _part(self, shared: Sequence[Sequence[int]]) -> PartialPopulation:
        # What is held of some units, as a population of its own.
        places = [{unit: place for place, unit in enumerate(its)} for its in shared]

        def of(grouping: Grouping) -> Sequence[int]:
            return [0] if grouping is None else shared[grouping]

        return PartialPopulation(
            0,
            self._bound,
            tuple(
                units_of([keys[unit] for unit in its])
                for keys, its in zip(self._keys, shared, strict=True)
            ),
            tuple(
                [places[outer][links[unit]] for unit in shared[inner]]
                for links, (inner, outer) in zip(
                    self._links, self._population.links, strict=True
                )
            ),
            tuple(
                store.take(of(cell.grouping))
                for store, cell in zip(self._states, self._layout.cells, strict=True)
                if store is not None
            ),
            tuple(
                {
                    name: [its[unit] for unit in of(counting.grouping)]
                    for name, its in counts.items()
                }
                for counts, counting in zip(
                    self._counts, self._layout.countings, strict=True
                )
            ),
        )

    def _put_counts(
        self,
        held: dict[str, list[int]],
        counts: Counts,
        codes: Sequence[int],
        size: int,
    ) -> None:
        for name in counts:
            held.setdefault(name, [])
        for name, sums in held.items():
            sums.extend([0] * (size - len(sums)))
            if name in counts:
                for code, number in zip(codes, counts[name], strict=True):
                    sums[code] = number
