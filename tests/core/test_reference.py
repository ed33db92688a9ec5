"""The default pipelines against the reference, and against an oracle of their own."""

from __future__ import annotations

import importlib.util
from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from math import inf, isclose, isfinite, isinf, isnan, nan
from numbers import Integral, Number
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keyfold import compute
from keyfold.errors import SampleError
from keyfold_strategies import AdapterRef, Sample
from keyfold_strategies.pipelines import reward_pipelines

Reference: TypeAlias = Callable[..., Mapping[str, Any]]
Samples: TypeAlias = list[Sample]

GROUPS = st.sampled_from([None, 0, 1, "g"])
IDS = st.sampled_from([None, None, 0, 1, 2, 10, "a", True, np.int64(1), 1.0])
ADAPTERS = st.none() | st.builds(
    AdapterRef, st.sampled_from(["a", "b"]), st.sampled_from([0, 1])
)
DOUBLES = st.one_of(
    st.sampled_from([0.0, -0.0, 1.0, 0.1, nan, inf, -inf, 5e-324, 1.7e308]),
    st.floats(-1e6, 1e6),
    st.floats(),
    st.booleans(),
    st.integers(-3, 3),
    st.integers(-(2**70), 2**70),
    st.floats(-1e6, 1e6).map(np.float64),
)
NARROW = st.one_of(
    st.floats(width=32).map(np.float32),
    st.floats(width=16).map(np.float16),
    st.integers(-(2**63), 2**63 - 1).map(np.int64),
    st.integers(0, 255).map(np.uint8),
    st.decimals(allow_nan=False, allow_infinity=False, min_value=-9, max_value=9),
    st.sampled_from([Decimal("NaN"), Decimal("-Infinity"), Decimal("1e-400")]),
    st.fractions(max_denominator=1000),
)
UNUSABLE = st.one_of(
    st.none(),
    st.booleans().map(np.bool_),
    st.floats(-9, 9).map(np.array),
    st.text(max_size=3),
    st.dictionaries(st.sampled_from(["raw_reward", "x"]), st.integers(), max_size=2),
    st.lists(st.integers(), max_size=2),
)


def samples_with(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Samples]:
    """Batches whose rewards, shaped and raw, are drawn from some values."""

    def batch(raw: bool) -> st.SearchStrategy[Samples]:
        entries: dict[str, st.SearchStrategy[Any]] = {"raw_reward": values}
        metadata: st.SearchStrategy[Any]
        if raw:
            metadata = st.fixed_dictionaries(entries, optional={"turns": UNUSABLE})
        else:
            # Only the first sample decides where the rewards are read from.
            metadata = st.none() | st.fixed_dictionaries(
                {}, optional={"info": st.just({"raw_reward": 7.0})}
            )
        return st.lists(
            st.builds(
                Sample,
                adapter=ADAPTERS,
                group_index=GROUPS,
                rollout_id=IDS,
                index=IDS,
                reward=values,
                metadata=metadata,
            ),
            max_size=24,
        )

    return st.booleans().flatmap(batch)


def exact_number(value: Any) -> Fraction | float:
    """What a usable value counts as: its exact value, or a NaN or infinity."""
    if isinstance(value, Integral):
        return Fraction(int(value))
    number = float(value)
    return Fraction(number) if isfinite(number) else number


def exact_mean(values: Sequence[Fraction | float]) -> float:
    odd = [value for value in values if isinstance(value, float)]
    if odd:
        return float(sum(odd))
    total = sum((Fraction(value) for value in values), Fraction(0))
    return float(total / len(values))


def oracle(samples: Samples, reward_key: str | None = None) -> float:
    """The default reward by exact arithmetic, each mean rounded once."""
    raw = bool(samples and samples[0].metadata) and "raw_reward" in (
        samples[0].metadata or {}
    )
    units: dict[Hashable, list[Fraction | float]] = defaultdict(list)
    for position, sample in enumerate(samples):
        value = (
            (sample.metadata or {})["raw_reward"]
            if raw
            else sample.reward[reward_key]
            if reward_key
            else sample.reward
        )
        if not isinstance(value, Number):
            continue
        unit: tuple[Hashable, ...]
        if sample.rollout_id is not None:
            unit = ("rollout", sample.rollout_id)
        elif sample.index is not None:
            unit = ("sample", sample.index)
        else:
            unit = ("position", position)
        key = (sample.adapter, sample.group_index, *unit)
        units[key].append(exact_number(value))
    means = [exact_mean(values) for values in units.values()]
    return exact_mean([exact_number(one) for one in means]) if means else 0.0


def same_bits(left: float, right: float) -> bool:
    return (isnan(left) and isnan(right)) or left == right


