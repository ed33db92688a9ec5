"""The components of keys as plain data, which means the same in every process."""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable, Sequence
from enum import Enum
from math import isnan
from numbers import Integral, Real
from types import NoneType
from typing import Any, Final, cast

import attrs

from keyfold._describe import shown
from keyfold._partial.record import Record, record
from keyfold.contracts import PAD
from keyfold.errors import PortabilityError

__all__ = ["portable", "portable_column"]

_PLAIN: Final = frozenset({NoneType, bool, int, str, bytes, Record, type(PAD)})
# So deep may tuples, and the fields of objects, be nested in a key.
_DEEPEST: Final = 8


def portable_column(column: Sequence[Hashable]) -> Sequence[Hashable]:
    """Return a column of keys with plain data in the place of objects.

    Raises:
        PortabilityError: An object can't be told from others in another process.
    """
    if _PLAIN.issuperset(map(type, column)):
        return column
    objects = dict(zip(map(id, column), column, strict=True))
    plain = {identity: portable(some) for identity, some in objects.items()}
    if len(set(plain.values())) != len(set(objects.values())):
        raise PortabilityError(
            f"of the key components {shown(list(objects.values()), 200)}, some are "
            "equal and look different as plain data, or the other way round",
            hint="let equal objects have equal fields and one class",
        )
    return [plain[identity] for identity in map(id, column)]


def portable(component: Hashable, depth: int = 0) -> Hashable:
    """Return a component of a key as plain data.

    Numbers become ints and floats that are equal to them. Frozen dataclasses, attrs
    classes, named tuples and members of enumerations become records.

    Raises:
        PortabilityError: The component is nothing of these, or NaN, or too deep.
    """
    if depth > _DEEPEST:
        raise _refused(component, f"nested more than {_DEEPEST} deep")
    kind: type[Any] = type(component)
    if kind in _PLAIN:
        return component
    if kind is tuple:
        parts = cast("tuple[Hashable, ...]", component)
        return tuple(portable(part, depth + 1) for part in parts)
    fields = _fields_of(component)
    if fields is not None:
        plain = tuple((name, portable(value, depth + 1)) for name, value in fields)
        return record(kind.__qualname__, plain, str(component))
    return _plain_scalar(component)


def _fields_of(component: Any) -> Sequence[tuple[str, Hashable]] | None:
    kind = cast("Any", type(component))
    names: list[str]
    if isinstance(component, Enum):
        names = ["name"]
    elif attrs.has(kind):
        names = [field.name for field in attrs.fields(kind) if field.eq]
    elif dataclasses.is_dataclass(kind):
        names = [field.name for field in dataclasses.fields(kind) if field.compare]
    elif issubclass(kind, tuple) and hasattr(component, "_fields"):
        # A named tuple.
        names = list(component._fields)
    else:
        return None
    return [(name, getattr(component, name)) for name in names]


def _plain_scalar(component: Any) -> Hashable:
    # Subclasses of strings and numbers, and the scalars of numpy.
    if isinstance(component, str):
        return str.__str__(component)
    if isinstance(component, bytes):
        return bytes(component)
    number: Hashable = None
    if isinstance(component, Integral):
        number = int(component)
    elif isinstance(component, Real):
        number = float(component)
        if isnan(number):
            raise _refused(component, "not equal to itself")
    if number is None or number != component:
        raise _refused(component, f"a {type(component).__name__}")
    return number


def _refused(component: object, why: str) -> PortabilityError:
    return PortabilityError(
        f"the key component {shown(component)} is {why}, expected a string, a number, "
        "or an object with fields",
        hint="make adapters and ids strings, numbers, tuples of them, or frozen "
        "dataclasses",
    )
