"""Pipelines from a configuration: `keyfold.toml`, a pyproject, or a mapping.

    [metrics.episode_raw_reward]
    value  = "raw_reward"
    levels = [{ key = "adapter_scoped(rollout)", reduce = "mean" }]
    across = "mean"
    empty  = 0.0

Everything that is wrong with a configuration is reported at once.
"""

from __future__ import annotations

from keyfold._config.read import Config, ConfigSource, read_config
from keyfold._config.reader_table import ReaderTable
from keyfold._load import load

__all__ = ["Config", "ConfigSource", "ReaderTable", "load", "read_config"]
