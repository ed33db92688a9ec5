"""A trainer's script: its adapters are its own, and a partial of one shard is written.

python own_adapters.py SHARD OUT
"""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path

from keyfold import over, partial
from keyfold_strategies import (
    Adapter,
    AdapterScoped,
    FirstOf,
    Mean,
    Position,
    Reward,
    Rollout,
    Sample,
)

SHARDS = 4
METRICS = {
    "m": over(Sample)
    .value(Reward())
    .within(AdapterScoped[Sample](FirstOf(Rollout(), Position())), Mean())
    .by(Adapter())
    .across(Mean())
}


@dataclasses.dataclass(frozen=True)
class Lora:
    """An adapter as a trainer may write it."""

    name: str
    slot: int


def batch() -> list[Sample]:
    """Return a batch whose rollouts are spread over all shards."""
    adapters = [Lora("math", 0), Lora("math", 1), Lora("code", 2), "base", None]
    ids = [*(f"r{number}" for number in range(10)), *range(10), None, None]
    return [
        Sample(
            adapter=adapters[number % 5],
            group_index=number % 2,
            rollout_id=ids[number % len(ids)],
            reward=0.1 * number,
        )
        for number in range(90)
    ]


def main() -> None:
    shard, out = int(sys.argv[1]), Path(sys.argv[2])
    samples = batch()[shard::SHARDS]
    out.write_bytes(partial(samples, METRICS, shard=shard).to_bytes())
    # Word of the hash seed, whose effect is that this differs.
    print(hash("adapter"))


if __name__ == "__main__":
    main()
