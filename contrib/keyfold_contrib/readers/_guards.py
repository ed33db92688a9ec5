"""Type guards for values that somebody else made, whose types nothing is known of."""

from __future__ import annotations

from typing import Any, TypeGuard

__all__ = ["is_dict", "is_list", "is_set", "is_tuple"]


def is_dict(value: object) -> TypeGuard[dict[Any, Any]]:
    """Return whether a value is a dict."""
    return isinstance(value, dict)


def is_list(value: object) -> TypeGuard[list[Any]]:
    """Return whether a value is a list."""
    return isinstance(value, list)


def is_set(value: object) -> TypeGuard[set[Any]]:
    """Return whether a value is a set."""
    return isinstance(value, set)


def is_tuple(value: object) -> TypeGuard[tuple[Any, ...]]:
    """Return whether a value is a tuple."""
    return isinstance(value, tuple)
