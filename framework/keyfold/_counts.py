"""What is counted of the samples that a fold took in: all together, or by unit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from keyfold._describe import name_of
from keyfold._fold import PopulationFold
from keyfold._keys import KeyTable
from keyfold._source import Grouping, Tally

__all__ = [
    "IRREGULAR",
    "Counts",
    "count_irregular",
    "count_keyed",
    "count_selected",
    "strategies_of",
    "tallies_of",
]

Counts: TypeAlias = Mapping[str, Sequence[int]]
"""Counts by the name of what is counted, one a group of samples."""

IRREGULAR: Final = ("dropped", "missing", "rejected", "nonfinite")
"""What is counted of a value."""


class _KeyedBy(dict[str, int]):
    # A strategy that keyed nothing reads as 0.
    def __missing__(self, name: str) -> int:
        return 0


def tallies_of(
    selected: Sequence[int], irregular: Counts, keyed: Counts
) -> list[Tally]:
    """Return the counts group by group.

    Args:
        selected: How many samples each group has.
        irregular: How many of them gave no ordinary number.
        keyed: How many each strategy keyed.
    """
    dropped, missing, rejected, nonfinite = (irregular[name] for name in IRREGULAR)
    return [
        Tally(
            size,
            dropped[group],
            missing[group],
            rejected[group],
            nonfinite[group],
            _KeyedBy({name: its[group] for name, its in keyed.items() if its[group]}),
        )
        for group, size in enumerate(selected)
    ]


def count_selected(population: PopulationFold, grouping: Grouping) -> Sequence[int]:
    """Return how many samples each group has."""
    if grouping is None:
        return [population.rows]
    table = population.tables[grouping]
    return _by_unit(table.rows, len(table))


def count_irregular(
    population: PopulationFold, value: int, grouping: Grouping
) -> Counts:
    """Return how many samples of each group gave a value no ordinary number."""
    irregular = population.columns[value].irregular
    rows = {
        name: () if irregular is None else getattr(irregular, name)
        for name in IRREGULAR
    }
    if grouping is None:
        return {name: [len(its)] for name, its in rows.items()}
    table = population.tables[grouping]
    return {
        name: _by_unit(map(table.rows.__getitem__, its), len(table))
        for name, its in rows.items()
    }


def count_keyed(population: PopulationFold, key: int, grouping: Grouping) -> Counts:
    """Return how many samples of each group each strategy of a key keyed."""
    table = population.tables[key]
    if grouping is None:
        counts: dict[str, list[int]] = {}
        for names, size in _runs(table):
            if isinstance(names, str):
                counts.setdefault(names, [0])[0] += size
            else:
                for name, number in Counter(names).items():
                    counts.setdefault(name, [0])[0] += number
        return counts
    groups = population.tables[grouping]
    met = Counter(zip(strategies_of(table), groups.rows, strict=True))
    return {
        name: [met[name, group] for group in range(len(groups))]
        for name in dict.fromkeys(name for name, _ in met)
    }


def strategies_of(table: KeyTable) -> list[str]:
    """Return the strategy that keyed each row of a table."""
    names: list[str] = []
    for chosen, size in _runs(table):
        names += [chosen] * size if isinstance(chosen, str) else chosen
    return names


def _runs(table: KeyTable) -> Iterable[tuple[str | Sequence[str], int]]:
    # The strategies that keyed the rows, a batch at a time, with the batch's length.
    for names, size in table.chosen:
        yield name_of(table.strategy) if names is None else names, size


def _by_unit(units: Iterable[int], size: int) -> list[int]:
    met = Counter(units)
    return [met[unit] for unit in range(size)]
