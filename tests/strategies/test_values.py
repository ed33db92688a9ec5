"""What each built-in value reads, and which samples each selection takes."""

from __future__ import annotations

from typing import Any

import attrs
import pytest

from keyfold import compute, over
from keyfold.contracts import AnySelection, AnyValue, Finite
from keyfold.errors import SampleError
from keyfold_strategies import (
    All,
    Count,
    FieldTest,
    FieldValue,
    Mean,
    One,
    RawReward,
    Reward,
    Sample,
    Sum,
)


@attrs.frozen
class Turn:
    turns: int


SAMPLE = Sample(
    reward={"score": 0.5, "format": None},
    metadata={"raw_reward": 2.0, "turns": 3, "deep": {"er": 4}},
    response_length=7,
    status="completed",
)


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (One(), 1.0),
        (RawReward(), 2.0),
        (RawReward("score"), 2.0),
        (Reward(), {"score": 0.5, "format": None}),
        (Reward("score"), 0.5),
        (Reward("format"), None),
        (Reward("nothing"), None),
        (FieldValue("response_length"), 7),
        (FieldValue("metadata.turns"), 3),
        (FieldValue("metadata.deep.er"), 4),
        (FieldValue("metadata.nothing"), None),
        (FieldValue("metadata.nothing.at.all"), None),
        (FieldValue("adapter.slot"), None),
        (FieldValue("reward.score"), 0.5),
    ],
)
def test_what_is_read_from_a_sample(value: AnyValue, found: object) -> None:
    assert value.value(SAMPLE) == found


def test_a_path_goes_through_objects_and_mappings() -> None:
    sample = Sample(metadata={"info": Turn(5)})
    assert FieldValue("metadata.info.turns").value(sample) == 5


@pytest.mark.parametrize(
    ("samples", "expected"),
    [
        ([Sample(reward=1.0)], 1.0),
        ([Sample(reward=1.0, metadata={"raw_reward": 0.0})], 0.0),
        ([Sample(reward=1.0, metadata={}), Sample(metadata={"raw_reward": 9.0})], 1.0),
        ([Sample(reward=1.0, metadata={"raw": {"raw_reward": 9.0}})], 1.0),
    ],
)
def test_the_first_sample_decides_where_raw_rewards_are_read(
    samples: list[Sample], expected: float
) -> None:
    assert compute(samples)["episode_raw_reward"] == expected


def test_the_first_selected_sample_decides_in_a_population() -> None:
    kept = over(Sample).value(RawReward()).where(FieldTest("status", "==", "kept"))
    samples = [
        Sample(reward=1.0, metadata={"raw_reward": 9.0}),
        *(Sample(reward=1.0) for _ in range(5000)),
        Sample(reward=0.25, status="kept"),
    ]
    assert compute(samples, {"kept": kept.across(Mean())})["kept"] == 0.25


@pytest.mark.parametrize(
    ("value", "reward", "message"),
    [
        (
            RawReward("score"),
            None,
            "the field 'reward' holds None, expected a mapping with 'score'",
        ),
        (
            RawReward("score"),
            {"a": 1, "b": 2},
            (
                "the field 'reward' holds a mapping with 'a', 'b', "
                "expected a mapping with 'score'"
            ),
        ),
        (
            RawReward("score"),
            {},
            (
                "the field 'reward' holds an empty mapping, "
                "expected a mapping with 'score'"
            ),
        ),
        (
            Reward("score"),
            0.5,
            "the field 'reward' holds 0.5, expected a mapping with 'score'",
        ),
        (
            FieldValue("reward.score"),
            0.5,
            "the field 'reward' holds a float, in which there is no 'score'",
        ),
    ],
)
def test_a_reward_without_the_entry_is_an_error(
    value: AnyValue, reward: object, message: str
) -> None:
    pipeline = over(Sample).value(value).across(Mean())
    samples = [Sample(reward={"score": 1.0}), Sample(reward=reward)]
    with pytest.raises(SampleError) as caught:
        compute(samples, {"reward": pipeline})
    assert caught.value.message == f"sample at position 1: {message}"
    assert caught.value.field == "reward"
    assert caught.value.hint is not None


def test_ones_need_no_check() -> None:
    found = One().values([SAMPLE, SAMPLE])
    assert isinstance(found, Finite)
    assert found.numbers == [1.0, 1.0]


STATUSES: list[Any] = [None, "completed", "truncated", 3, 4.0, True]


@pytest.mark.parametrize(
    ("test", "taken"),
    [
        (FieldTest("status", "==", "completed"), ["completed"]),
        (FieldTest("status", "!=", "completed"), [None, "truncated", 3, 4.0, True]),
        (FieldTest("status", "==", None), [None]),
        (FieldTest("status", "!=", None), ["completed", "truncated", 3, 4.0, True]),
        (FieldTest("status", "in", ["completed", 3]), ["completed", 3]),
        (FieldTest("status", "in", [None]), [None]),
        (
            FieldTest("status", "not in", ("completed", "truncated", True)),
            [None, 3, 4.0],
        ),
        (FieldTest("status", "in", ()), []),
    ],
)
def test_a_field_test_takes_the_samples_that_pass(
    test: FieldTest, taken: list[object]
) -> None:
    samples = [Sample(status=status) for status in STATUSES]
    assert [one.status for one in samples if test.selects(one)] == taken
    pipeline = over(Sample).value(One()).where(test).across(Count())
    assert compute(samples, {"taken": pipeline})["taken"] == len(taken)


@pytest.mark.parametrize(
    ("comparison", "taken"), [("<", [1]), ("<=", [1, 2]), (">", [3]), (">=", [2, 3])]
)
def test_no_order_holds_for_an_absent_field(comparison: Any, taken: list[int]) -> None:
    test = FieldTest("response_length", comparison, 2)
    samples = [Sample(response_length=length) for length in (None, 1, 2, 3)]
    assert [one.response_length for one in samples if test.selects(one)] == taken


def test_what_cannot_be_compared_is_an_error_that_names_the_field() -> None:
    test = FieldTest("status", "<", 3)
    pipeline = over(Sample).value(One()).where(test).across(Count())
    with pytest.raises(SampleError) as caught:
        compute([Sample(), Sample(status="completed")], {"taken": pipeline})
    assert caught.value.message == (
        "sample at position 1: the field 'status' holds 'completed', expected "
        "something that < 3 can be asked of"
    )
    assert caught.value.field == "status"


@pytest.mark.parametrize("selection", [None, All()])
def test_all_takes_every_sample(selection: AnySelection | None) -> None:
    chain = over(Sample).value(Reward())
    if selection is not None:
        chain = chain.where(selection)
        assert selection.selects(SAMPLE)
    outcome = compute([Sample(reward=1.0)] * 3, {"sum": chain.across(Sum())}).outcome(
        "sum"
    )
    assert (outcome.value, outcome.samples, outcome.selected) == (3.0, 3, 3)


def test_built_ins_offer_the_fields_that_they_read() -> None:
    assert set(One.fields) == set(All.fields) == set()
    assert set(RawReward.fields) == {"metadata", "reward"}
    assert set(Reward.fields) == {"reward"}
    assert FieldValue("metadata.turns").fields == {"metadata.turns"}
    assert FieldTest("status", "==", 1).fields == {"status"}
