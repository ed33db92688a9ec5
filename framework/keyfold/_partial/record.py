"""An object of a key as plain data: its class's name and its fields."""

from __future__ import annotations

from collections.abc import Hashable
from threading import Lock
from typing import Any, Final, TypeAlias
from weakref import WeakValueDictionary

import attrs

__all__ = ["Record", "record"]

Fields: TypeAlias = tuple[tuple[str, Hashable], ...]


@attrs.frozen(order=False, eq=False, repr=False, weakref_slot=True)
class Record:
    """Stands for an object, such as an adapter, on its way between processes.

    Its fields are attributes, so that it can be labelled like the object. Equal records
    are one object, which makes them quick to hash and to compare: `record` makes them.

    Attributes:
        record_kind: The name of the object's class.
        record_fields: The names and values of its fields.
        record_text: The object's text. Records that differ in nothing else are equal.
    """

    record_kind: str
    record_fields: Fields
    record_text: str

    def __getattr__(self, name: str) -> Any:
        for field, value in self.record_fields:
            if field == name:
                return value
        raise AttributeError(
            f"a {self.record_kind} has no field {name!r}", name=name, obj=self
        )

    def __reduce__(self) -> tuple[object, ...]:
        return record, (self.record_kind, self.record_fields, self.record_text)

    def __repr__(self) -> str:
        return self.record_text


_known: Final[WeakValueDictionary[tuple[str, Fields], Record]] = WeakValueDictionary()
_lock: Final = Lock()


def record(kind: str, fields: Fields, text: str) -> Record:
    """Return the record of a class's name and fields; equal ones are one object."""
    with _lock:
        known = _known.get((kind, fields))
        if known is None:
            known = _known[kind, fields] = Record(kind, fields, text)
        return known
