"""Partials of everything that has a form of its own in bytes."""

from __future__ import annotations

from collections.abc import Mapping

from keyfold import Partial, Pipeline, over, partial
from keyfold_strategies import (
    Adapter,
    AdapterRef,
    AdapterScoped,
    Count,
    FieldKey,
    FieldTest,
    FirstOf,
    Max,
    Mean,
    Min,
    Position,
    RawReward,
    Reward,
    Rollout,
    Same,
    Sample,
    SampleIndex,
    Sum,
)

__all__ = ["METRICS", "SMALL", "other", "small", "varied"]

_REWARDS = over(Sample).value(Reward())
_UNIT = AdapterScoped[Sample](FirstOf(Rollout(), SampleIndex(), Position()))
_BY_STATUS = AdapterScoped[Sample](FieldKey("status", default="-"))

SMALL: Mapping[str, Pipeline[Sample]] = {
    "m": _REWARDS.within(Adapter(), Mean()).across(Sum())
}
METRICS: Mapping[str, Pipeline[Sample]] = {
    "levels": _REWARDS.within(_UNIT, Mean())
    .within(_BY_STATUS, Max())
    .by(Adapter())
    .across(Sum()),
    "empty": _REWARDS.within(_UNIT, Sum()).across(Count(), empty=0.0),
    "split": over(Sample)
    .value(RawReward())
    .where(FieldTest("status", "!=", "y"))
    .split_by(FieldKey("index", default=0))
    .across(Min()),
    "same": over(Sample).value(Reward(), missing="zero").across(Same()),
    "count": _REWARDS.across(Count()),
}


def small() -> Partial:
    """Return a partial with one unit."""
    return partial([Sample(adapter=AdapterRef("a", 0), reward=0.5)], SMALL)


def varied() -> Partial:
    """Return a partial with keys and states of every form."""
    adapter = AdapterRef("a", 0)
    samples = [
        Sample(adapter=adapter, rollout_id=1, reward=0.0, status="x", index=2**70),
        Sample(adapter=adapter, rollout_id=1, reward=-0.0, status="x"),
        Sample(adapter=("t", (b"1", 2.5)), rollout_id="é", reward=None, status="y"),
        Sample(adapter=None, index=-7, reward=0.0),
        Sample(adapter=None, reward=0.0, index=3),
    ]
    return partial(samples, METRICS, shard=3)


def other() -> Partial:
    """Return a partial to merge with the varied one, with which it shares units."""
    adapter = AdapterRef("a", 0)
    samples = [
        Sample(adapter=adapter, rollout_id=1, reward=0.0, status="x"),
        Sample(adapter=None, index=-7, reward=0.0),
        Sample(adapter="s", reward=0.0, index=3),
    ]
    return partial(samples, METRICS)
