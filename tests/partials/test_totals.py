"""Packed totals are the exact totals of each unit's values, however they are spread."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import inf, nan

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keyfold.exact import EMPTY, Total, add, total_mean, total_of, total_sum
from keyfold.totals import Totals, merged_totals, packed, totals_of

UNITS = 4
NUMBERS = st.one_of(
    # Few distinct ones, so that units meet one again.
    st.sampled_from([0.1, 0.1, 1.0, -0.0, 0.0, 1e16, -1e16, 5e-324]),
    st.sampled_from([nan, inf, -inf, 1.7976931348623157e308, -1.7976931348623157e308]),
    st.sampled_from([2**53 + 1, 2**53, 2.0**53, -(2**60) - 1, 2**60]),
    st.floats(),
)
ROWS = st.lists(st.tuples(st.integers(0, UNITS - 1), NUMBERS), max_size=12)

Row = tuple[int, float]


def naive(rows: Sequence[Row], units: int = UNITS) -> list[Total]:
    return [
        total_of([value for code, value in rows if code == unit])
        for unit in range(units)
    ]


def of(rows: Sequence[Row], units: int = UNITS) -> Totals:
    return totals_of([code for code, _ in rows], [it for _, it in rows], units)


def results(totals: Totals) -> str:
    return repr((totals.sums(), totals.means()))


def expected(totals: Sequence[Total]) -> str:
    return repr(
        (
            [total_sum(it) if it.count else None for it in totals],
            [total_mean(it) if it.count else None for it in totals],
        )
    )


@given(ROWS)
@settings(max_examples=400, deadline=None)
def test_each_unit_has_the_total_of_its_values(rows: list[Row]) -> None:
    totals = of(rows)
    assert list(totals) == naive(rows)
    assert results(totals) == expected(naive(rows))


@given(st.lists(ROWS, max_size=4), st.permutations(range(UNITS)), st.data())
@settings(max_examples=400, deadline=None)
def test_merged_totals_are_those_of_all_values(
    parts: list[list[Row]], codes: list[int], data: st.DataObject
) -> None:
    # Each part numbers its units in its own way, and may have them packed or not.
    given_parts: list[tuple[Sequence[int], Sequence[Total]]] = []
    for rows in parts:
        own = [(codes.index(unit), value) for unit, value in rows]
        totals = of(own)
        plain = data.draw(st.booleans())
        given_parts.append((codes, list(totals) if plain else totals))
    whole = [row for rows in parts for row in rows]
    merged = merged_totals(given_parts, UNITS)
    assert list(merged) == naive(whole)
    assert results(merged) == expected(naive(whole))


@given(ROWS, ROWS, ROWS)
@settings(deadline=None)
def test_no_order_or_grouping_of_merges_changes_a_total(
    a: list[Row], b: list[Row], c: list[Row]
) -> None:
    every = range(UNITS)

    def both(left: Totals, right: Totals) -> Totals:
        return merged_totals([(every, left), (every, right)], UNITS)

    one, two, three = of(a), of(b), of(c)
    grouped = both(both(one, two), three)
    assert list(grouped) == list(both(one, both(two, three)))
    assert list(grouped) == list(both(both(three, one), two))
    assert list(both(one, of([]))) == list(one)
    assert results(grouped) == expected(naive([*a, *b, *c]))


@given(st.floats(allow_nan=False, allow_infinity=False), st.integers(1, 2**53))
@settings(deadline=None)
def test_a_value_that_was_met_often_has_its_exact_multiple_as_total(
    value: float, count: int
) -> None:
    totals = Totals([value], [count])
    (total,) = totals
    real = total.carry * Fraction(2) ** 1000 + sum(map(Fraction, total.parts))
    assert (total.count, real) == (count, Fraction(value) * count)
    assert results(totals) == expected([total])


@pytest.mark.parametrize("value", [0.1, -0.0, nan, inf, -inf, 1e308])
@pytest.mark.parametrize("count", [1, 2, 3, 7, 8])
def test_a_value_that_was_met_again_is_as_if_it_were_written_again(
    value: float, count: int
) -> None:
    assert Totals([value], [count])[0] == total_of([value] * count)


def test_a_unit_that_met_one_value_has_no_total_of_its_own() -> None:
    totals = of([(0, 0.5), (1, 1.0), (0, 0.5), (1, 2.0), (2, 2**53 + 1)])
    assert (totals.values, totals.counts) == ([0.5, 0.0, 0.0, 0.0], [2, 0, 0, 0])
    assert totals.others == {1: total_of([1.0, 2.0]), 2: total_of([2**53 + 1])}


def test_totals_are_a_sequence() -> None:
    totals = of([(0, 0.5), (1, 1.0), (1, 2.0)])
    half, three = total_of([0.5]), total_of([1.0, 2.0])
    assert len(totals) == UNITS
    assert (totals[0], totals[1], totals[3], totals[-3]) == (half, three, EMPTY, three)
    assert totals[:3] == [half, three, EMPTY]
    assert totals[::-2] == [EMPTY, three]
    assert list(reversed(totals)) == [EMPTY, EMPTY, three, half]
    for outside in (UNITS, -UNITS - 1):
        with pytest.raises(IndexError):
            totals[outside]


def test_packing_keeps_totals_and_what_is_packed() -> None:
    totals = of([(0, 0.5), (1, 1.0), (1, 2.0)])
    assert packed(totals) is totals
    plain = [EMPTY, total_of([0.5]), add(total_of([1.0]), total_of([nan]))]
    assert list(packed(plain)) == plain
    assert packed([]).sums() == []
    assert list(merged_totals([], 2)) == [EMPTY, EMPTY]


def test_an_empty_unit_has_no_result_and_a_zero_sum_is_no_negative_one() -> None:
    totals = of([(0, -0.0), (1, -0.0), (1, 0.0)], units=3)
    assert repr(totals.sums()) == repr(totals.means()) == "[0.0, 0.0, None]"
