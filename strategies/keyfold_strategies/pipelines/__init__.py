"""Ready pipelines."""

from __future__ import annotations

from keyfold_strategies.pipelines.reward import REWARD, reward_pipelines

__all__ = ["REWARD", "reward_pipelines"]
