"""Real faults of this field: for each its input, and the value that is right.

The ids are those of a list of public bug reports. `CASES` are told with samples and
pipelines, `MERGES` with the states of reducers, and `WAITING` has what later parts of
keyfold will express. Those of ranks, windows and resets stand beside them, and in the
tests of what they are about, with the id in the test's name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from itertools import permutations
from math import isclose, nan
from pathlib import Path
from typing import Any, TypeAlias

import attrs
import numpy as np
import pytest

from keyfold import compute, over
from keyfold.contracts import AnyReducer
from keyfold.errors import DisagreementError, KeyfoldError, SampleError
from keyfold.pipeline import Pipeline
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
from keyfold_strategies.pipelines import REWARD

Pipelines: TypeAlias = Mapping[str, Pipeline[Sample]]

REWARDS = over(Sample).value(Reward())
LENGTHS = over(Sample).value(FieldValue("response_length"))
PER_ROLLOUT = AdapterScoped[Sample](FirstOf(Rollout(), SampleIndex(), Position()))
A, B = AdapterRef("a", 0), AdapterRef("b", 1)


@attrs.frozen(order=False)
class Case:
    """A fault's input, and what is right: numbers, counts, and what is absent."""

    id: str
    what: str
    samples: Sequence[Sample]
    pipelines: Pipelines
    right: Mapping[str, float]
    counts: Mapping[tuple[str, str], int] = attrs.field(
        factory=dict[tuple[str, str], int]
    )
    absent: tuple[str, ...] = ()


def rollouts(*rewards: Sequence[Any], group: int = 0, **fields: Any) -> list[Sample]:
    """Samples of some rollouts, each given by the rewards of its samples."""
    return [
        Sample(group_index=group, rollout_id=number, reward=reward, **fields)
        for number, its in enumerate(rewards)
        for reward in its
    ]


def rows(*rewards: Any, **fields: Any) -> list[Sample]:
    """Samples without a rollout."""
    return [Sample(reward=reward, **fields) for reward in rewards]


def noted(field: str, *pairs: tuple[Any, Any]) -> list[Sample]:
    """Samples with an entry of their metadata and a reward."""
    return [Sample(metadata={field: entry}, reward=reward) for entry, reward in pairs]


def lengths(*some: tuple[int, int]) -> list[Sample]:
    """Samples of rollouts with the length of each."""
    return [Sample(rollout_id=rollout, response_length=size) for rollout, size in some]


MEAN = {"m": REWARDS.across(Mean())}
SUM = {"m": REWARDS.across(Sum())}


def mean_by(field: str) -> Pipelines:
    return {"m": REWARDS.by(FieldKey(f"metadata.{field}")).across(Mean())}


