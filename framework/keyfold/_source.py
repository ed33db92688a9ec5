"""What is needed of some samples to finish the metrics of a plan."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import compress
from typing import Protocol, TypeAlias

import attrs

from keyfold._plan import Metric

__all__ = ["Grouping", "Source", "Tally", "UnitKeys", "UnitValues"]

Grouping: TypeAlias = int | None
"""Of what: each unit of a key (by place), or, for None, everything together."""


@attrs.frozen(order=False, eq=False)
class Tally:
    """What was counted of some samples.

    Attributes:
        selected: How many the metric's selection takes.
        dropped: How many of those gave no number that is used.
        missing: How many had no value.
        rejected: How many had a value that is no number.
        nonfinite: How many gave NaN or an infinity.
        keyed_by: How many each strategy of the innermost key keyed.
    """

    selected: int
    dropped: int
    missing: int
    rejected: int
    nonfinite: int
    keyed_by: Mapping[str, int]


@attrs.frozen(order=False, eq=False)
class UnitValues:
    """The values of some units.

    Attributes:
        values: The value of each unit that has one.
        without: How many units have none.
        present: Which units have one, in the order of the units; None means all of
            them, or that nobody asks for more than the values.
    """

    values: Sequence[object]
    without: int = 0
    present: Sequence[bool] | None = None

    @classmethod
    def of(cls, results: Sequence[object]) -> UnitValues:
        """Take one result a unit, None where it has none."""
        if None not in results:
            return cls(results)
        present = [result is not None for result in results]
        values = list(compress(results, present))
        return cls(values, len(results) - len(values), present)


class UnitKeys(Protocol):
    """The keys of some units."""

    def __len__(self) -> int: ...

    def key(self, unit: int, /) -> tuple[Hashable, ...]:
        """Return the key of a unit."""
        ...

    def keys(self) -> Sequence[tuple[Hashable, ...]]:
        """Return the key of each unit, in their order."""
        ...


class Source(Protocol):
    """Gives of some samples, or of some partials, what metrics are finished from."""

    @property
    def samples(self) -> int:
        """How many samples there were."""
        ...

    def units(self, metric: Metric, depth: int, /) -> UnitKeys:
        """Return the units of a metric's level; the breakdown's entries come last."""
        ...

    def parents(self, metric: Metric, depth: int, /) -> Sequence[int]:
        """Return the unit of the next level, or the entry, of each unit of a level."""
        ...

    def unit_values(self, metric: Metric, /) -> UnitValues:
        """Return the values of the innermost units."""
        ...

    def results(self, metric: Metric, grouping: Grouping, /) -> Sequence[object]:
        """Return the result across the samples of each group, for want of a level."""
        ...

    def tallies(self, metric: Metric, grouping: Grouping, /) -> Sequence[Tally]:
        """Return what was counted of each group."""
        ...
