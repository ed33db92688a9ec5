"""Any key, within its adapter."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Generic, TypeVar

import attrs

from keyfold.authoring import (
    columns_of,
    components_of,
    fields_of,
    key_strategy,
    labels_of,
    name_of,
)
from keyfold.contracts import Categorical, KeyColumns, KeyStrategy
from keyfold_strategies._fields import HasAdapter
from keyfold_strategies.keys.adapter import adapter_labels

__all__ = ["AdapterScoped"]

AdaptedT_contra = TypeVar("AdaptedT_contra", bound=HasAdapter, contravariant=True)


@attrs.frozen(order=False)
class AdapterScoped(Generic[AdaptedT_contra]):
    """A key within its adapter: `(adapter, *inner key)`.

    Adapters that train together number their groups and rollouts alike, each from
    zero. Without the adapter in the key, strangers share a unit.

    Attributes:
        inner: The key within the adapter; where it does not apply, neither does this.
    """

    inner: KeyStrategy[AdaptedT_contra, Hashable] = attrs.field(validator=key_strategy)

    @property
    def fields(self) -> frozenset[str] | None:
        """The fields that are read; None where the inner strategy does not say."""
        inner = fields_of(self.inner)
        return None if inner is None else inner | {"adapter"}

    def key(
        self, sample: AdaptedT_contra, position: int, /
    ) -> tuple[Hashable, ...] | None:
        """Return the inner key with the sample's adapter in front."""
        key = self.inner.key(sample, position)
        return None if key is None else (sample.adapter, *components_of(key))

    def columns(
        self, samples: Sequence[AdaptedT_contra], positions: Sequence[int], /
    ) -> KeyColumns:
        """Return the scoped keys of many samples."""
        inner = columns_of(self.inner, samples, positions)
        adapters = Categorical([sample.adapter for sample in samples])
        return KeyColumns(
            (adapters, *inner.columns),
            inner.applies,
            inner.keyed_by or name_of(self.inner),
            inner.ragged,
        )

    def labels(self, keys: Sequence[tuple[Hashable, ...]], /) -> list[str]:
        """Return `adapter/inner label` for each key."""
        adapters = adapter_labels([key[0] for key in keys])
        inner = labels_of(self.inner, [key[1:] for key in keys])
        return [f"{one}/{other}" for one, other in zip(adapters, inner, strict=True)]
