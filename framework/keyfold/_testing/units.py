"""Whether the ways of a reducer for many units at once are those for each by itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from keyfold._describe import length_of, shown
from keyfold._testing.check import Check, Fresh
from keyfold._testing.compare import bits, same
from keyfold._testing.fast import skip_without
from keyfold._testing.laws import state_of
from keyfold._units import grouped
from keyfold.errors import ContractError

__all__ = ["unit_checks"]

Batch = tuple[list[int], list[Any], int]
"""The unit of each value, the values, and how many units there are."""


def _batches(fresh: Fresh) -> Iterator[Batch]:
    values = fresh()
    size = len(values)
    yield [], [], 2
    yield [0] * size, values, 1
    # The last unit has no value.
    yield [place % 3 for place in range(size)], values, 4
    yield [place // 2 for place in range(size)], values, size // 2 + 1
    # What most rollouts are: each unit meets one value, again and again.
    yield [*range(size)] * 3, values * 3, size


def _entries(found: Any, expected: Sequence[object], what: str, hint: str) -> None:
    if length_of(found) != len(expected):
        raise ContractError(
            f"{what} gives {length_of(found)} entries for {len(expected)} units",
            hint=hint,
        )


def _reduce(reducer: Any, fresh: Fresh) -> None:
    skip_without(reducer, "reduce_units")
    hint = "let reduce_units give what finish(fold(init(), values)) gives of each unit"
    for codes, values, units in _batches(fresh):
        expected = [
            reducer.finish(state_of(reducer, unit))
            for unit in grouped(codes, values, units)
        ]
        found = reducer.reduce_units(codes, values, units)
        _entries(found, expected, "reduce_units", hint)
        for unit, (one, other) in enumerate(zip(expected, found, strict=True)):
            if bits(one) != bits(other):
                raise ContractError(
                    f"unit {unit} of {units} is {shown(one)}, and {shown(other)} by "
                    "reduce_units",
                    hint=hint,
                )


def _states(expected: Sequence[Any], found: Any, what: str, hint: str) -> None:
    _entries(found, expected, what, hint)
    for unit, (one, other) in enumerate(zip(expected, list(found), strict=True)):
        if not same(one, other):
            raise ContractError(
                f"unit {unit} of {len(expected)} has the state {shown(one)}, and "
                f"{shown(other)} by {what}",
                hint=hint,
            )


def _fold(reducer: Any, fresh: Fresh) -> None:
    skip_without(reducer, "fold_units")
    hint = "let fold_units give what fold(init(), values) gives of each unit"
    for codes, values, units in _batches(fresh):
        expected = [state_of(reducer, its) for its in grouped(codes, values, units)]
        _states(expected, reducer.fold_units(codes, values, units), "fold_units", hint)


def _merge(reducer: Any, fresh: Fresh) -> None:
    skip_without(reducer, "merge_units")
    hint = "let merge_units merge, for each unit, its states in the order of the parts"
    for codes, values, units in _batches(fresh):
        lists = grouped(codes, values, units)
        part = [state_of(reducer, its[: len(its) // 2]) for its in lists]
        rest = [state_of(reducer, its[len(its) // 2 :]) for its in lists]
        # The second part has the units the other way round, and lacks the first.
        some = [*reversed(range(1, units))]
        parts = [(range(units), part), (some, [rest[unit] for unit in some])]
        expected = [part[0], *map(reducer.merge, part[1:], rest[1:])]
        _states(expected, reducer.merge_units(parts, units), "merge_units", hint)


def _finish(reducer: Any, fresh: Fresh) -> None:
    skip_without(reducer, "finish_units")
    hint = "let finish_units give what finish gives of each state"
    for codes, values, units in _batches(fresh):
        states: Any = [state_of(reducer, its) for its in grouped(codes, values, units)]
        expected = [reducer.finish(state) for state in states]
        fold_units = getattr(reducer, "fold_units", None)
        packed: Any = states if fold_units is None else fold_units(codes, values, units)
        for given in (states, packed):
            found = reducer.finish_units(given)
            _entries(found, expected, "finish_units", hint)
            for unit, (one, other) in enumerate(zip(expected, found, strict=True)):
                if bits(one) != bits(other):
                    raise ContractError(
                        f"unit {unit} of {units} is {shown(one)}, and {shown(other)} "
                        "by finish_units",
                        hint=hint,
                    )


def unit_checks() -> tuple[Check, ...]:
    """Return the checks of a reducer's fast paths."""
    return (
        Check(
            "reduce_units_match",
            "reduce_units is the fold of each unit",
            _reduce,
            after=("finish_repeatable",),
        ),
        Check("fold_units_match", "fold_units has the state of each unit", _fold),
        Check("merge_units_match", "merge_units merges the states of a unit", _merge),
        Check(
            "finish_units_match",
            "finish_units is finish of each state",
            _finish,
            after=("finish_repeatable", "fold_units_match"),
        ),
    )
