"""Where a sample stands: its place in the shard, and the shard.

One int holds both, so that keys and strategies that use a position tell the samples of
different shards apart without knowing of shards.
"""

from __future__ import annotations

from typing import Final

__all__ = ["MOST_SHARDS", "placed", "positions_from", "shown_position"]

_POSITIONS_A_SHARD: Final = 1 << 40
# So that every position fits in 64 bits.
MOST_SHARDS: Final = 1 << 22


def positions_from(shard: int, start: int, size: int) -> range:
    """Return the positions of some samples of a shard.

    Args:
        shard: The number of the shard.
        start: The place of the first sample in its shard.
        size: How many samples there are.
    """
    first = shard * _POSITIONS_A_SHARD + start
    return range(first, first + size)


def placed(position: int) -> tuple[int, int]:
    """Return the shard of a position, and the place in it."""
    return divmod(position, _POSITIONS_A_SHARD)


def shown_position(position: int) -> str:
    """Return a position's short text: the place, behind its shard where it has one."""
    shard, place = placed(position)
    return f"{shard}:{place}" if shard else str(place)
