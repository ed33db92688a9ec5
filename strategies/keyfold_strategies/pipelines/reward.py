"""The default pipelines: the adapter-scoped, equal-rollout reward, and a count."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from keyfold.pipeline import Pipeline, over
from keyfold_strategies._sample import Sample
from keyfold_strategies.keys import (
    AdapterScoped,
    FirstOf,
    Position,
    Rollout,
    SampleIndex,
)
from keyfold_strategies.reducers import Count, Mean
from keyfold_strategies.values import One, RawReward

__all__ = ["REWARD", "reward_pipelines"]


def reward_pipelines(
    *, reward_key: str | None = None
) -> Mapping[str, Pipeline[Sample]]:
    """Return the pipelines of the default report.

    `episode_raw_reward` is the mean over rollouts of the mean raw reward within each
    rollout, where a rollout is told apart by its adapter; a sample without a rollout id
    falls back to its index, and then to its position. It is 0.0 where nothing was
    usable. `num_training_samples` is the number of samples, usable or not.

    Args:
        reward_key: Which entry to take where rewards are mappings.
    """
    samples = over(Sample)
    return {
        "num_training_samples": samples.value(One()).across(Count()),
        "episode_raw_reward": samples.value(RawReward(reward_key))
        .within(AdapterScoped(FirstOf(Rollout(), SampleIndex(), Position())), Mean())
        .across(Mean(), empty=0.0),
    }


REWARD: Final[Mapping[str, Pipeline[Sample]]] = reward_pipelines()
"""The default report: that of `reward_pipelines` without a reward key."""
