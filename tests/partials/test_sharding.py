"""However a batch is split and merged, the report is that of the whole batch."""

from __future__ import annotations

from random import Random

from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st
from tests.partials.batches import BATCHES, PIPELINES, SUMMED
from tests.partials.splitting import (
    Metrics,
    Split,
    merged_somehow,
    parts_of,
    series_of,
    split_of,
)

from keyfold import compute, over
from keyfold.errors import (
    DisagreementError,
    InconsistentUnitError,
    KeyfoldError,
    MergeError,
)
from keyfold.pipeline import Pipeline
from keyfold_strategies import (
    Adapter,
    AdapterRef,
    AdapterScoped,
    First,
    Max,
    Mean,
    RawReward,
    Reward,
    Rollout,
    Sample,
    Sum,
)

REWARDS = over(Sample).value(Reward())
# Batches are large draws; that takes time, and some turn out too large to be drawn.
SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]


def selected(split: Split, pipeline: Pipeline[Sample]) -> list[list[Sample]]:
    """The samples that a pipeline takes, for each shard that has some."""
    where = pipeline.where
    taken = [
        [it for it in split.shard(number) if where is None or where.selects(it)]
        for number in split.places
    ]
    return [its for its in taken if its]


def reads_differ(split: Split, metrics: Metrics) -> bool:
    """Whether shards find raw rewards in different places by their first samples."""
    return any(
        len({"raw_reward" in (its[0].metadata or {}) for its in taken}) > 1
        for pipeline in metrics.values()
        if isinstance(pipeline.value, RawReward)
        for taken in [selected(split, pipeline)]
    )


def order_may_matter(split: Split, metrics: Metrics) -> bool:
    """Whether something ordered meets the samples of several shards."""
    return any(
        First() in (pipeline.across, *(level.reducer for level in pipeline.levels))
        and len(selected(split, pipeline)) > 1
        for pipeline in metrics.values()
    )


def order_matters_above(split: Split, metrics: Metrics) -> bool:
    """Whether something ordered above the innermost level does."""
    return any(
        First() in (pipeline.across, *(level.reducer for level in pipeline.levels[1:]))
        and pipeline.levels
        and len(selected(split, pipeline)) > 1
        for pipeline in metrics.values()
    )


def check(samples: list[Sample], metrics: Metrics, random: Random) -> None:
    split = split_of(samples, random)
    try:
        expected = repr(series_of(compute(samples, metrics), metrics))
        wanted: type | None = None
    except KeyfoldError as error:
        expected, wanted = "", type(error)
    parts, errors = parts_of(split, metrics)
    if not errors:
        try:
            merged = merged_somehow(parts, metrics, random)
            found = repr(series_of(merged.report(), metrics, split))
        except KeyfoldError as error:
            errors = {type(error)}
        else:
            assert not order_matters_above(split, metrics)
            assert not reads_differ(split, metrics)
            assert (found, None) == (expected, wanted)
            event("reports are equal")
            return
    if reads_differ(split, metrics):
        # The whole batch reads from one place, whichever that is.
        event("raw rewards are kept in two places")
        return
    if errors == {MergeError}:
        assert order_may_matter(split, metrics)
        event("the order matters")
        return
    assert wanted is not None
    if wanted is InconsistentUnitError:
        # A shard by itself may meet two values sooner.
        errors = {wanted if it is DisagreementError else it for it in errors}
    event(f"both raise {wanted.__name__}")
    assert wanted in errors


@given(BATCHES, PIPELINES, st.randoms(use_true_random=False))
@settings(max_examples=400, deadline=None, suppress_health_check=SLOW)
def test_any_split_and_tree_of_merges_reports_what_the_whole_batch_does(
    samples: list[Sample], pipeline: Pipeline[Sample], random: Random
) -> None:
    check(samples, {"m": pipeline}, random)


@given(
    BATCHES,
    st.lists(PIPELINES, min_size=2, max_size=5),
    st.randoms(use_true_random=False),
)
@settings(max_examples=100, deadline=None, suppress_health_check=SLOW)
def test_metrics_that_share_a_partial_do_not_disturb_each_other(
    samples: list[Sample], pipelines: list[Pipeline[Sample]], random: Random
) -> None:
    def fails(pipeline: Pipeline[Sample]) -> bool:
        try:
            compute(samples, {"m": pipeline})
        except KeyfoldError:
            return True
        return False

    named = {str(place): it for place, it in enumerate(pipelines) if not fails(it)}
    check(samples, named, random)


UNITS = AdapterScoped[Sample](Rollout())
SUMS: Metrics = {
    "mean of means": REWARDS.within(UNITS, Mean()).by(Adapter()).across(Mean()),
    "sum of sums": REWARDS.within(UNITS, Sum()).across(Sum()),
    "sum": REWARDS.split_by(Adapter()).across(Sum()),
    "largest sum": REWARDS.within(UNITS, Sum()).across(Max()),
}


@given(
    st.lists(
        st.builds(
            Sample,
            adapter=st.sampled_from([None, AdapterRef("a", 0)]),
            rollout_id=st.integers(0, 1),
            reward=st.sampled_from(SUMMED),
        ),
        max_size=20,
    ),
    st.randoms(use_true_random=False),
)
@settings(max_examples=200, deadline=None)
def test_sums_that_no_float_holds_on_the_way_stay_exact(
    samples: list[Sample], random: Random
) -> None:
    check(samples, SUMS, random)
