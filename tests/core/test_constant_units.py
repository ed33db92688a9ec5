"""Units with one value each take a shorter way, which gives the same numbers."""

from __future__ import annotations

from collections.abc import Iterable

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keyfold import Pipeline, compute, exact, over
from keyfold_strategies import (
    AdapterRef,
    AdapterScoped,
    FirstOf,
    Mean,
    Position,
    RawReward,
    Rollout,
    Sample,
    SampleIndex,
)

UNIT = AdapterScoped[Sample](FirstOf[Sample](Rollout(), SampleIndex(), Position()))


@attrs.frozen(order=False)
class LongWayMean:
    """A mean that does not say that it gives back what all values are equal to."""

    def init(self) -> exact.Total:
        return exact.EMPTY

    def fold(self, state: exact.Total, values: Iterable[float], /) -> exact.Total:
        return exact.add(state, exact.total_of(values))

    def merge(self, left: exact.Total, right: exact.Total, /) -> exact.Total:
        return exact.add(left, right)

    def finish(self, state: exact.Total, /) -> float | None:
        return exact.total_mean(state) if state.count else None


def metric(reducer: Mean | LongWayMean) -> Pipeline[Sample]:
    return over(Sample).value(RawReward()).within(UNIT, reducer).across(Mean())


ids = st.one_of(st.none(), st.integers(0, 3))
rewards = st.one_of(
    st.none(), st.sampled_from([0.0, -0.0, 1.0, 1, True, 0.1]), st.floats(), st.text()
)
adapters = st.sampled_from([None, "a", AdapterRef("a", 0), AdapterRef("a", 1)])
samples = st.builds(
    Sample,
    adapter=adapters,
    group_index=ids,
    rollout_id=ids,
    index=ids,
    reward=rewards,
)


@settings(deadline=None)
@given(st.lists(samples, max_size=30), st.integers(1, 7))
def test_the_short_way_and_the_long_way_agree(batch: list[Sample], size: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        # Batches so small that units begin to differ in any of them.
        patch.setattr("keyfold._compute._BATCH", size)
        report = compute(
            batch, {"short": metric(Mean()), "counted apart": metric(Mean())}
        )
        alone = compute(batch, {"short": metric(Mean())})
        long = compute(batch, {"short": metric(LongWayMean())})
    assert str(alone.outcome("short")) == str(long.outcome("short"))
    assert str(report.outcome("short")) == str(long.outcome("short"))


def test_a_unit_that_differs_in_a_later_batch_counts_its_earlier_samples() -> None:
    # 4,096 samples of one rollout agree, and the first of the next batch does not.
    first = [Sample(rollout_id=0, reward=1.0) for _ in range(4096)]
    batch = [*first, Sample(rollout_id=0, reward=0.0), Sample(rollout_id=1, reward=0.0)]

    report = compute(batch, {"short": metric(Mean())})

    assert report["short"] == (4096 / 4097) / 2
    assert report.outcome("short").units == 2


def test_a_unit_without_a_value_is_counted_unless_a_later_sample_has_one() -> None:
    batch = [
        Sample(rollout_id=0, reward=None),
        Sample(rollout_id=1, reward=None),
        Sample(rollout_id=1, reward=0.5),
    ]

    outcome = compute(batch, {"short": metric(Mean())}).outcome("short")

    assert (outcome.value, outcome.units, outcome.units_without_value) == (0.5, 1, 1)
    assert (outcome.used, outcome.missing) == (1, 2)
