"""The totals of many units, packed: most units meet one value again and again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import isfinite
from typing import Final, overload

import attrs

from keyfold.exact import EMPTY, Total, add, total_mean, total_of, total_sum

__all__ = ["Totals", "merged_totals", "packed", "totals_of"]

# So often may a value be written out, where its exact product takes longer to find.
_FEW: Final = 16


@attrs.frozen(order=False, eq=False)
class Totals(Sequence[Total]):
    """The totals of many units.

    The samples of a rollout nearly always share its reward. Such a unit has its one
    value and how often it met it, whose exact product is the total; a unit that met
    several values has a total of its own.

    Attributes:
        values: The one value of each unit; 0.0 for a unit with a total of its own.
        counts: How often each unit met it; 0 for a unit without values, or with a total
            of its own.
        others: The totals of the units that met several values.
    """

    values: Sequence[float]
    counts: Sequence[int]
    others: Mapping[int, Total] = attrs.field(factory=dict[int, Total])

    def __len__(self) -> int:
        return len(self.counts)

    @overload
    def __getitem__(self, unit: int, /) -> Total: ...
    @overload
    def __getitem__(self, unit: slice, /) -> list[Total]: ...
    def __getitem__(self, unit: int | slice, /) -> Total | list[Total]:
        if isinstance(unit, slice):
            return [self[place] for place in range(*unit.indices(len(self)))]
        place = range(len(self))[unit]
        if place in self.others:
            return self.others[place]
        return _repeated(self.values[place], self.counts[place])

    def __iter__(self) -> Iterator[Total]:
        return (self[unit] for unit in range(len(self)))

    def sums(self) -> list[float | None]:
        """Return each unit's sum as the nearest float, or None of no values."""
        # A float times an int that floats hold is rounded once, as the exact product.
        # Adding 0.0 makes -0.0 the 0.0 that a sum of it gives.
        sums: list[float | None] = [
            value * count + 0.0 if count else None
            for value, count in zip(self.values, self.counts, strict=True)
        ]
        return self._with_others(sums, total_sum)

    def means(self) -> list[float | None]:
        """Return each unit's mean as the nearest float, or None of no values."""
        means: list[float | None] = [
            value + 0.0 if count else None
            for value, count in zip(self.values, self.counts, strict=True)
        ]
        return self._with_others(means, total_mean)

    def _with_others(
        self, results: list[float | None], of_total: Callable[[Total], float]
    ) -> list[float | None]:
        for unit, total in self.others.items():
            results[unit] = of_total(total)
        return results


def _repeated(value: float, count: int) -> Total:
    """Return the total of one value, met so many times."""
    total, doubled = EMPTY, total_of([value])
    while count:
        # Doubling the value, and adding where the count has a binary digit.
        if count & 1:
            total = add(total, doubled)
        doubled = add(doubled, doubled)
        count >>= 1
    return total


def totals_of(codes: Sequence[int], values: Sequence[float], units: int) -> Totals:
    """Return the total of each unit's values.

    Args:
        codes: The unit of each value, from 0 to `units - 1`.
        values: The values, parallel to `codes`.
        units: How many units there are.
    """
    known, counts = [0.0] * units, [0] * units
    differing: set[int] = set()
    for code, value in zip(codes, values, strict=True):
        if not counts[code]:
            known[code] = value
        elif known[code] != value:
            differing.add(code)
        counts[code] += 1
    if int in set(map(type, known)):
        # An int that no float holds.
        differing.update(code for code in range(units) if type(known[code]) is int)
    if not differing:
        return Totals(known, counts)
    lists: dict[int, list[float]] = {code: [] for code in differing}
    for code, value in zip(codes, values, strict=True):
        if code in differing:
            lists[code].append(value)
    others = {code: total_of(its) for code, its in lists.items()}
    for code in others:
        known[code], counts[code] = 0.0, 0
    return Totals(known, counts, others)


def merged_totals(
    parts: Sequence[tuple[Sequence[int], Sequence[Total]]], units: int
) -> Totals:
    """Return the totals of units whose values are spread over several parts.

    Args:
        parts: For each part, the units of its totals, and the totals.
        units: How many units there are.
    """
    values, counts = [0.0] * units, [0] * units
    repeats: dict[int, list[tuple[float, int]]] = defaultdict(list)
    wholes: dict[int, list[Total]] = defaultdict(list)
    for codes, totals in parts:
        its = packed(totals)
        for code, value, count in zip(codes, its.values, its.counts, strict=True):
            if not count:
                continue
            if not counts[code]:
                values[code], counts[code] = value, count
            elif values[code] == value:
                counts[code] += count
            else:
                repeats[code].append((value, count))
        for unit, total in its.others.items():
            wholes[codes[unit]].append(total)
    others: dict[int, Total] = {}
    for code in {**repeats, **wholes}:
        met = [(values[code], counts[code]), *repeats.get(code, ())]
        others[code] = _sum_of(met, wholes.get(code, ()))
        values[code], counts[code] = 0.0, 0
    return Totals(values, counts, others)


def _sum_of(repeats: Iterable[tuple[float, int]], totals: Iterable[Total]) -> Total:
    # All at once, as each addition of two totals takes as long as one of many terms.
    terms: list[float] = []
    count = 0
    rest: list[Total] = []
    for value, times in repeats:
        if times <= _FEW and isfinite(value):
            terms += [value] * times
            count += times
        else:
            rest.append(_repeated(value, times))
    for total in totals:
        if total.carry or not _is_finite(total):
            rest.append(total)
        else:
            terms += total.parts
            count += total.count
    exact = total_of(terms)
    whole = Total(count, exact.parts, exact.carry)
    for total in rest:
        whole = add(whole, total)
    return whole


def _is_finite(total: Total) -> bool:
    return not (total.nans or total.positive_infinities or total.negative_infinities)


def packed(totals: Sequence[Total]) -> Totals:
    """Return totals in their packed form."""
    if isinstance(totals, Totals):
        return totals
    others = {unit: total for unit, total in enumerate(totals) if total.count}
    return Totals([0.0] * len(totals), [0] * len(totals), others)
