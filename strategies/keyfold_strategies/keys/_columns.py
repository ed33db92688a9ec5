"""What the column paths of several key strategies share."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

__all__ = ["present"]


def present(ids: Sequence[Hashable]) -> list[bool] | None:
    """Return which ids are not None; None where all are."""
    if None not in ids:
        return None
    return [some is not None for some in ids]
