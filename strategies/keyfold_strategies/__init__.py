"""The RL domain for keyfold: samples, key strategies, reducers, values, pipelines."""

from __future__ import annotations

from keyfold_strategies._sample import AdapterRef, Sample
from keyfold_strategies.keys import (
    Adapter,
    AdapterScoped,
    FieldKey,
    FirstOf,
    Group,
    Position,
    Rollout,
    SampleIndex,
    Scoped,
)
from keyfold_strategies.reducers import Count, First, Max, Mean, Min, Same, Sum
from keyfold_strategies.selections import All, FieldTest
from keyfold_strategies.values import FieldValue, One, RawReward, Reward

__all__ = [
    "Adapter",
    "AdapterRef",
    "AdapterScoped",
    "All",
    "Count",
    "FieldKey",
    "FieldTest",
    "FieldValue",
    "First",
    "FirstOf",
    "Group",
    "Max",
    "Mean",
    "Min",
    "One",
    "Position",
    "RawReward",
    "Reward",
    "Rollout",
    "Same",
    "Sample",
    "SampleIndex",
    "Scoped",
    "Sum",
]
