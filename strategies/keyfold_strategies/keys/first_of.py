"""The first key that applies."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import repeat
from typing import Any, Generic, TypeVar

import attrs

from keyfold.authoring import (
    columns_of,
    fields_of,
    key_strategy,
    name_of,
)
from keyfold.contracts import PAD, Categorical, KeyColumns, KeyStrategy
from keyfold.errors import ArgumentError

__all__ = ["FirstOf"]

SampleT_contra = TypeVar("SampleT_contra", contravariant=True)


@attrs.frozen(order=False, init=False)
class FirstOf(Generic[SampleT_contra]):
    """The key of the first strategy that applies to a sample.

    The outcome says how many samples each strategy of the chain keyed.

    Attributes:
        strategies: The strategies, in the order in which they are asked.
    """

    strategies: tuple[KeyStrategy[SampleT_contra, Hashable], ...]
    # Said once and not in every batch: the name of the first strategy, and the chain of
    # the others.
    _name: str = attrs.field(init=False, eq=False, repr=False)
    _rest: FirstOf[SampleT_contra] | None = attrs.field(
        init=False, eq=False, repr=False
    )

    def __init__(self, *strategies: KeyStrategy[SampleT_contra, Hashable]) -> None:
        if not strategies:
            raise ArgumentError("first_of needs at least one key strategy")
        for strategy in strategies:
            key_strategy(self, attrs.fields(FirstOf).strategies, strategy)
        first, *others = strategies
        object.__setattr__(self, "strategies", strategies)
        object.__setattr__(self, "_name", name_of(first))
        object.__setattr__(self, "_rest", FirstOf(*others) if others else None)

    @property
    def fields(self) -> frozenset[str] | None:
        """The fields that are read; None where a strategy does not say."""
        found: set[str] = set()
        for strategy in self.strategies:
            fields = fields_of(strategy)
            if fields is None:
                return None
            found |= fields
        return frozenset(found)

    def key(self, sample: SampleT_contra, position: int, /) -> Hashable | None:
        """Return the key of the first strategy that applies to the sample."""
        for strategy in self.strategies:
            key = strategy.key(sample, position)
            if key is not None:
                return key
        return None

    def columns(
        self, samples: Sequence[SampleT_contra], positions: Sequence[int], /
    ) -> KeyColumns:
        """Return the keys of many samples.

        Most batches are keyed by the first strategy alone, whose columns are passed on.
        Only samples that it does not apply to are shown to the next one.
        """
        found = columns_of(self.strategies[0], samples, positions)
        keyed = KeyColumns(
            tuple(map(_plain, found.columns)),
            found.applies,
            found.keyed_by or self._name,
            found.ragged,
        )
        if keyed.applies is None or self._rest is None:
            return keyed
        rest = [row for row, applies in enumerate(keyed.applies) if not applies]
        if not rest:
            return keyed
        others = self._rest.columns(
            [samples[row] for row in rest], [positions[row] for row in rest]
        )
        return _mixed(keyed, rest, others, len(samples))


def _plain(column: Sequence[Hashable] | Categorical) -> Sequence[Hashable]:
    # A column's objects are numbered either in every batch or in none: where batches
    # may mix strategies, in none.
    return column.values if isinstance(column, Categorical) else column


def _mixed(
    first: KeyColumns, rest: Sequence[int], others: KeyColumns, size: int
) -> KeyColumns:
    # The rows of `first`, but for those of `rest`, which `others` has in order.
    own, more = first.columns, others.columns
    width = max(len(own), len(more))
    columns = map(
        _replaced,
        own + ([PAD] * size,) * (width - len(own)),
        repeat(rest),
        more + ([PAD] * len(rest),) * (width - len(more)),
    )
    applies = None
    if others.applies is not None:
        applies = _replaced([True] * size, rest, others.applies)
    names = _replaced(_names(first, size), rest, _names(others, len(rest)))
    ragged = first.ragged or others.ragged or len(own) != len(more)
    return KeyColumns(tuple(columns), applies, names, ragged)


def _names(keyed: KeyColumns, size: int) -> Sequence[str]:
    names = keyed.keyed_by
    return [str(names)] * size if names is None or isinstance(names, str) else names


def _replaced(column: Any, rows: Sequence[int], others: Any) -> list[Any]:
    # Both were made plain before.
    replaced = list(column)
    for row, other in zip(rows, others, strict=True):
        replaced[row] = other
    return replaced
