"""Where a sample stands: its place in the shard, and the shard.

One int holds both, so that keys and strategies that use a position tell the samples of
different shards apart without knowing of shards.
"""

from __future__ import annotations

from typing import Final

__all__ = ["MOST_SHARDS", "placed", "position_in", "shown_position"]

_POSITIONS_A_SHARD: Final = 1 << 40
# So that every position fits in 64 bits.
MOST_SHARDS: Final = 1 << 22


def position_in(shard: int, place: int) -> int:
    """Return the position of the sample at a place in a shard."""
    return shard * _POSITIONS_A_SHARD + place


def placed(position: int) -> tuple[int, int]:
    """Return the shard of a position, and the place in it."""
    return divmod(position, _POSITIONS_A_SHARD)


def shown_position(position: int) -> str:
    """Return a position's short text: the place, behind its shard where it has one."""
    shard, place = placed(position)
    return f"{shard}:{place}" if shard else str(place)
