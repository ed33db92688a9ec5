"""The adapter as the unit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Any, ClassVar

import attrs

from keyfold.contracts import Categorical, KeyColumns
from keyfold_strategies._fields import HasAdapter

__all__ = ["Adapter", "adapter_labels"]


@attrs.frozen(order=False)
class Adapter:
    """Samples of one adapter form a unit: `(adapter,)`.

    Always applies; samples without an adapter (None) form one unit together.
    """

    fields: ClassVar[tuple[str, ...]] = ("adapter",)

    def key(self, sample: HasAdapter, position: int, /) -> tuple[Hashable]:
        """Return the sample's adapter."""
        return (sample.adapter,)

    def columns(
        self, samples: Sequence[HasAdapter], positions: Sequence[int], /
    ) -> KeyColumns:
        """Return the adapters of many samples."""
        return KeyColumns((Categorical([sample.adapter for sample in samples]),))

    def labels(self, keys: Sequence[tuple[Hashable, ...]], /) -> list[str]:
        """Return each adapter's short text."""
        return adapter_labels([adapter for (adapter,) in keys])


def adapter_labels(adapters: Sequence[Hashable]) -> list[str]:
    """Return a short text for each adapter.

    That is its `name` where it has one, `name@slot` where adapters in several slots
    share the name, `none` for None, and the text of anything else.
    """
    sharing = Counter(map(_name, set(adapters)))
    return [
        _name(adapter) if sharing[_name(adapter)] == 1 else _name_and_slot(adapter)
        for adapter in adapters
    ]


def _name(adapter: Any) -> str:
    return "none" if adapter is None else str(getattr(adapter, "name", adapter))


def _name_and_slot(adapter: Any) -> str:
    slot = getattr(adapter, "slot", None)
    return _name(adapter) if slot is None else f"{_name(adapter)}@{slot}"
