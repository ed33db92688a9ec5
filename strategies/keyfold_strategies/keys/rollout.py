"""The rollout as the unit."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import ClassVar

import attrs

from keyfold.contracts import KeyColumns
from keyfold_strategies._fields import HasRollout
from keyfold_strategies.keys._columns import present

__all__ = ["Rollout"]


@attrs.frozen(order=False)
class Rollout:
    """Samples of one rollout form a unit: `("rollout", group_index, rollout_id)`.

    Does not apply to a sample whose `rollout_id` is None. Rollouts are numbered within
    their adapter; scope the key by it where several adapters train together.
    """

    fields: ClassVar[tuple[str, ...]] = ("group_index", "rollout_id")

    def key(
        self, sample: HasRollout, position: int, /
    ) -> tuple[str, Hashable, Hashable] | None:
        """Return the sample's rollout."""
        if sample.rollout_id is None:
            return None
        return ("rollout", sample.group_index, sample.rollout_id)

    def columns(
        self, samples: Sequence[HasRollout], positions: Sequence[int], /
    ) -> KeyColumns:
        """Return the rollouts of many samples."""
        rollouts = [sample.rollout_id for sample in samples]
        groups = [sample.group_index for sample in samples]
        return KeyColumns(
            (["rollout"] * len(samples), groups, rollouts), present(rollouts)
        )

    def labels(self, keys: Sequence[tuple[Hashable, ...]], /) -> list[str]:
        """Return `group/rollout` for each key."""
        return [f"{group}/{rollout}" for _, group, rollout in keys]