CASES = [
    Case(
        "C001",
        "a compacted rollout weighs as much as any other",
        rollouts([0, 0, 0, 0], [1]),
        REWARD,
        {"episode_raw_reward": 0.5, "num_training_samples": 5},
        {("episode_raw_reward", "units"): 2},
    ),
    Case(
        "C002",
        "lengths are summed within a rollout before they are compared",
        lengths((0, 10), (0, 30), (1, 20)),
        {
            "mean": LENGTHS.within(PER_ROLLOUT, Sum()).across(Mean()),
            "max": LENGTHS.within(PER_ROLLOUT, Sum()).across(Max()),
            "min": LENGTHS.within(PER_ROLLOUT, Sum()).across(Min()),
        },
        {"mean": 30, "max": 40, "min": 20},
    ),
    Case(
        "C003",
        "rollouts of different adapters are strangers",
        [*rollouts([0, 0, 0, 0], [1], adapter=A), *rollouts([1], adapter=B)],
        REWARD,
        {"episode_raw_reward": 2 / 3, "num_training_samples": 6},
        {("episode_raw_reward", "units"): 3},
    ),
    Case(
        "C004",
        "a long failing rollout weighs as much as a short winning one",
        rollouts([1, 1], [0] * 8),
        {
            **REWARD,
            "num_rollouts": over(Sample)
            .value(One())
            .within(PER_ROLLOUT, Max())
            .across(Count()),
            "num_groups": over(Sample)
            .value(One())
            .within(Group(), Max())
            .across(Count()),
        },
        {
            "episode_raw_reward": 0.5,
            "num_training_samples": 10,
            "num_rollouts": 2,
            "num_groups": 1,
        },
        {("episode_raw_reward", "units"): 2},
    ),
    Case(
        "C005",
        "two definitions have two names, and one result for every sink",
        noted("example", *[("a", 1)] * 4, ("b", 0)),
        {
            "reward/flat": REWARDS.across(Mean()),
            "reward/per_example": REWARDS.within(
                FieldKey("metadata.example"), Mean()
            ).across(Mean()),
        },
        {"reward/flat": 0.8, "reward/per_example": 0.5},
    ),
    Case(
        "C007",
        "a rate over rows says that it is one",
        rollouts([1, 0, 0, 0], [1]),
        {
            "truncated/rows": REWARDS.across(Mean()),
            "truncated/rollouts": REWARDS.within(PER_ROLLOUT, Mean()).across(Mean()),
        },
        {"truncated/rows": 0.4, "truncated/rollouts": 0.625},
    ),
    Case(
        "C009",
        "a group's baseline averages rollouts, not rows",
        rollouts([1, 1, 1, 1], [0], [0]),
        {"m": REWARDS.within(Rollout(), Mean()).split_by(Group()).across(Mean())},
        {"m/0": 1 / 3},
    ),
    Case(
        "C010",
        "groups of different size keep to themselves",
        [*rollouts([0], [1]), *rollouts([4], [4], [4], group=1)],
        {"m": REWARDS.split_by(Group()).across(Mean())},
        {"m/0": 0.5, "m/1": 4.0},
    ),
    Case(
        "C011",
        "problems are told by their id, wherever they stand",
        noted("problem", ("p1", 1), ("p2", 0), ("p1", 1), ("p2", 0)),
        {
            "m": REWARDS.split_by(FieldKey("metadata.problem")).across(Mean()),
            "solved_all": REWARDS.within(FieldKey("metadata.problem"), Min()).across(
                Mean()
            ),
        },
        {"m/p1": 1.0, "m/p2": 0.0, "solved_all": 0.5},
    ),
    Case(
        "C013",
        "each role's trajectories are added up, none overwrites another",
        noted("role", ("solver", 1), ("solver", 0), ("solver", 0), ("judge", 1)),
        {
            "mean": REWARDS.split_by(FieldKey("metadata.role")).across(Mean()),
            "max": REWARDS.split_by(FieldKey("metadata.role")).across(Max()),
            "min": REWARDS.split_by(FieldKey("metadata.role")).across(Min()),
        },
        {
            "mean/judge": 1.0,
            "mean/solver": 1 / 3,
            "max/judge": 1.0,
            "max/solver": 1.0,
            "min/judge": 1.0,
            "min/solver": 0.0,
        },
    ),
    Case(
        "C014",
        "the agents of a module are summed within each episode",
        [
            Sample(metadata={"module": "shared", "episode": 0}, reward=3),
            Sample(metadata={"module": "shared", "episode": 0}, reward=5),
        ],
        {
            "m": REWARDS.within(
                Scoped(FieldKey("metadata.module"), FieldKey("metadata.episode")), Sum()
            )
            .split_by(FieldKey("metadata.module"))
            .across(Mean())
        },
        {"m/shared": 8.0},
    ),
    Case(
        "C015",
        "players are not pooled",
        noted("player", (0, 1), (1, -1), (0, 1), (1, -1)),
        {"m": REWARDS.split_by(FieldKey("metadata.player")).across(Mean())},
        {"m/0": 1.0, "m/1": -1.0},
    ),
    Case(
        "C016",
        "a forked rollout counts once",
        rollouts([1, 1, 1], [0]),
        {
            "first": REWARDS.within(PER_ROLLOUT, First()).across(Mean()),
            "same": REWARDS.within(PER_ROLLOUT, Same()).across(Mean()),
        },
        {"first": 0.5, "same": 0.5},
        {("first", "units"): 2},
    ),
    Case(
        "C016",
        "a batch of nothing but continuations has no value",
        rollouts([None, None]),
        {"m": REWARDS.within(PER_ROLLOUT, First()).across(Mean())},
        {},
        {("m", "units"): 0, ("m", "units_without_value"): 1, ("m", "missing"): 2},
        absent=("m",),
    ),
    Case(
        "C018",
        "a metric names the field that it reads",
        [Sample(reward=shaped, metadata={"raw": 0}) for shaped in (0, -0.5, 0)],
        {
            "max": over(Sample).value(FieldValue("metadata.raw")).across(Max()),
            "min": over(Sample).value(FieldValue("metadata.raw")).across(Min()),
        },
        {"max": 0.0, "min": 0.0},
    ),
    Case(
        "C019",
        "rows of two adapters share no denominator",
        [
            Sample(adapter=adapter, group_index=0, index=index, response_length=length)
            for adapter, index, length in ((A, 0, 1), (A, 1, 2), (B, 0, 10))
        ],
        {"m": LENGTHS.split_by(AdapterScoped(SampleIndex())).across(Sum())},
        {"m/a/0/0": 1.0, "m/a/0/1": 2.0, "m/b/0/0": 10.0},
    ),
    Case(
        "C021",
        "prompts of equal text are two prompts",
        [
            Sample(metadata={"uid": uid, "text": "count"}, reward=reward)
            for uid, reward in (("u1", 1), ("u1", 1), ("u2", 0), ("u2", 0))
        ],
        {
            "best@2": REWARDS.within(FieldKey("metadata.uid"), Max()).across(Mean()),
            "n": REWARDS.split_by(FieldKey("metadata.uid")).across(Count()),
        },
        {"best@2": 0.5, "n/u1": 2.0, "n/u2": 2.0},
        {("best@2", "units"): 2},
    ),
    Case(
        "C022",
        "one environment in two splits is two sources",
        noted("source", *[("math-easy", 1)] * 2, *[("math-hard", 0)] * 2),
        mean_by("source"),
        {"m": 0.5, "m/math-easy": 1.0, "m/math-hard": 0.0},
    ),
    Case(
        "C023",
        "a group called 'all' takes nothing from the aggregate",
        noted("group", ("all", 1), ("all", 1), ("x", 0)),
        mean_by("group"),
        {"m": 2 / 3, "m/all": 1.0, "m/x": 0.0},
    ),
    Case(
        "C025",
        "two instances of one scorer stay two",
        [Sample(metadata={"match": 1, "match1": 0})] * 2,
        {
            "match": over(Sample).value(FieldValue("metadata.match")).across(Mean()),
            "match1": over(Sample).value(FieldValue("metadata.match1")).across(Mean()),
        },
        {"match": 1.0, "match1": 0.0},
    ),
    Case(
        "C047",
        "lengths live on the samples that have them",
        [
            Sample(reward=reward, response_length=size)
            for reward, size in ((0, 30), (1, 40))
        ],
        {"m": LENGTHS.where(FieldTest("reward", "==", 1)).across(Mean())},
        {"m": 40.0},
        {("m", "samples"): 2, ("m", "selected"): 1},
    ),
    Case(
        "C050",
        "padding is left out before anything is added up",
        noted("mask", (1, 1), (1, 1), (0, 50)),
        {"m": REWARDS.where(FieldTest("metadata.mask", "==", 1)).across(Sum())},
        {"m": 2.0},
    ),
    Case(
        "C053",
        "an inactive batch leaves the window's value alone",
        rows(0.5, nan, 0.7),
        {"m": over(Sample).value(Reward(), nonfinite="skip").across(Mean())},
        {"m": 0.6},
        {("m", "used"): 2, ("m", "nonfinite"): 1, ("m", "samples"): 3},
    ),
    Case(
        "C053",
        "a window of nothing else is absent",
        rows(nan, nan),
        {"m": over(Sample).value(Reward(), nonfinite="skip").across(Mean())},
        {},
        {("m", "used"): 0, ("m", "nonfinite"): 2},
        absent=("m",),
    ),
    Case(
        "C054",
        "a completion that nobody scored drags nobody down",
        rows(None, 1, 1, group_index=0),
        {"m": REWARDS.split_by(Group()).across(Mean())},
        {"m/0": 1.0},
        {("m/0", "used"): 2, ("m/0", "missing"): 1},
    ),
    Case(
        "C055",
        "one NaN does not turn its group into NaN where it is to be skipped",
        rows(1, nan, 0),
        {"m": over(Sample).value(Reward(), nonfinite="skip").across(Mean())},
        {"m": 0.5},
        {("m", "used"): 2, ("m", "nonfinite"): 1},
    ),
    Case(
        "C057",
        "agents that never reported count for nothing",
        [Sample(metadata=metadata) for metadata in ({"turns": 8}, {}, {"turns": 10})],
        {"m": over(Sample).value(FieldValue("metadata.turns")).across(Mean())},
        {"m": 9.0},
        {("m", "used"): 2, ("m", "missing"): 1},
    ),
    Case(
        "C059",
        "an aborted trial is zero, or skipped, as the metric says",
        rows(1, None, 0, None),
        {
            "zero": over(Sample).value(Reward(), missing="zero").across(Mean()),
            "skip": over(Sample).value(Reward(), missing="skip").across(Mean()),
        },
        {"zero": 0.25, "skip": 0.5},
        {("skip", "missing"): 2, ("zero", "missing"): 2, ("skip", "samples"): 4},
    ),
    Case(
        "C060",
        "a reward that is a mapping is read by its key",
        rows({"score": 1}, {"score": 1}),
        {
            "by_key": over(Sample).value(Reward("score")).across(Mean()),
            "by_path": over(Sample).value(FieldValue("reward.score")).across(Mean()),
            "whole": REWARDS.across(Mean()),
        },
        {"by_key": 1.0, "by_path": 1.0},
        {("whole", "rejected"): 2},
        absent=("whole",),
    ),
    Case(
        "C060",
        "a group that nobody scored has no value",
        rows(None, None),
        {"m": over(Sample).value(Reward("score")).across(Mean())},
        {},
        {("m", "missing"): 2},
        absent=("m",),
    ),
    *(
        Case(
            "C062",
            f"each value is admitted by itself, as in {list(order)}",
            rows(*order),
            MEAN,
            {"m": 0.5},
            {("m", "used"): 2, ("m", "rejected"): 1},
        )
        for order in permutations(["n/a", 1.0, 0.0])
    ),
    Case(
        "C063",
        "a key that only some samples have is absent where none has it",
        noted("uid", ("u1", 0.5), ("u1", None), ("u2", None), ("u2", None)),
        {
            "m": REWARDS.within(FieldKey("metadata.uid"), Mean())
            .by(FieldKey("metadata.uid"))
            .across(Mean())
        },
        {"m": 0.5, "m/u1": 0.5},
        {
            ("m", "used"): 1,
            ("m", "samples"): 4,
            ("m/u1", "used"): 1,
            ("m/u2", "used"): 0,
        },
        absent=("m/u2",),
    ),
    Case(
        "C064",
        "rewards stay with the samples of their own batch",
        [
            Sample(step=step, reward=reward)
            for step, reward in ((1, 1), (1, 0), (2, 0), (2, 0))
        ],
        {"m": REWARDS.by(FieldKey("step")).across(Mean())},
        {"m": 0.25, "m/1": 0.5, "m/2": 0.0},
    ),
    Case(
        "C066",
        "scalars of other libraries are numbers, arrays on request",
        rows(np.float32(0.5), np.array(0.5), 0.5),
        {**MEAN, "coerced": over(Sample).value(Reward(), coerce=True).across(Mean())},
        {"m": 0.5, "coerced": 0.5},
        {("m", "used"): 2, ("m", "rejected"): 1, ("coerced", "used"): 3},
    ),
    Case(
        "C067",
        "rollouts may report different metrics",
        rows({"a": 1}, {"b": 2}),
        {key: over(Sample).value(Reward(key)).across(Mean()) for key in "ab"},
        {"a": 1.0, "b": 2.0},
        {("a", "used"): 1, ("b", "used"): 1},
    ),
    Case(
        "C069",
        "no data is absent for every reducer, and its count is zero",
        [],
        {
            "mean": REWARDS.across(Mean()),
            "max": REWARDS.across(Max()),
            "min": REWARDS.across(Min()),
            "sum": REWARDS.across(Sum()),
            "count": REWARDS.across(Count()),
        },
        {"count": 0.0},
        {("mean", "used"): 0},
        absent=("mean", "max", "min", "sum"),
    ),
    Case(
        "C070",
        "a batch in which all was filtered has no groups",
        [],
        {
            "size": over(Sample).value(One()).within(Group(), Count()).across(Mean()),
            "groups": over(Sample)
            .value(One())
            .within(Group(), Count())
            .across(Count()),
        },
        {"groups": 0.0},
        absent=("size",),
    ),
    Case(
        "C072",
        "a maximum of zeros is zero",
        rows(0.0, 0.0),
        {"m": REWARDS.across(Max())},
        {"m": 0.0},
    ),
    Case(
        "C073",
        "a task without errors has the rate zero, not none",
        noted("task", *[("x", 0)] * 4, ("y", 1), *[("y", 0)] * 3),
        {"m": REWARDS.split_by(FieldKey("metadata.task")).across(Mean())},
        {"m/x": 0.0, "m/y": 0.25},
    ),
    Case(
        "C076",
        "what is no Number is counted as rejected, and used once coerced",
        rollouts([1.0], [np.bool_(False)], [np.array(0.0)]),
        {
            "episode_raw_reward": REWARD["episode_raw_reward"],
            "coerced": over(Sample)
            .value(RawReward(), coerce=True)
            .within(PER_ROLLOUT, Mean())
            .across(Mean()),
        },
        {"episode_raw_reward": 1.0, "coerced": 1 / 3},
        {("episode_raw_reward", "rejected"): 2, ("coerced", "rejected"): 0},
    ),
    Case(
        "C077",
        "a dropped episode counts as a failure, and shows",
        rows(1, 1, 0, None),
        {"m": over(Sample).value(Reward(), missing="zero").across(Mean())},
        {"m": 0.5},
        {("m", "missing"): 1, ("m", "used"): 4},
    ),
    Case(
        "C078",
        "both populations have a name",
        noted("sample_mask", (1, 0.2), (1, 0.4), (0, 1), (0, 1)),
        {
            "all": REWARDS.across(Mean()),
            "effective": REWARDS.where(
                FieldTest("metadata.sample_mask", "==", 1)
            ).across(Mean()),
        },
        {"all": 0.65, "effective": 0.3},
        {("all", "selected"): 4, ("effective", "selected"): 2},
    ),
    Case(
        "C079",
        "the cohort that shipped is another than the groups that finished",
        noted("shipped", *[(True, 1)] * 4, *[(True, 0)] * 2, *[(False, 0)] * 2),
        {"m": REWARDS.where(FieldTest("metadata.shipped", "==", True)).across(Mean())},
        {"m": 2 / 3},
        {("m", "selected"): 6, ("m", "samples"): 8},
    ),
    Case(
        "C081",
        "a category that was not run is left out, and shows",
        noted("category", ("x", 0.8), ("y", 0.6), ("z", None)),
        {"m": REWARDS.within(FieldKey("metadata.category"), Mean()).across(Mean())},
        {"m": 0.7},
        {("m", "units"): 2, ("m", "units_without_value"): 1},
    ),
    Case(
        "C082",
        "a score that covers a quarter says so",
        rows(1.0, None, None, None),
        {**MEAN, "zero": over(Sample).value(Reward(), missing="zero").across(Mean())},
        {"m": 1.0, "zero": 0.25},
        {("m", "used"): 1, ("m", "samples"): 4, ("m", "missing"): 3},
    ),
    Case(
        "C085",
        "lengths are those before any mask",
        [
            Sample(response_length=5, status="completed"),
            Sample(response_length=8, status="truncated"),
        ],
        {
            "mean": LENGTHS.across(Mean()),
            "min": LENGTHS.across(Min()),
            "completed": LENGTHS.where(FieldTest("status", "==", "completed")).across(
                Mean()
            ),
        },
        {"mean": 6.5, "min": 5.0, "completed": 5.0},
    ),
    *(
        Case(
            "C087",
            f"truncation is a flag of each sample: {flags}",
            [Sample(metadata={"truncated": flag}) for flag in flags],
            {"m": over(Sample).value(FieldValue("metadata.truncated")).across(Mean())},
            {"m": rate},
        )
        for flags, rate in (([False] * 3, 0.0), ([True] * 3, 1.0))
    ),
    Case(
        "C093",
        "a mean is no accuracy, and the threshold is a parameter",
        rows(0.95, 0.9, 1.0, 0.0),
        {
            **MEAN,
            "solved": REWARDS.where(FieldTest("reward", ">=", 0.5)).across(Count()),
        },
        {"m": 0.7125, "solved": 3.0},
        {("solved", "selected"): 3, ("solved", "samples"): 4},
    ),
    Case(
        "C095",
        "reward and success are two metrics",
        rows(1, -1, -1, 1),
        {**MEAN, "solved": REWARDS.where(FieldTest("reward", ">=", 1)).across(Count())},
        {"m": 0.0, "solved": 2.0},
        {("solved", "selected"): 2, ("solved", "samples"): 4},
    ),
    Case(
        "C098",
        "equal rewards have no spread, not even by rounding",
        rows(0.1, 0.1, 0.1),
        {**MEAN, "max": REWARDS.across(Max()), "min": REWARDS.across(Min())},
        {"m": 0.1, "max": 0.1, "min": 0.1},
    ),
    Case(
        "C103",
        "macro and micro averages say which they are",
        noted(
            "task",
            *[("x", 1)] * 80,
            *[("x", 0)] * 20,
            *[("y", 1)] * 120,
            *[("y", 0)] * 180,
        ),
        {
            "micro": REWARDS.across(Mean()),
            "macro": REWARDS.within(FieldKey("metadata.task"), Mean()).across(Mean()),
        },
        {"micro": 0.5, "macro": 0.6},
    ),
    *(
        Case(
            "C108",
            f"no order changes a sum, as in {list(order)}",
            rows(*order),
            SUM,
            {"m": 1.0},
        )
        for order in permutations([1e16, 1.0, -1e16])
    ),
    Case(
        "C110",
        "windows of uneven size weigh alike",
        [*rows(1.0, 1.0, 1.0, step=1), *rows(5.0, step=2)],
        {"m": REWARDS.within(FieldKey("step"), Mean()).across(Mean())},
        {"m": 3.0},
    ),
    Case(
        "C111",
        "the last micro-batch is not the step",
        rows(0.1, 0.3, 0.5),
        MEAN,
        {"m": 0.3},
    ),
    Case(
        "C119",
        "a value stands at the step that its samples carry",
        rows(0.7, step=10),
        {"eval": REWARDS.split_by(FieldKey("step")).across(Mean())},
        {"eval/10": 0.7},
    ),
    Case(
        "C120",
        "the caller gets the values, and can choose by them",
        [*rows(0.2, step=1), *rows(0.8, step=2)],
        {"eval": REWARDS.split_by(FieldKey("step")).across(Mean())},
        {"eval/1": 0.2, "eval/2": 0.8},
    ),
    Case(
        "C122",
        "nothing is averaged in silence",
        rows({"pass@1": 0.2}, {"pass@1": 0.8}),
        {"max": over(Sample).value(Reward("pass@1")).across(Max()), **MEAN},
        {"max": 0.8},
        {("m", "rejected"): 2},
        absent=("m",),
    ),
    Case(
        "C124",
        "each metric has the reducer that it was given",
        rows(0, 1),
        {"a/acc": REWARDS.across(Mean()), "b/acc": REWARDS.across(Max())},
        {"a/acc": 0.5, "b/acc": 1.0},
    ),
    Case(
        "C125",
        "one more metric takes nothing from the others",
        rows(0.5, 0.5, 0.5, 0.5),
        {"reward": REWARDS.across(Mean()), "count": REWARDS.across(Count())},
        {"reward": 0.5, "count": 4.0},
    ),
    Case(
        "C127",
        "a value that is a list gives no thousand series",
        rows([0.1] * 1000, ["a"]),
        MEAN,
        {},
        {("m", "rejected"): 2},
        absent=("m",),
    ),
    Case(
        "C128",
        "a metric is called what its definition calls it",
        rows(1.0),
        {"env/all/reward/total": REWARDS.across(Mean())},
        {"env/all/reward/total": 1.0},
    ),
]


