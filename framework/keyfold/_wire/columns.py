"""Columns of plain data in few bytes, and back."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Sequence
from types import NoneType
from typing import Any, Final, Literal, TypeAlias, cast

import msgspec

from keyfold._partial.record import Record
from keyfold._wire.atoms import Atom, from_atom, to_atom
from keyfold.contracts import PAD
from keyfold.errors import PartialFormatError

__all__ = [
    "Floats",
    "Ints",
    "WireColumn",
    "from_column",
    "from_floats",
    "from_ints",
    "to_column",
    "to_floats",
    "to_ints",
]

Width: TypeAlias = Literal[1, 2, 4, 8]
_TYPECODES: Final[dict[int, str]] = {1: "b", 2: "h", 4: "i", 8: "q"}
# Equal values of these types are the same to the bit, so that one can stand for others.
_REPEATABLE: Final = frozenset({str, NoneType, Record, type(PAD)})
_MSGPACK: Final = frozenset({NoneType, bool, float, str})


class Ints(msgspec.Struct, frozen=True, array_like=True, tag="i"):
    """Ints of one width, little-endian and signed."""

    width: Width
    data: bytes


class Floats(msgspec.Struct, frozen=True, array_like=True, tag="f"):
    """Floats of 8 bytes, little-endian."""

    data: bytes


class Coded(msgspec.Struct, frozen=True, array_like=True, tag="c"):
    """The distinct values, and which of them each entry is."""

    values: list[Atom]
    codes: Ints


class Atoms(msgspec.Struct, frozen=True, array_like=True, tag="a"):
    """Every entry by itself."""

    values: list[Atom]


WireColumn: TypeAlias = Ints | Floats | Coded | Atoms


def to_ints(column: Sequence[int]) -> Ints:
    """Return ints in the narrowest width that holds them all.

    Raises:
        OverflowError: One has more than 64 bits.
    """
    low, high = (min(column), max(column)) if column else (0, 0)
    width = next(
        (
            it
            for it in _TYPECODES
            if -(1 << 8 * it - 1) <= low and high < 1 << 8 * it - 1
        ),
        8,
    )
    return Ints(cast("Width", width), _bytes(array(_TYPECODES[width], column)))


def from_ints(ints: Ints, size: int, least: int, below: int) -> list[int]:
    """Return so many ints, all of which lie in a range.

    Raises:
        PartialFormatError: They are not so many, or not in the range.
    """
    found = _entries(_TYPECODES[ints.width], ints.data, size)
    if found and not (least <= min(found) and max(found) < below):
        raise PartialFormatError(
            f"expected numbers from {least} to {below - 1}, found {min(found)} to "
            f"{max(found)}"
        )
    return found


def to_floats(column: Sequence[float]) -> Floats:
    """Return floats as their bytes."""
    return Floats(_bytes(array("d", column)))


def from_floats(floats: Floats, size: int) -> list[float]:
    """Return so many floats.

    Raises:
        PartialFormatError: They are not so many.
    """
    return _entries("d", floats.data, size)


def to_column(column: Sequence[object]) -> WireColumn:
    """Return a column of plain data in the form that takes the fewest bytes.

    Raises:
        PortabilityError: An entry is no plain data.
    """
    kinds = set(map(type, column))
    if kinds == {float}:
        return to_floats(cast("Sequence[float]", column))
    if kinds == {int}:
        try:
            return to_ints(cast("Sequence[int]", column))
        except OverflowError:
            return Atoms(list(map(to_atom, column)))
    if kinds <= _REPEATABLE:
        distinct = dict.fromkeys(column)
        if 2 * len(distinct) <= len(column) or Record in kinds:
            numbers = {value: number for number, value in enumerate(distinct)}
            codes = to_ints(list(map(numbers.__getitem__, column)))
            return Coded(list(map(to_atom, distinct)), codes)
    if kinds <= _MSGPACK:
        return Atoms(list(cast("Sequence[Any]", column)))
    return Atoms(list(map(to_atom, column)))


def from_column(column: WireColumn, size: int) -> Sequence[Any]:
    """Return so many entries of a column.

    Raises:
        PartialFormatError: They are not so many, or not what they say.
    """
    match column:
        case Ints(width, data):
            return _entries(_TYPECODES[width], data, size)
        case Floats():
            return from_floats(column, size)
        case Coded(values, codes):
            plain = list(map(from_atom, values))
            return list(map(plain.__getitem__, from_ints(codes, size, 0, len(plain))))
        case Atoms(values):
            _check(len(values), size)
            return list(map(from_atom, values))


def _bytes(entries: array[Any]) -> bytes:
    if sys.byteorder == "big":
        entries.byteswap()
    return entries.tobytes()


def _entries(typecode: str, data: bytes, size: int) -> list[Any]:
    entries: array[Any] = array(typecode)
    if len(data) % entries.itemsize:
        raise PartialFormatError(
            f"expected entries of {entries.itemsize} bytes, found {len(data)} bytes"
        )
    entries.frombytes(data)
    if sys.byteorder == "big":
        entries.byteswap()
    _check(len(entries), size)
    return entries.tolist()


def _check(found: int, size: int) -> None:
    if found != size:
        raise PartialFormatError(f"expected {size} entries in a column, found {found}")
