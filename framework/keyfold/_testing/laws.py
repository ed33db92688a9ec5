"""The laws of a reducer's states: identity, splits, merges and their order."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Final

from keyfold._describe import shown
from keyfold._testing.check import Check, Fresh, Skip
from keyfold._testing.compare import bits, cut_pairs, cuts, same
from keyfold.contracts import AnyReducer
from keyfold.errors import ContractError

__all__ = ["law_checks", "state_of"]

_SHUFFLES: Final = 12
_EXACT: Final = "keep floats in a keyfold.exact.Total, and round in finish alone"


def state_of(reducer: AnyReducer, values: Sequence[Any]) -> Any:
    """Return a reducer's state of some values, from its start."""
    return reducer.fold(reducer.init(), values)


def _law(one: object, other: object, law: str, hint: str) -> None:
    if not same(one, other):
        raise ContractError(f"{law}: {shown(one)} and {shown(other)} differ", hint=hint)


def _identity(reducer: AnyReducer, fresh: Fresh) -> None:
    values = fresh()
    for cut in cuts(len(values)):
        part = values[:cut]
        hint = "let init() be the state of no values, which adds nothing"
        expected = state_of(reducer, part)
        for found, law in (
            (
                reducer.merge(reducer.init(), state_of(reducer, part)),
                "merge(init(), s)",
            ),
            (
                reducer.merge(state_of(reducer, part), reducer.init()),
                "merge(s, init())",
            ),
        ):
            _law(expected, found, f"{law} is not the state s of {cut} values", hint)


def _splits(reducer: AnyReducer, fresh: Fresh) -> None:
    values = fresh()
    whole = state_of(reducer, values)
    hint = f"let merge do to two states what fold does to their values; {_EXACT}"
    for cut in cuts(len(values)):
        left, right = values[:cut], values[cut:]
        merged = reducer.merge(state_of(reducer, left), state_of(reducer, right))
        folded = reducer.fold(state_of(reducer, left), right)
        split = f"split behind value {cut} of {len(values)}"
        _law(whole, merged, f"fold of all is not merge of folds, {split}", hint)
        _law(whole, folded, f"fold of all is not a fold that goes on, {split}", hint)


def _associative(reducer: AnyReducer, fresh: Fresh) -> None:
    values = fresh()
    for one, two in cut_pairs(len(values)):
        parts = values[:one], values[one:two], values[two:]
        a, b, c = (state_of(reducer, part) for part in parts)
        left = reducer.merge(reducer.merge(a, b), c)
        a, b, c = (state_of(reducer, part) for part in parts)
        right = reducer.merge(a, reducer.merge(b, c))
        law = f"merge is not associative for values cut at {one} and {two}"
        _law(left, right, law, f"merge states without rounding; {_EXACT}")


def _commutative(reducer: AnyReducer, fresh: Fresh) -> None:
    _skip_ordered(reducer)
    values = fresh()
    for cut in cuts(len(values)):
        left, right = values[:cut], values[cut:]
        forward = reducer.merge(state_of(reducer, left), state_of(reducer, right))
        backward = reducer.merge(state_of(reducer, right), state_of(reducer, left))
        law = f"merge is not commutative for values cut at {cut}"
        hint = "write ordered: ClassVar[bool] = True, if the order is meant to matter"
        _law(forward, backward, law, hint)


def _sharding(reducer: AnyReducer, fresh: Fresh) -> None:
    values = fresh()
    expected = bits(reducer.finish(state_of(reducer, values)))
    random = Random(0)  # noqa: S311 - it only shuffles
    sizes = [
        [1] * len(values),
        *(_sizes(random, len(values)) for _ in range(_SHUFFLES)),
    ]
    for shards in sizes:
        states: list[Any] = []
        start = 0
        for size in shards:
            states.append(state_of(reducer, values[start : start + size]))
            start += size
        while len(states) > 1:
            place = random.randrange(len(states) - 1)
            states[place : place + 2] = [reducer.merge(*states[place : place + 2])]
        found = bits(reducer.finish(states[0]))
        if found != expected:
            raise ContractError(
                f"gives {expected} for all values, and {found} for shards of {shards}",
                hint=f"let finish depend on nothing but equal states; {_EXACT}",
            )


def _sizes(random: Random, total: int) -> list[int]:
    sizes: list[int] = []
    while sum(sizes) < total:
        sizes.append(random.randint(1, total - sum(sizes)))
    return sizes


def _order(reducer: AnyReducer, fresh: Fresh) -> None:
    _skip_ordered(reducer)
    values = fresh()
    expected = bits(reducer.finish(state_of(reducer, values)))
    random = Random(1)  # noqa: S311 - it only shuffles
    for number in range(_SHUFFLES):
        shuffled = list(reversed(values))
        if number:
            random.shuffle(shuffled)
        found = bits(reducer.finish(state_of(reducer, shuffled)))
        if found != expected:
            raise ContractError(
                f"gives {expected} for the values, and {found} for {shown(shuffled)}",
                hint="write ordered: ClassVar[bool] = True if that is meant; else mind "
                "ties such as 0.0 and -0.0",
            )


def _skip_ordered(reducer: AnyReducer) -> None:
    if getattr(reducer, "ordered", False):
        raise Skip("declares itself ordered")


def law_checks() -> tuple[Check, ...]:
    """Return the checks of a reducer's laws."""
    # A merge that is not associative, or an init() that adds something, breaks the law
    # of splits as well, and most often the results with it.
    merges = ("init_is_identity", "associative")
    laws = (*merges, "fold_splits", "finish_repeatable")
    return (
        Check("init_is_identity", "init() is the identity of merge", _identity),
        Check("associative", "merge is associative", _associative),
        Check(
            "fold_splits", "fold of all values is merge of folds", _splits, after=merges
        ),
        Check(
            "commutative", "merge is commutative, or the reducer ordered", _commutative
        ),
        Check("any_sharding", "no sharding changes a bit", _sharding, after=laws),
        Check(
            "any_order",
            "no order changes a bit, or the reducer is ordered",
            _order,
            after=("commutative", *laws),
        ),
    )
