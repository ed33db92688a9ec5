"""Reducers as users write them, whose results are not all numbers."""

from __future__ import annotations

from collections.abc import Iterable

import attrs

__all__ = ["Spread", "Unfinished", "Widest"]


@attrs.frozen
class Spread:
    """From floats to a pair."""

    def init(self) -> tuple[float, ...]:
        return ()

    def fold(
        self, state: tuple[float, ...], values: Iterable[float], /
    ) -> tuple[float, ...]:
        return (*state, *values)

    def merge(
        self, left: tuple[float, ...], right: tuple[float, ...], /
    ) -> tuple[float, ...]:
        return left + right

    def finish(self, state: tuple[float, ...], /) -> tuple[float, float] | None:
        return (min(state), max(state)) if state else None


@attrs.frozen
class Widest:
    """From pairs to a float."""

    def init(self) -> float:
        return 0.0

    def fold(self, state: float, values: Iterable[tuple[float, float]], /) -> float:
        return max([state, *(high - low for low, high in values)])

    def merge(self, left: float, right: float, /) -> float:
        return max(left, right)

    def finish(self, state: float, /) -> float:
        return state


@attrs.frozen
class Unfinished:
    """Lacks `finish`."""

    def init(self) -> float:
        return 0.0

    def fold(self, state: float, values: Iterable[float], /) -> float:
        return state + sum(values)

    def merge(self, left: float, right: float, /) -> float:
        return left + right
