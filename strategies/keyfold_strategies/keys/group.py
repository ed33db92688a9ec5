"""The prompt group as the unit."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import ClassVar

import attrs

from keyfold.contracts import KeyColumns
from keyfold_strategies._fields import HasGroup
from keyfold_strategies.keys._columns import present

__all__ = ["Group"]


@attrs.frozen(order=False)
class Group:
    """Samples of one prompt form a unit: `("group", group_index)`.

    Does not apply to a sample whose `group_index` is None: a missing group is never
    taken for a group of its own. Groups are numbered within their adapter.
    """

    fields: ClassVar[tuple[str, ...]] = ("group_index",)

    def key(self, sample: HasGroup, position: int, /) -> tuple[str, Hashable] | None:
        """Return the sample's prompt group."""
        return None if sample.group_index is None else ("group", sample.group_index)

    def columns(
        self, samples: Sequence[HasGroup], positions: Sequence[int], /
    ) -> KeyColumns:
        """Return the prompt groups of many samples."""
        groups = [sample.group_index for sample in samples]
        return KeyColumns((["group"] * len(samples), groups), present(groups))

    def labels(self, keys: Sequence[tuple[Hashable, ...]], /) -> list[str]:
        """Return the group of each key."""
        return [str(group) for _, group in keys]