@pytest.mark.parametrize(
    "case", [pytest.param(case, id=f"{case.id}: {case.what}") for case in CASES]
)
def test_case(case: Case) -> None:
    report = compute(case.samples, case.pipelines)
    assert report.keys() == case.right.keys()
    for name, right in case.right.items():
        assert isclose(report[name], right, rel_tol=1e-12)
    counts = {key: getattr(report.outcome(key[0]), key[1]) for key in case.counts}
    assert counts == case.counts
    for name in case.absent:
        assert report.outcome(name).value is None


@attrs.frozen(order=False)
class Merge:
    """What several ranks, batches or threads hold, and what is right for all."""

    id: str
    what: str
    reducer: AnyReducer
    parts: Sequence[Sequence[float]]
    right: float | None


MERGES = [
    Merge("C028", "ranks of uneven size", Mean(), [[1], [0, 0, 0]], 0.25),
    Merge(
        "C029", "tokens, not ranks, are weighed", Mean(), [[0.2] * 10, [0.4] * 90], 0.38
    ),
    Merge("C031", "every rank is heard", Mean(), [[1, 1], [0, 0]], 0.5),
    Merge("C033", "a maximum stays one", Max(), [[10], [50]], 50),
    Merge("C033", "a minimum stays one", Min(), [[1], [9]], 1),
    Merge("C033", "a total stays one", Sum(), [[3], [5]], 8),
    Merge("C035", "a loss with 'min' in its name", Mean(), [[1], [3]], 2),
    Merge("C035", "a mean of what is called a difference", Mean(), [[2], [4]], 3),
    Merge("C035", "a maximum of nothing", Max(), [[]], None),
    Merge("C039", "a rank without such samples", Mean(), [[1, 1], []], 1),
    Merge("C043", "two ranks that are right alike", Mean(), [[1, 1, 1, 0]] * 2, 0.75),
    Merge("C044", "ranks of uneven size that agree", Mean(), [[1.0] * 3, [1.0] * 2], 1),
    Merge(
        "C045",
        "ints on one rank, floats on another",
        Mean(),
        [[1, 1, 1], [1.0, 1.0, 0.5]],
        5.5 / 6,
    ),
    Merge("C048", "packs of uneven size", Mean(), [[1, 1, 0], [0]], 0.5),
    Merge("C052", "ranks that go on after a result", Sum(), [[1], [1], [1], [1]], 4),
    Merge("C111", "micro-batches", Mean(), [[0.1], [0.3], [0.5]], 0.3),
    Merge("C114", "the state of an epoch", Min(), [[0.6], [0.7]], 0.6),
    Merge("C117", "threads with a state each", Count(), [[1], [1]], 2),
]


