"""How configurations are spoken of: what was found, and what was probably meant."""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Iterable

from keyfold._config.shapes import is_array, is_table

__all__ = ["found", "join", "listed"]

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_LONGEST = 60

# bool before int, and datetime before date: each is a subclass of the other.
_TYPES: tuple[tuple[type | tuple[type, ...], str], ...] = (
    (bool, "the boolean"),
    (int, "the integer"),
    (float, "the float"),
    (str, "the string"),
    (dt.datetime, "the date-time"),
    (dt.date, "the date"),
    (dt.time, "the time"),
)


def join(path: str, key: str | int) -> str:
    """Return the path of a key as TOML spells it: dotted, quoted where it must be."""
    if isinstance(key, int):
        return f"{path}[{key}]"
    spelt = key if _BARE.fullmatch(key) else json.dumps(key, ensure_ascii=False)
    return f"{path}.{spelt}" if path else spelt


def found(value: object) -> str:
    """Return what a value is in the words of TOML, with the value where it is short."""
    if is_table(value):
        return "a table"
    if is_array(value):
        return "an array"
    for types, words in _TYPES:
        if isinstance(value, types):
            return f"{words} {_short(_spelt(value))}"
    return f"{_short(repr(value))} of the Python type {type(value).__name__}"


def _spelt(value: object) -> str:
    if isinstance(value, bool | str):
        return json.dumps(value, ensure_ascii=False)
    return str(value)


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def listed(names: Iterable[str]) -> str:
    """Return names as a list to read, or `none`."""
    return ", ".join(names) or "none"
