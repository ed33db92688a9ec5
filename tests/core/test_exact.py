"""Exact sums and means, against `fractions.Fraction`."""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from math import copysign, inf, isfinite, isnan, nan
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keyfold import exact
from keyfold.exact import EMPTY, Total

FINITE = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False),
    st.floats(-1.0, 1.0),
    st.integers(-(2**80), 2**80),
    st.sampled_from(
        [0.0, -0.0, 0.1, 5e-324, -5e-324, 2.2e-308, 1e16, -1e16, 1e308, -1e308]
    ),
)
LARGEST = 1.7976931348623157e308
NUMBERS = FINITE | st.sampled_from([nan, inf, -inf])


def rounded(real: Fraction) -> float:
    try:
        return float(real)
    except OverflowError:
        return inf if real > 0 else -inf


def real_sum(values: list[float]) -> Fraction:
    return sum((Fraction(value) for value in values), Fraction(0))


def real_of(total: Total) -> Fraction:
    return total.carry * Fraction(2) ** 1000 + sum(map(Fraction, total.parts))


@given(st.lists(FINITE, min_size=1))
@settings(deadline=None)
def test_sum_and_mean_are_the_real_ones_rounded_once(values: list[float]) -> None:
    total = exact.total_of(values)
    real = real_sum(values)
    assert real_of(total) == real
    assert exact.total_sum(total) == rounded(real)
    assert exact.total_mean(total) == rounded(real / len(values))
    assert exact.mean(values) == exact.total_mean(total)


@given(st.lists(FINITE))
@settings(deadline=None)
def test_the_parts_are_the_canonical_expansion(values: list[float]) -> None:
    total = exact.total_of(values)
    rest = real_of(total) - total.carry * Fraction(2) ** 1000
    assert abs(rest) < Fraction(2) ** 1000
    for part in total.parts:
        assert part == float(rest)
        rest -= Fraction(part)
    assert rest == 0
    assert total.count == len(values)


@given(st.lists(NUMBERS, max_size=12), st.data())
@settings(max_examples=300, deadline=None)
def test_any_order_and_any_tree_of_merges_gives_an_equal_total(
    values: list[float], data: st.DataObject
) -> None:
    shuffled = data.draw(st.permutations(values))
    leaves = [exact.total_of([value]) for value in shuffled]
    while len(leaves) > 1:
        at = data.draw(st.integers(0, len(leaves) - 2))
        left, right = leaves.pop(at), leaves.pop(at)
        leaves.insert(at, exact.add(left, right))
    merged = leaves[0] if leaves else EMPTY
    assert merged == exact.total_of(values)
    assert repr(merged) == repr(exact.total_of(values))


@given(st.lists(NUMBERS), st.lists(NUMBERS), st.lists(NUMBERS))
@settings(deadline=None)
def test_adding_totals_is_associative_and_commutative_with_an_identity(
    one: list[float], two: list[float], three: list[float]
) -> None:
    a, b, c = map(exact.total_of, (one, two, three))
    assert exact.add(exact.add(a, b), c) == exact.add(a, exact.add(b, c))
    assert exact.add(a, b) == exact.add(b, a)
    assert exact.add(a, EMPTY) == a == exact.add(EMPTY, a)
    assert exact.add(a, b) == exact.total_of(one + two)


