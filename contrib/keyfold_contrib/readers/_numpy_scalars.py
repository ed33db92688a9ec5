"""Numpy scalars of a pickle as Python numbers, without numpy."""

from __future__ import annotations

import struct
from typing import Any, Final

import attrs

from keyfold_contrib.readers._guards import is_tuple
from keyfold_contrib.readers._stand_ins import (
    Kind,
    NumpyBool,
    Pending,
    RefusedError,
    Skipped,
)

__all__ = ["build_dtype", "make_dtype", "make_scalar"]

# From a dtype's code to the letters by which `struct` knows it.
_FORMATS: Final[dict[str, str]] = dict(
    zip(
        "b1 i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 c8 c16".split(),  # noqa: SIM905
        "? b h i q B H I Q e f d ff dd".split(),  # noqa: SIM905
        strict=True,
    )
)
_ORDERS: Final = {"<": "<", ">": ">", "|": "<", "=": "="}


@attrs.frozen(order=False)
class _Dtype:
    code: str
    order: str


def make_dtype(kind: Kind, args: tuple[Any, ...]) -> Pending:
    """Return what stands for `numpy.dtype(code, ...)`; its byte order is to come."""
    return Pending(kind, args)


def build_dtype(kind: Kind, made: Any, state: Any) -> _Dtype:
    """Return the dtype after its state, whose second entry is the byte order."""
    code = made.args[0] if isinstance(made, Pending) and made.args else None
    order = state[1] if is_tuple(state) and len(state) > 1 else None
    if type(code) is not str or type(order) is not str or order not in _ORDERS:
        raise RefusedError(f"its pickle is broken: a `{kind.label}` of odd shape")
    return _Dtype(code, order)


def make_scalar(kind: Kind, args: tuple[Any, ...]) -> Any:
    """Return the Python number that stands for `scalar(dtype, raw bytes)`."""
    dtype, raw = args if len(args) == 2 else (None, None)
    if not isinstance(dtype, _Dtype):
        raise RefusedError(f"its pickle is broken: a `{kind.label}` without a dtype")
    if not isinstance(raw, bytes):
        return Skipped(f"numpy scalar of dtype {dtype.code[:20]}")
    order = _ORDERS[dtype.order]
    if dtype.code.startswith("U"):
        codec = "utf-32-be" if order == ">" else "utf-32-le"
        return raw.decode(codec).rstrip("\0")
    letters = _FORMATS.get(dtype.code)
    if letters is None:
        return Skipped(f"numpy scalar of dtype {dtype.code[:20]}")
    numbers = struct.unpack(order + letters, raw)
    if dtype.code == "b1":
        return NumpyBool(numbers[0])
    return complex(*numbers) if len(numbers) == 2 else numbers[0]
