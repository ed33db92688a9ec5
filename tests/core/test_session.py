"""A session gathers samples bit by bit, from any thread, and reports on them."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Barrier, Thread
from typing import Any

import pytest

from keyfold import Session, compute, merge, over, partial
from keyfold.errors import (
    DisagreementError,
    InconsistentUnitError,
    MergeError,
    PortabilityError,
    SampleError,
    UsageError,
)
from keyfold_strategies import (
    Adapter,
    AdapterRef,
    AdapterScoped,
    FieldKey,
    First,
    Group,
    Mean,
    RawReward,
    Reward,
    Rollout,
    Same,
    Sample,
    Sum,
)
from keyfold_strategies.pipelines import REWARD

REWARDS = over(Sample).value(Reward())
PER_ROLLOUT = AdapterScoped[Sample](Rollout())
A, B = AdapterRef("a", 0), AdapterRef("b", 0)


def sample(rollout: int | None, reward: Any, **fields: Any) -> Sample:
    return Sample(rollout_id=rollout, reward=reward, **fields)


def test_a_rollout_that_comes_in_twice_is_one_unit() -> None:
    session = Session(REWARD)
    session.add([sample(0, 1.0), sample(1, 0.0)])
    session.add([sample(0, 0.0)])
    outcome = session.report().outcome("episode_raw_reward")
    assert (outcome.value, outcome.units, outcome.samples) == (0.25, 2, 3)


def test_the_defaults_are_those_of_compute() -> None:
    samples = [sample(0, 1.0), sample(None, 0.5)]
    session = Session[Sample]()
    session.add(samples)
    assert session.report() == compute(samples)


def test_a_session_without_samples_reports_what_compute_does_of_none() -> None:
    assert Session(REWARD).report().outcomes == compute([], REWARD).outcomes


def test_nothing_added_changes_nothing() -> None:
    session = Session(REWARD)
    session.add([sample(0, 1.0)])
    before = session.report().outcomes
    session.add([])
    session.add(iter(()))
    assert session.report().outcomes == before


def test_any_iterable_is_taken_and_anything_else_refused() -> None:
    session = Session(REWARD)
    session.add(sample(number, 1.0) for number in range(3))
    no_samples: Any = 3
    with pytest.raises(UsageError, match="expected samples, found 3"):
        session.add(no_samples)
    assert session.report()["num_training_samples"] == 3.0


def test_a_report_is_of_the_samples_so_far_and_stays_so() -> None:
    session = Session(REWARD)
    session.add([sample(0, 1.0)])
    first, part = session.report(), session.partial()
    session.add([sample(0, 0.0), sample(1, 0.0)])
    assert first["episode_raw_reward"] == part.report()["episode_raw_reward"] == 1.0
    assert session.report()["episode_raw_reward"] == 0.25


def test_reset_forgets_the_samples_and_the_positions() -> None:
    session = Session(REWARD)
    session.add([sample(0, 1.0), sample(1, 1.0)])
    session.reset()
    assert session.report().outcomes == compute([], REWARD).outcomes
    with pytest.raises(SampleError) as caught:
        session.add([sample(0, 1j)])
    assert caught.value.position == 0


def test_partials_of_sessions_merge_like_any_others() -> None:
    halves = ([sample(0, 1.0), sample(1, 0.3)], [sample(0, 0.1), sample(None, 0.7)])
    session = Session(REWARD, shard=1)
    for one in halves[1]:
        session.add([one])
    merged = merge([session.partial(), partial(halves[0], REWARD, shard=0)])
    assert (
        merged.report().outcomes == compute([*halves[0], *halves[1]], REWARD).outcomes
    )


def test_errors_name_the_position_among_all_samples() -> None:
    session = Session(REWARD, shard=2)
    session.add([sample(0, 1.0)] * 3)
    with pytest.raises(SampleError, match="position 4 of shard 2") as caught:
        session.add([sample(0, 1.0), sample(1, 1j)])
    assert (caught.value.position, caught.value.shard) == (4, 2)


def test_samples_that_are_keyed_by_position_stay_apart() -> None:
    session = Session(REWARD)
    session.add([sample(None, 1.0)])
    session.add([sample(None, 0.0)])
    assert session.report().outcome("episode_raw_reward").units == 2


def test_order_is_known_within_a_session() -> None:
    first = REWARDS.within(PER_ROLLOUT, First()).across(First())
    session = Session({"first": first})
    session.add([sample(0, None), sample(1, 0.5)])
    session.add([sample(0, 0.25), sample(1, 1.0)])
    assert session.report()["first"] == 0.25


class _Broken:
    """Iterates over one sample, and then breaks."""

    def __iter__(self) -> Iterator[Sample]:
        yield sample(9, 9.0)
        message = "the source broke"
        raise RuntimeError(message)


_GROUPED = (
    REWARDS.within(FieldKey("rollout_id"), Same())
    .within(Group(), Mean())
    .across(Mean())
)


@pytest.mark.parametrize(
    ("bad", "error"),
    [
        pytest.param([sample(5, 1.0), sample(6, 1j)], SampleError, id="value"),
        pytest.param(
            [sample(5, 1.0, group_index=1), sample(0, 1.0, group_index=7)],
            InconsistentUnitError,
            id="unit in another group than before",
        ),
        pytest.param(
            [sample(5, 1.0, group_index=1), sample(0, 0.5, group_index=0)],
            DisagreementError,
            id="value unlike an earlier one",
        ),
        pytest.param(
            [sample(5, 1.0, group_index=1, adapter=object())],
            PortabilityError,
            id="adapter without fields",
        ),
        pytest.param(_Broken(), RuntimeError, id="iterable"),
    ],
)
def test_what_fails_leaves_the_session_as_it_was(
    bad: Any, error: type[Exception]
) -> None:
    pipelines = {
        **REWARD,
        "grouped": _GROUPED,
        "by": REWARDS.by(Adapter()).across(Sum()),
    }
    session = Session(pipelines)
    session.add([sample(0, 1.0, group_index=0, adapter=None)])
    before, bytes_before = session.report(), session.partial().to_bytes()
    with pytest.raises(error):
        session.add(bad)
    assert session.report().outcomes == before.outcomes
    assert session.report().breakdowns == before.breakdowns
    assert session.partial().to_bytes() == bytes_before
    session.add([sample(0, 1.0, group_index=0), sample(1, 0.0, group_index=0)])
    assert session.report()["grouped"] == 0.5


def test_a_contradiction_between_batches_says_so() -> None:
    session = Session({"grouped": _GROUPED}, shard=3)
    session.add([sample(0, 1.0, group_index=0)])
    with pytest.raises(InconsistentUnitError) as group:
        session.add([sample(0, 1.0, group_index=7)])
    assert group.value.message == (
        "the unit ('rollout_id', 0) by field(\"rollout_id\") has samples in two units "
        "of group: ('group', 0) in an earlier batch, and ('group', 7) in this batch"
    )


def test_a_batch_that_keeps_its_rewards_elsewhere_is_refused() -> None:
    session = Session({"m": over(Sample).value(RawReward()).across(Mean())})
    session.add([sample(0, 1.0)])
    with pytest.raises(MergeError) as caught:
        session.add([sample(0, None, metadata={"raw_reward": 0.5})])
    assert caught.value.message == (
        "the value raw_reward was read from reward in an earlier batch and "
        "metadata.raw_reward in this batch"
    )


@pytest.mark.parametrize("shard", [-1, 1 << 22, True, 1.0, "0", None])
def test_a_shard_is_a_small_number(shard: Any) -> None:
    with pytest.raises(UsageError, match="expected the number of a shard"):
        Session(REWARD, shard=shard)


def test_nothing_is_lost_when_eight_threads_add() -> None:
    threads, batches, size = 8, 60, 5
    pipelines = {
        **REWARD,
        "by": REWARDS.within(PER_ROLLOUT, Mean()).by(Adapter()).across(Sum()),
    }
    session = Session(pipelines)
    together = Barrier(threads + 1)

    def add(thread: int) -> None:
        together.wait()
        for batch in range(batches):
            # Every rollout is spread over all threads.
            session.add(
                [
                    sample(number, (thread + 1) * 0.1, adapter=(A, B)[batch % 2])
                    for number in range(batch, batch + size)
                ]
            )

    running = [Thread(target=add, args=(number,)) for number in range(threads)]
    for thread in running:
        thread.start()
    together.wait()
    # Reading while others write sees whole batches only.
    while any(thread.is_alive() for thread in running):
        assert session.report()["num_training_samples"] % size == 0
    for thread in running:
        thread.join()
    samples = [
        sample(number, (thread + 1) * 0.1, adapter=(A, B)[batch % 2])
        for thread in range(threads)
        for batch in range(batches)
        for number in range(batch, batch + size)
    ]
    expected = compute(samples, pipelines)
    assert session.report().outcomes == expected.outcomes
    assert session.report().breakdowns == expected.breakdowns
    assert expected["num_training_samples"] == threads * batches * size
