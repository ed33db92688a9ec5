"""Whether two things are the same, and whether one has changed."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any, Final, cast

import attrs

__all__ = ["bits", "cut_pairs", "cuts", "same", "view"]

_DEEPEST: Final = 12
_MOST_CUTS: Final = 16


def same(one: object, other: object) -> bool:
    """Return whether two answers are the same; NaN is the same as NaN."""
    try:
        if bool(one == other):
            return True
    # The == of arrays gives no bool, and that of anybody's class may raise.
    except Exception:  # noqa: BLE001
        return repr(one) == repr(other)
    return repr(one) == repr(other)


def bits(result: object) -> str:
    """Return a text that differs as soon as one bit of a result does."""
    return repr(result)


def view(value: Any, depth: int = 0) -> object:
    """Return what an object holds, to be compared with what it holds later."""
    if depth > _DEEPEST:
        return repr(value)
    if isinstance(value, Mapping):
        items = cast("Mapping[object, object]", value)
        pairs = [(repr(key), view(it, depth + 1)) for key, it in items.items()]
        return (_kind(items), pairs)
    if isinstance(value, list | tuple):
        entries = cast("Iterable[object]", value)
        return (_kind(entries), [view(it, depth + 1) for it in entries])
    some: Any = cast("object", value)
    fields = _fields(some)
    if fields:
        held = [(name, view(getattr(some, name), depth + 1)) for name in fields]
        return (_kind(some), held)
    # The text of a long array leaves most of it out.
    as_bytes: Any = getattr(some, "tobytes", None)
    held_as = as_bytes() if callable(as_bytes) else repr(some)
    return (_kind(some), held_as)


def _kind(value: object) -> type:
    return type(value)


def _fields(value: Any) -> list[str]:
    kind: Any = cast("Any", type(value))
    if attrs.has(kind):
        names = [field.name for field in attrs.fields(kind)]
    elif dataclasses.is_dataclass(kind):
        names = [field.name for field in dataclasses.fields(kind)]
    else:
        slots: list[str] = []
        bases: tuple[type, ...] = kind.__mro__
        for base in bases:
            own: Any = getattr(base, "__slots__", ())
            slots += [own] if isinstance(own, str) else list(own)
        names = [name for name in slots if not name.startswith("__")]
    names += [name for name in getattr(value, "__dict__", {}) if name not in names]
    return [name for name in names if hasattr(value, name)]


def cuts(size: int) -> list[int]:
    """Return where so many values are cut in two: everywhere, where they are few."""
    if size < _MOST_CUTS:
        return list(range(size + 1))
    step = size / _MOST_CUTS
    return sorted({round(step * number) for number in range(_MOST_CUTS + 1)})


def cut_pairs(size: int) -> list[tuple[int, int]]:
    """Return where so many values are cut in three."""
    return list(combinations(cuts(size), 2))
