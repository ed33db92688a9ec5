"""Levels: the units of one become the values of the next."""

from __future__ import annotations

from typing import Any

import attrs
import pytest

from keyfold import compute, over
from keyfold.contracts import AnyKeyStrategy, AnyReducer
from keyfold.errors import InconsistentUnitError, UsageError
from keyfold_strategies import (
    Adapter,
    AdapterRef,
    AdapterScoped,
    All,
    Count,
    FieldKey,
    FieldTest,
    First,
    Group,
    Max,
    Mean,
    Min,
    Position,
    Reward,
    Rollout,
    Sample,
    Scoped,
    Sum,
)

# (group, rollout, reward): group 0 is uneven in rollouts, which are uneven in samples.
TABLE = [(0, 0, 1.0), (0, 0, 0.0), (0, 1, 0.0), (0, 2, 1.0), (1, 0, 1.0), (1, 0, 1.0)]
SAMPLES = [
    Sample(group_index=group, rollout_id=rollout, reward=reward)
    for group, rollout, reward in TABLE
]


@pytest.mark.parametrize(
    ("levels", "across", "expected", "level_units"),
    [
        ([], Mean(), 4 / 6, ()),
        ([(Rollout(), Mean())], Mean(), 2.5 / 4, (4,)),
        ([(Rollout(), Mean()), (Group(), Mean())], Mean(), 0.75, (4, 2)),
        ([(Group(), Mean())], Mean(), 0.75, (2,)),
        ([(Rollout(), Sum()), (Group(), Max())], Mean(), 1.5, (4, 2)),
        ([(Rollout(), Max()), (Group(), Min())], Sum(), 1.0, (4, 2)),
        ([(Rollout(), Count()), (Group(), Sum())], Max(), 4.0, (4, 2)),
        ([(Rollout(), First()), (Group(), First())], Sum(), 2.0, (4, 2)),
        (
            [(Position(), Mean()), (Rollout(), Mean()), (Group(), Mean())],
            Mean(),
            0.75,
            (6, 4, 2),
        ),
        ([(Rollout(), Mean()), (Rollout(), Mean())], Mean(), 2.5 / 4, (4, 4)),
    ],
)
def test_each_level_reduces_what_the_one_below_leaves(
    levels: list[tuple[AnyKeyStrategy, AnyReducer]],
    across: AnyReducer,
    expected: float,
    level_units: tuple[int, ...],
) -> None:
    chain = over(Sample).value(Reward())
    for key, reducer in levels:
        chain = chain.within(key, reducer)
    in_order = any(isinstance(reducer, First) for _, reducer in levels)
    for samples in [SAMPLES] if in_order else [SAMPLES, SAMPLES[::-1]]:
        outcome = compute(samples, {"m": chain.across(across)}).outcome("m")
        assert outcome.value == expected
        assert outcome.level_units == level_units
        assert outcome.units == (level_units or (6,))[-1]


def test_a_unit_without_a_value_drops_out_of_the_level_above() -> None:
    samples = [
        Sample(group_index=0, rollout_id=0, reward=1.0),
        Sample(group_index=0, rollout_id=0),
        Sample(group_index=0, rollout_id=1),
        Sample(group_index=1, rollout_id=0),
        Sample(group_index=2, rollout_id=0, reward=0.0),
    ]
    chain = over(Sample).value(Reward()).within(Rollout(), Mean())
    outcome = compute(
        samples, {"m": chain.within(Group(), Mean()).across(Mean())}
    ).outcome("m")
    assert outcome.value == 0.5
    assert outcome.level_units == (2, 2)
    assert (outcome.units, outcome.units_without_value) == (2, 1)


def test_groups_of_two_adapters_stay_apart_on_both_levels() -> None:
    samples = [
        attrs.evolve(sample, adapter=AdapterRef(name, 0), reward=reward)
        for name, reward in (("a", 1.0), ("b", 0.0))
        for sample in SAMPLES
    ]
    outcome = compute(
        samples,
        {
            "m": over(Sample)
            .value(Reward())
            .within(AdapterScoped(Rollout()), Mean())
            .within(AdapterScoped(Group()), Mean())
            .within(Adapter(), Mean())
            .across(Mean())
        },
    ).outcome("m")
    assert (outcome.value, outcome.level_units) == (0.5, (8, 4, 2))


