"""What TOML calls a table and an array, of any entries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeGuard

__all__ = ["is_array", "is_table"]


def is_table(value: object) -> TypeGuard[Mapping[object, object]]:
    """Return whether a value is a table."""
    return isinstance(value, Mapping)


def is_array(value: object) -> TypeGuard[Sequence[object]]:
    """Return whether a value is an array."""
    return isinstance(value, list | tuple)
