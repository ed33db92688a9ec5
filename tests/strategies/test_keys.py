"""The laws of every built-in key strategy, alone and composed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Any, ClassVar

import attrs
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keyfold import compute, over
from keyfold.authoring import columns_of, components_of
from keyfold.contracts import PAD, AnyKeyStrategy, Categorical, KeyColumns, KeyStrategy
from keyfold.errors import SampleError
from keyfold_strategies import (
    Adapter,
    AdapterRef,
    AdapterScoped,
    Count,
    FieldKey,
    FirstOf,
    Group,
    Mean,
    One,
    Position,
    Reward,
    Rollout,
    Sample,
    SampleIndex,
    Scoped,
)


@attrs.frozen(order=False)
class ByStatus:
    """A user's strategy with nothing but `key`, whose key is no tuple."""

    def key(self, sample: Sample, position: int, /) -> str | None:
        return sample.status


@attrs.frozen(order=False)
class Uneven:
    """A user's strategy whose keys have from no to three components."""

    def key(self, sample: Sample, position: int, /) -> tuple[Hashable, ...] | None:
        length = sample.response_length
        return None if length is None else (sample.step, None, ("x", 1))[:length]


@attrs.frozen(order=False)
class Columnar:
    """A user's strategy with a fast path of its own."""

    name: ClassVar[str] = "own"

    def key(self, sample: Sample, position: int, /) -> tuple[Hashable, Hashable] | None:
        return None if sample.step is None else (sample.step, sample.adapter)

    def columns(
        self, samples: Sequence[Sample], positions: Sequence[int], /
    ) -> KeyColumns:
        steps = [sample.step for sample in samples]
        return KeyColumns(
            (steps, Categorical([sample.adapter for sample in samples])),
            [step is not None for step in steps],
        )


BASIC: list[AnyKeyStrategy] = [
    Adapter(),
    FieldKey("status"),
    FieldKey("metadata.source", default="none"),
    Group(),
    Position(),
    Rollout(),
    SampleIndex(),
    ByStatus(),
    Uneven(),
    Columnar(),
]

KEYS: st.SearchStrategy[AnyKeyStrategy] = st.recursive(
    st.sampled_from(BASIC),
    lambda inner: st.one_of(
        inner.map(AdapterScoped[Sample]),
        st.builds(Scoped[Sample], inner, inner),
        st.lists(inner, min_size=1, max_size=3).map(
            lambda some: FirstOf[Sample](*some)
        ),
    ),
    max_leaves=5,
)
SAMPLES = st.builds(
    Sample,
    adapter=st.none()
    | st.builds(AdapterRef, st.sampled_from("ab"), st.sampled_from([0, 1])),
    group_index=st.sampled_from([None, 0, 1]),
    rollout_id=st.sampled_from([None, 0, 1, True, "r"]),
    index=st.sampled_from([None, 0, 1]),
    status=st.sampled_from([None, "done", "rollout"]),
    step=st.sampled_from([None, 0, 1]),
    response_length=st.sampled_from([None, 0, 1, 2, 3]),
    metadata=st.sampled_from([None, {}, {"source": "s"}, {"source": None}]),
    reward=st.sampled_from([0.0, 1.0]),
)


def rows_of(keyed: KeyColumns, size: int) -> list[tuple[Hashable, ...] | None]:
    plain = [
        column.values if isinstance(column, Categorical) else column
        for column in keyed.columns
    ]
    assert all(len(column) == size for column in plain)
    applies = [True] * size if keyed.applies is None else keyed.applies
    assert len(applies) == size
    rows: list[tuple[Hashable, ...] | None] = []
    for row in range(size):
        parts = tuple(column[row] for column in plain)
        if PAD in parts:
            assert keyed.ragged or not applies[row]
        key = tuple(part for part in parts if part is not PAD)
        rows.append(key if applies[row] else None)
    return rows


def keys_one_by_one(
    strategy: AnyKeyStrategy, samples: Sequence[Sample], positions: Sequence[int]
) -> list[tuple[Hashable, ...] | None]:
    keys = map(strategy.key, samples, positions)
    return [None if key is None else components_of(key) for key in keys]


