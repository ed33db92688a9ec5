"""What type checkers must accept, and what types they must find. Never run."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, assert_type

import attrs

from keyfold import Outcome, Pipeline, Report, compute, load, over
from keyfold.contracts import KeyStrategy, Reducer, Selection, Value
from keyfold.pipeline import Chain
from keyfold_strategies import (
    Adapter,
    AdapterRef,
    AdapterScoped,
    Count,
    FieldKey,
    FieldTest,
    FieldValue,
    First,
    FirstOf,
    Group,
    Max,
    Mean,
    Min,
    One,
    Position,
    RawReward,
    Reward,
    Rollout,
    Same,
    Sample,
    SampleIndex,
    Scoped,
    Sum,
)

# A pipeline over the canonical sample.
episode_raw_reward = (
    over(Sample)
    .value(RawReward())
    .within(AdapterScoped(FirstOf(Rollout(), SampleIndex(), Position())), Mean())
    .across(Mean(), empty=0.0)
)
assert_type(episode_raw_reward, Pipeline[Sample])
assert_type(over(Sample).value(Reward()), Chain[Sample, float])
assert_type(over(Sample).value(One()).within(Rollout(), Mean()), Chain[Sample, float])
assert_type(
    over(Sample).value(Reward()).where(FieldTest("status", "==", "x")),
    Chain[Sample, float],
)
assert_type(over(Sample).value(Reward()).by(Adapter()), Chain[Sample, float])
assert_type(
    over(Sample).value(Reward()).split_by(Adapter()).across(Sum()), Pipeline[Sample]
)


# What comes back.
def results(samples: list[Sample]) -> None:
    report = compute(samples, {"reward": episode_raw_reward})
    assert_type(report, Report)
    assert_type(report["reward"], float)
    assert_type(report.outcome("reward"), Outcome)
    assert_type(report.outcome("reward").value, float | None)
    assert_type(report.outcome("reward").keyed_by, Mapping[str, int])
    compute(samples)
    compute(iter(samples), load("keyfold.toml"))


# A trainer's own samples, of whatever kind, need only the fields that are read.
@dataclass
class Trained:
    adapter: AdapterRef | None
    group_index: int
    rollout_id: int | None
    reward: float


@attrs.frozen
class Scored:
    reward: float


class Row(NamedTuple):
    reward: float
    group_index: str


class Computed:
    @property
    def reward(self) -> float:
        return 1.0


class HasLength(Protocol):
    @property
    def length(self) -> int: ...


trained = (
    over(Trained)
    .value(Reward())
    .within(AdapterScoped(Rollout()), Mean())
    .across(Mean())
)
assert_type(trained, Pipeline[Trained])
assert_type(over(Scored).value(Reward()).across(Mean()), Pipeline[Scored])
assert_type(
    over(Row).value(Reward()).within(Group(), Mean()).across(Mean()), Pipeline[Row]
)
assert_type(over(Computed).value(Reward()).across(Mean()), Pipeline[Computed])
assert_type(
    over(Scored).value(FieldValue("anything")).within(FieldKey("x"), Mean()),
    Chain[Scored, float],
)


# A strategy that needs less than the sample type offers fits.
def contravariant(
    reward: Value[Scored], group: KeyStrategy[Row, Hashable]
) -> tuple[Value[Trained] | None, KeyStrategy[Row, Hashable]]:
    needs_group: KeyStrategy[Trained, Hashable] = Group()
    needs_nothing: Selection[Scored] = FieldTest("x", "==", 1)
    del needs_group, needs_nothing, reward
    return None, group


# A strategy that is built on its own names its sample type once.
scoped = AdapterScoped[Sample](FirstOf(Rollout(), Position()))
assert_type(scoped, AdapterScoped[Sample])
chain = FirstOf[Trained](Rollout(), Group())
assert_type(chain, FirstOf[Trained])
pair = Scoped[Sample](FieldKey("status"), Rollout())
assert_type(
    over(Sample).value(Reward()).within(pair, Max()).across(Min()), Pipeline[Sample]
)


# A user's strategy needs no base class.
@attrs.frozen
class ByLength:
    limit: int

    def key(self, sample: HasLength, position: int, /) -> tuple[str, bool]:
        return ("length", sample.length > self.limit)


@dataclass
class Measured:
    length: int
    reward: float


assert_type(
    over(Measured).value(Reward()).within(ByLength(9), Mean()).across(Mean()),
    Pipeline[Measured],
)


# A level may give any type that the one above takes.
@attrs.frozen
class Spread:
    """From floats to a pair."""

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
class Widest:
    """From pairs to a float."""

    def init(self) -> float:
        return 0.0

    def fold(self, state: float, values: Iterable[tuple[float, float]], /) -> float:
        return max([state, *(high - low for low, high in values)])

    def merge(self, left: float, right: float, /) -> float:
        return max(left, right)

    def finish(self, state: float, /) -> float:
        return state


spreads = over(Sample).value(Reward()).within(Rollout(), Spread())
assert_type(spreads, Chain[Sample, tuple[float, float]])
assert_type(spreads.within(Group(), Widest()), Chain[Sample, float])
assert_type(spreads.across(Widest()), Pipeline[Sample])
assert_type(spreads.within(Group(), Count()).across(Mean()), Pipeline[Sample])


# Built-in reducers are reducers of floats, and a count takes anything.
REDUCERS: list[Reducer[float, Any, float]] = [
    *(Count(), First(), Max(), Mean(), Min(), Same(), Sum()),
]
COUNT: Reducer[object, int, float] = Count()
