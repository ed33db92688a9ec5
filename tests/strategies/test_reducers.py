"""The laws of every built-in reducer, and what each of them gives."""

from __future__ import annotations

from copy import deepcopy
from math import copysign, inf, isnan, nan
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keyfold.contracts import AnyReducer, Reducer, UnitReducer
from keyfold.errors import DisagreementError
from keyfold_strategies import Count, First, Max, Mean, Min, Same, Sum

REDUCERS: list[AnyReducer] = [Count(), First(), Max(), Mean(), Min(), Sum()]
FAST = [one for one in [*REDUCERS, Same()] if isinstance(one, UnitReducer)]
NUMBERS = st.one_of(
    st.sampled_from([0.0, -0.0, 0.1, 1.0, nan, inf, -inf, 5e-324, 1e308]),
    st.floats(),
    st.integers(-(2**70), 2**70),
)
ANY_REDUCER = st.sampled_from(REDUCERS)


def bits(value: Any) -> object:
    """A text that differs where any bit does; one for every NaN."""
    return repr(value)


def state_of(reducer: AnyReducer, values: list[float]) -> Any:
    return reducer.fold(reducer.init(), values)


def finished(reducer: AnyReducer, state: Any) -> object:
    return bits(reducer.finish(state))


def test_every_reducer_keeps_the_contract_of_its_protocol() -> None:
    assert all(isinstance(reducer, Reducer) for reducer in [*REDUCERS, Same()])
    assert {type(reducer) for reducer in FAST} >= {Mean, Count}


@given(ANY_REDUCER, st.lists(NUMBERS))
@settings(deadline=None)
def test_the_state_of_no_values_is_the_identity(
    reducer: AnyReducer, values: list[float]
) -> None:
    state = state_of(reducer, values)
    for merged in (
        reducer.merge(reducer.init(), state),
        reducer.merge(state, reducer.init()),
        reducer.fold(state, []),
    ):
        assert finished(reducer, merged) == finished(reducer, state)


@given(ANY_REDUCER, st.lists(NUMBERS), st.lists(NUMBERS), st.lists(NUMBERS))
@settings(deadline=None)
def test_merging_is_associative(
    reducer: AnyReducer, one: list[float], two: list[float], three: list[float]
) -> None:
    a, b, c = (state_of(reducer, values) for values in (one, two, three))
    left = reducer.merge(reducer.merge(a, b), c)
    right = reducer.merge(a, reducer.merge(b, c))
    assert finished(reducer, left) == finished(reducer, right)


@given(ANY_REDUCER, st.lists(NUMBERS), st.lists(NUMBERS))
@settings(deadline=None)
def test_merging_is_commutative_unless_the_reducer_is_ordered(
    reducer: AnyReducer, one: list[float], two: list[float]
) -> None:
    a, b = state_of(reducer, one), state_of(reducer, two)
    if getattr(reducer, "ordered", False):
        assert isinstance(reducer, First)
        return
    merged, other = reducer.merge(a, b), reducer.merge(b, a)
    assert finished(reducer, merged) == finished(reducer, other)


@given(ANY_REDUCER, st.lists(NUMBERS), st.data())
@settings(deadline=None)
def test_values_can_be_split_anywhere(
    reducer: AnyReducer, values: list[float], data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(values)))
    whole = finished(reducer, state_of(reducer, values))
    left, right = values[:at], values[at:]
    state = state_of(reducer, left)
    assert finished(reducer, reducer.fold(state, right)) == whole
    assert finished(reducer, reducer.merge(state, state_of(reducer, right))) == whole


@given(ANY_REDUCER, st.lists(NUMBERS), st.randoms(use_true_random=False))
@settings(deadline=None)
def test_the_order_of_values_changes_no_bit_unless_the_reducer_is_ordered(
    reducer: AnyReducer, values: list[float], random: Any
) -> None:
    shuffled = list(values)
    random.shuffle(shuffled)
    if getattr(reducer, "ordered", False):
        shuffled = values
    found = finished(reducer, state_of(reducer, shuffled))
    assert found == finished(reducer, state_of(reducer, values))


@given(ANY_REDUCER, st.lists(NUMBERS), st.lists(NUMBERS))
@settings(deadline=None)
def test_nothing_that_goes_in_is_changed_and_finishing_can_be_repeated(
    reducer: AnyReducer, values: list[float], more: list[float]
) -> None:
    state, other = state_of(reducer, values), state_of(reducer, more)
    before = bits((deepcopy(state), deepcopy(other), values, more))
    first = finished(reducer, state)
    reducer.fold(state, more)
    reducer.merge(state, other)
    assert bits((state, other, values, more)) == before
    assert finished(reducer, state) == first


@given(ANY_REDUCER, st.lists(NUMBERS))
@settings(deadline=None)
def test_a_result_is_a_float_or_none(reducer: AnyReducer, values: list[float]) -> None:
    result = reducer.finish(state_of(reducer, values))
    if result is None:
        assert not values
    else:
        assert type(result) is float


