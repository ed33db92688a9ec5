"""Values: what number of a sample is aggregated."""

from __future__ import annotations

from keyfold_strategies.values.field import FieldValue
from keyfold_strategies.values.one import One
from keyfold_strategies.values.raw_reward import RawReward
from keyfold_strategies.values.reward import Reward

__all__ = ["FieldValue", "One", "RawReward", "Reward"]
