"""The arithmetic mean."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

import attrs

from keyfold import exact, totals
from keyfold.authoring import constant_units, grouped

__all__ = ["Mean"]


@attrs.frozen(order=False)
class Mean:
    """The arithmetic mean: the exact sum divided by the count, rounded once.

    No order or split of the values changes a bit. The mean of no values is absent. NaN,
    and infinities of both signs, make NaN.
    """

    idempotent: ClassVar[bool] = True

    def init(self) -> exact.Total:
        """Return the total of no values."""
        return exact.EMPTY

    def fold(self, state: exact.Total, values: Iterable[float], /) -> exact.Total:
        """Return the total with more values."""
        return exact.add(state, exact.total_of(values))

    def merge(self, left: exact.Total, right: exact.Total, /) -> exact.Total:
        """Return the total of both."""
        return exact.add(left, right)

    def finish(self, state: exact.Total, /) -> float | None:
        """Return the mean, or None of no values."""
        return exact.total_mean(state) if state.count else None

    def reduce_units(
        self, codes: Sequence[int], values: Sequence[float], units: int, /
    ) -> list[float | None]:
        """Return the mean of each unit."""
        constants = constant_units(codes, values, units)
        if constants is not None:
            # Adding 0.0 makes -0.0 the 0.0 that a sum of it gives, and an int a float.
            return [None if mean is None else mean + 0.0 for mean in constants]
        return [
            exact.mean(unit) if unit else None for unit in grouped(codes, values, units)
        ]

    def fold_units(
        self, codes: Sequence[int], values: Sequence[float], units: int, /
    ) -> totals.Totals:
        """Return the total of each unit."""
        return totals.totals_of(codes, values, units)

    def merge_units(
        self,
        parts: Sequence[tuple[Sequence[int], Sequence[exact.Total]]],
        units: int,
        /,
    ) -> totals.Totals:
        """Return the total of each unit over all parts."""
        return totals.merged_totals(parts, units)

    def finish_units(self, states: Sequence[exact.Total], /) -> list[float | None]:
        """Return the mean of each unit."""
        return totals.packed(states).means()
