"""Real faults of merging over ranks, padding, windows and resets, with uneven shards.

The ids are those of a list of public bug reports; each test's name has the one that it
is about.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations
from math import isclose
from threading import Thread
from typing import Any, TypeAlias

import pytest

from keyfold import Partial, Report, Session, compute, merge, over, partial
from keyfold.contracts import AnyReducer
from keyfold.errors import MergeError
from keyfold.pipeline import Pipeline
from keyfold_strategies import (
    AdapterRef,
    Count,
    FieldKey,
    FieldValue,
    Group,
    Max,
    Mean,
    Min,
    Reward,
    Same,
    Sample,
    SampleIndex,
    Sum,
)
from keyfold_strategies.pipelines import REWARD

Pipelines: TypeAlias = Mapping[str, Pipeline[Sample]]

REWARDS = over(Sample).value(Reward())
MEAN = {"m": REWARDS.across(Mean())}
SUM = {"m": REWARDS.across(Sum())}


def rows(*rewards: Any, **fields: Any) -> list[Sample]:
    return [Sample(reward=reward, **fields) for reward in rewards]


def numbered(*pairs: tuple[int, float], **fields: Any) -> list[Sample]:
    """Samples with a number of their own each, and a reward."""
    return [Sample(index=index, reward=reward, **fields) for index, reward in pairs]


def merged(ranks: Sequence[Sequence[Sample]], pipelines: Pipelines) -> Report:
    """Each rank's bytes, merged; the order of the ranks changes nothing."""
    sent = [
        partial(samples, pipelines, shard=rank).to_bytes()
        for rank, samples in enumerate(ranks)
    ]
    reports = [
        merge(map(Partial.from_bytes, order)).report() for order in permutations(sent)
    ]
    assert len({repr((it.outcomes, it.breakdowns)) for it in reports}) == 1
    return reports[0]


@pytest.mark.parametrize(
    ("reducer", "ranks", "right"),
    [
        pytest.param(Mean(), [[1], [0, 0, 0]], 0.25, id="C028"),
        pytest.param(Mean(), [[0.2] * 10, [0.4] * 90], 0.38, id="C029"),
        pytest.param(Mean(), [[1, 1], [0, 0], []], 0.5, id="C031"),
        pytest.param(Mean(), [[1], [1, 0], [0]], 0.5, id="C032"),
        pytest.param(Max(), [[10], [50, 3]], 50, id="C033 maximum"),
        pytest.param(Min(), [[1], [9, 10]], 1, id="C033 minimum"),
        pytest.param(Sum(), [[3], [5, 0]], 8, id="C033 total"),
        pytest.param(Mean(), [[1, 1], []], 1, id="C039"),
        pytest.param(Mean(), [[1, 1, 1, 0], [1, 1, 1, 0], []], 0.75, id="C043"),
        pytest.param(Mean(), [[1.0] * 3, [1.0] * 2], 1, id="C044"),
        pytest.param(Mean(), [[1, 1, 1], [1.0, 0.5], [1.0]], 5.5 / 6, id="C045"),
        pytest.param(Mean(), [[1, 1, 0], [0]], 0.5, id="C048"),
        pytest.param(Mean(), [[0.1], [0.3, 0.5]], 0.3, id="C111"),
    ],
)
def test_states_are_merged_and_no_numbers_averaged(
    reducer: AnyReducer, ranks: Sequence[Sequence[float]], right: float
) -> None:
    pipelines = {"m": REWARDS.across(reducer)}
    report = merged([rows(*rank) for rank in ranks], pipelines)
    assert isclose(report["m"], right, rel_tol=1e-12)
    assert report.outcome("m").samples == sum(map(len, ranks))


def test_c036_what_two_ranks_hold_alike_is_counted_once() -> None:
    shares = numbered((0, 0.1), (1, 0.3))
    loss = {"loss": REWARDS.within(SampleIndex(), Same()).across(Sum())}
    assert merged([shares, shares, shares[:1]], loss)["loss"] == 0.4


def test_c037_tokens_of_replicated_samples_are_counted_once() -> None:
    samples = [Sample(index=0, response_length=10), Sample(index=1, response_length=20)]
    tokens = over(Sample).value(FieldValue("response_length"))
    pipelines = {"tokens": tokens.within(SampleIndex(), Same()).across(Sum())}
    report = merged([samples, samples, samples[1:], samples], pipelines)
    assert report["tokens"] == 30
    assert report.outcome("tokens").units == 2
    assert report.outcome("tokens").samples == 7


def test_c038_replicated_values_are_as_many_as_the_samples() -> None:
    everything = numbered((0, 1), (1, 2), (2, 3), (3, 4))
    within = REWARDS.within(SampleIndex(), Same())
    pipelines = {"sum": within.across(Sum()), "count": within.across(Count())}
    report = merged([everything, everything[1:]], pipelines)
    assert dict(report) == {"sum": 10, "count": 4}


