"""What a user's mistakes, and plugins that break their contract, are told."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, ClassVar

import attrs
import numpy as np
import pytest

from keyfold import compute, over
from keyfold.authoring import shown
from keyfold.contracts import (
    AnyKeyStrategy,
    AnyReducer,
    AnySelection,
    AnyValue,
    KeyColumns,
)
from keyfold.errors import (
    ContractError,
    DataError,
    DisagreementError,
    KeyfoldError,
    SampleError,
    UsageError,
)
from keyfold_strategies import (
    Adapter,
    FirstOf,
    Group,
    Mean,
    Position,
    Reward,
    Rollout,
    Same,
    Sample,
)

THREE = [Sample(rollout_id=number, group_index=0, reward=1.0) for number in range(3)]


def told(
    samples: Iterable[Any],
    *,
    value: AnyValue | None = None,
    where: AnySelection | None = None,
    key: AnyKeyStrategy | None = None,
    reducer: AnyReducer | None = None,
    across: AnyReducer | None = None,
    by: AnyKeyStrategy | None = None,
) -> KeyfoldError:
    chain = over(Sample).value(value or Reward())
    if where is not None:
        chain = chain.where(where)
    if key is not None or reducer is not None:
        chain = chain.within(key or Rollout(), reducer or Mean())
    if by is not None:
        chain = chain.by(by)
    with pytest.raises(KeyfoldError) as caught:
        compute(samples, {"m": chain.across(across or Mean())})
    return caught.value


@attrs.define
class Bare:
    """A trainer's sample with few fields."""

    reward: float
    metadata: None = None


def test_a_sample_without_the_field_is_named_with_class_and_field() -> None:
    samples: list[Any] = [Bare(1.0)]
    with pytest.raises(SampleError) as caught:
        compute(samples)
    assert str(caught.value) == (
        "sample at position 0: key strategy adapter_scoped(first_of(rollout, "
        "sample_index, position)) reads the field 'rollout_id', which a Bare does not "
        "have\nHint: give the samples a field 'rollout_id', or choose a strategy "
        "without it"
    )
    assert (caught.value.field, caught.value.position) == ("rollout_id", 0)


def test_the_first_sample_without_the_field_is_named() -> None:
    error = told([*THREE, Bare(1.0), Bare(0.0)], key=Group())
    assert isinstance(error, SampleError)
    assert (error.position, error.field) == (3, "group_index")


def test_samples_that_are_dicts_are_explained() -> None:
    samples: list[Any] = [{"reward": 1.0, "metadata": None}]
    with pytest.raises(SampleError) as caught:
        compute(samples)
    assert str(caught.value) == (
        "sample at position 0: value raw_reward reads the field 'metadata', which a "
        "dict does not have\n"
        "Hint: samples are objects with fields; build one from each mapping first"
    )


@pytest.mark.parametrize("sample", [None, 3, "text", 0.5, object(), (1, 2)])
def test_samples_of_other_types_are_named(sample: object) -> None:
    samples: list[Any] = [sample]
    with pytest.raises(SampleError) as caught:
        compute(samples)
    assert caught.value.position == 0
    assert f"which a {type(sample).__name__} does not have" in caught.value.message


def test_an_id_without_a_hash_names_key_field_and_position() -> None:
    unhashable: Any = {"id": 3}
    error = told([*THREE, Sample(rollout_id=unhashable)], key=Rollout())
    assert str(error) == (
        "sample at position 3: key strategy rollout gave ('rollout', None, {'id': 3}) "
        "from the field 'rollout_id', expected hashable parts (unhashable type: "
        "'dict')\nHint: ids are numbers or strings, and an adapter is hashable"
    )


def test_an_array_as_a_key_is_an_error() -> None:
    array: Any = np.array([1, 2])
    error = told(
        [Sample(status=array)], by=Adapter(), key=_key(lambda one: (one.status,))
    )
    assert "expected hashable parts (unhashable type: 'numpy.ndarray')" in error.message


