"""Breakdowns: one number a key, beside the number over everything or instead of it."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import pytest

from keyfold import compute, over
from keyfold.contracts import AnyKeyStrategy
from keyfold.errors import (
    AbsentMetricError,
    InconsistentUnitError,
    LabelClashError,
    SampleError,
)
from keyfold_strategies import (
    Adapter,
    AdapterRef,
    AdapterScoped,
    Count,
    FieldKey,
    FieldTest,
    FirstOf,
    Group,
    Max,
    Mean,
    Position,
    Reward,
    Rollout,
    Sample,
    SampleIndex,
)

A0, A1, B0 = AdapterRef("a", 0), AdapterRef("a", 1), AdapterRef("b", 0)
REWARD = over(Sample).value(Reward())
ROLLOUTS = REWARD.within(AdapterScoped(FirstOf(Rollout(), Position())), Mean())

SAMPLES = [
    Sample(adapter=A0, rollout_id=0, reward=1.0),
    Sample(adapter=A0, rollout_id=0, reward=0.0),
    Sample(adapter=A0, rollout_id=1, reward=1.0),
    Sample(adapter=A0, rollout_id=2),
    Sample(adapter=B0, rollout_id=0, reward=0.0),
    Sample(adapter=B0, reward="odd"),
    Sample(adapter=B0, reward=float("inf")),
]


def test_by_stands_beside_the_number_over_everything() -> None:
    report = compute(SAMPLES[:5], {"m": ROLLOUTS.by(Adapter()).across(Mean())})
    assert dict(report) == {"m": 0.5, "m/a": 0.75, "m/b": 0.0}
    assert list(report) == ["m", "m/a", "m/b"]


def test_split_by_stands_instead_of_it() -> None:
    report = compute(SAMPLES[:5], {"m": ROLLOUTS.split_by(Adapter()).across(Mean())})
    assert dict(report) == {"m/a": 0.75, "m/b": 0.0}
    with pytest.raises(AbsentMetricError, match="the report has no metric 'm'; it has"):
        report.outcome("m")


def test_every_entry_has_counts_of_its_own() -> None:
    report = compute(SAMPLES, {"m": ROLLOUTS.by(Adapter()).across(Mean())})
    names = (
        *("samples", "selected", "used", "missing", "rejected", "nonfinite"),
        *("units", "units_without_value", "keyed_by"),
    )
    found = {
        name: [getattr(report.outcome(f"m{entry}"), name) for entry in ("", "/a", "/b")]
        for name in names
    }
    assert found == {
        "samples": [7, 4, 3],
        "selected": [7, 4, 3],
        "used": [5, 3, 2],
        "missing": [1, 1, 0],
        "rejected": [1, 0, 1],
        "nonfinite": [1, 0, 1],
        "units": [4, 2, 2],
        "units_without_value": [2, 1, 1],
        "keyed_by": [
            {"rollout": 5, "position": 2},
            {"rollout": 4},
            {"rollout": 1, "position": 2},
        ],
    }


def test_an_entry_without_a_usable_value_is_absent_but_counted() -> None:
    samples = [Sample(adapter=A0, reward=1.0), Sample(adapter=B0)]
    report = compute(samples, {"m": REWARD.by(Adapter()).across(Mean())})
    assert dict(report) == {"m": 1.0, "m/a": 1.0}
    assert report.outcome("m/b").value is None
    assert report.outcome("m/b").missing == 1
    emptied = compute(samples, {"m": REWARD.by(Adapter()).across(Mean(), empty=0.0)})
    assert emptied["m/b"] == 0.0


def test_entries_are_of_the_selected_samples_alone() -> None:
    chain = REWARD.where(FieldTest("rollout_id", "!=", None)).by(Adapter())
    report = compute(SAMPLES[:6], {"m": chain.across(Count())})
    assert report.outcome("m").samples == 6
    assert report.outcome("m").selected == 5
    assert report.outcome("m/b").samples == 1
    assert report.outcome("m/b").selected == 1


def test_a_breakdown_needs_no_level() -> None:
    report = compute(SAMPLES[:5], {"m": REWARD.by(Adapter()).across(Mean())})
    assert dict(report) == {"m": 0.5, "m/a": 2 / 3, "m/b": 0.0}


def test_entries_with_several_levels_below() -> None:
    samples = [
        Sample(adapter=adapter, group_index=group, rollout_id=rollout, reward=reward)
        for adapter, group, rollout, reward in (
            *((A0, 0, 0, 1.0), (A0, 0, 1, 0.0), (A0, 1, 0, 1.0)),
            *((B0, 0, 0, 0.0), (B0, 0, 0, 1.0)),
        )
    ]
    chain = REWARD.within(AdapterScoped(Rollout()), Mean())
    grouped = chain.within(AdapterScoped(Group()), Max()).by(Adapter())
    report = compute(samples, {"m": grouped.across(Mean())})
    assert dict(report) == {"m": 2.5 / 3, "m/a": 1.0, "m/b": 0.5}


def test_a_unit_in_two_entries_is_an_error() -> None:
    samples = [Sample(adapter=A0, rollout_id=0), Sample(adapter=B0, rollout_id=0)]
    pipeline = REWARD.within(Rollout(), Mean()).by(Adapter()).across(Mean())
    with pytest.raises(InconsistentUnitError) as caught:
        compute(samples, {"m": pipeline})
    assert (
        "its unit ('rollout', None, 0) by rollout has samples in two units of adapter"
        in (caught.value.message)
    )


def test_a_sample_in_no_entry_is_an_error() -> None:
    samples = [Sample(group_index=0, reward=1.0), Sample(reward=1.0)]
    with pytest.raises(SampleError) as caught:
        compute(samples, {"m": REWARD.by(Group()).across(Mean())})
    assert str(caught.value) == (
        "sample at position 1: key strategy group does not apply to it\n"
        "Hint: wrap it in first_of(...) with a strategy that applies to the rest"
    )


class Named:
    """A user's strategy with labels of its own."""

    def __init__(self, *labels: str) -> None:
        self.texts = labels

    def key(self, sample: Sample, position: int, /) -> tuple[Hashable, ...]:
        return (sample.index, "x")

    def labels(self, keys: Sequence[tuple[Hashable, ...]], /) -> Sequence[str]:
        return self.texts or [f"no {index}" for index, _ in keys]


