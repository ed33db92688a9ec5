"""The first value."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

import attrs

__all__ = ["First"]


@attrs.frozen(order=False)
class First:
    """The first value in the order of the samples, or of the units below.

    Units stand in the order of their first sample. Missing values are passed over.
    """

    ordered: ClassVar[bool] = True
    idempotent: ClassVar[bool] = True

    def init(self) -> float | None:
        """Return None, the state of no values."""
        return None

    def fold(self, state: float | None, values: Iterable[float], /) -> float | None:
        """Return the first value so far."""
        return next(iter(values), None) if state is None else state

    def merge(self, left: float | None, right: float | None, /) -> float | None:
        """Return the first value of the left, or else of the right."""
        return right if left is None else left

    def finish(self, state: float | None, /) -> float | None:
        """Return the first value, or None of no values."""
        return None if state is None else float(state)
