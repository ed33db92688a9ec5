"""What a reducer does to its states and its input, and what states are made of."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import isnan
from pickle import dumps, loads
from typing import Any

from keyfold._describe import shown
from keyfold._testing.check import Check, Fresh, Skip
from keyfold._testing.compare import bits, cuts, same, view
from keyfold._testing.laws import state_of
from keyfold._wire.atoms import from_atom, to_atom
from keyfold.contracts import AnyReducer
from keyfold.errors import ContractError

__all__ = ["state_checks"]


def _empty(reducer: AnyReducer, _fresh: Fresh) -> None:
    hint = "return None for no values, or a number such as 0.0 that is meant"
    try:
        first = reducer.finish(reducer.init())
        again = reducer.finish(reducer.fold(reducer.init(), []))
    # A reducer that fails here fails in its own way.
    except Exception as error:
        raise ContractError(
            f"has no result for no values ({type(error).__name__}: {error})", hint=hint
        ) from error
    if bits(first) != bits(again):
        raise ContractError(
            f"gives {shown(first)} for init(), and {shown(again)} for a fold of none",
            hint=hint,
        )


def _repeatable(reducer: AnyReducer, fresh: Fresh) -> None:
    state = state_of(reducer, fresh())
    first, again = bits(reducer.finish(state)), bits(reducer.finish(state))
    if first != again:
        raise ContractError(
            f"finish gives {first}, and {again} when called again",
            hint="let finish depend on the state alone, and change nothing",
        )


def _states(reducer: AnyReducer, fresh: Fresh) -> None:
    values = fresh()
    size = len(values)
    for cut in {0, size // 2, size}:
        state, other = (
            state_of(reducer, part) for part in (values[:cut], values[cut:])
        )
        steps: dict[str, Callable[[], object]] = {
            "fold": partial(reducer.fold, state, values),
            "merge": partial(reducer.merge, state, other),
            "finish": partial(reducer.finish, state),
        }
        for name, step in steps.items():
            before = [view(state), view(other)]
            step()
            if [view(state), view(other)] != before:
                raise ContractError(
                    f"{name} changes a state that it was given",
                    hint="return a new state; keep it in tuples and numbers",
                )


def _inputs(reducer: AnyReducer, fresh: Fresh) -> None:
    values = fresh()
    before = view(values)
    reducer.fold(reducer.init(), values)
    if view(values) != before:
        raise ContractError(
            f"fold changes the values that it is given, which are now {shown(values)}",
            hint="work on a copy: sorted(values) in place of values.sort()",
        )


def _iterable(reducer: AnyReducer, fresh: Fresh) -> None:
    expected = state_of(reducer, fresh())
    hint = "go through the values once, as in `for value in values`"
    for what, values in (("a tuple", tuple(fresh())), ("an iterator", iter(fresh()))):
        try:
            found = reducer.fold(reducer.init(), values)
        except Exception as error:
            raise ContractError(
                f"can't fold {what} ({type(error).__name__}: {error})", hint=hint
            ) from error
        if not same(expected, found):
            raise ContractError(
                f"fold of {what} gives {shown(found)}, and of a list {shown(expected)}",
                hint=hint,
            )


def _portable(reducer: AnyReducer, fresh: Fresh) -> None:
    values = fresh()
    for cut in cuts(len(values)):
        state = state_of(reducer, values[:cut])
        # The bytes are written and read on one line.
        pickled: Any = loads(dumps(state))  # noqa: S301
        for how, copy in (
            ("a partial", from_atom(to_atom(state))),
            ("a pickle", pickled),
        ):
            if not same(state, copy):
                raise ContractError(
                    f"has the state {shown(state)}, which comes back from {how} as "
                    f"{shown(copy)}",
                    hint="make states of None, numbers, strings, totals and tuples",
                )


def _idempotent(reducer: AnyReducer, fresh: Fresh) -> None:
    if not getattr(reducer, "idempotent", False):
        raise Skip("does not declare itself idempotent")
    for value in fresh():
        for times in (1, 2, 3):
            found: Any = reducer.finish(state_of(reducer, [value] * times))
            if found is not None and (
                found == value or (isnan(found) and isnan(value))
            ):
                continue
            raise ContractError(
                f"declares itself idempotent, and gives {shown(found)} for "
                f"{shown(value)}, {times} times",
                hint="take `idempotent` out: only a value met again and again that "
                "comes back as it is makes it true",
            )


def state_checks() -> tuple[Check, ...]:
    """Return the checks of what a reducer does to states and values."""
    return (
        Check("empty_finish", "no values have a result, or None", _empty),
        Check(
            "states_unchanged",
            "fold, merge and finish change no state",
            _states,
            after=("empty_finish",),
        ),
        Check(
            "finish_repeatable",
            "finish gives the same again",
            _repeatable,
            after=("states_unchanged",),
        ),
        Check("inputs_unchanged", "fold does not change the values", _inputs),
        Check("any_iterable", "fold takes any iterable of values", _iterable),
        Check(
            "state_portable",
            "states are plain data that other processes can read",
            _portable,
            after=("states_unchanged",),
        ),
        Check("idempotent", "a reducer is idempotent if it says so", _idempotent),
    )
