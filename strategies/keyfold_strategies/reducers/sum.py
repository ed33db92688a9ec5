"""The sum."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import attrs

from keyfold import exact, totals

__all__ = ["Sum"]


@attrs.frozen(order=False)
class Sum:
    """The sum, exact until it is rounded once.

    No order or split of the values changes a bit. The sum of no values is absent;
    `empty=0.0` in the pipeline makes it 0. NaN, and infinities of both signs, make NaN.
    """

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
        """Return the sum, or None of no values."""
        return exact.total_sum(state) if state.count else None

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
        """Return the sum of each unit."""
        return totals.packed(states).sums()
