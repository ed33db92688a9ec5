"""Sums and means that are exact until they are rounded, once.

A sum of floats normally depends on the order of its terms. Here a total is the
*canonical expansion* of the exact real sum: the sum rounded to a float, then what that
left rounded to a float, and so on until nothing is left. It is a function of the real
sum alone, so any order, split or merge of the same values gives the same total, bit for
bit. `math.fsum`, which is correctly rounded (Shewchuk, "Adaptive Precision
Floating-Point Arithmetic and Fast Robust Geometric Predicates", 1997), gives each term.

For the authors of reducers: keep a `Total` as your state, and finish with `total_sum`
or `total_mean`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import repeat
from math import fsum, inf, isfinite, nan, nextafter

import attrs

__all__ = ["EMPTY", "Total", "add", "mean", "total_mean", "total_of", "total_sum"]

# Sums from here on are kept as multiples of 2**1000 beside their expansion: fsum can
# overflow on the way although the sum itself fits in a float.
_UNIT = 1 << 1000
_NEAR_OVERFLOW = 2.0**1000
# Below this, a division by a power of two may have to round.
_SMALL = 2.0**-900
# Every float is a multiple of 1 / _SMALLEST.
_SMALLEST = 1 << 1074


@attrs.frozen(order=False)
class Total:
    """The exact sum of some numbers, and how many there are.

    Attributes:
        count: How many numbers, the non-finite ones included.
        parts: The canonical expansion of the finite ones' sum, largest part first.
        carry: What of that sum is held outside `parts`, in units of 2**1000.
        nans: How many are NaN.
        positive_infinities: How many are +inf.
        negative_infinities: How many are -inf.
    """

    count: int = 0
    parts: tuple[float, ...] = ()
    carry: int = 0
    nans: int = 0
    positive_infinities: int = 0
    negative_infinities: int = 0


EMPTY = Total()
"""The total of no numbers."""


def total_of(values: Iterable[float]) -> Total:
    """Return the total of numbers, in any order.

    Args:
        values: Floats or ints; an int too large for a float's 53 bits stays exact.
    """
    values = values if isinstance(values, list) else list(values)
    try:
        parts = _expansion(values)
    except (OverflowError, ValueError):
        return _total_of_extremes(values)
    if parts and not -_NEAR_OVERFLOW < parts[0] < _NEAR_OVERFLOW:
        return _total_of_extremes(values)
    return Total(len(values), parts)


def add(left: Total, right: Total) -> Total:
    """Return the total of both totals' numbers."""
    if not right.count:
        return left
    if not left.count:
        return right
    carry = left.carry + right.carry
    parts = (*left.parts, *right.parts)
    if carry:
        carry, parts = _carried(parts, carry)
    else:
        own = parts
        parts = _expansion(own)
        if parts and abs(parts[0]) >= _NEAR_OVERFLOW:
            carry, parts = _carried(own)
    return Total(
        left.count + right.count,
        parts,
        carry,
        left.nans + right.nans,
        left.positive_infinities + right.positive_infinities,
        left.negative_infinities + right.negative_infinities,
    )


def total_sum(total: Total) -> float:
    """Return a total as the nearest float; the sum of no numbers is 0.0.

    A sum beyond the largest float is an infinity. NaN, and infinities of both signs,
    make NaN.
    """
    special = _non_finite(total)
    if special is not None:
        return special
    if not total.carry:
        return total.parts[0] if total.parts else 0.0
    return _quotient(total, 1)


def total_mean(total: Total) -> float:
    """Return the nearest float to a total's sum divided by its count.

    The quotient is rounded once. NaN and infinities act as in `total_sum`.

    Raises:
        ZeroDivisionError: The total is of no numbers.
    """
    special = _non_finite(total)
    if special is not None:
        return special
    if not total.carry and len(total.parts) < 2:
        # The sum is a float, so this division is the only rounding.
        return (total.parts[0] if total.parts else 0.0) / total.count
    return _quotient(total, total.count)


