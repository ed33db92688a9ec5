"""One for each sample."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import attrs

from keyfold.contracts import Finite

__all__ = ["One"]


@attrs.frozen(order=False)
class One:
    """1.0 for each sample, whatever it holds: for counting samples or units."""

    fields: ClassVar[tuple[str, ...]] = ()

    def value(self, sample: object, /) -> float:
        """Return 1.0."""
        return 1.0

    def values(self, samples: Sequence[object], /) -> Finite:
        """Return 1.0 for each sample."""
        return Finite([1.0] * len(samples))
