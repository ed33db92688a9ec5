"""Reading a table strictly: nothing is coerced, and nothing unknown passes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeGuard

from keyfold._config.problems import Problems
from keyfold._config.shapes import is_array, is_table
from keyfold._config.wording import found, join, listed
from keyfold._nearest import did_you_mean

__all__ = [
    "as_array",
    "as_boolean",
    "as_number",
    "as_string",
    "as_table",
    "entries",
    "require",
    "strings",
    "unknown",
]


def as_table(value: object, path: str, problems: Problems) -> Mapping[str, object]:
    """Return a table; anything else is a problem, and gives an empty one."""
    if is_table(value):
        return {
            key: entry for key, entry in value.items() if _is_key(key, path, problems)
        }
    problems.add(path, expected="a table", found=found(value))
    return {}


def _is_key(key: object, path: str, problems: Problems) -> TypeGuard[str]:
    if isinstance(key, str):
        return True
    problems.add(
        path,
        expected="a table whose keys are strings",
        found=f"the key {key!r} of the Python type {type(key).__name__}",
    )
    return False


def as_array(value: object, path: str, problems: Problems) -> Sequence[object]:
    """Return an array; anything else is a problem, and gives an empty one."""
    if is_array(value):
        return value
    problems.add(path, expected="an array", found=found(value))
    return ()


def as_string(value: object, path: str, problems: Problems) -> str | None:
    """Return a string; anything else is a problem, and gives None."""
    if isinstance(value, str):
        return value
    problems.add(path, expected="a string", found=found(value))
    return None


def as_boolean(value: object, path: str, problems: Problems) -> bool | None:
    """Return a boolean; anything else is a problem, and gives None."""
    if isinstance(value, bool):
        return value
    problems.add(path, expected="true or false", found=found(value))
    return None


def as_number(value: object, path: str, problems: Problems) -> float | None:
    """Return a number; anything else, a boolean too, is a problem, and gives None."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            return float(value)
        except OverflowError:
            problems.add(path, expected="a number within a float", found=found(value))
            return None
    problems.add(path, expected="a number", found=found(value))
    return None


def strings(value: object, path: str, problems: Problems) -> tuple[str, ...]:
    """Return an array of strings; whatever else stands there is a problem."""
    read = (
        as_string(item, join(path, index), problems)
        for index, item in enumerate(as_array(value, path, problems))
    )
    return tuple(item for item in read if item is not None)


def entries(
    table: Mapping[str, object],
    path: str,
    known: Sequence[str],
    problems: Problems,
) -> Iterator[tuple[str, object, str]]:
    """Yield the known keys of a table, each with its value and its path.

    A key that is not known is a problem.
    """
    for key, value in table.items():
        where = join(path, key)
        if key in known:
            yield key, value, where
        else:
            unknown(where, key, known, problems)


def unknown(path: str, key: str, known: Iterable[str], problems: Problems) -> None:
    """Note that a key is none of those that a table may have."""
    names = tuple(known)
    problems.add(
        path,
        expected=f"one of the keys {listed(names)}",
        found=f"the unknown key {key!r}",
        hint=did_you_mean(key, names),
    )


def require(
    table: Mapping[str, object], path: str, key: str, meaning: str, problems: Problems
) -> None:
    """Note a problem where a table lacks a key that it must have."""
    if key not in table:
        problems.add(join(path, key), expected=meaning, found="no such key")