def mean(values: Sequence[float]) -> float:
    """Return the nearest float to the mean of numbers; the same as by a `Total`.

    Args:
        values: At least one float or int.

    Raises:
        ZeroDivisionError: There are no values.
    """
    count = len(values)
    try:
        total = fsum(values)
    except (OverflowError, ValueError):
        return total_mean(total_of(values))
    nearest = None
    if _SMALL < abs(total) < _NEAR_OVERFLOW and int not in map(type, values):
        # Ordinary floats need no expansion, and a power of two divides exactly.
        nearest = total / count
        if count & (count - 1):
            nearest = _nearest(nearest, values)
    return total_mean(total_of(values)) if nearest is None else nearest


def _nearest(guess: float, values: Sequence[float]) -> float | None:
    # The float nearest to the mean, if it is a guess or a neighbour of it, and no other
    # float is as near. The sum of all deviations says so: it alone has to be rounded,
    # since the gaps between floats are powers of two.
    count = len(values)
    for _ in range(2):
        off = 2 * fsum((*values, *repeat(-guess, count)))
        above = nextafter(guess, inf) - guess
        below = nextafter(guess, -inf) - guess
        if below * count < off < above * count:
            return guess
        guess += above if off > 0 else below
    return None


def _expansion(values: Sequence[float]) -> tuple[float, ...]:
    # Raises what fsum raises on infinities and on overflow.
    if int in map(type, values):
        values = [part for value in values for part in _as_floats(value)]
    part = fsum(values)
    if not part:
        return ()
    parts = [part]
    terms = [*values, -part]
    while isfinite(part) and (part := fsum(terms)):
        parts.append(part)
        terms.append(-part)
    return tuple(parts)


def _as_floats(value: float) -> list[float]:
    # An int of more than 53 bits, as floats that add up to it.
    if not isinstance(value, int):
        return [value]
    parts: list[float] = []
    while value:
        part = float(value)
        parts.append(part)
        value -= int(part)
    return parts


def _total_of_extremes(values: Sequence[float]) -> Total:
    # NaN, infinities, or numbers so large that fsum can't be trusted not to overflow.
    finite = [value for value in values if isinstance(value, int) or isfinite(value)]
    carry, parts = _carried(finite)
    return Total(
        len(values),
        parts,
        carry,
        sum(value != value for value in values),  # noqa: PLR0124 - only NaN differs from itself
        sum(value == inf for value in values),
        sum(value == -inf for value in values),
    )


def _carried(values: Iterable[float], carry: int = 0) -> tuple[int, tuple[float, ...]]:
    # The canonical form of a sum that may be large, computed in multiples of the
    # smallest float: its multiples of 2**1000, and the expansion of the rest.
    rest = sum(map(_multiples, values)) + carry * _UNIT * _SMALLEST
    size = _UNIT * _SMALLEST
    carry = abs(rest) // size * (1 if rest > 0 else -1)
    rest -= carry * size
    parts: list[float] = []
    while rest:
        part = rest / _SMALLEST
        parts.append(part)
        rest -= _multiples(part)
    return carry, tuple(parts)


def _multiples(value: float) -> int:
    over, under = value.as_integer_ratio()
    return over * (_SMALLEST // under)


def _quotient(total: Total, divisor: int) -> float:
    # All denominators are powers of two, and Python divides ints correctly rounded.
    numerator, scale = total.carry * _UNIT, 1
    for part in total.parts:
        over, under = part.as_integer_ratio()
        if under > scale:
            numerator, scale = numerator * (under // scale) + over, under
        else:
            numerator += over * (scale // under)
    try:
        return numerator / (scale * divisor)
    except OverflowError:
        return inf if numerator > 0 else -inf


def _non_finite(total: Total) -> float | None:
    if total.nans or (total.positive_infinities and total.negative_infinities):
        return nan
    if total.positive_infinities:
        return inf
    return -inf if total.negative_infinities else None
