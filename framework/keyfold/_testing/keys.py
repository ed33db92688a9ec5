"""The checks of key strategies."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, cast

from keyfold._describe import shown
from keyfold._labels import distinct_labels_of
from keyfold._partial.portable import portable
from keyfold._positions import position_in
from keyfold._testing.answers import answer_checks, differing
from keyfold._testing.check import Check, Fresh, behind
from keyfold._testing.fast import fast_checks, skip_without
from keyfold._testing.fields import field_checks
from keyfold._testing.identity import identity_checks
from keyfold._testing.roles import KEY, engine_rows
from keyfold._testing.shape import role_shape
from keyfold._testing.travel import HEAVY, travel_checks
from keyfold.contracts import AnyKeyStrategy
from keyfold.errors import ContractError

__all__ = ["key_strategy_checks"]

Key = tuple[Hashable, ...]


def _each(
    strategy: AnyKeyStrategy, samples: Sequence[Any], positions: Sequence[int]
) -> list[Any]:
    pairs = zip(samples, positions, strict=True)
    return [KEY.ask(strategy, sample, position) for sample, position in pairs]


def _keys(strategy: AnyKeyStrategy, fresh: Fresh) -> list[tuple[int, Key]]:
    samples = fresh()
    keys = cast("list[Key | None]", _each(strategy, samples, range(len(samples))))
    return [(place, key) for place, key in enumerate(keys) if key is not None]


def _hashable(strategy: AnyKeyStrategy, fresh: Fresh) -> None:
    for place, key in _keys(strategy, fresh):
        try:
            hash(key)
        except TypeError as error:
            raise ContractError(
                f"sample {place} has the key {shown(key)}, which is not hashable "
                f"({error})",
                hint="make keys of strings, numbers and tuples of them",
            ) from error


def _equal_to_itself(strategy: AnyKeyStrategy, fresh: Fresh) -> None:
    for place, key in _keys(strategy, fresh):
        for part in key:
            # A tuple takes one object for equal to itself, whatever it says.
            itself: object = part
            if not bool(part == itself):
                raise ContractError(
                    f"sample {place} has the key {shown(key)}, in which {shown(part)} "
                    "is not equal to itself",
                    hint="return None, or a word, where an id is NaN",
                )


def _portable(strategy: AnyKeyStrategy, fresh: Fresh) -> None:
    for _, key in _keys(strategy, fresh):
        for part in key:
            portable(part)


def _positions(strategy: AnyKeyStrategy, fresh: Fresh) -> None:
    samples = fresh()
    for shard, start in ((0, 5), (3, 0), (3, 1 << 20)):
        places = [position_in(shard, start + row) for row in range(len(samples))]
        differing(
            KEY,
            _each(strategy, samples, places),
            engine_rows(strategy, samples, places),
            f"by columns where positions count from {places[0]}",
            "take positions as they are given; shards count from large numbers",
        )


def _labels(strategy: AnyKeyStrategy, fresh: Fresh) -> None:
    skip_without(strategy, "labels")
    keys = list(dict.fromkeys(key for _, key in _keys(strategy, fresh)))
    distinct_labels_of(strategy, keys)
    for key in keys:
        distinct_labels_of(strategy, [key])


def key_strategy_checks(*, heavy: Sequence[str] = HEAVY) -> tuple[Check, ...]:
    """Return every check of a key strategy, in the order in which they are made.

    Args:
        heavy: The modules that the import of a strategy may not bring along.
    """
    asked = ("deterministic",)
    own = (
        Check("hashable", "every key is hashable", _hashable),
        Check(
            "equal_to_itself",
            "every part of a key is equal to itself",
            _equal_to_itself,
        ),
        *answer_checks(KEY),
        *fast_checks(KEY, _each, engine_rows),
        Check(
            "positions_as_given",
            "positions of other shards are used as they are given",
            _positions,
            after=("columns_of_parts", "hashable"),
        ),
        Check(
            "labels_distinct",
            "labels gives one text a key, and no text twice",
            _labels,
            after=(*asked, "hashable"),
        ),
        *field_checks(KEY),
        Check(
            "portable",
            "keys mean the same in another process",
            _portable,
            after=("hashable", "equal_to_itself"),
        ),
    )
    plugin = (*identity_checks(KEY.word), *travel_checks("key", heavy))
    return (role_shape(KEY), *behind("contract", (*plugin, *own)))
