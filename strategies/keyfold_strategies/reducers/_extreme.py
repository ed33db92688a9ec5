"""What the smallest and the largest value share: how NaN and no value behave."""

from __future__ import annotations

from collections.abc import Callable, Iterable

__all__ = ["extreme"]


def extreme(
    choose: Callable[[Iterable[float]], float],
    state: float | None,
    values: Iterable[float],
) -> float | None:
    """Return the extreme value of a state and more values.

    Python's min and max depend on the order of the values as soon as one is NaN, so NaN
    is looked for first: one makes the result NaN, as in a mean.

    Args:
        choose: `min` or `max`.
        state: The extreme so far, or None of no values.
        values: More values.
    """
    known = list(values) if state is None else [state, *values]
    if not known:
        return None
    for value in known:
        if value != value:  # noqa: PLR0124 - only NaN differs from itself
            return float(value)
    # 0.0 and -0.0 are equal, so which of them is chosen would depend on the order.
    return choose(known) + 0.0
