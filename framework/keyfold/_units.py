"""Many units reduced at once, by whatever a reducer offers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar

from keyfold.contracts import AnyReducer

__all__ = ["GLANCE", "constant_units", "grouped", "reduce_units"]

T = TypeVar("T")

GLANCE: Final = 64
"""Where values differ within units, so many of them nearly always show it."""


def grouped(codes: Sequence[int], values: Sequence[T], units: int) -> list[list[T]]:
    """Return each unit's values, in order.

    Args:
        codes: The unit of each value, from 0 to `units - 1`.
        values: The values, parallel to `codes`.
        units: How many units there are.
    """
    lists: list[list[T]] = [[] for _ in range(units)]
    for code, value in zip(codes, values, strict=True):
        lists[code].append(value)
    return lists


def constant_units(
    codes: Sequence[int], values: Sequence[T], units: int
) -> list[T | None] | None:
    """Return each unit's value where all values of every unit are equal, else None.

    For reducers that give back a value met any number of times, such as a mean: the
    samples of a rollout nearly always share its reward, and this needs no list a unit.
    A unit without values gives None.
    """
    if len(values) > GLANCE and _last(codes[:GLANCE], values[:GLANCE]) is None:
        return None
    last = _last(codes, values)
    return None if last is None else list(map(last.get, range(units)))


def _last(codes: Sequence[int], values: Sequence[T]) -> dict[int, T] | None:
    # The one value of each unit that has any, or None where some unit has two.
    last = dict(zip(codes, values, strict=True))
    return last if list(map(last.__getitem__, codes)) == values else None


def reduce_units(
    reducer: AnyReducer, codes: Sequence[int], values: Sequence[object], units: int
) -> Sequence[object]:
    """Return one result a unit; None where a unit has none."""
    fast = getattr(reducer, "reduce_units", None)
    if fast is not None:
        results: Sequence[object] = fast(codes, values, units)
        return results
    return [
        reducer.finish(reducer.fold(reducer.init(), unit))
        for unit in grouped(codes, values, units)
    ]
