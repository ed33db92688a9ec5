"""How many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import attrs

__all__ = ["Count"]


@attrs.frozen(order=False)
class Count:
    """How many values there are; 0 where there are none, which is a true zero."""

    def init(self) -> int:
        """Return 0."""
        return 0

    def fold(self, state: int, values: Iterable[object], /) -> int:
        """Return the count with more values."""
        if isinstance(values, list):
            return state + len(values)
        return state + sum(1 for _ in values)

    def merge(self, left: int, right: int, /) -> int:
        """Return the count of both."""
        return left + right

    def finish(self, state: int, /) -> float:
        """Return the count."""
        return float(state)

    def reduce_units(
        self, codes: Sequence[int], values: Sequence[object], units: int, /
    ) -> list[float]:
        """Return the count of each unit."""
        counts = Counter(codes)
        return [float(counts[unit]) for unit in range(units)]