@given(KEYS, st.lists(SAMPLES, max_size=12), st.integers(0, 10_000))
@settings(max_examples=400, deadline=None)
def test_the_rows_of_the_columns_are_the_keys_of_the_samples(
    strategy: AnyKeyStrategy, samples: list[Sample], start: int
) -> None:
    positions = range(start, start + len(samples))
    before = list(samples)
    found = rows_of(columns_of(strategy, samples, positions), len(samples))
    assert found == keys_one_by_one(strategy, samples, positions)
    assert samples == before


@given(KEYS, st.lists(SAMPLES, min_size=1, max_size=12))
@settings(max_examples=400, deadline=None)
def test_units_are_the_samples_with_equal_keys(
    strategy: AnyKeyStrategy, samples: list[Sample]
) -> None:
    pipelines = {
        "units": over(Sample).value(One()).within(strategy, Count()).across(Count())
    }
    keys = keys_one_by_one(strategy, samples, range(len(samples)))
    if None in keys:
        with pytest.raises(SampleError, match="does not apply to it") as caught:
            compute(samples, pipelines)
        assert caught.value.position == keys.index(None)
    else:
        outcome = compute(samples, pipelines).outcome("units")
        assert outcome.value == len(set(keys))
        assert sum(outcome.keyed_by.values()) == len(samples)


