"""Keys, states and texts that mean nothing outside their process."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import nan
from typing import Any

import attrs
import pytest
from tests.partials.raising import REWARDS, raised, row

from keyfold import merge, partial
from keyfold.errors import PortabilityError
from keyfold_strategies import Adapter, Mean

PORTABLE_HINT = (
    "make adapters and ids strings, numbers, tuples of them, or frozen dataclasses"
)


class Opaque:
    """Has no fields, so that nothing tells one from another elsewhere."""

    def __repr__(self) -> str:
        return "<opaque>"


DEEP = (((((((((1,),),),),),),),),)


@pytest.mark.parametrize(
    ("adapter", "found"),
    [
        (Opaque(), "<opaque> is a Opaque"),
        (("a", Opaque()), "<opaque> is a Opaque"),
        (nan, "nan is not equal to itself"),
        (Decimal("0.1"), "Decimal('0.1') is a Decimal"),
        (Fraction(1, 3), "Fraction(1, 3) is a Fraction"),
        (frozenset({1}), "frozenset({1}) is a frozenset"),
        (len, "<built-in function len> is a builtin_function_or_method"),
        (DEEP, "1 is nested more than 8 deep"),
    ],
)
def test_a_key_that_means_nothing_elsewhere_is_refused(
    adapter: Any, found: str
) -> None:
    metrics = {"m": REWARDS.within(Adapter(), Mean()).across(Mean())}
    raised(
        lambda: partial([row(), row(adapter=adapter)], metrics),
        PortabilityError,
        f"the key component {found}, expected a string, a number, or an object with "
        "fields",
        PORTABLE_HINT,
    )


@attrs.frozen
class Listed:
    """A reducer with a state that is no plain data."""

    def init(self) -> list[float]:
        return []

    def fold(self, state: list[float], values: Any, /) -> list[float]:
        return [*state, *values]

    def merge(self, left: list[float], right: list[float], /) -> list[float]:
        return left + right

    def finish(self, state: list[float], /) -> float:
        return float(len(state))


def test_a_state_that_is_no_plain_data_merges_here_and_is_not_written() -> None:
    metrics = {"m": REWARDS.across(Listed())}
    parts = [partial([row()], metrics, shard=shard) for shard in range(2)]
    assert merge(parts).report()["m"] == 2.0
    raised(
        parts[0].to_bytes,
        PortabilityError,
        "a state of the reducer listed: [1.0] can't be written in a partial",
        "keys and states are made of None, numbers, strings, totals and tuples",
    )


def test_a_text_that_is_no_unicode_is_not_written() -> None:
    metrics = {"m": REWARDS.by(Adapter()).across(Mean())}
    raised(
        partial([row(adapter="\ud800")], metrics).to_bytes,
        PortabilityError,
        "the partial can't be written: '\\ud800' is no valid Unicode",
        None,
    )
