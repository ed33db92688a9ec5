"""Who brings a part to a merge, as errors name it."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from keyfold._partial.shards import of_shards

__all__ = ["Party", "party_of"]


@attrs.frozen(order=False, eq=False)
class Party:
    """Who brings a part to a merge.

    Attributes:
        name: How errors name it, such as `shard 3`.
        shards: The shards that it has samples of.
    """

    name: str
    shards: tuple[int, ...]


def party_of(shards: Sequence[int]) -> Party:
    """Return some shards as the party of a merge."""
    return Party(of_shards(shards), tuple(shards))
