"""From what several partials hold of one population to what all of them hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import starmap

import attrs

from keyfold._counts import Counts
from keyfold._describe import expression_of, shown
from keyfold._partial.layout import Cell, Counting, Layout
from keyfold._partial.party import Party
from keyfold._partial.population import PartialPopulation
from keyfold._partial.units import Key, Units, numbered
from keyfold._plan import Population
from keyfold._reduce import unit_error
from keyfold._source import Grouping
from keyfold._states import States, merge_states
from keyfold.errors import InconsistentUnitError, KeyfoldError, MergeError

__all__ = ["merged_populations"]


def merged_populations(
    population: Population,
    layout: Layout,
    parts: Sequence[tuple[Party, PartialPopulation]],
) -> PartialPopulation:
    """Return what several partials hold of a population together.

    Args:
        population: What the pipelines need of it.
        layout: The states and counts that each part holds.
        parts: Who brings each part, and what it holds of the population.

    Raises:
        MergeError: The parts read a value from different fields.
        InconsistentUnitError: A unit belongs to two outer units.
        DisagreementError: A reducer that allows one value a unit met two.
    """
    held = [part for _, part in parts]
    tables = [
        numbered([part.units[place] for part in held])
        for place in range(len(population.keys))
    ]
    units = tuple(table for table, _ in tables)
    codes = tuple(its for _, its in tables)
    merging = _Merging(population, parts, units, codes)
    return PartialPopulation(
        sum(part.rows for part in held),
        tuple(map(merging.bound, range(len(population.values)))),
        units,
        tuple(map(merging.links, range(len(population.links)))),
        tuple(starmap(merging.states, enumerate(layout.cells))),
        tuple(starmap(merging.counts, enumerate(layout.countings))),
    )


@attrs.frozen(order=False, eq=False)
class _Merging:
    population: Population
    parts: Sequence[tuple[Party, PartialPopulation]]
    # For each key strategy the units of all parts; and for each part, which of them its
    # own are.
    units: tuple[Units, ...]
    codes: tuple[Sequence[Sequence[int]], ...]

    def bound(self, value: int) -> str | None:
        found: dict[str, Party] = {}
        for party, part in self.parts:
            way = part.bound[value]
            if way is not None:
                found.setdefault(way, party)
        if len(found) > 1:
            ways = " and ".join(
                f"{way} in {party.name}" for way, party in found.items()
            )
            raise MergeError(
                f"the value {expression_of(self.population.values[value][0])} was read "
                f"from {ways}",
                hint="a value that looks at a batch's first sample needs batches that "
                "are all alike; name one place to read it from",
            )
        return next(iter(found), None)

    def links(self, place: int) -> Sequence[int]:
        inner, outer = self.population.links[place]
        links: dict[int, int] = {}
        for number, (_, part) in enumerate(self.parts):
            own = self.codes[inner][number]
            above = list(map(self.codes[outer][number].__getitem__, part.links[place]))
            if list(map(links.setdefault, own, above)) != above:
                raise self._inconsistent(place, number, links)
        return list(map(links.__getitem__, range(self.units[inner].size)))

    def _inconsistent(
        self, place: int, number: int, links: Mapping[int, int]
    ) -> InconsistentUnitError:
        # The parts before this one agree; of its units, the first that does not.
        inner, outer = self.population.links[place]
        party, part = self.parts[number]
        unit, parent = next(
            (unit, self.codes[outer][number][above])
            for unit, above in zip(
                self.codes[inner][number], part.links[place], strict=True
            )
            if links[unit] != self.codes[outer][number][above]
        )
        earlier = self._first_with(inner, unit)
        below, above = (self.population.keys[key] for key in (inner, outer))
        one, other = (
            shown(self.units[outer].key(code), 200) for code in (links[unit], parent)
        )
        return InconsistentUnitError(
            f"the unit {shown(self.units[inner].key(unit), 200)} by "
            f"{expression_of(below)} has samples in two units of "
            f"{expression_of(above)}: {one} in {earlier.name}, and {other} in "
            f"{party.name}",
            shards=(earlier.shards, party.shards),
            hint="scope the inner key by the outer one, as in scoped(outer, inner)",
        )

    def _first_with(self, key: int, unit: int) -> Party:
        return next(
            party
            for (party, _), codes in zip(self.parts, self.codes[key], strict=True)
            if unit in codes
        )

    def states(self, place: int, cell: Cell) -> States:
        parts = [
            (codes, part.states[place])
            for codes, (_, part) in zip(
                self._groups(cell.grouping), self.parts, strict=True
            )
        ]
        try:
            return merge_states(cell.reducer, parts, self._size(cell.grouping))
        except Exception as error:
            raise self._blamed(cell, parts, error) from error

    def _blamed(
        self,
        cell: Cell,
        parts: Sequence[tuple[Sequence[int], States]],
        error: Exception,
    ) -> KeyfoldError:
        # The error of the first unit whose states can't be merged by themselves.
        merged: dict[int, tuple[Party, object]] = {}
        for (party, _), (codes, states) in zip(self.parts, parts, strict=True):
            for code, state in zip(codes, states, strict=True):
                first, known = merged.setdefault(code, (party, state))
                if first is party:
                    continue
                try:
                    merged[code] = (first, cell.reducer.merge(known, state))
                except Exception as found:  # noqa: BLE001 - a reducer is anybody's code
                    both = f" ({first.name}, and {party.name})"
                    return unit_error(found, cell.reducer, self._key(cell, code), both)
        return unit_error(error, cell.reducer, None)

    def counts(self, place: int, counting: Counting) -> Counts:
        size = self._size(counting.grouping)
        merged: dict[str, list[int]] = {}
        for codes, (_, part) in zip(
            self._groups(counting.grouping), self.parts, strict=True
        ):
            for name, its in part.counts[place].items():
                sums = merged.setdefault(name, [0] * size)
                for code, number in zip(codes, its, strict=True):
                    sums[code] += number
        return merged

    def _groups(self, grouping: Grouping) -> Sequence[Sequence[int]]:
        return [(0,)] * len(self.parts) if grouping is None else self.codes[grouping]

    def _size(self, grouping: Grouping) -> int:
        return 1 if grouping is None else self.units[grouping].size

    def _key(self, cell: Cell, code: int) -> Key | None:
        return None if cell.grouping is None else self.units[cell.grouping].key(code)
