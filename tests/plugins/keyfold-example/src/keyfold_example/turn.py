"""The turn of a rollout as the unit."""

from __future__ import annotations

from collections.abc import Hashable
from typing import ClassVar, Protocol

import attrs

__all__ = ["HasTurn", "Turn"]


class HasTurn(Protocol):
    """A sample that knows its turn."""

    @property
    def group_index(self) -> Hashable:
        """The prompt group."""
        ...

    @property
    def rollout_id(self) -> Hashable:
        """The rollout, numbered within its group."""
        ...

    @property
    def turn(self) -> int | None:
        """The turn, numbered within its rollout, or None outside of turns."""
        ...


@attrs.frozen(order=False)
class Turn:
    """Samples of one turn of a rollout form a unit.

    Does not apply to a sample whose `turn` is None.
    """

    fields: ClassVar[tuple[str, ...]] = ("group_index", "rollout_id", "turn")

    def key(
        self, sample: HasTurn, position: int, /
    ) -> tuple[str, Hashable, Hashable, int] | None:
        """Return the sample's turn."""
        if sample.turn is None:
            return None
        return ("turn", sample.group_index, sample.rollout_id, sample.turn)