@pytest.fixture(scope="module")
def reference(shared: Path) -> Reference:
    path = shared / "reference" / "reference_metric.py"
    spec = importlib.util.spec_from_file_location("reference_metric", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    def quietly(*arguments: Any) -> Mapping[str, Any]:
        # numpy's scalars warn where Python's numbers say nothing.
        with np.errstate(all="ignore"):
            found: Mapping[str, Any] = module.reference(*arguments)
        return found

    return quietly


@given(samples_with(DOUBLES | NARROW | UNUSABLE))
@settings(max_examples=400, deadline=None)
def test_the_default_reward_is_the_exact_mean_of_means_rounded_once_each(
    samples: Samples,
) -> None:
    report = compute(samples)
    assert report["num_training_samples"] == len(samples)
    assert same_bits(report["episode_raw_reward"], oracle(samples))


@given(samples_with(DOUBLES | UNUSABLE))
@settings(max_examples=400, deadline=None)
def test_defaults_equal_the_reference_up_to_the_rounding_of_its_sums(
    reference: Reference, samples: Samples
) -> None:
    try:
        expected = reference(samples)
    except OverflowError:
        # An integer sum met a float on the way; no sample is to blame.
        return
    report = compute(samples)
    assert report["num_training_samples"] == expected["num_training_samples"]
    found, wanted = report["episode_raw_reward"], expected["episode_raw_reward"]
    if isinf(wanted) or isnan(wanted):
        # Or its sum overflowed, although the mean fits in a float.
        assert same_bits(found, wanted) or same_bits(found, oracle(samples))
        return
    numbers = [
        abs(float(value))
        for sample in samples
        for value in (sample.reward, (sample.metadata or {}).get("raw_reward"))
        if isinstance(value, int | float)
    ]
    slack = len(samples) * 2.0**-52 * max(filter(isfinite, numbers), default=0.0)
    assert isclose(found, wanted, rel_tol=1e-12, abs_tol=slack)


@given(samples_with(NARROW | UNUSABLE).filter(bool), st.data())
@settings(max_examples=200, deadline=None)
def test_one_narrow_scalar_gives_what_the_reference_gives(
    reference: Reference, samples: Samples, data: st.DataObject
) -> None:
    sample = data.draw(st.sampled_from(samples))
    expected = float(reference([sample])["episode_raw_reward"])
    assert same_bits(compute([sample])["episode_raw_reward"], expected)


@given(
    st.lists(
        st.builds(
            Sample,
            adapter=ADAPTERS,
            rollout_id=IDS,
            reward=st.fixed_dictionaries(
                {"score": st.floats(-9, 9) | st.booleans() | UNUSABLE},
                optional={"format": DOUBLES},
            ),
        ),
        max_size=12,
    )
)
@settings(deadline=None)
def test_a_reward_key_takes_that_entry_of_every_reward(samples: Samples) -> None:
    report = compute(samples, reward_pipelines(reward_key="score"))
    assert same_bits(report["episode_raw_reward"], oracle(samples, "score"))


@given(
    st.lists(
        st.builds(
            Sample,
            adapter=ADAPTERS,
            rollout_id=IDS,
            reward=st.sampled_from([1.0, None, "x", {}, {"score": 1.0}, [1.0]]),
        ),
        max_size=8,
    )
)
@settings(deadline=None)
def test_where_the_reference_finds_no_reward_key_the_error_says_where(
    reference: Reference, samples: Samples
) -> None:
    pipelines = reward_pipelines(reward_key="score")
    try:
        expected = reference(samples, "score")
    except (KeyError, TypeError):
        with pytest.raises(SampleError) as caught:
            compute(samples, pipelines)
        wrong = [
            position
            for position, sample in enumerate(samples)
            if sample.reward != {"score": 1.0}
        ]
        assert caught.value.position == wrong[0]
        assert caught.value.field == "reward"
        assert f"sample at position {wrong[0]}: " in caught.value.message
        assert "'reward'" in caught.value.message
        assert "'score'" in caught.value.message
    else:
        found = compute(samples, pipelines)["episode_raw_reward"]
        assert found == expected["episode_raw_reward"]


@given(
    st.lists(
        st.sampled_from([None, {}, {"raw_reward": 1.0}, {"raw_reward": None}]),
        max_size=6,
    )
)
@settings(deadline=None)
def test_where_the_reference_finds_no_raw_reward_the_error_says_where(
    reference: Reference, metadata: list[dict[str, Any] | None]
) -> None:
    samples = [Sample(reward=0.5, metadata=one) for one in metadata]
    try:
        expected = reference(samples)
    except (KeyError, TypeError):
        with pytest.raises(SampleError) as caught:
            compute(samples)
        lacking = [place for place, one in enumerate(metadata) if not one]
        assert caught.value.position == lacking[0]
        assert caught.value.field == "metadata"
        assert "expected a mapping with 'raw_reward'" in caught.value.message
    else:
        found = compute(samples)["episode_raw_reward"]
        assert found == expected["episode_raw_reward"]


@pytest.mark.parametrize("field", ["adapter", "group_index", "rollout_id", "index"])
def test_an_id_without_a_hash_is_an_error_where_the_reference_raises(
    reference: Reference, field: str
) -> None:
    unhashable: Any = {field: [1]}
    samples = [Sample(reward=1.0), Sample(reward=1.0, **unhashable)]
    with pytest.raises(TypeError):
        reference(samples)
    with pytest.raises(SampleError) as caught:
        compute(samples)
    assert caught.value.position == 1
    assert caught.value.field == field
    assert f"from the field {field!r}, expected hashable parts" in caught.value.message


@pytest.mark.parametrize(
    ("reward", "found"),
    [
        (1j, "expected a real number, found the complex number 1j"),
        (np.complex64(2), "expected a real number, found the complex number (2+0j)"),
        pytest.param(
            10**5000, "expected a number that a float can hold, found <int>", id="huge"
        ),
        (10**400, "expected a number that a float can hold, found 1000000"),
        (Decimal("1e400"), "expected a number that a float can hold, found Decimal"),
        (Decimal("sNaN"), "expected a number that a float can hold, found Decimal"),
        (Fraction(10**400), "expected a number that a float can hold, found Fraction"),
    ],
)
def test_a_number_that_no_float_holds_is_an_error_that_says_where(
    reward: object, found: str
) -> None:
    with pytest.raises(SampleError) as caught:
        compute([Sample(reward=0.5), Sample(reward=None), Sample(reward=reward)])
    assert caught.value.position == 2
    assert caught.value.field == "reward"
    assert caught.value.message.startswith(
        f"sample at position 2: value raw_reward: {found}"
    )
    assert caught.value.message.endswith("in the field 'reward'")


def test_two_adapters_that_share_a_rollout_id_are_two_rollouts(
    reference: Reference,
) -> None:
    one, other = AdapterRef("one", 0), AdapterRef("other", 1)
    samples = [
        *(Sample(adapter=one, group_index=0, rollout_id=10, reward=1.0),) * 3,
        Sample(adapter=other, group_index=0, rollout_id=10, reward=0.0),
    ]
    report = compute(samples)
    assert dict(report) == {"episode_raw_reward": 0.5, "num_training_samples": 4}
    assert dict(report) == reference(samples)


def test_two_slots_of_one_adapter_name_are_two_adapters() -> None:
    samples = [
        Sample(adapter=AdapterRef("a", 0), group_index=0, rollout_id=0, reward=1.0),
        Sample(adapter=AdapterRef("a", 1), group_index=0, rollout_id=0, reward=0.0),
        Sample(adapter=AdapterRef("a", 1), group_index=0, rollout_id=0, reward=0.0),
    ]
    outcome = compute(samples).outcome("episode_raw_reward")
    assert (outcome.value, outcome.units) == (0.5, 2)


def test_equal_adapters_that_are_not_one_object_are_one_adapter() -> None:
    samples = [
        Sample(adapter=AdapterRef("a", 0), group_index=0, rollout_id=0, reward=value)
        for value in (1.0, 0.0, 0.0, 0.0)
    ]
    outcome = compute(samples).outcome("episode_raw_reward")
    assert (outcome.value, outcome.units) == (0.25, 1)


def large_batch(size: int) -> Samples:
    return [
        Sample(
            adapter=AdapterRef("ab"[number % 2], 0),
            group_index=number // 64 % 7,
            rollout_id=None if number % 11 == 0 else number // 3 % 3000,
            index=None if number % 33 == 0 else number % 5000,
            reward=None if number % 13 == 0 else number % 10 / 10,
        )
        for number in range(size)
    ]


@pytest.mark.parametrize("size", [4095, 4096, 4097, 20_001])
def test_batches_of_any_size_equal_the_oracle(size: int) -> None:
    samples = large_batch(size)
    outcome = compute(samples).outcome("episode_raw_reward")
    assert outcome.value == oracle(samples)
    assert outcome.samples == size
    assert outcome.missing == len(range(0, size, 13))


def test_a_large_batch_equals_the_reference(reference: Reference) -> None:
    samples = large_batch(20_001)
    wanted = reference(samples)
    found = compute(samples)
    assert found["num_training_samples"] == wanted["num_training_samples"]
    reward = found["episode_raw_reward"]
    assert isclose(reward, wanted["episode_raw_reward"], rel_tol=1e-12)


@given(samples_with(DOUBLES | NARROW | UNUSABLE), st.randoms(use_true_random=False))
@settings(deadline=None)
def test_the_order_of_samples_with_ids_changes_no_bit(
    samples: Samples, random: Any
) -> None:
    identified = [sample for sample in samples if sample.rollout_id is not None]
    shuffled = list(identified)
    random.shuffle(shuffled)
    before = compute(identified)["episode_raw_reward"]
    assert same_bits(compute(shuffled)["episode_raw_reward"], before)
