"""One batch, split over shards in the ways that go wrong."""

from __future__ import annotations

from typing import Any

import pytest

from keyfold import Pipeline, over
from keyfold_strategies import (
    Adapter,
    AdapterRef,
    AdapterScoped,
    FirstOf,
    Group,
    Mean,
    Position,
    RawReward,
    Reward,
    Rollout,
    Sample,
    SampleIndex,
    Sum,
)

Metrics = dict[str, Pipeline[Sample]]

MATH, CODE = AdapterRef("math", 0), AdapterRef("code", 1)


@pytest.fixture(scope="session")
def shards() -> list[list[Sample]]:
    """Four uneven shards: one has none, one other adapters, two share a rollout."""

    def math(rollout: int | None, reward: Any) -> Sample:
        return Sample(adapter=MATH, group_index=0, rollout_id=rollout, reward=reward)

    return [
        [math(0, 0.1), math(0, 0.2), math(1, 1e16), math(None, 0.3)],
        [],
        [
            Sample(adapter=CODE, group_index=0, rollout_id=0, reward=0.7),
            Sample(adapter=CODE, group_index=1, index=4, reward=None),
            Sample(adapter=None, group_index=1, index=4, reward=-1e16),
        ],
        [math(0, 0.4), math(None, 0.6)],
    ]


@pytest.fixture(scope="session")
def metrics() -> Metrics:
    unit = AdapterScoped[Sample](FirstOf(Rollout(), SampleIndex(), Position()))
    return {
        "reward": over(Sample)
        .value(RawReward())
        .within(unit, Mean())
        .by(Adapter())
        .across(Mean()),
        "by_group": over(Sample)
        .value(Reward())
        .within(unit, Sum())
        .within(AdapterScoped[Sample](Group()), Mean())
        .across(Mean()),
    }
