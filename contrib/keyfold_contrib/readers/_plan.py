"""Which fields a reader delivers, and where in a record it finds each of them.

Both readers work from the same plan: a record is a mapping (a JSON object, a sample's
dict), and each field of the sample has one source in it.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

import attrs

from keyfold.errors import UsageError
from keyfold_strategies import Sample

__all__ = [
    "CANONICAL",
    "FILE",
    "LINE",
    "Field",
    "Mapped",
    "Path",
    "Plan",
    "Source",
    "plan_for",
]

CANONICAL: Final = tuple(field.name for field in attrs.fields(Sample))
FILE: Final = "@file"
LINE: Final = "@line"

Path: TypeAlias = tuple[str, ...]


@attrs.frozen(order=False)
class Source:
    """Where in a record a value stands.

    Attributes:
        text: As it was written: a top-level key, a dotted path, `@file` or `@line`.
    """

    text: str

    @property
    def path(self) -> Path:
        """The keys from the outside in."""
        return tuple(self.text.split("."))

    @property
    def special(self) -> bool:
        """Whether the value comes from outside the record."""
        return self.text in (FILE, LINE)


@attrs.frozen(order=False)
class Field:
    """One attribute of the samples.

    Attributes:
        name: The attribute.
        source: Where its value stands.
        keys: The paths inside the value that are read; None means the whole value.
        overlays: Paths inside the value that have a source of their own.
    """

    name: str
    source: Source
    keys: tuple[Path, ...] | None
    overlays: tuple[tuple[Path, Source], ...] = ()


@attrs.frozen(order=False)
class Mapped:
    """One entry of the mapping that the plan uses.

    Attributes:
        target: The field or dotted path that is mapped.
        source: Where it was said to stand.
    """

    target: str
    source: Source


@attrs.frozen(order=False)
class Plan:
    """What a reader builds from each record.

    Attributes:
        fields: The attributes of the samples.
        everything: Whether every other key of the record becomes an attribute too.
        mapped: The entries of the mapping that a record must bear out.
    """

    fields: tuple[Field, ...]
    everything: bool
    mapped: tuple[Mapped, ...]


def plan_for(
    fields: frozenset[str] | None,
    mapping: Mapping[str, str],
    *,
    always: Sequence[str] = ("step",),
) -> Plan:
    """Return the plan for a request.

    Args:
        fields: Field names or dotted paths that are wanted; None means all.
        mapping: From a field or dotted path to its source.
        always: Fields that are delivered whether they are asked for or not.

    Raises:
        UsageError: The mapping names a source that can't exist.
    """
    for target, source in mapping.items():
        _check_source(target, source)
    wanted: dict[str, set[Path] | None] = dict.fromkeys(always)
    everything = fields is None
    for name in (*CANONICAL, *mapping) if fields is None else sorted(fields):
        root, *rest = name.split(".")
        if everything or not rest:
            wanted[root] = None
        elif (keys := wanted.setdefault(root, set())) is not None:
            keys.add(tuple(rest))
    # Canonical order first, so that the samples of one request always look alike.
    names = [name for name in CANONICAL if name in wanted]
    names += sorted(wanted.keys() - set(names))
    planned = tuple(_field(name, wanted[name], mapping) for name in names)
    return Plan(planned, everything, tuple(_mapped(planned, mapping)))


def _check_source(target: str, source: str) -> None:
    if source.startswith("@") and source not in (FILE, LINE):
        raise UsageError(
            f"the mapping of `{target}` names `{source}`; expected a key or dotted "
            f"path of the record, `{FILE}` (the file's name without its ending) or "
            f"`{LINE}` (the line's number)",
            hint=_nearest(source, (FILE, LINE)),
        )
    if not target or not source:
        raise UsageError(
            f"the mapping {target!r} = {source!r} is empty on one side; expected a "
            "field and the key or dotted path where the file has it"
        )


def _nearest(word: str, words: Sequence[str]) -> str | None:
    near = difflib.get_close_matches(word, words, n=1)
    return f"did you mean `{near[0]}`?" if near else None


def _field(name: str, keys: set[Path] | None, mapping: Mapping[str, str]) -> Field:
    inner = {
        tuple(target.split(".")[1:]): Source(source)
        for target, source in mapping.items()
        if target.startswith(f"{name}.")
    }
    if keys is not None:
        inner = {path: source for path, source in inner.items() if path in keys}
        keys -= inner.keys()
    return Field(
        name,
        Source(mapping.get(name, name)),
        None if keys is None else tuple(sorted(keys)),
        tuple(inner.items()),
    )


def _mapped(fields: Sequence[Field], mapping: Mapping[str, str]) -> list[Mapped]:
    used: list[Mapped] = []
    for field in fields:
        if field.name in mapping:
            used.append(Mapped(field.name, field.source))
        used += [
            Mapped(".".join((field.name, *path)), source)
            for path, source in field.overlays
        ]
    return [entry for entry in used if not entry.source.special]
