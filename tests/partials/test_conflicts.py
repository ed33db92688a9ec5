"""Partials whose samples contradict each other, or were counted before."""

from __future__ import annotations

from typing import Any

import pytest
from tests.partials.raising import MEAN, REWARDS, Metrics, merged, raised, row

from keyfold import Partial, merge, over, partial
from keyfold.errors import (
    DisagreementError,
    InconsistentUnitError,
    MergeError,
    UsageError,
)
from keyfold_strategies import (
    FieldKey,
    First,
    Group,
    Mean,
    RawReward,
    Rollout,
    Same,
    Sample,
    Sum,
)

GROUPED: Metrics = {
    "m": REWARDS.within(FieldKey("rollout_id"), Mean())
    .within(Group(), Mean())
    .across(Mean())
}


ORDER_HINT = (
    "choose a reducer that needs no order, or keep all samples that it depends on in "
    "one shard"
)
TWICE_HINT = (
    "give each rank its own number, as in partial(..., shard=rank), and merge each "
    "partial once"
)
PARTIALS_HINT = (
    "partial(samples) makes them; time is not rank, so steps are not merged, but "
    "smoothed by a Window or an Ema"
)


def test_a_unit_in_two_outer_units_names_both_and_the_shards() -> None:
    error = raised(
        merged(GROUPED, [row(rollout=1)], [row(group=0)], [row(group=7)]),
        InconsistentUnitError,
        "the unit ('rollout_id', 0) by field(\"rollout_id\") has samples in two units "
        "of group: ('group', 0) in shard 1, and ('group', 7) in shard 2",
        "scope the inner key by the outer one, as in scoped(outer, inner)",
    )
    assert isinstance(error, InconsistentUnitError)
    assert (error.position, error.shards) == (None, ((1,), (2,)))


def test_shards_that_were_merged_before_are_named_together() -> None:
    first = merge(
        [
            partial([row(group=number) for _ in range(2)], GROUPED, shard=number)
            if number == 0
            else partial([], GROUPED, shard=number)
            for number in range(9)
        ]
    )
    error = raised(
        lambda: merge([first, partial([row(group=1)], GROUPED, shard=30)]),
        InconsistentUnitError,
        "the unit ('rollout_id', 0) by field(\"rollout_id\") has samples in two units "
        "of group: ('group', 0) in shards 0, 1, 2, 3, 4, 5, 6 and 2 more, and "
        "('group', 1) in shard 30",
        "scope the inner key by the outer one, as in scoped(outer, inner)",
    )
    assert isinstance(error, InconsistentUnitError)
    assert error.shards == (tuple(range(9)), (30,))


@pytest.mark.parametrize(
    ("metrics", "unit"),
    [
        ({"m": REWARDS.within(Rollout(), Same()).across(Mean())}, "('rollout', 0, 0)"),
        ({"m": REWARDS.by(Group()).across(Same())}, None),
        ({"m": REWARDS.split_by(Group()).across(Same())}, "('group', 0)"),
        ({"m": REWARDS.across(Same())}, None),
    ],
)
def test_values_that_should_agree_name_the_unit_and_the_shards(
    metrics: Metrics, unit: str | None
) -> None:
    error = raised(
        merged(metrics, [row(1.0)], [], [row(0.5)]),
        DisagreementError,
        f"{f'unit {unit}: ' if unit else ''}expected all values to be the same, found "
        "1.0 and 0.5 (shard 0, and shard 2)",
        '"mean" averages a unit whose values may differ',
    )
    assert isinstance(error, DisagreementError)
    assert error.values == (1.0, 0.5)


@pytest.mark.parametrize(
    ("metrics", "unit"),
    [
        ({"m": REWARDS.within(Rollout(), First()).across(Mean())}, "('rollout', 0, 0)"),
        ({"m": REWARDS.split_by(Group()).across(First())}, "('group', 0)"),
        ({"m": REWARDS.across(First())}, None),
    ],
)
def test_an_order_of_values_that_is_not_known_is_refused(
    metrics: Metrics, unit: str | None
) -> None:
    raised(
        merged(metrics, [row(None)], [row(1.0)], [row(1.0)]),
        MergeError,
        f"{f'unit {unit}: ' if unit else ''}reducer first depends on the order of the "
        "values, which is not known between shard 1 and shard 2",
        ORDER_HINT,
    )


