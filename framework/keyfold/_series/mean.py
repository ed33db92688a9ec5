"""The weighted mean of numbers, exact until it is rounded once."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["weighted_mean"]


def weighted_mean(terms: Iterable[tuple[float, float]]) -> float:
    """Return the nearest float to sum(weight * value) / sum(weight).

    So it lies between the least and the greatest value, is the value itself where all
    are equal, and can't overflow on the way.

    Args:
        terms: Pairs of a value and a weight, ints or finite floats; no weight is
            negative, and at least one is positive.
    """
    ratios = [
        (value.as_integer_ratio(), weight.as_integer_ratio()) for value, weight in terms
    ]
    # All denominators are powers of two, so the largest is a multiple of each.
    value_scale = max(under for (_, under), _ in ratios)
    weight_scale = max(under for _, (_, under) in ratios)
    numerator = denominator = 0
    for (value, value_under), (weight, weight_under) in ratios:
        weight *= weight_scale // weight_under  # noqa: PLW2901 - the same, as an int
        numerator += weight * value * (value_scale // value_under)
        denominator += weight
    # Python divides ints correctly rounded.
    return numerator / (denominator * value_scale)
