"""Each sample as its own unit."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import ClassVar, cast

import attrs

from keyfold.authoring import shown_position
from keyfold.contracts import KeyColumns
from keyfold_strategies._fields import HasGroup

__all__ = ["Position"]


@attrs.frozen(order=False)
class Position:
    """Each sample is a unit of its own: `("position", group_index, position)`.

    Always applies, so it ends a `FirstOf` chain. The position is the place in the
    batch: it says nothing across batches. In a shard of a larger batch it also tells
    the shard, so that samples of different shards stay apart.
    """

    fields: ClassVar[tuple[str, ...]] = ("group_index",)

    def key(self, sample: HasGroup, position: int, /) -> tuple[str, Hashable, int]:
        """Return the sample's place in the batch."""
        return ("position", sample.group_index, position)

    def columns(
        self, samples: Sequence[HasGroup], positions: Sequence[int], /
    ) -> KeyColumns:
        """Return the places of many samples."""
        groups = [sample.group_index for sample in samples]
        return KeyColumns((["position"] * len(samples), groups, positions))

    def labels(self, keys: Sequence[tuple[Hashable, ...]], /) -> list[str]:
        """Return the place of each key, and its shard where that is not 0: `3:17`."""
        return [shown_position(cast("int", position)) for _, _, position in keys]