@pytest.mark.parametrize(
    "case", [pytest.param(case, id=f"{case.id}: {case.what}") for case in MERGES]
)
def test_merge(case: Merge) -> None:
    reducer = case.reducer
    states = [reducer.fold(reducer.init(), part) for part in case.parts]
    before = repr(states)
    results: Iterable[Any] = [
        reducer.finish(reduce(reducer.merge, order, reducer.init()))
        for order in (states, states[::-1])
    ]
    for result in results:
        if case.right is None:
            assert result is None
        else:
            assert isclose(result, case.right, rel_tol=1e-12)
    assert repr(states) == before


def test_c009_siblings_in_conflict_are_an_error_where_they_must_agree() -> None:
    pipeline = REWARDS.within(Rollout(), Same()).across(Mean())
    with pytest.raises(DisagreementError, match=r"unit \('rollout', 0, 0\)"):
        compute(rollouts([1, 0]), {"m": pipeline})


def test_c010_a_missing_group_id_is_an_error_and_no_group() -> None:
    pipeline = REWARDS.within(Group(), Mean()).across(Mean())
    with pytest.raises(SampleError, match=r"sample at position 1: .*does not apply"):
        compute(
            [Sample(group_index=0, reward=1.0), Sample(reward=1.0)], {"m": pipeline}
        )


