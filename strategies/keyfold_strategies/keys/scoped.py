"""A key within any other key."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import partial
from typing import Any, Generic, TypeVar

import attrs

from keyfold.authoring import (
    columns_of,
    components_of,
    fields_of,
    key_strategy,
    name_of,
)
from keyfold.contracts import PAD, Categorical, KeyColumns, KeyStrategy

__all__ = ["Scoped"]

SampleT_contra = TypeVar("SampleT_contra", contravariant=True)


@attrs.frozen(order=False)
class Scoped(Generic[SampleT_contra]):
    """A key within another: `(*outer key, *inner key)`.

    Applies where both do.

    Attributes:
        outer: The scope, such as the data source.
        inner: The key within it.
    """

    outer: KeyStrategy[SampleT_contra, Hashable] = attrs.field(validator=key_strategy)
    inner: KeyStrategy[SampleT_contra, Hashable] = attrs.field(validator=key_strategy)

    @property
    def fields(self) -> frozenset[str] | None:
        """The fields that are read; None where one strategy does not say."""
        outer, inner = fields_of(self.outer), fields_of(self.inner)
        return None if outer is None or inner is None else outer | inner

    def key(
        self, sample: SampleT_contra, position: int, /
    ) -> tuple[Hashable, ...] | None:
        """Return the outer key followed by the inner one."""
        outer = self.outer.key(sample, position)
        inner = None if outer is None else self.inner.key(sample, position)
        if outer is None or inner is None:
            return None
        return (*components_of(outer), *components_of(inner))

    def columns(
        self, samples: Sequence[SampleT_contra], positions: Sequence[int], /
    ) -> KeyColumns:
        """Return the scoped keys of many samples."""
        outer = columns_of(self.outer, samples, positions)
        inner = self._inner_columns(outer.applies, samples, positions)
        return KeyColumns(
            (*outer.columns, *inner.columns),
            outer.applies if inner.applies is None else inner.applies,
            inner.keyed_by or name_of(self.inner),
            outer.ragged or inner.ragged,
        )

    def _inner_columns(
        self,
        applies: Sequence[bool] | None,
        samples: Sequence[SampleT_contra],
        positions: Sequence[int],
    ) -> KeyColumns:
        # Only samples that the outer key applies to are shown to the inner one.
        if applies is None or all(applies):
            return columns_of(self.inner, samples, positions)
        rows = [row for row, does in enumerate(applies) if does]
        if not rows:
            return KeyColumns((), applies)
        some = columns_of(
            self.inner, [samples[row] for row in rows], [positions[row] for row in rows]
        )
        names = some.keyed_by
        spread = partial(_spread, rows=rows, size=len(samples))
        return KeyColumns(
            tuple(spread(column, filler=PAD) for column in some.columns),
            applies if some.applies is None else spread(some.applies, filler=False),
            spread(names, filler="") if not isinstance(names, str | None) else names,
            some.ragged,
        )


def _spread(
    column: Sequence[Any] | Categorical, *, filler: Any, rows: Sequence[int], size: int
) -> list[Any]:
    # A column of some rows, with a filler in all others.
    spread = [filler] * size
    entries = column.values if isinstance(column, Categorical) else column
    for row, entry in zip(rows, entries, strict=True):
        spread[row] = entry
    return spread
