"""Chains: each step must fit the sample type and the step below."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, assert_type

from tests.typing.own_reducers import Spread, Unfinished, Widest
from tests.typing.samples import Computed, Row, Scored, Trained

from keyfold import Pipeline, over
from keyfold.contracts import (
    AnyKeyStrategy,
    AnyReducer,
    AnySelection,
    AnyValue,
    KeyStrategy,
    Selection,
    Value,
)
from keyfold.pipeline import Chain, Level, Missing, Nonfinite, Over
from keyfold_strategies import (
    Adapter,
    AdapterScoped,
    All,
    Count,
    FieldTest,
    FirstOf,
    Group,
    Max,
    Mean,
    Position,
    RawReward,
    Reward,
    Rollout,
    Sample,
    SampleIndex,
    Sum,
)

# A pipeline over the canonical sample.
samples = over(Sample)
assert_type(samples, Over[Sample])
rewards = samples.value(Reward())
assert_type(rewards, Chain[Sample, float])
assert_type(rewards.within(Rollout(), Mean()), Chain[Sample, float])
assert_type(rewards.where(FieldTest("status", "==", "x")), Chain[Sample, float])
assert_type(rewards.by(Adapter()), Chain[Sample, float])
assert_type(rewards.split_by(Adapter()).across(Sum()), Pipeline[Sample])
assert_type(
    over(Sample)
    .value(RawReward())
    .where(All())
    .within(AdapterScoped(FirstOf(Rollout(), SampleIndex(), Position())), Mean())
    .within(AdapterScoped(Group()), Max())
    .by(Adapter())
    .across(Mean(), empty=0.0),
    Pipeline[Sample],
)

# A trainer's own samples need only the fields that are read.
trained = over(Trained).value(RawReward()).within(AdapterScoped(Rollout()), Mean())
assert_type(trained.across(Mean()), Pipeline[Trained])
assert_type(over(Scored).value(Reward()).across(Mean()), Pipeline[Scored])
assert_type(over(Row).value(Reward()).within(Group(), Mean()), Chain[Row, float])
assert_type(over(Computed).value(Reward()).across(Mean()), Pipeline[Computed])

# A level may give any type that the one above takes.
spreads = rewards.within(Rollout(), Spread())
assert_type(spreads, Chain[Sample, tuple[float, float]])
assert_type(spreads.within(Group(), Widest()), Chain[Sample, float])
assert_type(spreads.across(Widest()), Pipeline[Sample])
assert_type(spreads.within(Group(), Count()).across(Mean()), Pipeline[Sample])

# Policies.
missing: Missing = "zero"
nonfinite: Nonfinite = "skip"
samples.value(Reward(), missing=missing, nonfinite=nonfinite, coerce=True)


# What a pipeline says of itself.
def parts(pipeline: Pipeline[Sample]) -> None:
    assert_type(pipeline.value, AnyValue)
    assert_type(pipeline.across, AnyReducer)
    assert_type(pipeline.levels, tuple[Level, ...])
    assert_type(pipeline.levels[0].key, AnyKeyStrategy)
    assert_type(pipeline.levels[0].reducer, AnyReducer)
    assert_type(pipeline.where, AnySelection | None)
    assert_type(pipeline.keys, tuple[AnyKeyStrategy, ...])
    assert_type(pipeline.fields, frozenset[str] | None)
    assert_type(pipeline.empty, float | None)
    assert_type(pipeline.missing, Missing)
    assert_type(pipeline.nonfinite, Nonfinite)
    pipeline.empty = 1.0  # type: ignore[misc]
    pipeline.levels[0].key = Group()  # type: ignore[misc]


# A strategy that needs less than the sample type offers fits; one that needs more
# does not.
def contravariant(of_scored: Value[Scored], of_row: KeyStrategy[Row, Hashable]) -> None:
    needs_group: KeyStrategy[Trained, Hashable] = Group()
    needs_nothing: Selection[Scored] = FieldTest("x", "==", 1)
    of_any: Pipeline[Any] = rewards.across(Mean())
    over(Trained).value(Reward()).within(needs_group, Mean())
    over(Scored).value(of_scored).where(needs_nothing)
    over(Scored).value(of_scored).by(of_row)  # type: ignore[arg-type]
    of_trained: Pipeline[Trained] = of_any
    of_sample: Pipeline[Sample] = trained.across(Mean())  # type: ignore[assignment]
    del of_trained, of_sample


# The reducer can't take what the level below gives, or gives no number.
spreads.within(Group(), Mean())  # type: ignore[arg-type]
spreads.across(Mean())  # type: ignore[arg-type]
rewards.across(Spread())  # type: ignore[arg-type]
rewards.across(Widest())  # type: ignore[arg-type]

# What is no reducer, no key, no value, no selection.
rewards.within(Rollout(), Unfinished())  # type: ignore[arg-type]
rewards.within(Rollout, Mean())  # type: ignore[arg-type]
rewards.within(Rollout(), Mean)  # type: ignore[arg-type]
rewards.within(Mean(), Rollout())  # type: ignore[arg-type]
rewards.by(Reward())  # type: ignore[arg-type]
samples.value(Rollout())  # type: ignore[arg-type]
rewards.where(Reward())  # type: ignore[arg-type]

# Arguments that there are not.
samples.value(Reward(), missing="drop")  # type: ignore[arg-type]
samples.value(Reward(), nonfinite="ignore")  # type: ignore[arg-type]
samples.value(Reward(), coerce="yes")  # type: ignore[arg-type]
rewards.across(Mean(), empty="none")  # type: ignore[arg-type]
rewards.across(Mean(), 0.0)  # type: ignore[call-arg]
rewards.within(Rollout())  # type: ignore[call-arg]
over(Sample()).value(Reward())  # type: ignore[arg-type]
over(Sample).across(Mean())  # type: ignore[attr-defined]
Level(Mean(), Rollout())  # type: ignore[arg-type]
not_closed: Pipeline[Sample] = rewards  # type: ignore[assignment]
no_missing: Missing = "drop"  # type: ignore[assignment]
no_nonfinite: Nonfinite = "ignore"  # type: ignore[assignment]
of_other: Chain[Trained, float] = rewards  # type: ignore[assignment]
over_other: Over[Trained] = samples  # type: ignore[assignment]
any_value: AnyValue = Rollout()  # type: ignore[assignment]
any_selection: AnySelection = Reward()  # type: ignore[assignment]