@given(ANY_REDUCER, st.lists(st.floats() | st.integers(-(2**60), 2**60)))
@settings(deadline=None)
def test_a_state_is_plain_data(reducer: AnyReducer, values: list[float]) -> None:
    written = msgspec.msgpack.encode(state_of(reducer, values))
    assert msgspec.msgpack.encode(msgspec.msgpack.decode(written)) == written


@given(
    st.sampled_from(FAST),
    st.lists(st.tuples(st.integers(0, 4), NUMBERS | st.sampled_from([1.0, 0.0]))),
    st.integers(5, 7),
)
@settings(max_examples=300, deadline=None)
def test_many_units_at_once_give_what_each_gives_by_itself(
    reducer: UnitReducer[Any, Any, Any],
    coded: list[tuple[int, float]],
    units: int,
) -> None:
    codes = [code for code, _ in coded]
    values = [value for _, value in coded]
    before = bits((codes, values))
    found = reducer.reduce_units(codes, values, units)
    for unit in range(units):
        its = [value for code, value in coded if code == unit]
        assert bits(found[unit]) == finished(reducer, state_of(reducer, its))
    assert len(found) == units
    assert bits((codes, values)) == before


@pytest.mark.parametrize(
    ("reducer", "values", "result"),
    [
        (Mean(), [], None),
        (Mean(), [1.0, 0.0, 0.0, 0.0], 0.25),
        (Mean(), [nan, 1.0], nan),
        (Mean(), [inf, -inf], nan),
        (Mean(), [inf, 1.0], inf),
        (Mean(), [0.1, 0.1, 0.1], 0.1),
        (Mean(), [2**53 + 1, -(2**53)], 0.5),
        (Sum(), [], None),
        (Sum(), [1e16, 1.0, -1e16], 1.0),
        (Sum(), [1.5e308, 1.5e308], inf),
        (Sum(), [-0.0], 0.0),
        (Count(), [], 0.0),
        (Count(), [nan, inf, 0.0], 3.0),
        (Min(), [], None),
        (Min(), [0.0, 0.0], 0.0),
        (Min(), [3.0, nan, 1.0], nan),
        (Min(), [inf, -inf], -inf),
        (Max(), [], None),
        (Max(), [-1.0, -2.0], -1.0),
        (Max(), [1.0, nan], nan),
        (Max(), [2**53 + 1, 1.0], 2.0**53),
        (First(), [], None),
        (First(), [3.0, 1.0], 3.0),
        (First(), [nan, 1.0], nan),
        (Same(), [], None),
        (Same(), [0.5, 0.5], 0.5),
        (Same(), [nan, nan], nan),
        (Same(), [inf, inf], inf),
        (Same(), [2**53 + 1, 2**53 + 1], 2.0**53),
    ],
)
def test_results(
    reducer: AnyReducer, values: list[float], result: float | None
) -> None:
    found = reducer.finish(state_of(reducer, values))
    if result is not None and isnan(result):
        assert found is not None
        assert isnan(found)
    else:
        assert found == result


@pytest.mark.parametrize("reducer", [Min(), Max(), Same(), Mean(), Sum()])
def test_zeros_of_both_signs_give_one_zero_in_any_order(reducer: AnyReducer) -> None:
    for values in ([0.0, -0.0], [-0.0, 0.0], [-0.0]):
        result: Any = reducer.finish(state_of(reducer, values))
        assert copysign(1.0, result) == 1.0


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        ([0.5, 1.0], "found 0.5 and 1.0"),
        ([nan, 1.0], "found nan and 1.0"),
        ([1.0, nan], "found 1.0 and nan"),
        ([2**53 + 1, 2**53], "found 9007199254740993 and 9007199254740992"),
    ],
)
def test_same_refuses_values_that_differ_however_they_are_split(
    values: list[float], shown: str
) -> None:
    same = Same()
    with pytest.raises(DisagreementError) as caught:
        state_of(same, values)
    assert caught.value.message == f"expected all values to be the same, {shown}"
    assert bits(caught.value.values) == bits(tuple(values))
    left, right = (state_of(same, [value]) for value in values)
    with pytest.raises(DisagreementError, match=shown):
        same.merge(left, right)


@given(st.lists(st.sampled_from([1.0, 1, 2.0, nan]), max_size=6), st.data())
@settings(deadline=None)
def test_same_agrees_or_refuses_at_every_split(
    values: list[float], data: st.DataObject
) -> None:
    def result(parts: list[list[float]]) -> object:
        same = Same()
        state = same.init()
        try:
            for part in parts:
                state = same.merge(state, same.fold(same.init(), part))
        except DisagreementError:
            return "refused"
        return bits(same.finish(state))

    at = data.draw(st.integers(0, len(values)))
    assert result([values[:at], values[at:]]) == result([values])
    assert result([values[at:], values[:at]]) == result([values])
    assert (result([values]) == "refused") == (
        len(set(map(bits, map(float, values)))) > 1
    )
