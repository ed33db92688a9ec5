"""The numbers of shards: which there are, and how errors name them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from keyfold._describe import shown
from keyfold._positions import MOST_SHARDS
from keyfold.errors import UsageError

__all__ = ["checked_shard", "of_shards"]

_MOST_NAMED: Final = 8


def checked_shard(shard: object) -> int:
    """Return the number of a shard.

    Raises:
        UsageError: It is none.
    """
    if type(shard) is not int or not 0 <= shard < MOST_SHARDS:
        raise UsageError(
            f"expected the number of a shard, from 0 to {MOST_SHARDS - 1}, "
            f"found {shown(shard)}",
            hint="use the rank",
        )
    return shard


def of_shards(shards: Sequence[int]) -> str:
    """Return `shard 3`, or `shards 0, 1 and 2`."""
    names = [str(shard) for shard in shards]
    if len(names) == 1:
        return f"shard {names[0]}"
    if len(names) > _MOST_NAMED:
        names = [*names[: _MOST_NAMED - 1], f"{len(names) - _MOST_NAMED + 1} more"]
    return f"shards {', '.join(names[:-1])} and {names[-1]}"
