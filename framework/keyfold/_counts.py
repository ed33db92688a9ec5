"""How many samples each strategy of a metric's innermost key keyed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from keyfold._describe import name_of
from keyfold._fold import PopulationFold
from keyfold._keys import KeyTable
from keyfold._plan import Metric

__all__ = ["keyed_by", "keyed_by_entry", "strategies_of"]


class _Counts(dict[str, int]):
    # A strategy that keyed nothing reads as 0.
    def __missing__(self, name: str) -> int:
        return 0


def keyed_by(metric: Metric, population: PopulationFold) -> dict[str, int]:
    """Return how many samples each strategy of the innermost key keyed."""
    counts = _Counts()
    if not metric.pipeline.levels or not population.rows:
        return counts
    for names, size in _runs(population.tables[metric.keys[0]]):
        if isinstance(names, str):
            counts[names] += size
        else:
            for name, number in Counter(names).items():
                counts[name] += number
    return counts


def _runs(table: KeyTable) -> Iterable[tuple[str | Sequence[str], int]]:
    # The strategies that keyed the rows, a run at a time, with the run's length.
    size = table.size
    if not table.chosen:
        return [(name_of(table.strategy), size)]
    ends = [start for start, _ in table.chosen[1:]]
    ends.append(size)
    return [
        (names, end - start)
        for (start, names), end in zip(table.chosen, ends, strict=True)
    ]


def keyed_by_entry(
    metric: Metric, population: PopulationFold, entries: KeyTable
) -> list[dict[str, int]]:
    """Return the same for each entry of a breakdown, whose units are the entries."""
    counts: list[dict[str, int]] = [_Counts() for _ in range(len(entries))]
    if not metric.pipeline.levels:
        return counts
    table = population.tables[metric.keys[0]]
    for entry, name in zip(entries.rows, strategies_of(table), strict=True):
        counts[entry][name] += 1
    return counts


def strategies_of(table: KeyTable) -> list[str]:
    """Return the strategy that keyed each row of a table."""
    names: list[str] = []
    for chosen, size in _runs(table):
        names += [chosen] * size if isinstance(chosen, str) else chosen
    return names
