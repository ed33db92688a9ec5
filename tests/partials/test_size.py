"""How many bytes a partial takes."""

from __future__ import annotations

from random import Random

import pytest

from keyfold import Partial, partial
from keyfold_strategies import AdapterRef, Sample

UNITS = 100_000


def samples(random: Random, *, several: bool) -> list[Sample]:
    adapters = [AdapterRef("math", 0), AdapterRef("code", 1)]
    return [
        Sample(
            adapter=adapters[unit % 2],
            group_index=unit // 16,
            rollout_id=10_000_000 + unit,
            reward=random.random(),
        )
        for unit in range(UNITS)
        for _ in range(3 if several and unit % 100 == 0 else 1)
    ]


@pytest.mark.parametrize("several", [False, True])
def test_a_unit_of_the_default_metrics_takes_at_most_40_bytes(several: bool) -> None:
    part = partial(samples(Random(0), several=several))
    assert part.report().outcome("episode_raw_reward").units == UNITS
    data = part.to_bytes()
    assert len(data) <= 40 * UNITS
    assert Partial.from_bytes(data).report().outcomes == part.report().outcomes
