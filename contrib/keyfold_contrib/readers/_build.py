"""Builds samples from records, as a plan says."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any, Final

import msgspec

from keyfold_contrib.readers._checks import checked
from keyfold_contrib.readers._guards import is_dict
from keyfold_contrib.readers._plan import FILE, LINE, Field, Path, Plan, Source

__all__ = ["ABSENT", "look_up", "record_class", "sample_maker"]


class _Absence(enum.Enum):
    ABSENT = "ABSENT"


ABSENT: Final = _Absence.ABSENT
"""Tells a key that is not there from one that holds null."""


def look_up(record: Mapping[str, Any], source: Source) -> Any:
    """Return what stands at a source, or `ABSENT`.

    A key that is spelt like the whole dotted path wins over the path.
    """
    value = record.get(source.text, ABSENT)
    if value is not ABSENT or "." not in source.text:
        return value
    inner: Any = record
    for key in source.path:
        if not is_dict(inner) or key not in inner:
            return ABSENT
        inner = inner[key]
    return inner


def record_class(names: Sequence[str]) -> Callable[..., Any]:
    """Return a maker of objects with these attributes, given in this order."""
    if all(name.isidentifier() and not name.startswith("__") for name in names):
        # Nothing in such a sample can refer back to it, so the garbage collector
        # need not visit millions of them.
        return msgspec.defstruct(
            "Sample", [(name, Any, None) for name in names], frozen=True, gc=False
        )
    return lambda *values: SimpleNamespace(**dict(zip(names, values, strict=True)))


def sample_maker(
    plan: Plan, stem: str, make: Callable[..., Any] | None = None
) -> Callable[[dict[str, Any], int], Any]:
    """Return the function that builds a sample from a record and its number.

    Args:
        plan: What to build.
        stem: The name of the file without its ending.
        make: Builds a sample from the plan's fields, in order.
    """
    names = [field.name for field in plan.fields]
    maker = make if make is not None else record_class(names)

    def values(record: dict[str, Any], number: int) -> list[Any]:
        return [
            checked(field.name, _read(field, record, stem, number))
            for field in plan.fields
        ]

    def everything(record: dict[str, Any], number: int) -> Any:
        sample = SimpleNamespace()
        # Not by keyword: the keys are somebody else's, and may be any text.
        vars(sample).update(record)
        vars(sample).update(zip(names, values(record, number), strict=True))
        return sample

    if plan.everything:
        return everything
    return lambda record, number: maker(*values(record, number))


def _read(field: Field, record: dict[str, Any], stem: str, number: int) -> Any:
    value = _fetch(field.source, record, stem, number, field.name)
    for path, source in field.overlays:
        inner = _fetch(source, record, stem, number, field.name)
        if inner is not ABSENT:
            value = _with(value, path, inner)
    return None if value is ABSENT else value


def _fetch(
    source: Source, record: dict[str, Any], stem: str, number: int, name: str
) -> Any:
    if source.text == LINE:
        return number
    if source.text == FILE:
        # Trainers name a step's file after its number: 9 must come before 10.
        numbered = name == "step" and stem.isascii() and stem.isdigit()
        return int(stem) if numbered and len(stem) < 19 else stem
    return look_up(record, source)


def _with(value: Any, path: Path, inner: Any) -> Any:
    """Return the value with one path replaced; the value itself stays as it was."""
    key, *rest = path
    outer: dict[str, Any] = dict(value) if is_dict(value) else {}
    outer[key] = _with(outer.get(key), tuple(rest), inner) if rest else inner
    return outer
