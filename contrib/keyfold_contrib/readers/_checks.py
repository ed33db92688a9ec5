"""What may stand in the fields of a sample, and how to say that it does not."""

from __future__ import annotations

import functools
from typing import Any, Final

from keyfold_contrib.readers._guards import is_dict, is_list
from keyfold_strategies import AdapterRef

__all__ = [
    "ID_FIELDS",
    "MisfitError",
    "checked",
    "shown",
    "step_of",
]

ID_FIELDS: Final = frozenset({"group_index", "rollout_id", "index", "step"})
_ID_TYPES: Final = frozenset({int, str, float, bool, type(None)})
_NAMES: Final[dict[type[Any], str]] = {
    dict: "an object",
    list: "a list",
    tuple: "a tuple",
    str: "a text",
    bool: "a boolean",
    int: "a number",
    float: "a number",
    type(None): "null",
}

_interned = functools.lru_cache(maxsize=4096)(AdapterRef)


class MisfitError(Exception):
    """One record is not what it should be; a reader says in which file, and where.

    Attributes:
        message: What was found and what was expected.
        column: The byte of the record, counted from one, where it is known.
        broken: Whether the record can't even be parsed.
    """

    def __init__(
        self, message: str, *, column: int | None = None, broken: bool = False
    ) -> None:
        super().__init__(message)
        self.message = message
        self.column = column
        self.broken = broken


def shown(value: object) -> str:
    """Return a short text for a value that somebody else made.

    Nothing is walked or printed whole: the value may be deep, huge or its own part.
    """
    kind = _NAMES.get(type(value), f"a {type(value).__name__}")
    if is_dict(value) or is_list(value):
        entries = "entry" if len(value) == 1 else "entries"
        return f"{kind} with {len(value)} {entries}"
    if value is None or isinstance(value, tuple):
        return kind
    if isinstance(value, int) and value.bit_length() > 128:
        return f"{kind} of {value.bit_length()} bits"
    if isinstance(value, str | bytes):
        rest = "…" if len(value) > 40 else ""
        return f"{kind} ({value[:40]!r}{rest})"
    text = repr(value)
    return text if text.startswith("<") else f"{kind} ({text[:80]})"


def checked(name: str, value: Any) -> Any:
    """Return the value of a field as samples hold it.

    Raises:
        MisfitError: The value can't be what the field should be.
    """
    if name in ID_FIELDS:
        # NaN names no unit: it does not even equal itself.
        if type(value) not in _ID_TYPES or value != value:  # noqa: PLR0124
            raise MisfitError(
                f"the field `{name}` holds {shown(value)}; expected a whole number, "
                "a text or null"
            )
        return value
    return _adapter(value) if name == "adapter" else value


def _adapter(value: Any) -> Any:
    if value is None or type(value) in (str, int, AdapterRef):
        return value
    if is_dict(value) and value.keys() == {"name", "slot"}:
        name, slot = value["name"], value["slot"]
        if type(name) is str and type(slot) is int:
            # One object an adapter: keys hash each distinct object once.
            return _interned(name, slot)
    raise MisfitError(
        f"the field `adapter` holds {shown(value)}; expected a text, a whole number, "
        "null, or an object of `name` (a text) and `slot` (a whole number) alone"
    )


def step_of(value: Any) -> int | str | None:
    """Return a checked `step` as reports name it."""
    if value is None or type(value) is int or type(value) is str:
        return value
    # A table that once had a gap in this column writes 5 as 5.0.
    return int(value) if float(value).is_integer() else str(value)
