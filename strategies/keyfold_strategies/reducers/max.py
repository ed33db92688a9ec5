"""The largest value."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

import attrs

from keyfold_strategies.reducers._extreme import extreme

__all__ = ["Max"]


@attrs.frozen(order=False)
class Max:
    """The largest value; NaN if any value is NaN, and absent where there are none."""

    idempotent: ClassVar[bool] = True

    def init(self) -> float | None:
        """Return None, the state of no values."""
        return None

    def fold(self, state: float | None, values: Iterable[float], /) -> float | None:
        """Return the largest value so far."""
        return extreme(max, state, values)

    def merge(self, left: float | None, right: float | None, /) -> float | None:
        """Return the larger of both."""
        return left if right is None else extreme(max, left, (right,))

    def finish(self, state: float | None, /) -> float | None:
        """Return the largest value, or None of no values."""
        return state
