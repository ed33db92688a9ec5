"""What an outcome counts, what policies do, and what absent means."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import inf, isnan, nan
from typing import Any

import numpy as np
import pytest

from keyfold import compute, over
from keyfold.errors import AbsentMetricError, SampleError
from keyfold.report import Outcome, Report
from keyfold_strategies import (
    Count,
    FieldTest,
    First,
    Max,
    Mean,
    Min,
    Reward,
    Rollout,
    Same,
    Sample,
    Sum,
)

ODD: list[Any] = [1.0, None, "n/a", nan, inf, np.bool_(True), np.array(0.5), {"x": 1}]


def outcome_of(
    rewards: list[Any], *, empty: float | None = None, **policies: Any
) -> Outcome:
    samples = [Sample(rollout_id=row, reward=one) for row, one in enumerate(rewards)]
    chain = over(Sample).value(Reward(), **policies).within(Rollout(), Mean())
    return compute(samples, {"m": chain.across(Mean(), empty=empty)}).outcome("m")


@pytest.mark.parametrize(
    ("policies", "value", "used", "counts"),
    [
        ({}, nan, 3, (1, 4, 2)),
        ({"nonfinite": "skip"}, 1.0, 1, (1, 4, 2)),
        ({"nonfinite": "skip", "missing": "zero"}, 0.5, 2, (1, 4, 2)),
        ({"nonfinite": "skip", "missing": "nan"}, nan, 2, (1, 4, 2)),
        ({"nonfinite": "skip", "coerce": True}, 2.5 / 3, 3, (1, 2, 2)),
        ({"nonfinite": "skip", "coerce": True, "missing": "zero"}, 0.625, 4, (1, 2, 2)),
    ],
)
@pytest.mark.parametrize("rotation", range(len(ODD)))
def test_policies_and_their_counts_in_any_order(
    policies: dict[str, Any],
    value: float,
    used: int,
    counts: tuple[int, int, int],
    rotation: int,
) -> None:
    outcome = outcome_of(ODD[rotation:] + ODD[:rotation], **policies)
    assert outcome.value is not None
    assert outcome.value == value or (isnan(outcome.value) and isnan(value))
    assert outcome.used == used
    assert (outcome.missing, outcome.rejected, outcome.nonfinite) == counts
    assert (outcome.samples, outcome.selected) == (len(ODD), len(ODD))
    assert (outcome.units, outcome.units_without_value) == (used, len(ODD) - used)
    assert outcome.keyed_by == {"rollout": len(ODD)}


@pytest.mark.parametrize(
    ("rewards", "policies", "position", "found", "hint"),
    [
        (
            [0.5, None],
            {"missing": "error"},
            1,
            "a number, found None",
            'missing = "skip" passes over samples without a value',
        ),
        (
            [0.5, 1, "n/a"],
            {"missing": "error"},
            2,
            "a number, found 'n/a'",
            'missing = "skip" passes over values that are no numbers',
        ),
        (
            [nan],
            {"nonfinite": "error"},
            0,
            "a finite number, found nan",
            'nonfinite = "skip" passes over NaN and infinities',
        ),
        (
            [None, -inf],
            {"nonfinite": "error"},
            1,
            "a finite number, found -inf",
            'nonfinite = "skip" passes over NaN and infinities',
        ),
        (
            ["x" * 99],
            {"missing": "error"},
            0,
            f"a number, found '{'x' * 56}... (str)",
            'missing = "skip" passes over values that are no numbers',
        ),
    ],
)
def test_the_policy_error_says_where_and_what(
    rewards: list[Any], policies: dict[str, Any], position: int, found: str, hint: str
) -> None:
    with pytest.raises(SampleError) as caught:
        outcome_of(rewards, **policies)
    assert caught.value.message == (
        f"sample at position {position}: value reward: expected {found} "
        "in the field 'reward'"
    )
    assert caught.value.hint == hint
    assert (caught.value.position, caught.value.field) == (position, "reward")


def test_what_is_not_finite_is_no_error_for_a_missing_value_made_nan() -> None:
    outcome = outcome_of([None, 1.0], missing="nan", nonfinite="error")
    assert outcome.value is not None
    assert isnan(outcome.value)
    assert (outcome.missing, outcome.nonfinite) == (1, 0)


class Stubborn:
    """Something whose `item` fails."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def item(self) -> float:
        raise self.error


class Tensor:
    """Something of one element, like a tensor."""

    def __init__(self, value: object) -> None:
        self.value = value

    def item(self) -> object:
        return self.value


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (np.bool_(False), 0.0),
        (np.array(2.5), 2.5),
        (np.array([2.5]), 2.5),
        (np.array([[3]]), 3.0),
        (Tensor(0.5), 0.5),
        (Tensor(True), 1.0),
        (Tensor("0.5"), None),
        (Tensor(None), None),
        (np.array([1.0, 2.0]), None),
        (np.array([]), None),
        (np.array("text"), None),
        (Stubborn(ValueError("two elements")), None),
        (Stubborn(KeyError("odd")), None),
        ("0.5", None),
        ([0.5], None),
        ({"item": 1}, None),
        (Tensor, None),
    ],
)
def test_coercion_takes_what_holds_one_number(
    value: object, number: float | None
) -> None:
    outcome = outcome_of([value], coerce=True)
    assert outcome.value == number
    assert outcome.rejected == (number is None)
    assert outcome_of([value]).rejected == 1


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (True, 1.0),
        (False, 0.0),
        (3, 3.0),
        (np.float32(0.1), float(np.float32(0.1))),
        (np.float16(0.5), 0.5),
        (np.int8(-3), -3.0),
        (np.uint64(2**64 - 1), 2.0**64),
        (Fraction(1, 3), 1 / 3),
    ],
)
def test_numbers_of_every_kind_count(value: object, number: float) -> None:
    outcome = outcome_of([value])
    assert outcome.value == number
    assert type(outcome.value) is float
    assert (outcome.used, outcome.rejected) == (1, 0)


