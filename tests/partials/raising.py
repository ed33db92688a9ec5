"""What conflicts are asked for: a sample, and an error in every word."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from keyfold import Pipeline, merge, over, partial
from keyfold.errors import KeyfoldError
from keyfold_strategies import Mean, Reward, Sample

Metrics = Mapping[str, Pipeline[Any]]

REWARDS = over(Sample).value(Reward())
MEAN: Metrics = {"m": REWARDS.across(Mean())}


def row(reward: Any = 1.0, rollout: Any = 0, group: Any = 0, **more: Any) -> Sample:
    return Sample(reward=reward, rollout_id=rollout, group_index=group, **more)


def raised(
    call: Callable[[], object], kind: type[KeyfoldError], message: str, hint: str | None
) -> KeyfoldError:
    """The error of a call, which has this class, message and hint, and no other."""
    with pytest.raises(KeyfoldError) as caught:
        call()
    error = caught.value
    assert (type(error), error.message, error.hint) == (kind, message, hint)
    return error


def merged(metrics: Metrics, *shards: Sequence[Sample]) -> Callable[[], object]:
    """A merge of shards, numbered from 0."""
    parts = [partial(its, metrics, shard=place) for place, its in enumerate(shards)]
    return lambda: merge(parts)