class Odd:
    """An id that fails wherever it is used."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def __hash__(self) -> int:
        raise self.error

    def __eq__(self, other: object) -> bool:
        raise self.error


@pytest.mark.parametrize("field", ["adapter", "rollout_id", "group_index", "index"])
def test_an_id_whose_hash_fails_is_an_error_of_its_sample(field: str) -> None:
    odd: Any = {field: Odd(RuntimeError("no hash"))}
    with pytest.raises(KeyfoldError, match="RuntimeError: no hash"):
        compute([Sample(reward=1.0), Sample(reward=1.0, **odd)])


def test_a_strategy_that_does_not_apply_says_what_would() -> None:
    error = told([*THREE, Sample()], key=FirstOf(Rollout(), Group()))
    assert str(error) == (
        "sample at position 3: key strategy first_of(rollout, group) does not apply to "
        "it\nHint: wrap it in first_of(...) with a strategy that applies to the rest"
    )


@pytest.mark.parametrize("at", [0, 2, 4095, 4096, 9000])
def test_positions_count_from_the_start_of_all_batches(at: int) -> None:
    samples = [Sample(rollout_id=0, reward=1.0)] * 9001
    samples[at] = Sample(reward=1.0)
    error = told(iter(samples), key=Rollout())
    assert isinstance(error, SampleError)
    assert error.position == at


def test_positions_count_the_samples_that_are_not_selected() -> None:
    samples = [Sample(status="other")] * 5000 + [Sample(status="kept")]
    error = told(samples, where=_where(lambda one: one.status == "kept"), key=Rollout())
    assert isinstance(error, SampleError)
    assert error.position == 5000


def test_a_property_that_raises_names_the_sample() -> None:
    @attrs.define
    class Lazy:
        ready: bool = True

        @property
        def reward(self) -> float:
            if not self.ready:
                raise RuntimeError("not scored yet")
            return 1.0

    error = told([Lazy(), Lazy(), Lazy(ready=False)])
    assert str(error) == (
        "sample at position 2: value reward raised RuntimeError: not scored yet"
    )
    assert isinstance(error.__cause__, RuntimeError)


def test_a_missing_attribute_of_another_object_is_not_taken_for_the_samples() -> None:
    error = told([Sample()], value=_value(lambda one: one.reward.score))
    assert str(error) == (
        "sample at position 0: value own raised AttributeError: 'NoneType' object has "
        "no attribute 'score'"
    )


def test_a_unit_that_disagrees_is_named() -> None:
    samples = [
        *THREE,
        Sample(rollout_id=7, group_index=2, reward=0.5),
        Sample(rollout_id=7, group_index=2, reward=1.0),
    ]
    error = told(samples, reducer=Same())
    assert isinstance(error, DisagreementError)
    assert str(error) == (
        "unit ('rollout', 2, 7): expected all values to be the same, found 0.5 and "
        "1.0\n"
        'Hint: "mean" averages a unit whose values may differ'
    )
    assert error.values == (0.5, 1.0)


def test_units_that_disagree_across_or_in_an_entry_are_errors() -> None:
    samples = [Sample(rollout_id=row, reward=row, adapter="a") for row in range(2)]
    assert told(samples, across=Same()).message == (
        "expected all values to be the same, found 0.0 and 1.0"
    )


# --- samples and pipelines that are none


def test_an_empty_batch_has_the_defaults_of_the_reference() -> None:
    assert dict(compute([])) == {"num_training_samples": 0.0, "episode_raw_reward": 0.0}
    assert compute([]).outcome("episode_raw_reward").units == 0


@pytest.mark.parametrize("size", [0, 1, 4096, 4097])
def test_any_iterable_of_samples_will_do(size: int) -> None:
    samples = [Sample(rollout_id=row % 7, reward=row % 3) for row in range(size)]
    expected = compute(samples)
    once: Iterator[Sample] = (sample for sample in samples)
    array = np.empty(size, dtype=object)
    array[:] = samples
    for other in (
        once,
        tuple(samples),
        dict.fromkeys(map(id, samples)) and iter(samples),
        array,
    ):
        report = compute(other)
        assert report.outcomes == expected.outcomes


def test_a_generator_that_fails_fails_as_itself() -> None:
    def broken() -> Iterator[Sample]:
        yield Sample(reward=1.0)
        raise ConnectionError("lost")

    with pytest.raises(ConnectionError, match="lost"):
        compute(broken())


@pytest.mark.parametrize("samples", [None, 3, object])
def test_samples_that_cannot_be_gone_through(samples: Any) -> None:
    with pytest.raises(UsageError) as caught:
        compute(samples)
    assert str(caught.value) == (
        f"expected samples, found {samples!r}\n"
        "Hint: pass a list, or any other iterable, of samples"
    )


@pytest.mark.parametrize(
    ("pipelines", "message"),
    [
        (
            [1],
            (
                "expected a mapping of names to pipelines, found [1]\n"
                'Hint: write {"my_metric": pipeline}'
            ),
        ),
        (
            {"m": over(Sample).value(Reward())},
            (
                "metric 'm': expected a pipeline, found Chain\n"
                "Hint: close a chain with .across(...)"
            ),
        ),
        (
            {"m": None},
            (
                "metric 'm': expected a pipeline, found NoneType\n"
                "Hint: close a chain with .across(...)"
            ),
        ),
        (
            {3: over(Sample).value(Reward()).across(Mean())},
            "expected a metric's name, found 3",
        ),
        (
            {"": over(Sample).value(Reward()).across(Mean())},
            "expected a metric's name, found ''",
        ),
    ],
)
def test_pipelines_that_are_none(pipelines: Any, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        compute([], pipelines)
    assert str(caught.value) == message


# --- plugins that break their contract


class Own:
    """The base of the plugins below."""

    name: ClassVar[str] = "own"


def _key(
    key: Callable[[Any], Any], columns: Callable[[Sequence[Any]], Any] | None = None
) -> Any:
    class Key(Own):
        def key(self, sample: Any, position: int, /) -> Any:
            return key(sample)

    class Fast(Key):
        def columns(self, samples: Sequence[Any], positions: Sequence[int], /) -> Any:
            assert columns is not None
            return columns(samples)

    return Key() if columns is None else Fast()


def _value(
    value: Callable[[Any], Any], values: Callable[[Sequence[Any]], Any] | None = None
) -> Any:
    class Value(Own):
        def value(self, sample: Any, /) -> Any:
            return value(sample)

    class Fast(Value):
        def values(self, samples: Sequence[Any], /) -> Any:
            assert values is not None
            return values(samples)

    return Value() if values is None else Fast()


def _where(
    selects: Callable[[Any], Any], mask: Callable[[Sequence[Any]], Any] | None = None
) -> Any:
    class Where(Own):
        def selects(self, sample: Any, /) -> Any:
            return selects(sample)

    class Fast(Where):
        def mask(self, samples: Sequence[Any], /) -> Any:
            assert mask is not None
            return mask(samples)

    return Where() if mask is None else Fast()


class Adding(Own):
    """A reducer to break."""

    def init(self) -> float:
        return 0.0

    def fold(self, state: float, values: Iterable[float], /) -> float:
        return state + sum(values)

    def merge(self, left: float, right: float, /) -> float:
        return left + right

    def finish(self, state: float, /) -> Any:
        return state


def fail(*arguments: Any) -> Any:
    raise ValueError("broken")


def only_for(rollout: int) -> Callable[[Any], Any]:
    def key(sample: Any) -> Any:
        return fail() if sample.rollout_id == rollout else 0

    return key


@pytest.mark.parametrize(
    ("plugin", "role"),
    [
        ({"key": _key(only_for(2))}, "key strategy"),
        ({"key": _key(only_for(2), fail)}, "key strategy"),
        ({"by": _key(only_for(2))}, "key strategy"),
        ({"value": _value(only_for(2))}, "value"),
        ({"value": _value(only_for(2), fail)}, "value"),
        ({"where": _where(only_for(2))}, "selection"),
        ({"where": _where(only_for(2), fail)}, "selection"),
    ],
)
def test_a_plugin_that_fails_on_a_sample_is_told_with_that_sample(
    plugin: dict[str, Any], role: str
) -> None:
    error = told(THREE, **plugin)
    assert str(error) == f"sample at position 2: {role} own raised ValueError: broken"
    assert isinstance(error, DataError)


@pytest.mark.parametrize(
    ("plugin", "role"),
    [
        ({"key": _key(lambda _: 0, fail)}, "key strategy"),
        ({"value": _value(lambda _: 0, fail)}, "value"),
        ({"where": _where(lambda _: True, fail)}, "selection"),
    ],
)
def test_a_fast_path_that_fails_alone_is_the_plugins_fault(
    plugin: dict[str, Any], role: str
) -> None:
    error = told(THREE, **plugin)
    assert isinstance(error, ContractError)
    assert str(error) == (
        f"{role} own failed on the samples together (ValueError: broken), but on none "
        "of them by itself\nHint: its fast path must do what its method for one sample "
        "does"
    )


@pytest.mark.parametrize(
    ("plugin", "message"),
    [
        (
            {"value": _value(lambda _: 0, lambda _: [1.0])},
            "value own gave 1 entries for 3 samples",
        ),
        (
            {"value": _value(lambda _: 0, lambda some: (0.0 for _ in some))},
            "value own gave uncounted entries for 3 samples",
        ),
        (
            {"value": _value(lambda _: 0, lambda _: None)},
            "value own gave uncounted entries for 3 samples",
        ),
        (
            {"where": _where(lambda _: 0, lambda _: [True] * 4)},
            "selection own gave 4 entries for 3 samples",
        ),
        (
            {"where": _where(lambda _: 0, iter)},
            "selection own gave uncounted entries for 3 samples",
        ),
        (
            {"key": _key(lambda _: 0, lambda _: KeyColumns(([0], [0, 0, 0])))},
            "key strategy own gave columns of length 1, 3 for 3 samples",
        ),
        (
            {"key": _key(lambda _: 0, lambda _: ([0, 0, 0],))},
            "key strategy own gave tuple as its columns",
        ),
        (
            {"key": _key(lambda _: 0, lambda _: None)},
            "key strategy own gave NoneType as its columns",
        ),
        (
            {"key": _key(lambda _: 0, lambda _: KeyColumns(([0] * 3,), [True]))},
            "key strategy own gave applies of length 1 for 3 samples",
        ),
        (
            {"key": _key(lambda _: 0, lambda _: KeyColumns(([0] * 3,), None, ["a"]))},
            "key strategy own gave keyed_by of length 1 for 3 samples",
        ),
        (
            {
                "key": FirstOf(
                    _key(lambda _: 0, lambda _: KeyColumns(([0] * 3,), [False])),
                    Position(),
                )
            },
            "key strategy own gave applies of length 1 for 3 samples",
        ),
    ],
)
def test_a_fast_path_of_the_wrong_shape_is_the_plugins_fault(
    plugin: dict[str, Any], message: str
) -> None:
    error = told(THREE, **plugin)
    assert isinstance(error, ContractError)
    assert error.message == message
    assert error.hint is not None


def test_a_reducer_that_fails_names_the_unit() -> None:
    class Failing(Adding):
        def fold(self, state: float, values: Iterable[float], /) -> float:
            return fail() if 0.5 in values else 1.0

    samples = [*THREE, Sample(rollout_id=9, group_index=1, reward=0.5)]
    error = told(samples, reducer=Failing())
    assert isinstance(error, ContractError)
    assert str(error) == "unit ('rollout', 1, 9): reducer own raised ValueError: broken"
    assert (
        str(told(samples, across=Failing())) == "reducer own raised ValueError: broken"
    )
    entry = told(samples, across=Failing(), by=Group())
    assert isinstance(entry, ContractError)


@pytest.mark.parametrize(
    ("results", "message"),
    [
        ([1.0], "reducer own gave 1 results for 3 units"),
        (iter([1.0]), "reducer own gave uncounted results for 3 units"),
        (None, "reducer own gave uncounted results for 3 units"),
    ],
)
def test_a_reducers_fast_path_of_the_wrong_shape(results: object, message: str) -> None:
    class Fast(Adding):
        def reduce_units(
            self, codes: Sequence[int], values: Sequence[float], units: int, /
        ) -> Any:
            return results

    error = told(THREE, reducer=Fast())
    assert isinstance(error, ContractError)
    assert error.message == message


@pytest.mark.parametrize("result", ["text", 1j, [1.0], np.bool_(True), 10**400])
def test_a_reducer_across_gives_a_number(result: object) -> None:
    class Odder(Adding):
        def finish(self, state: float, /) -> Any:
            return result

    error = told(THREE, across=Odder())
    assert isinstance(error, ContractError)
    assert error.message == (
        f"metric 'm': reducer own gave {shown(result)} across all units"
    )


@pytest.mark.parametrize("result", [True, 1, np.float32(1), np.int64(1)])
def test_any_real_number_across_becomes_a_float(result: Any) -> None:
    class Other(Adding):
        def finish(self, state: float, /) -> Any:
            return result

    found = compute(THREE, {"m": over(Sample).value(Reward()).across(Other())})["m"]
    assert found == 1.0
    assert type(found) is float


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (["one"], "key strategy own gave the labels ['one'] for 3 keys"),
        ([1, 2, 3], "key strategy own gave the labels [1, 2, 3] for 3 keys"),
        (
            None,
            (
                "key strategy own has no labels for [(0,), (1,), (2,)] (TypeError: "
                "'NoneType' object is not iterable)"
            ),
        ),
    ],
)
def test_labels_of_the_wrong_shape(labels: object, message: str) -> None:
    def offer(keys: object) -> object:
        return labels

    strategy = _key(lambda one: one.rollout_id)
    strategy.labels = offer
    error = told(THREE, by=strategy)
    assert isinstance(error, ContractError)
    assert error.message == message


def test_labels_and_fast_reductions_that_fail_are_the_plugins_fault() -> None:
    strategy = _key(lambda one: one.rollout_id)
    strategy.labels = fail
    assert told(THREE, by=strategy).message == (
        "key strategy own has no labels for [(0,), (1,), (2,)] (ValueError: broken)"
    )
    reducer: Any = Adding()
    reducer.reduce_units = fail
    error = told(THREE, reducer=reducer)
    assert isinstance(error, ContractError)
    assert error.message == "reducer own raised ValueError: broken"


def test_a_value_that_cannot_be_bound_names_the_first_sample() -> None:
    value = _value(lambda one: one.reward)
    value.bind = fail
    assert str(told(THREE, value=value)) == (
        "sample at position 0: value own raised ValueError: broken"
    )


def test_errors_of_keyfold_pass_through_a_plugin_as_they_are() -> None:
    def refuse(sample: Any) -> Any:
        raise SampleError("no good", field="status", hint="mend it")

    error = told(THREE, key=_key(refuse))
    assert isinstance(error, SampleError)
    assert str(error) == "sample at position 0: no good\nHint: mend it"
    assert error.field == "status"


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_what_stops_a_program_stops_it(error: type[BaseException]) -> None:
    def stop(sample: Any) -> Any:
        raise error

    with pytest.raises(error):
        compute(THREE, {"m": over(Sample).value(_value(stop)).across(Mean())})


def test_errors_survive_being_pickled_and_copied() -> None:
    error = SampleError("no", field="reward", position=3, hint="none")
    error.add_note("seen")
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert type(again) is SampleError
        assert str(again) == str(error)
        assert vars(again) == vars(error)
