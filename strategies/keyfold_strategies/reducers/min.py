"""The smallest value."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

import attrs

from keyfold_strategies.reducers._extreme import extreme

__all__ = ["Min"]


@attrs.frozen(order=False)
class Min:
    """The smallest value; NaN if any value is NaN, and absent where there are none."""

    idempotent: ClassVar[bool] = True

    def init(self) -> float | None:
        """Return None, the state of no values."""
        return None

    def fold(self, state: float | None, values: Iterable[float], /) -> float | None:
        """Return the smallest value so far."""
        return extreme(min, state, values)

    def merge(self, left: float | None, right: float | None, /) -> float | None:
        """Return the smaller of both."""
        return left if right is None else extreme(min, left, (right,))

    def finish(self, state: float | None, /) -> float | None:
        """Return the smallest value, or None of no values."""
        return state