def test_c046_a_sample_that_pads_another_rank_is_no_second_one() -> None:
    correct = numbered((0, 1), (1, 0), (2, 0), (3, 0), (4, 0))
    ranks = [correct[:3], [*correct[3:], correct[0]]]
    accuracy = {"accuracy": REWARDS.within(SampleIndex(), Same()).across(Mean())}
    assert merged(ranks, accuracy)["accuracy"] == 0.2
    # Without the unit the padding counts, on one rank as on two.
    assert merged(ranks, MEAN) == compute([*correct, correct[0]], MEAN)


def test_c041_ranks_with_different_names_merge() -> None:
    pipelines = {
        "a": over(Sample).value(Reward("a")).across(Mean()),
        "by": REWARDS.by(FieldKey("metadata.env")).across(Count()),
    }
    ranks = [
        [Sample(reward={"a": 1}, metadata={"env": "x"})],
        [Sample(reward={}, metadata={"env": env}) for env in "yz"],
        [],
    ]
    report = merged(ranks, pipelines)
    outcome = report.outcome("a")
    assert (outcome.value, outcome.used, outcome.missing) == (1.0, 1, 2)
    assert list(report.breakdowns["by"]) == ["x", "y", "z"]


def test_c003_adapters_of_different_ranks_are_strangers() -> None:
    ranks = [
        [Sample(adapter=AdapterRef("a", 0), group_index=0, rollout_id=10, reward=1.0)]
        * 3,
        [Sample(adapter=AdapterRef("b", 1), group_index=0, rollout_id=10, reward=0.0)],
    ]
    report = merged(ranks, REWARD)
    assert report["episode_raw_reward"] == 0.5
    assert report["num_training_samples"] == 4


def test_c001_a_rollout_over_two_ranks_is_one_unit() -> None:
    ranks = [
        [Sample(rollout_id=0, reward=0.0)] * 3,
        [Sample(rollout_id=0, reward=0.0), Sample(rollout_id=1, reward=1.0)],
    ]
    outcome = merged(ranks, REWARD).outcome("episode_raw_reward")
    assert (outcome.value, outcome.units) == (0.5, 2)


def test_c052_a_report_changes_nothing_and_may_be_asked_for_again() -> None:
    sessions = [Session(SUM, shard=rank) for rank in range(2)]

    def total() -> float:
        return merge(session.partial() for session in sessions).report()["m"]

    for session in sessions:
        session.add(rows(1))
    assert [total(), total()] == [2, 2]
    sessions[0].add(rows(0.5, 0.5))
    sessions[1].add(rows(1))
    assert [total(), total()] == [4, 4]


def test_c113_what_is_restored_replaces_and_does_not_add() -> None:
    by = {"m": REWARDS.by(FieldKey("status")).across(Sum())}
    saved = partial(
        [*rows(10, status="solo"), *rows(0, status="duo")], by, shard=0
    ).to_bytes()
    restored = Partial.from_bytes(saved)
    assert restored.report()["m"] == 10
    cumulative = partial(rows(10, 5, status="duo"), by, shard=0)
    with pytest.raises(MergeError, match="shard 0 would be counted twice"):
        merge([restored, cumulative])
    assert cumulative.report()["m"] == 15
    assert list(cumulative.report().breakdowns["m"]) == ["duo"]


def test_c114_a_reset_leaves_nothing_of_the_epoch_before() -> None:
    session = Session({"least": REWARDS.across(Min())})
    session.add(rows(0.0))
    assert session.report()["least"] == 0.0
    session.reset()
    session.add(rows(0.6))
    session.add(rows(0.7, 0.9))
    assert session.report()["least"] == 0.6


def test_c117_threads_lose_no_sample() -> None:
    session = Session({"n": REWARDS.across(Count())})
    threads = [
        Thread(target=session.add, args=(rows(*[1] * number),))
        for number in range(1, 9)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert session.report()["n"] == sum(range(1, 9))


def test_c010_groups_over_ranks_are_told_by_their_number() -> None:
    ranks = [
        rows(1.0, 0.0, group_index=0),
        [*rows(1.0, group_index=0), *rows(0.0, group_index=1)],
    ]
    groups = {"m": REWARDS.within(Group(), Mean()).across(Mean())}
    report = merged(ranks, groups)
    assert isclose(report["m"], 1 / 3, rel_tol=1e-12)
    assert report.outcome("m").units == 2


def test_c026_entries_are_structure_and_no_names_to_take_apart() -> None:
    env = FieldKey("metadata.env")
    pipelines = {
        "reward/mean": REWARDS.across(Mean()),
        "reward/std": REWARDS.across(Max()),
        "reward": REWARDS.split_by(env).across(Mean()),
    }
    report = compute(rows(1.0, 0.0, metadata={"env": "math"}), pipelines)
    assert set(report) == {"reward/mean", "reward/std", "reward/math"}
    assert {name: list(its) for name, its in report.breakdowns.items()} == {
        "reward": ["math"]
    }
