"""What type checkers must flag, each on the argument that is wrong. Never run.

Both checkers are told to complain about an ignore that ignores nothing, so that every
line here proves that its mistake is found.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import attrs

from keyfold import compute, over
from keyfold.contracts import KeyStrategy, Value
from keyfold_strategies import (
    AdapterScoped,
    FirstOf,
    Group,
    Mean,
    Position,
    RawReward,
    Reward,
    Rollout,
    Sample,
)


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


@attrs.frozen
class Pairs:
    """Gives pairs."""

    def init(self) -> tuple[float, ...]:
        return ()

    def fold(
        self, state: tuple[float, ...], values: Iterable[float], /
    ) -> tuple[float, ...]:
        return (*state, *values)

    def merge(
        self, left: tuple[float, ...], right: tuple[float, ...], /
    ) -> tuple[float, ...]:
        return left + right

    def finish(self, state: tuple[float, ...], /) -> tuple[float, float] | None:
        return (min(state), max(state)) if state else None


@attrs.frozen
class Unfinished:
    """Lacks `finish`."""

    def init(self) -> float:
        return 0.0

    def fold(self, state: float, values: Iterable[float], /) -> float:
        return state + sum(values)

    def merge(self, left: float, right: float, /) -> float:
        return left + right


@attrs.frozen
class BadKey:
    """Its `key` gives what has no hash."""

    def key(self, sample: Sample, position: int, /) -> list[int]:
        return [position]


ungrouped = over(Ungrouped).value(Reward())
unadapted = over(Unadapted).value(Reward())
rewards = over(Sample).value(Reward())

# The sample type lacks a field that the key needs.
ungrouped.within(Group(), Mean())  # type: ignore[arg-type]
ungrouped.by(Rollout())  # type: ignore[arg-type]
ungrouped.split_by(Position())  # type: ignore[arg-type]
ungrouped.within(FirstOf(Rollout(), Position()), Mean())  # type: ignore[arg-type]

# The sample type lacks the adapter.
unadapted.within(AdapterScoped(Rollout()), Mean())  # type: ignore[type-var]
unadapted.within(AdapterScoped[Unadapted](Rollout()), Mean())  # type: ignore[type-var]

# The sample type lacks the field that the value needs.
over(Unscored).value(Reward())  # type: ignore[arg-type]
over(Ungrouped).value(RawReward())  # type: ignore[arg-type]

# The reducer can't take what the level below gives.
rewards.within(Rollout(), Pairs()).within(Group(), Mean())  # type: ignore[arg-type]
rewards.within(Rollout(), Pairs()).across(Mean())  # type: ignore[arg-type]

# The reducer across gives no number.
rewards.across(Pairs())  # type: ignore[arg-type]

# What is no reducer, no key, no value, no selection.
rewards.within(Rollout(), Unfinished())  # type: ignore[arg-type]
rewards.within(BadKey(), Mean())  # type: ignore[arg-type]
rewards.within(Rollout, Mean())  # type: ignore[arg-type]
rewards.within(Rollout(), Mean)  # type: ignore[arg-type]
rewards.within(Mean(), Rollout())  # type: ignore[arg-type]
over(Sample).value(Rollout())  # type: ignore[arg-type]
rewards.where(Reward())  # type: ignore[arg-type]

# A policy that does not exist.
over(Sample).value(Reward(), missing="drop")  # type: ignore[arg-type]
over(Sample).value(Reward(), nonfinite="ignore")  # type: ignore[arg-type]

# A chain that was not closed, and pipelines over other samples.
samples: list[Sample] = []
compute(samples, {"m": rewards})  # type: ignore[dict-item]
compute(samples, [rewards.across(Mean())])  # type: ignore[arg-type]
compute([Ungrouped(1.0)], {"m": rewards.across(Mean())})  # type: ignore[misc]

# A strategy on its own that needs more than its annotation offers.
key: KeyStrategy[Ungrouped, object] = Group()  # type: ignore[assignment]
value: Value[Unscored] = Reward()  # type: ignore[assignment]