def test_c052_a_result_changes_nothing_and_may_be_asked_for_again() -> None:
    total = Sum()
    state = total.fold(total.init(), [1, 1])
    assert [total.finish(state), total.finish(state)] == [2.0, 2.0]
    assert total.finish(total.fold(state, [1, 1])) == 4.0


def test_c114_a_new_window_starts_from_nothing() -> None:
    least = Min()
    assert least.finish(least.fold(least.init(), [0.0])) == 0.0
    assert least.finish(least.fold(least.init(), [0.6, 0.7])) == 0.6


@pytest.mark.parametrize(
    "reducer", [Mean(), Sum(), Count(), Min(), Max(), First(), Same()]
)
def test_c115_a_state_does_not_grow_with_its_values(reducer: AnyReducer) -> None:
    one = reducer.fold(reducer.init(), [1.5])
    many = reducer.fold(one, [1.5] * 100_000)
    assert abs(len(repr(many)) - len(repr(one))) < 20


def test_c023_a_series_that_would_hide_another_is_refused() -> None:
    pipelines = {
        "m": REWARDS.by(FieldKey("status")).across(Mean()),
        "m/all": REWARDS.across(Mean()),
    }
    with pytest.raises(KeyfoldError, match="two series of the report would be called"):
        compute([Sample(status="all", reward=1.0)], pipelines)