def entries(strategy: AnyKeyStrategy, *samples: Sample) -> list[str]:
    pipeline = over(Sample).value(Reward()).split_by(strategy).across(Count())
    return [name.removeprefix("m/") for name in compute(samples, {"m": pipeline})]


def adapters(*some: Hashable) -> list[Sample]:
    return [Sample(adapter=adapter, reward=1.0) for adapter in some]


@pytest.mark.parametrize(
    ("strategy", "samples", "labels"),
    [
        (Adapter(), adapters(A0, B0), ["a", "b"]),
        (Adapter(), adapters(B0, A1, A0), ["a@0", "a@1", "b"]),
        (Adapter(), adapters(None, A0), ["a", "none"]),
        (Adapter(), adapters(None, AdapterRef("none", 3)), ["none", "none@3"]),
        (Adapter(), adapters("text", 3), ["3", "text"]),
        (Adapter(), adapters(("a", 0)), ["('a', 0)"]),
        (Adapter(), adapters(AdapterRef("a/b", 0)), ["a/b"]),
        (AdapterScoped[Sample](Position()), adapters(A0, A1), ["a@0/0", "a@1/1"]),
        (Group(), [Sample(group_index=10), Sample(group_index=9)], ["9", "10"]),
        (Rollout(), [Sample(group_index=1, rollout_id=2)], ["1/2"]),
        (SampleIndex(), [Sample(group_index=1, index=2)], ["1/2"]),
        (Position(), [Sample()] * 11, [str(place) for place in range(11)]),
        (FieldKey("status", default="?"), [Sample(), Sample(status="s")], ["?", "s"]),
        (
            FieldKey("status"),
            [Sample(status=text) for text in ("x10", "²", "x9", "9" * 5000)],
            ["9" * 5000, "x9", "x10", "²"],
        ),
        (FirstOf(Group(), Position()), [Sample(group_index=4)], ["group/4"]),
        (Named(), [Sample(index=2), Sample(index=1)], ["no 1", "no 2"]),
    ],
)
def test_labels(
    strategy: AnyKeyStrategy, samples: list[Sample], labels: list[str]
) -> None:
    assert entries(strategy, *samples) == labels


def test_two_keys_with_one_label_are_an_error_that_shows_both() -> None:
    one: Any = 1
    with pytest.raises(LabelClashError) as caught:
        entries(FieldKey("status"), Sample(status="1"), Sample(status=one))
    assert str(caught.value) == (
        "the keys ('status', '1') and ('status', 1) of field(\"status\") would both be "
        "called '1'\n"
        "Hint: give the key strategy a labels method that tells them apart"
    )


def test_a_user_strategy_whose_labels_clash_is_an_error() -> None:
    with pytest.raises(LabelClashError, match="would both be called 'same'"):
        entries(Named("same", "same"), Sample(index=1), Sample(index=2))


def test_an_entry_and_a_metric_of_one_name_are_an_error() -> None:
    pipelines = {
        "m": REWARD.by(Adapter()).across(Mean()),
        "m/a": REWARD.across(Max()),
    }
    with pytest.raises(LabelClashError) as caught:
        compute(adapters(A0), pipelines)
    assert str(caught.value) == (
        "two series of the report would be called 'm/a'\n"
        "Hint: rename the metric, or change the key's labels"
    )
    assert set(compute(adapters(B0), pipelines)) == {"m", "m/b", "m/a"}


def test_an_entry_called_like_an_aggregate_takes_nothing_from_it() -> None:
    samples = adapters("all", "all", "total")
    report = compute(samples, {"m": REWARD.by(Adapter()).across(Count())})
    assert dict(report) == {"m": 3.0, "m/all": 2.0, "m/total": 1.0}


def test_no_samples_have_no_entries() -> None:
    report = compute([], {"m": REWARD.by(Adapter()).across(Mean(), empty=0.0)})
    assert dict(report) == {"m": 0.0}


def test_entries_do_not_depend_on_where_batches_end() -> None:
    samples = [
        Sample(adapter=AdapterRef("ab"[number % 2], 0), index=number, reward=number % 4)
        for number in range(9000)
    ]
    chain = REWARD.within(AdapterScoped(SampleIndex()), Mean()).by(Adapter())
    report = compute(samples, {"m": chain.across(Mean())})
    assert dict(report) == {"m": 1.5, "m/a": 1.0, "m/b": 2.0}
    assert report.outcome("m/a").keyed_by == {"sample_index": 4500}