@given(
    KEYS.map(lambda one: FirstOf[Sample](one, AdapterScoped[Sample](Position()))),
    st.lists(SAMPLES, min_size=1, max_size=6),
    st.sampled_from([4095, 4096, 8193]),
)
@settings(max_examples=25, deadline=None)
def test_units_do_not_depend_on_where_batches_end(
    strategy: FirstOf[Sample], pattern: list[Sample], size: int
) -> None:
    # Runs of one kind make some batches keyed by one strategy alone, others mixed.
    run = size // len(pattern)
    samples = [attrs.evolve(pattern[row // run % len(pattern)]) for row in range(size)]
    pipelines = {
        "units": over(Sample).value(One()).within(strategy, Count()).across(Count())
    }
    outcome = compute(samples, pipelines).outcome("units")
    assert outcome.value == len(set(keys_one_by_one(strategy, samples, range(size))))


@given(st.lists(SAMPLES, max_size=12))
@settings(deadline=None)
def test_keyed_by_counts_the_samples_of_each_strategy_of_a_chain(
    samples: list[Sample],
) -> None:
    chain = AdapterScoped(
        FirstOf(Rollout(), FirstOf(SampleIndex(), Columnar()), Position())
    )
    reward = over(Sample).value(Reward()).within(chain, Mean()).across(Mean())
    counted = compute(samples, {"reward": reward}).outcome("reward").keyed_by
    expected = Counter(
        "rollout"
        if sample.rollout_id is not None
        else "sample_index"
        if sample.index is not None
        else "own"
        if sample.step is not None
        else "position"
        for sample in samples
    )
    assert dict(counted) == dict(expected)
    assert counted["nobody"] == 0


@pytest.mark.parametrize(
    ("strategy", "name"),
    [
        (Rollout(), "rollout"),
        (Position(), "position"),
        (FieldKey("status"), "field"),
        (ByStatus(), "by_status"),
        (Columnar(), "own"),
        (AdapterScoped[Sample](ByStatus()), "by_status"),
        (Scoped(ByStatus(), Rollout()), "rollout"),
        (AdapterScoped[Sample](Scoped(Group(), Uneven())), "uneven"),
    ],
)
def test_keyed_by_names_a_strategy_outside_of_a_chain(
    strategy: AnyKeyStrategy, name: str
) -> None:
    sample = Sample(
        group_index=0, rollout_id=0, status="s", step=0, response_length=2, reward=1.0
    )
    reward = over(Sample).value(Reward()).within(strategy, Mean()).across(Mean())
    outcome = compute([sample] * 5000, {"reward": reward}).outcome("reward")
    assert outcome.keyed_by == {name: 5000}


SAMPLE = Sample(
    adapter=AdapterRef("a", 1),
    group_index=2,
    rollout_id=3,
    index=4,
    status="done",
    metadata={"source": "s", "deep": {"er": 5}},
)
BARE = Sample()


@pytest.mark.parametrize(
    ("strategy", "key", "bare"),
    [
        (Adapter(), (AdapterRef("a", 1),), (None,)),
        (Group(), ("group", 2), None),
        (Rollout(), ("rollout", 2, 3), None),
        (SampleIndex(), ("sample", 2, 4), None),
        (Position(), ("position", 2, 7), ("position", None, 7)),
        (FieldKey("status"), ("status", "done"), None),
        (FieldKey("metadata.source"), ("metadata.source", "s"), None),
        (FieldKey("metadata.deep.er"), ("metadata.deep.er", 5), None),
        (FieldKey("metadata.nothing"), None, None),
        (
            FieldKey("metadata.nothing", default="-"),
            ("metadata.nothing", "-"),
            ("metadata.nothing", "-"),
        ),
        (FieldKey("adapter.name"), ("adapter.name", "a"), None),
        (FieldKey("status", default=0), ("status", "done"), ("status", 0)),
        (AdapterScoped[Sample](Group()), (AdapterRef("a", 1), "group", 2), None),
        (AdapterScoped[Sample](ByStatus()), (AdapterRef("a", 1), "done"), None),
        (Scoped[Sample](Group(), Rollout()), ("group", 2, "rollout", 2, 3), None),
        (
            Scoped[Sample](Rollout(), Adapter()),
            ("rollout", 2, 3, AdapterRef("a", 1)),
            None,
        ),
        (FirstOf(Rollout(), Position()), ("rollout", 2, 3), ("position", None, 7)),
        (FirstOf(Group(), SampleIndex()), ("group", 2), None),
    ],
)
def test_keys(strategy: AnyKeyStrategy, key: object, bare: object) -> None:
    assert strategy.key(SAMPLE, 7) == key
    assert strategy.key(BARE, 7) == bare


@pytest.mark.parametrize("zero", [0, False, "", 0.0])
def test_only_none_means_that_an_id_is_absent(zero: Any) -> None:
    assert Rollout().key(Sample(rollout_id=zero), 0) is not None
    assert SampleIndex().key(Sample(index=zero), 0) is not None
    assert Group().key(Sample(group_index=zero), 0) is not None
    assert FieldKey("status").key(Sample(status=zero), 0) == ("status", zero)


def test_an_inner_strategy_is_asked_only_where_the_outer_one_applies() -> None:
    strategy = FirstOf(Scoped(FieldKey("status"), FieldKey("metadata.x")), Position())
    samples = [
        Sample(reward=1.0, metadata=_text("no mapping")),
        Sample(reward=0.0, status="s", metadata={"x": 1}),
    ]
    reward = over(Sample).value(Reward()).within(strategy, Mean()).across(Mean())
    outcome = compute(samples, {"reward": reward}).outcome("reward")
    assert (outcome.value, outcome.units) == (0.5, 2)
    assert outcome.keyed_by == {"field": 1, "position": 1}


def _text(text: str) -> Any:
    return text


def test_keys_of_different_fields_never_meet() -> None:
    chain = FirstOf[Sample](FieldKey("metadata.uid"), FieldKey("metadata.task"))
    samples = [
        Sample(metadata={"uid": "a"}, reward=1.0),
        Sample(metadata={"task": "a"}, reward=0.0),
    ]
    reward = over(Sample).value(Reward()).within(chain, Mean()).across(Mean())
    assert compute(samples, {"reward": reward}).outcome("reward").units == 2


def test_keys_of_several_lengths_keep_their_units_across_batches() -> None:
    short = Sample(status="rollout", reward=1.0)
    long = Sample(rollout_id=1, group_index=0, reward=0.0)
    chain = FirstOf(FieldKey("status"), AdapterScoped(Rollout()), Columnar())
    # Short keys alone, long ones alone, then both in one batch.
    samples = [short] * 4096 + [long] * 4096 + [short, long] * 10
    reward = over(Sample).value(Reward()).within(chain, Mean()).across(Mean())
    outcome = compute(samples, {"reward": reward}).outcome("reward")
    assert (outcome.value, outcome.units) == (0.5, 2)
    assert outcome.keyed_by == {"field": 4106, "rollout": 4106}


def test_an_adapter_behind_keys_of_several_lengths_stays_one_adapter() -> None:
    strategy = Scoped[Sample](FirstOf(FieldKey("status"), Rollout()), Adapter())
    short = [Sample(status="s", adapter=AdapterRef("a", 0)) for _ in range(4097)]
    long = [Sample(rollout_id=1, adapter=AdapterRef("a", 0)) for _ in range(4097)]
    units = over(Sample).value(One()).within(strategy, Count()).across(Count())
    entries = over(Sample).value(One()).split_by(strategy).across(Count())
    report = compute([*short, *long], {"units": units, "n": entries})
    assert dict(report) == {
        "units": 2.0,
        "n/rollout/None/1/AdapterRef(name='a', slot=0)": 4097.0,
        "n/status/s/AdapterRef(name='a', slot=0)": 4097.0,
    }


def test_more_adapter_objects_than_are_kept_are_still_told_apart_by_value() -> None:
    # Equal adapters that are all different objects, then known ones with one new one.
    many = [Sample(adapter=AdapterRef("a", 0), reward=1.0) for _ in range(17 * 4096)]
    samples = [*many, *many[-4095:], Sample(adapter=AdapterRef("b", 0), reward=0.0)]
    reward = over(Sample).value(Reward()).within(Adapter(), Mean()).across(Mean())
    outcome = compute(samples, {"reward": reward}).outcome("reward")
    assert (outcome.value, outcome.units) == (0.5, 2)


def test_very_many_adapters() -> None:
    samples = [
        Sample(adapter=AdapterRef(f"a{number % 70_001}", 0), reward=number % 70_001)
        for number in range(140_002)
    ]
    reward = over(Sample).value(Reward()).within(Adapter(), Mean()).across(Mean())
    outcome = compute(samples, {"reward": reward}).outcome("reward")
    assert (outcome.value, outcome.units) == (35_000.0, 70_001)


class Fleeting:
    """A sample whose adapter is a new object each time that it is read."""

    group_index = 0
    index = None
    metadata = None

    def __init__(self, slot: int, reward: float) -> None:
        self.slot = slot
        self.rollout_id = 0
        self.reward = reward

    @property
    def adapter(self) -> AdapterRef:
        return AdapterRef("a", self.slot)


def test_adapters_that_are_made_anew_each_time_are_told_apart_by_value() -> None:
    samples: list[Any] = [Fleeting(row % 3, float(row % 3)) for row in range(90_000)]
    outcome = compute(samples).outcome("episode_raw_reward")
    assert (outcome.value, outcome.units) == (1.0, 3)


@pytest.mark.parametrize(
    ("ids", "units"),
    [
        ([1, True, 1.0, np.int64(1)], 1),
        ([1, "1"], 2),
        ([(1, 2), (1, 2), (2, 1)], 2),
        ([float("nan"), float("nan")], 2),
        ([_text("a") * 2, "aa"], 1),
        ([frozenset({1}), frozenset({1})], 1),
        ([2**70, 2**70], 1),
        ([b"1", "1"], 2),
    ],
)
def test_ids_are_compared_as_python_compares_them(ids: list[Any], units: int) -> None:
    samples = [Sample(rollout_id=one, group_index=0, reward=1.0) for one in ids]
    assert compute(samples).outcome("episode_raw_reward").units == units


def test_one_nan_object_is_one_id() -> None:
    lost: Any = float("nan")
    samples = [Sample(rollout_id=lost, reward=1.0)] * 2
    assert compute(samples).outcome("episode_raw_reward").units == 1


def test_rollouts_and_sample_numbers_never_meet() -> None:
    samples = [
        Sample(group_index=0, rollout_id=5, reward=1.0),
        Sample(group_index=0, index=5, reward=0.0),
        *(Sample(group_index=0, reward=0.0) for _ in range(6)),
    ]
    assert compute(samples).outcome("episode_raw_reward").units == 8


def test_built_ins_offer_the_fields_that_they_read() -> None:
    chain = AdapterScoped[Sample](
        FirstOf[Sample](Rollout(), Scoped[Sample](Group(), SampleIndex()), Position())
    )
    assert chain.fields == frozenset({"adapter", "group_index", "rollout_id", "index"})
    assert FieldKey("metadata.source").fields == {"metadata.source"}
    assert FirstOf(Rollout(), ByStatus()).fields is None
    assert Scoped(ByStatus(), Rollout()).fields is None
    assert AdapterScoped[Sample](ByStatus()).fields is None


@pytest.mark.parametrize(
    "strategy", [*BASIC, AdapterScoped[Sample](Group()), FirstOf(Group())]
)
def test_every_strategy_keeps_the_contract_of_its_protocol(
    strategy: AnyKeyStrategy,
) -> None:
    assert isinstance(strategy, KeyStrategy)
