"""Single pieces of data that msgpack has no type for, in keys and in states."""

from __future__ import annotations

from typing import Final, TypeAlias, cast

import msgspec

from keyfold._describe import shown
from keyfold._partial.record import Record, record
from keyfold.contracts import PAD
from keyfold.errors import PartialFormatError, PortabilityError
from keyfold.exact import Total, total_of

__all__ = ["Atom", "TotalOf", "from_atom", "from_total", "to_atom", "to_total"]

_LEAST, _MOST = -(1 << 63), (1 << 63) - 1
# No id, state or sum has more bytes than this.
_MOST_BYTES: Final = 1024
_DEEPEST: Final = 16


class AtomStruct(msgspec.Struct, frozen=True, array_like=True):
    """What all pieces that are no msgpack types have in common."""


class BigInt(AtomStruct, frozen=True, array_like=True, tag="i"):
    """An int of more than 64 bits, in two's complement."""

    data: bytes


class Bytes(AtomStruct, frozen=True, array_like=True, tag="b"):
    """A string of bytes."""

    data: bytes


class Padding(AtomStruct, frozen=True, array_like=True, tag="p"):
    """What fills up a key that is shorter than others."""


class Items(AtomStruct, frozen=True, array_like=True, tag="t"):
    """A tuple."""

    items: tuple[Atom, ...]


class RecordOf(AtomStruct, frozen=True, array_like=True, tag="r"):
    """An object's class name, its fields and its text."""

    kind: str
    fields: tuple[tuple[str, Atom], ...]
    text: str


class TotalOf(AtomStruct, frozen=True, array_like=True, tag="s"):
    """An exact sum: the fields of a `Total`."""

    count: int
    parts: tuple[float, ...]
    carry: Atom
    nans: int
    positive_infinities: int
    negative_infinities: int


Atom: TypeAlias = (
    bool
    | int
    | float
    | str
    | BigInt
    | Bytes
    | Padding
    | Items
    | RecordOf
    | TotalOf
    | None
)
"""A piece of a key or a state, as msgpack has it."""


def to_atom(value: object, depth: int = 0) -> Atom:
    """Return a piece of data as msgpack has it.

    Raises:
        PortabilityError: It is no plain data.
    """
    kind = type(value)
    if value is None or kind in (bool, float, str):
        return cast("Atom", value)
    if kind is int:
        return _int(cast("int", value))
    if kind is bytes:
        return Bytes(cast("bytes", value))
    if value is PAD:
        return Padding()
    if depth < _DEEPEST:
        if kind is tuple:
            items = cast("tuple[object, ...]", value)
            return Items(tuple(to_atom(item, depth + 1) for item in items))
        if isinstance(value, Record):
            fields = tuple(
                (name, to_atom(it, depth + 1)) for name, it in value.record_fields
            )
            return RecordOf(value.record_kind, fields, value.record_text)
        if isinstance(value, Total):
            return to_total(value)
    raise PortabilityError(
        f"{shown(value)} can't be written in a partial",
        hint="keys and states are made of None, numbers, strings, totals and tuples",
    )


def to_total(total: Total) -> TotalOf:
    """Return an exact sum as msgpack has it."""
    return TotalOf(
        total.count,
        total.parts,
        _int(total.carry),
        total.nans,
        total.positive_infinities,
        total.negative_infinities,
    )


def _int(value: int) -> int | BigInt:
    if _LEAST <= value <= _MOST:
        return value
    size = value.bit_length() // 8 + 1
    if size > _MOST_BYTES:
        raise PortabilityError(
            f"the int {shown(value)} has more than {_MOST_BYTES} bytes"
        )
    return BigInt(value.to_bytes(size, "little", signed=True))


def from_atom(atom: Atom, depth: int = 0) -> object:
    """Return the piece of data that msgpack had.

    Raises:
        PartialFormatError: It can't be what it says.
    """
    if depth >= _DEEPEST and isinstance(atom, Items | RecordOf | TotalOf):
        raise PartialFormatError(
            f"expected data nested at most {_DEEPEST} deep, found it deeper"
        )
    match atom:
        case BigInt(data):
            return _from_bytes(data)
        case Bytes(data):
            return data
        case Padding():
            return PAD
        case Items(items):
            return tuple(from_atom(item, depth + 1) for item in items)
        case RecordOf(kind, fields, text):
            plain = tuple((name, from_atom(it, depth + 1)) for name, it in fields)
            return record(kind, plain, text)
        case TotalOf():
            return from_total(atom)
        case _:
            return atom


def _from_bytes(data: bytes) -> int:
    if len(data) > _MOST_BYTES:
        raise PartialFormatError(f"expected an int, found one of {len(data)} bytes")
    return int.from_bytes(data, "little", signed=True)


def from_total(atom: TotalOf) -> Total:
    """Return the exact sum that msgpack had.

    Raises:
        PartialFormatError: It is none.
    """
    carry = from_atom(atom.carry)
    counts = (
        atom.count,
        atom.nans,
        atom.positive_infinities,
        atom.negative_infinities,
    )
    finite = atom.count - sum(counts[1:])
    if type(carry) is not int or min(counts) < 0 or finite < 0:
        raise PartialFormatError(f"expected an exact sum, found {shown(atom)}")
    # The parts of a sum are the expansion of themselves, and of nothing if it is empty.
    if total_of(list(atom.parts)).parts != atom.parts or (
        not finite and (atom.parts or carry)
    ):
        raise PartialFormatError(
            f"expected the parts of an exact sum, found {shown(atom.parts)}"
        )
    return Total(
        atom.count,
        atom.parts,
        carry,
        atom.nans,
        atom.positive_infinities,
        atom.negative_infinities,
    )
