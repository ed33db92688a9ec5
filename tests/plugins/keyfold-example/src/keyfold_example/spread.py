"""How far values lie apart."""

from __future__ import annotations

from collections.abc import Iterable
from math import isnan, nan
from typing import TypeAlias

import attrs

__all__ = ["Spread"]

# The smallest and the largest value, or None of no values.
_State: TypeAlias = tuple[float, float] | None


@attrs.frozen(order=False)
class Spread:
    """The largest value less the smallest; absent without values, NaN with a NaN."""

    def init(self) -> _State:
        """Return the state of no values."""
        return None

    def fold(self, state: _State, values: Iterable[float], /) -> _State:
        """Return the smallest and the largest value so far."""
        known = [*(state or ()), *values]
        if not known:
            return None
        # What min makes of a NaN depends on its place, and of -0.0 and 0.0 it takes the
        # first: the order of the values must not show.
        if any(map(isnan, known)):
            return (nan, nan)
        return (min(known) + 0.0, max(known) + 0.0)

    def merge(self, left: _State, right: _State, /) -> _State:
        """Return the state of both states' values."""
        return self.fold(left, right or ())

    def finish(self, state: _State, /) -> float | None:
        """Return the distance, or None of no values."""
        return None if state is None else state[1] - state[0]
