"""How many samples each strategy of a metric's innermost key keyed."""

from __future__ import annotations

from collections import Counter

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
    table = population.tables[metric.keys[0]]
    for names, size in table.chosen:
        if names is None:
            counts[name_of(table.strategy)] += size
        elif isinstance(names, str):
            counts[names] += size
        else:
            for name, number in Counter(names).items():
                counts[name] += number
    return counts


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
    for chosen, size in table.chosen:
        if chosen is None:
            names += [name_of(table.strategy)] * size
        else:
            names += [chosen] * size if isinstance(chosen, str) else chosen
    return names