def test_c018_the_shaped_reward_is_not_read_for_the_raw_one() -> None:
    raw = over(Sample).value(FieldValue("metadata.raw")).within(Adapter(), Max())
    assert raw.across(Max()).fields == frozenset({"metadata.raw", "adapter"})


WAITING = {
    "C075": "a value that maps words to numbers",
    "C084": "a weighted mean",
    "C088": "a selection of complete groups, and pass@k",
    "C090": "pass@k and best@k",
    "C091": "pass@k and best@k",
    "C097": "the standard deviation",
    "C100": "a weighted sum of several values, and the standard deviation",
    "C102": "a standard error by cluster",
    "C105": "a standard error",
    "C106": "the median",
    "C129": "quantiles of bounded state",
}
PARTLY_WAITING = {
    "C002": "the median",
    "C009": "the standard deviation",
    "C010": "the baseline taken from each sample",
    "C018": "the range of a group's values",
    "C055": "the standard deviation",
    "C067": "a metric for each key that is met",
    "C093": "the rate of values from a threshold on",
    "C095": "the rate of values from a threshold on",
    "C098": "the range of a group's values",
    "C115": "quantiles of bounded state",
    "C127": "quantiles",
}


def test_every_case_of_the_list_is_tested_or_waits(shared: Path) -> None:
    listed = re.findall(
        r"^\| (C\d+) \|", (shared / "cases.md").read_text(), re.MULTILINE
    )
    tests = (path.read_text() for path in Path(__file__).parents[1].rglob("test_*.py"))
    named = {
        f"C{number}"
        for text in tests
        for number in re.findall(r'(?:def test_c|id="C)(\d{3})', text)
    }
    tested = {case.id for case in CASES} | {case.id for case in MERGES} | named
    assert len(listed) == len(set(listed)) == 91
    assert tested.isdisjoint(WAITING)
    assert tested >= PARTLY_WAITING.keys()
    assert sorted(tested | WAITING.keys()) == sorted(listed)