@pytest.mark.parametrize(
    ("values", "total", "average"),
    [
        pytest.param([1e16, 1.0, -1e16], 1.0, 1.0 / 3, id="cancellation"),
        pytest.param([0.1] * 10, 1.0, 0.1, id="ten tenths"),
        pytest.param([LARGEST, LARGEST], inf, LARGEST, id="sum overflows"),
        pytest.param([-LARGEST] * 3, -inf, -LARGEST, id="sum overflows below"),
        pytest.param(
            [LARGEST, LARGEST, -LARGEST], LARGEST, None, id="overflow on the way"
        ),
        pytest.param([LARGEST, -LARGEST, 5e-324], 5e-324, None, id="largest and least"),
        pytest.param([2.0**1000, -1.0], 2.0**1000, None, id="at the carry"),
        pytest.param([2.0**1000, -(2.0**1000)], 0.0, 0.0, id="carries cancel"),
        pytest.param([5e-324, 5e-324], 1e-323, 5e-324, id="subnormal"),
        pytest.param([5e-324, 0.0], 5e-324, 0.0, id="half of the least is even"),
        pytest.param([2**53 + 1, -(2**53)], 1.0, 0.5, id="ints past 53 bits"),
        pytest.param([10**400, -(10**400), 3], 3.0, 1.0, id="ints past the floats"),
        pytest.param([10**400], inf, inf, id="an int past the floats"),
        pytest.param([-(10**400)], -inf, -inf, id="an int below the floats"),
        pytest.param(
            [10**309, 0, 0, 0, 0, 0, 0, 0, 0, 0], inf, 1e308, id="its mean fits"
        ),
        pytest.param([True, True, False], 2.0, 2 / 3, id="bools"),
        pytest.param([nan, 1.0], nan, nan, id="nan"),
        pytest.param([inf, 1.0], inf, inf, id="inf"),
        pytest.param([-inf, LARGEST, LARGEST], -inf, -inf, id="-inf against overflow"),
        pytest.param([inf, -inf], nan, nan, id="both infinities"),
        pytest.param([inf, nan], nan, nan, id="inf and nan"),
    ],
)
def test_extremes(values: list[float], total: float, average: float | None) -> None:
    state = exact.total_of(values)
    if average is None:
        average = rounded(real_sum(values) / len(values))
    for found, wanted in (
        (exact.total_sum(state), total),
        (exact.total_mean(state), average),
        (exact.mean(values), average),
    ):
        assert type(found) is float
        assert found == wanted or (isnan(found) and isnan(wanted))


@pytest.mark.parametrize("zeros", [[-0.0], [-0.0, -0.0], [0.0, -0.0], [1.0, -1.0]])
def test_a_zero_sum_is_positive(zeros: list[float]) -> None:
    assert copysign(1.0, exact.total_sum(exact.total_of(zeros))) == 1.0
    assert copysign(1.0, exact.mean(zeros)) == 1.0


def test_non_finite_numbers_are_counted_beside_the_sum() -> None:
    total = exact.total_of([nan, nan, inf, -inf, -inf, 0.5])
    assert total == Total(6, (0.5,), 0, 2, 1, 2)


def test_no_numbers_have_the_sum_zero_and_no_mean() -> None:
    assert exact.total_of([]) == EMPTY
    assert exact.total_sum(EMPTY) == 0.0
    with pytest.raises(ZeroDivisionError):
        exact.total_mean(EMPTY)
    with pytest.raises(ZeroDivisionError):
        exact.mean([])


def test_a_total_of_a_million_numbers_has_few_parts() -> None:
    total = exact.total_of([0.1, 1e-9, 1e9, -0.3] * 250_000)
    assert total.count == 1_000_000
    assert len(total.parts) <= 4


def test_any_iterable_is_summed_and_left_as_it_was() -> None:
    values = [0.1, 2**60, nan, inf]
    before = list(values)
    assert exact.total_of(value for value in values) == exact.total_of(values)
    assert exact.total_of(tuple(values)) == exact.total_of(values)
    assert values == before


def test_a_long_chain_of_adds_stays_exact() -> None:
    step = exact.total_of([0.1])
    tenths = reduce(exact.add, [step] * 1000, EMPTY)
    assert exact.total_sum(tenths) == float(1000 * Fraction(0.1))
    assert tenths == exact.total_of([0.1] * 1000)


def test_totals_cannot_be_changed() -> None:
    total: Any = exact.total_of([1.0])
    with pytest.raises(AttributeError):
        total.count = 7
    assert isfinite(exact.total_sum(total))
