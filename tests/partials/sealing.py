"""Forged partials: any payload under a digest that is right, and trees to change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import Any, TypeAlias, TypeGuard

import msgspec

__all__ = ["Path", "changed", "paths_of", "payload_of", "resealed", "tree_of"]

Path: TypeAlias = tuple[int, ...]

_HEAD = b"keyfold partial\n\x01\x00"
_START = len(_HEAD) + 16


def payload_of(data: bytes) -> bytes:
    """Return the message behind a partial's digest."""
    return data[_START:]


def resealed(payload: bytes) -> bytes:
    """Return a message as a partial whose digest is right."""
    return _HEAD + blake2b(payload, digest_size=16).digest() + payload


def tree_of(data: bytes) -> list[Any]:
    """Return the message of a partial as nested lists."""
    return msgspec.msgpack.decode(payload_of(data), type=list[Any])


def paths_of(tree: Sequence[Any], above: Path = ()) -> Iterator[Path]:
    """Yield where each part of a tree stands, the whole excepted."""
    for place, part in enumerate(tree):
        yield (*above, place)
        if _is_list(part):
            yield from paths_of(part, (*above, place))


def changed(tree: list[Any], path: Path, parts: Sequence[Any]) -> list[Any]:
    """Return a tree with some parts in the place of one."""
    place, *below = path
    if below:
        parts = [changed(tree[place], tuple(below), parts)]
    return [*tree[:place], *parts, *tree[place + 1 :]]


def _is_list(part: object) -> TypeGuard[list[Any]]:
    return isinstance(part, list)
