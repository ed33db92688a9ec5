"""Finds mappings that no record of a file bears out: most likely a typo."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

from keyfold.errors import ReadError
from keyfold_contrib.readers._build import ABSENT, look_up
from keyfold_contrib.readers._guards import is_dict
from keyfold_contrib.readers._plan import Mapped

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["check_sources", "still_unseen"]

_MOST_KEYS: Final = 1000
_SHOWN_KEYS: Final = 20


def still_unseen(mapped: Sequence[Mapped], samples: Sequence[Any]) -> list[Mapped]:
    """Return the mappings that gave no value in any of these samples."""
    return [
        entry
        for entry in mapped
        if all(_value_at(sample, entry.target) is None for sample in samples)
    ]


def _value_at(sample: Any, target: str) -> Any:
    root, *rest = target.split(".")
    value: Any = getattr(sample, root, None)
    for key in rest:
        value = value.get(key) if is_dict(value) else None
    return value


def check_sources(
    path: Path, mapped: Sequence[Mapped], records: Iterable[dict[str, Any]]
) -> None:
    """Raise if the source of a mapping stands in no record.

    Args:
        path: The file.
        mapped: The mappings to check.
        records: Every record of the file.

    Raises:
        ReadError: A source stands nowhere; names the nearest keys that do.
    """
    unseen = list(mapped)
    depth = max((len(entry.source.path) for entry in mapped), default=1)
    keys: dict[str, None] = {}
    for record in records:
        unseen = [e for e in unseen if look_up(record, e.source) is ABSENT]
        if not unseen:
            return
        if len(keys) < _MOST_KEYS:
            keys.update(dict.fromkeys(_paths(record, depth)))
    if unseen:
        raise ReadError(
            "; ".join(
                f"`{entry.target}` is mapped to `{entry.source.text}`, "
                "which no sample of this file has"
                for entry in unseen
            ),
            path=path,
            hint=_hint(unseen, list(keys)),
        )


def _paths(record: dict[Any, Any], depth: int, before: str = "") -> list[str]:
    paths: list[str] = []
    for key, value in record.items():
        paths.append(f"{before}{key}")
        if depth > 1 and is_dict(value):
            paths += _paths(value, depth - 1, f"{before}{key}.")
    return paths


def _hint(unseen: Sequence[Mapped], keys: Sequence[str]) -> str:
    near = [
        f"did you mean `{match}` instead of `{entry.source.text}`? "
        for entry in unseen
        for match in difflib.get_close_matches(entry.source.text, keys, n=1)
    ]
    listed = ", ".join(keys[:_SHOWN_KEYS])
    more = len(keys) - _SHOWN_KEYS
    rest = f" and {more} more" if more > 0 else ""
    return f"{''.join(near)}the keys of this file are {listed}{rest}"