@pytest.mark.parametrize("kind", [int, np.int64])
def test_integers_past_53_bits_lose_no_digit(kind: Any) -> None:
    samples = [Sample(reward=kind(2**53 + 1)), Sample(reward=kind(-(2**53)))]
    total = over(Sample).value(Reward()).across(Sum())
    assert compute(samples, {"sum": total})["sum"] == 1.0


@pytest.mark.parametrize("reducer", [Mean(), Sum(), Min(), Max(), First(), Same()])
@pytest.mark.parametrize("rewards", [[], [None], ["text", None]])
def test_no_value_is_absent_for_every_reducer(reducer: Any, rewards: list[Any]) -> None:
    samples = [Sample(reward=one) for one in rewards]
    report = compute(samples, {"m": over(Sample).value(Reward()).across(reducer)})
    assert dict(report) == {}
    assert "m" not in report
    assert report.outcome("m").value is None
    assert report.outcome("m").used == 0
    assert report.outcome("m").samples == len(rewards)


def test_a_count_of_nothing_is_a_true_zero() -> None:
    report = compute([], {"n": over(Sample).value(Reward()).across(Count())})
    assert dict(report) == {"n": 0.0}


@pytest.mark.parametrize("empty", [0.0, -1.0, inf])
def test_empty_gives_an_absent_metric_a_value_and_no_other(empty: float) -> None:
    assert outcome_of([], empty=empty).value == empty
    assert outcome_of([None], empty=empty).value == empty
    assert outcome_of([0.25], empty=empty).value == 0.25
    assert outcome_of([0.0], empty=empty).value == 0.0


def test_a_selection_that_takes_nothing_leaves_the_metric_absent() -> None:
    chain = over(Sample).value(Reward()).where(FieldTest("status", "==", "kept"))
    outcome = compute(
        [Sample(reward=1.0)] * 5000,
        {"m": chain.within(Rollout(), Mean()).across(Mean())},
    ).outcome("m")
    assert outcome == Outcome(
        value=None,
        samples=5000,
        selected=0,
        used=0,
        missing=0,
        rejected=0,
        nonfinite=0,
        units=0,
        units_without_value=0,
        keyed_by={},
        level_units=(0,),
    )


def test_counts_are_right_across_batches() -> None:
    rewards: list[Any] = [1.0, None, "n/a", nan, 0.0]
    outcome = outcome_of(rewards * 2000, nonfinite="skip")
    assert (outcome.value, outcome.used) == (0.5, 4000)
    assert (outcome.missing, outcome.rejected, outcome.nonfinite) == (2000, 2000, 2000)
    assert (outcome.units, outcome.units_without_value) == (4000, 6000)


def test_a_report_is_a_mapping_of_the_present_numbers() -> None:
    start = over(Sample).value(Reward())
    report = compute(
        [Sample(reward=0.5), Sample(reward=None)],
        {"mean": start.across(Mean()), "none": start.where(_nothing()).across(Mean())},
    )
    assert isinstance(report, Report)
    assert isinstance(report, Mapping)
    assert dict(report) == {"mean": 0.5}
    assert len(report) == 1
    assert report.get("none", 7.0) == 7.0
    assert repr(report) == "Report({'mean': 0.5})"
    assert list(report.outcomes) == ["mean", "none"]


def _nothing() -> FieldTest:
    return FieldTest("status", "==", "nothing")


def test_asking_for_an_absent_metric_says_why() -> None:
    report = compute([], {"reward": over(Sample).value(Reward()).across(Mean())})
    with pytest.raises(AbsentMetricError) as caught:
        report["reward"]
    assert isinstance(caught.value, KeyError)
    assert str(caught.value) == (
        "metric 'reward' is absent: no sample gave a usable value\n"
        "Hint: report.outcome('reward') says what was counted, and empty= in the "
        "pipeline gives such a metric a value"
    )


@pytest.mark.parametrize("ask", [Report.__getitem__, Report.outcome])
def test_asking_for_a_metric_that_does_not_exist_names_the_nearest(ask: Any) -> None:
    report = compute([], {"reward": over(Sample).value(Reward()).across(Mean())})
    with pytest.raises(AbsentMetricError) as caught:
        ask(report, "rewards")
    assert str(caught.value) == (
        "the report has no metric 'rewards'; it has 'reward'\n"
        "Hint: did you mean 'reward'?"
    )
    with pytest.raises(
        AbsentMetricError, match="the report has no metric 'x'; it has none"
    ):
        ask(compute([], {}), "x")


def test_computing_again_gives_the_same_and_changes_nothing() -> None:
    metadata: dict[str, Any] = {"raw_reward": 0.5, "more": [1, 2]}
    samples = [Sample(rollout_id=0, reward=1.0, metadata=metadata)]
    first = compute(samples)
    assert dict(compute(samples)) == dict(first)
    assert first.outcomes == compute(samples).outcomes
    assert metadata == {"raw_reward": 0.5, "more": [1, 2]}
