"""How many tools were called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Protocol

import attrs

__all__ = ["HasToolCalls", "ToolCalls"]


class HasToolCalls(Protocol):
    """A sample that knows which tools it called."""

    @property
    def tool_calls(self) -> Sequence[object] | None:
        """The calls, in order, or None where they were not recorded."""
        ...


@attrs.frozen(order=False)
class ToolCalls:
    """The number of a sample's tool calls; missing where they were not recorded."""

    fields: ClassVar[tuple[str, ...]] = ("tool_calls",)

    def value(self, sample: HasToolCalls, /) -> int | None:
        """Return how many there are."""
        return None if sample.tool_calls is None else len(sample.tool_calls)