@pytest.mark.parametrize(
    "metrics",
    [
        {"m": REWARDS.within(Rollout(), Mean()).across(First())},
        {
            "m": REWARDS.within(Rollout(), Mean())
            .within(Group(), First())
            .across(Mean())
        },
    ],
)
def test_an_order_of_units_that_is_not_known_is_refused(metrics: Metrics) -> None:
    raised(
        merged(metrics, [row(rollout=0)], [], [row(rollout=1)]),
        MergeError,
        "metric 'm': reducer first depends on the order of the units, which is not "
        "known between shard 0 and shard 2",
        ORDER_HINT,
    )


def test_a_value_that_is_first_in_its_only_shard_is_the_first() -> None:
    metrics = {"m": REWARDS.within(Rollout(), First()).across(Sum())}
    parts = [
        partial([row(1.0), row(9.0)], metrics, shard=5),
        partial([row(None), row(2.0, rollout=1)], metrics, shard=1),
        partial([], metrics, shard=0),
    ]
    assert merge(parts).report()["m"] == 3.0


def test_a_shard_counts_once() -> None:
    part = partial([row()], MEAN, shard=4)
    message = (
        "shard 4 would be counted twice: more than one of the 2 partials has samples "
        "of it"
    )
    raised(lambda: merge([part, part]), MergeError, message, TWICE_HINT)
    read = Partial.from_bytes(part.to_bytes())
    raised(lambda: merge([part, read]), MergeError, message, TWICE_HINT)


def test_shards_that_overlap_are_named() -> None:
    parts = [partial([row()], MEAN, shard=number) for number in range(4)]
    left, right = merge(parts[:3]), merge(parts[1:])
    raised(
        lambda: merge([partial([], MEAN, shard=9), left, right]),
        MergeError,
        "shards 1 and 2 would be counted twice: more than one of the 3 partials has "
        "samples of it",
        TWICE_HINT,
    )


@pytest.mark.parametrize("reward_key", [None, "k"])
def test_shards_that_keep_their_raw_rewards_elsewhere_are_refused(
    reward_key: str | None,
) -> None:
    metrics: Metrics = {"m": over(Sample).value(RawReward(reward_key)).across(Mean())}
    value, place = ("raw_reward", "reward")
    if reward_key:
        value, place = ('raw_reward("k")', "reward.k")
    raised(
        merged(
            metrics,
            [row({"k": 1.0} if reward_key else 1.0)],
            [],
            [row(None, metadata={"raw_reward": 1.0})],
        ),
        MergeError,
        f"the value {value} was read from {place} in shard 0 and metadata.raw_reward "
        "in shard 2",
        "a value that looks at a batch's first sample needs batches that are all "
        "alike; name one place to read it from",
    )


def test_a_merge_needs_a_partial() -> None:
    raised(
        lambda: merge([]),
        UsageError,
        "expected at least one partial to merge, found none",
        "a shard without samples has a partial too",
    )


@pytest.mark.parametrize(
    ("found", "shown"), [(None, "None"), (3, "3"), ([None], "None"), ("ab", "'a'")]
)
def test_what_is_no_partials_is_refused(found: Any, shown: str) -> None:
    raised(
        lambda: merge(found),
        MergeError,
        f"expected an iterable of partials to merge, found {shown}",
        PARTIALS_HINT,
    )


def test_one_partial_by_itself_is_no_iterable_of_them() -> None:
    part: Any = partial([row()], MEAN, shard=3)
    raised(
        lambda: merge(part),
        MergeError,
        "expected an iterable of partials to merge, found <Partial of m: 1 samples, "
        "shard 3>",
        PARTIALS_HINT,
    )


@pytest.mark.parametrize("shard", [-1, 1 << 22, True, 1.0, "0", None])
def test_a_shard_is_a_small_number(shard: Any) -> None:
    raised(
        lambda: partial([], MEAN, shard=shard),
        UsageError,
        f"expected the number of a shard, from 0 to 4194303, found {shard!r}",
        "use the rank",
    )
