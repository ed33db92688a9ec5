"""A metric that fails takes no other with it, where that is asked for."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Any

import attrs
import pytest

from keyfold import compute, over
from keyfold.errors import (
    AbsentMetricError,
    ContractError,
    DisagreementError,
    LabelClashError,
    SampleError,
    UsageError,
)
from keyfold_strategies import (
    FieldKey,
    FieldTest,
    FieldValue,
    Group,
    Mean,
    Reward,
    Rollout,
    Same,
    Sample,
    Sum,
)

REWARDS = over(Sample).value(Reward())


@attrs.frozen
class Breaks:
    """A reducer that raises whatever it is given."""

    def init(self) -> None:
        return None

    def fold(self, state: None, values: Iterable[float], /) -> None:
        raise ZeroDivisionError

    def merge(self, left: None, right: None, /) -> None:
        return None

    def finish(self, state: None, /) -> float | None:
        return None


SAMPLES = [Sample(rollout_id=0, reward=1.0), Sample(rollout_id=0, reward=0.5)]
BROKEN = {
    "value": over(Sample).value(FieldValue("reward.x")).across(Mean()),
    "selection": REWARDS.where(FieldTest("reward.x", "==", 1)).across(Mean()),
    "key": REWARDS.within(Group(), Mean()).across(Mean()),
    "reducer": REWARDS.within(Rollout(), Breaks()).across(Mean()),
    "same": REWARDS.within(Rollout(), Same()).across(Mean()),
}
GOOD = {"mean": REWARDS.across(Mean()), "sum": REWARDS.across(Sum())}


def test_what_fails_is_reported_and_the_rest_computed(
    caplog: pytest.LogCaptureFixture,
) -> None:
    pipelines = {"mean": GOOD["mean"], **BROKEN, "sum": GOOD["sum"]}
    with caplog.at_level(logging.WARNING, logger="keyfold"):
        report = compute(SAMPLES, pipelines, on_error="report")
    assert dict(report) == {"mean": 0.75, "sum": 1.5}
    assert {name: type(error) for name, error in report.errors.items()} == {
        "value": SampleError,
        "selection": SampleError,
        "key": SampleError,
        "reducer": ContractError,
        "same": DisagreementError,
    }
    assert [record.getMessage().split(": ")[0] for record in caplog.records] == [
        f"the metric {name!r} is left out" for name in BROKEN
    ]


def test_samples_that_can_be_gone_through_once_are_held() -> None:
    pipelines = {**GOOD, "key": BROKEN["key"]}
    report = compute((it for it in SAMPLES), pipelines, on_error="report")
    assert dict(report) == {"mean": 0.75, "sum": 1.5}


def test_where_nothing_fails_nothing_differs() -> None:
    report = compute(SAMPLES, GOOD, on_error="report")
    assert report.outcomes == compute(SAMPLES, GOOD).outcomes
    assert not report.errors


def test_asking_for_what_failed_tells_why() -> None:
    report = compute(SAMPLES, BROKEN, on_error="report")
    assert "key" not in report
    assert report.get("key") is None
    with pytest.raises(AbsentMetricError) as caught:
        report["key"]
    assert caught.value.message == (
        "metric 'key' could not be computed: sample at position 0: key strategy group "
        "does not apply to it"
    )
    assert caught.value.__cause__ is report.errors["key"]


def test_of_two_series_of_one_name_the_first_stays() -> None:
    by = REWARDS.split_by(FieldKey("status", default="all")).across(Mean())
    pipelines = {"m/all": GOOD["sum"], "m": by}
    report = compute(SAMPLES, pipelines, on_error="report")
    assert dict(report) == {"m/all": 1.5}
    assert type(report.errors["m"]) is LabelClashError
    assert report.breakdowns == {}


def test_what_is_no_metric_s_fault_is_raised() -> None:
    no_samples: Any = 3
    with pytest.raises(UsageError, match="expected samples, found 3"):
        compute(no_samples, GOOD, on_error="report")
    wrong: Any = "ignore"
    with pytest.raises(UsageError) as caught:
        compute(SAMPLES, GOOD, on_error=wrong)
    assert caught.value.message == (
        "expected on_error to be 'raise' or 'report', found 'ignore'"
    )


@pytest.mark.parametrize(
    ("name", "notes"),
    [
        (
            "value",
            [
                (
                    "in the value field(\"reward.x\") of the metric 'value', "
                    "sample at position 0"
                )
            ],
        ),
        (
            "selection",
            [
                (
                    'in the selection field_test("reward.x", "==", 1) of the metric '
                    "'selection', sample at position 0"
                )
            ],
        ),
        (
            "key",
            ["in the key strategy group of the metric 'key', sample at position 0"],
        ),
        (
            "reducer",
            [
                "in the reducer breaks, unit ('rollout', None, 0)",
                "in the metric 'reducer'",
            ],
        ),
        (
            "same",
            ["in the reducer same, unit ('rollout', None, 0)", "in the metric 'same'"],
        ),
    ],
)
def test_errors_note_the_plugin_the_metric_and_the_place(
    name: str, notes: list[str]
) -> None:
    for on_error in ("raise", "report"):
        error: Any
        if on_error == "report":
            error = compute(SAMPLES, BROKEN, on_error="report").errors[name]
        else:
            with pytest.raises(Exception, match=r".") as caught:
                compute(SAMPLES, {name: BROKEN[name]})
            error = caught.value
        assert error.__notes__ == notes


def test_a_plugin_that_metrics_share_names_them_all() -> None:
    keyed = REWARDS.within(Group(), Mean())
    with pytest.raises(SampleError) as caught:
        compute(SAMPLES, {"a": keyed.across(Mean()), "b": keyed.across(Sum()), **GOOD})
    assert caught.value.__notes__ == [
        "in the key strategy group of the metric 'a', 'b', sample at position 0"
    ]


def test_c059_one_metric_that_crashes_leaves_the_others_alone() -> None:
    samples = [Sample(reward=reward) for reward in (1, None, 0, None)]
    pipelines = {
        "zero": over(Sample).value(Reward(), missing="zero").across(Mean()),
        "skip": REWARDS.across(Mean()),
        "strict": over(Sample).value(Reward(), missing="error").across(Mean()),
    }
    report = compute(samples, pipelines, on_error="report")
    assert dict(report) == {"zero": 0.25, "skip": 0.5}
    assert report.outcome("skip").missing / report.outcome("skip").samples == 0.5
    assert list(report.errors) == ["strict"]
