"""The numbered sample as the unit."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import ClassVar

import attrs

from keyfold.contracts import KeyColumns
from keyfold_strategies._fields import HasIndex
from keyfold_strategies.keys._columns import present

__all__ = ["SampleIndex"]


@attrs.frozen(order=False)
class SampleIndex:
    """Samples of one number form a unit: `("sample", group_index, index)`.

    Does not apply to a sample whose `index` is None. Its keys never meet those of
    `Rollout`, so a rollout 5 and a sample 5 stay apart in a `FirstOf` chain.
    """

    fields: ClassVar[tuple[str, ...]] = ("group_index", "index")

    def key(
        self, sample: HasIndex, position: int, /
    ) -> tuple[str, Hashable, Hashable] | None:
        """Return the sample's number within its group."""
        if sample.index is None:
            return None
        return ("sample", sample.group_index, sample.index)

    def columns(
        self, samples: Sequence[HasIndex], positions: Sequence[int], /
    ) -> KeyColumns:
        """Return the numbers of many samples."""
        indexes = [sample.index for sample in samples]
        groups = [sample.group_index for sample in samples]
        return KeyColumns(
            (["sample"] * len(samples), groups, indexes), present(indexes)
        )

    def labels(self, keys: Sequence[tuple[Hashable, ...]], /) -> list[str]:
        """Return `group/index` for each key."""
        return [f"{group}/{index}" for _, group, index in keys]