def inconsistent(samples: list[Sample], *keys: AnyKeyStrategy) -> InconsistentUnitError:
    chain = over(Sample).value(Reward())
    for key in keys:
        chain = chain.within(key, Mean())
    with pytest.raises(InconsistentUnitError) as caught:
        compute(samples, {"m": chain.across(Mean())})
    return caught.value


@pytest.mark.parametrize("between", [0, 1, 4094, 4095, 9000])
def test_a_unit_in_two_units_of_the_level_above_is_an_error(between: int) -> None:
    others = [Sample(rollout_id=number, status="s") for number in range(1, between + 1)]
    samples = [
        Sample(rollout_id=0, status="good"),
        *others,
        Sample(rollout_id=0, status="bad"),
    ]
    error = inconsistent(samples, FieldKey("rollout_id"), FieldKey("status"))
    where, shown, keys = error.message.split(": ", 2)
    assert where in {"sample at position 0", f"sample at position {between + 1}"}
    assert shown == (
        "its unit ('rollout_id', 0) by field(\"rollout_id\") has samples in two units "
        'of field("status")'
    )
    assert set(keys.split(" and ")) == {
        "('status', 'good')",
        "('status', 'bad')",
    }
    assert (
        error.hint == "scope the inner key by the outer one, as in scoped(outer, inner)"
    )


def test_samples_without_a_value_must_agree_as_well() -> None:
    samples = [
        Sample(rollout_id=0, group_index=0, reward=1.0),
        Sample(rollout_id=0, group_index=1),
    ]
    error = inconsistent(samples, FieldKey("rollout_id"), Group())
    assert "('group', 0)" in error.message
    assert "('group', 1)" in error.message


def test_the_third_level_must_agree_with_the_second() -> None:
    samples = [
        Sample(rollout_id=0, group_index=0, adapter="a"),
        Sample(rollout_id=1, group_index=0, adapter="b"),
    ]
    error = inconsistent(samples, Rollout(), Group(), Adapter())
    assert "its unit ('group', 0) by group" in error.message


def test_the_hint_of_an_inconsistent_unit_mends_it() -> None:
    samples = [
        Sample(rollout_id=0, status="good", reward=1.0),
        Sample(rollout_id=0, status="bad", reward=0.0),
    ]
    status, rollout = FieldKey("status"), FieldKey("rollout_id")
    chain = over(Sample).value(Reward()).within(Scoped(status, rollout), Mean())
    mended = chain.within(status, Mean()).across(Mean())
    assert compute(samples, {"m": mended})["m"] == 0.5


def test_samples_that_are_not_selected_need_not_agree() -> None:
    samples = [
        Sample(rollout_id=0, status="good", reward=1.0),
        Sample(rollout_id=0, status="bad", reward=0.0),
    ]
    pipeline = (
        over(Sample)
        .value(Reward())
        .where(FieldTest("status", "==", "good"))
        .within(FieldKey("rollout_id"), Mean())
        .within(FieldKey("status"), Mean())
        .across(Mean())
    )
    assert compute(samples, {"m": pipeline})["m"] == 1.0


def test_pipelines_share_what_they_have_in_common_and_stay_apart_in_the_rest() -> None:
    start = over(Sample).value(Reward())
    pipelines = {
        "rows": start.across(Mean()),
        "rollouts": start.within(Rollout(), Mean()).across(Mean()),
        "groups": start.within(Rollout(), Mean())
        .within(Group(), Mean())
        .across(Mean()),
        "most": start.within(Rollout(), Mean()).across(Max()),
    }
    together = compute(SAMPLES, pipelines)
    apart: dict[str, float] = {}
    for name, pipeline in pipelines.items():
        apart |= compute(SAMPLES, {name: pipeline})
    assert dict(together) == apart
    assert together["rows"] == 4 / 6
    assert together["rollouts"] == 2.5 / 4
    assert together["groups"] == 0.75


def test_a_pipeline_can_be_written_step_by_step_without_changing_its_start() -> None:
    start: Any = over(Sample).value(Reward())
    before = repr(start)
    start.within(Rollout(), Mean()).by(Adapter()).across(Mean())
    assert repr(start) == before


def test_one_selection_and_one_breakdown() -> None:
    chain = over(Sample).value(Reward())
    with pytest.raises(UsageError, match="has a selection already"):
        chain.where(All()).where(All())
    with pytest.raises(UsageError, match="has a breakdown already"):
        chain.by(Adapter()).split_by(Adapter())
