"""The fields that the built-in strategies read, as protocols for the type checker.

Each member is read-only, so any class with the field fits: frozen or not, with a
narrower type, or computed by a property.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Protocol

__all__ = [
    "HasAdapter",
    "HasGroup",
    "HasIndex",
    "HasMetadata",
    "HasReward",
    "HasRollout",
]


class HasAdapter(Protocol):
    """A sample that knows its adapter."""

    @property
    def adapter(self) -> Hashable:
        """The adapter's identity, or None without one."""
        ...


class HasGroup(Protocol):
    """A sample that knows its prompt group."""

    @property
    def group_index(self) -> Hashable:
        """The group's number within its adapter, or None."""
        ...


class HasIndex(HasGroup, Protocol):
    """A sample that has a number of its own."""

    @property
    def index(self) -> Hashable:
        """The sample's number, or None."""
        ...


class HasRollout(HasGroup, Protocol):
    """A sample that knows its rollout."""

    @property
    def rollout_id(self) -> Hashable:
        """The rollout's number, or None."""
        ...


class HasReward(Protocol):
    """A sample that was scored."""

    @property
    def reward(self) -> Any:
        """A number, a mapping of named rewards, or None."""
        ...


class HasMetadata(HasReward, Protocol):
    """A scored sample with metadata."""

    @property
    def metadata(self) -> Any:
        """A mapping with what else is known, or None."""
        ...
