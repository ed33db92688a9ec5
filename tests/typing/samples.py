"""Samples as trainers have them: of whatever kind, with more or fewer fields."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import attrs

from keyfold_strategies import AdapterRef

__all__ = [
    "Computed",
    "Row",
    "Scored",
    "Trained",
    "Unadapted",
    "Ungrouped",
    "Unscored",
]


@dataclass
class Trained:
    """A trainer's own sample: what the default strategies read, and more."""

    adapter: AdapterRef | None
    group_index: int
    rollout_id: int | None
    index: int
    reward: float
    metadata: dict[str, float]
    tokens: list[int]


@attrs.frozen
class Scored:
    """Has a reward alone."""

    reward: float


class Row(NamedTuple):
    """A row of a table."""

    reward: float
    group_index: str


class Computed:
    """Its reward is a property."""

    @property
    def reward(self) -> float:
        return 1.0


@dataclass
class Ungrouped:
    """Has no group, no rollout and no adapter."""

    reward: float


@dataclass
class Unadapted:
    """Has all but an adapter."""

    group_index: int
    rollout_id: int
    index: int
    reward: float


@dataclass
class Unscored:
    """Has no reward."""

    group_index: int
