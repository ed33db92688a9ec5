"""What is counted of the samples that a fold took in: all together, or by unit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from keyfold._describe import name_of
from keyfold._fold import PopulationFold
from keyfold._keys import KeyTable
from keyfold._numbers import Irregular
from keyfold._source import Grouping, Tally

__all__ = [
    "IRREGULAR",
    "Counts",
    "count_irregular",
    "count_keyed",
    "count_selected",
    "strategies_of",
    "tallies_of",
    "tally_of_all",
]

Counts: TypeAlias = Mapping[str, Sequence[int]]
"""Counts by the name of what is counted, one a group of samples."""

IRREGULAR: Final = ("dropped", "missing", "rejected", "nonfinite")
"""What is counted of a value."""


_REGULAR: Final = Irregular()


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


def tally_of_all(population: PopulationFold, value: int, key: int | None) -> Tally:
    """Return the counts of everything together, by the shortest way.

    Args:
        population: The fold.
        value: The place of the value.
        key: The place of the innermost key, or None without one.
    """
    irregular = population.columns[value].irregular or _REGULAR
    keyed = _KeyedBy()
    if key is not None:
        for names, size in _runs(population.tables[key]):
            _count_run(keyed, names, size)
    return Tally(
        population.rows,
        len(irregular.dropped),
        len(irregular.missing),
        len(irregular.rejected),
        len(irregular.nonfinite),
        keyed,
    )


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
        keyed = _KeyedBy()
        for names, size in _runs(table):
            _count_run(keyed, names, size)
        return {name: [number] for name, number in keyed.items()}
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


def _count_run(keyed: _KeyedBy, names: str | Sequence[str], size: int) -> None:
    if isinstance(names, str):
        keyed[names] += size
    else:
        for name, number in Counter(names).items():
            keyed[name] += number


def _by_unit(units: Iterable[int], size: int) -> list[int]:
    met = Counter(units)
    return [met[unit] for unit in range(size)]
