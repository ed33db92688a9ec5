"""Every sample."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import attrs

__all__ = ["All"]


@attrs.frozen(order=False)
class All:
    """Every sample takes part."""

    fields: ClassVar[tuple[str, ...]] = ()

    def selects(self, sample: object, /) -> bool:
        """Return True."""
        return True

    def mask(self, samples: Sequence[object], /) -> None:
        """Return None, which stands for all samples."""
        return
