"""From a line of JSON to a sample, building no more of it than is needed."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final, TypedDict, cast

import msgspec

from keyfold_contrib.readers._build import sample_maker
from keyfold_contrib.readers._checks import (
    ID_FIELDS,
    MisfitError,
    checked,
    shown,
)
from keyfold_contrib.readers._guards import is_dict
from keyfold_contrib.readers._plan import Field, Plan

__all__ = ["line_reader", "load_object"]

# The functional form takes keys that are no identifiers, such as `pass@1`; type
# checkers want them written out.
_typed_dict = cast("Callable[..., Any]", TypedDict)

_Branches = dict[str, "_Branches | None"]


class _Adapter(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    name: str
    slot: int


_ID: Final[Any] = int | str | float | bool | None
_TYPES: Final[dict[str, Any]] = dict.fromkeys(ID_FIELDS, _ID) | {
    "adapter": _Adapter | str | int | None
}


def line_reader(plan: Plan, stem: str) -> Callable[[bytes, int], Any]:
    """Return the function that turns a line and its number into a sample.

    Args:
        plan: What to build.
        stem: The name of the file without its ending.

    Returns:
        The function; it raises `MisfitError` for a line that is no such sample.
    """
    if not plan.everything and all(map(_direct, plan.fields)):
        sources = {field.source.text for field in plan.fields}
        if len(sources) == len(plan.fields):
            return _direct_reader(plan, stem)
    return _two_step_reader(plan, stem)


def _direct(field: Field) -> bool:
    """Return whether a decoder can put the field's value right into a sample."""
    return (
        field.name.isidentifier()
        and not field.name.startswith("__")
        and not field.source.special
        and "." not in field.source.text
        and not field.overlays
    )


def _direct_reader(plan: Plan, stem: str) -> Callable[[bytes, int], Any]:
    """Return a reader whose decoder builds the samples themselves."""
    make = msgspec.defstruct(
        "Sample",
        [(field.name, _type_of(field), None) for field in plan.fields],
        rename={field.name: field.source.text for field in plan.fields},
        frozen=True,
        gc=False,
    )
    decode = msgspec.json.Decoder(make).decode
    build = sample_maker(plan, stem, make)
    adapters = any(field.name == "adapter" for field in plan.fields)

    def read(line: bytes, number: int) -> Any:
        _check_text(line)
        try:
            sample: Any = decode(line)
        except msgspec.ValidationError as error:
            build(load_object(line), number)
            raise MisfitError(str(error)) from error
        except (msgspec.DecodeError, RecursionError):
            return build(load_object(line), number)
        if adapters and type(sample.adapter) is _Adapter:
            pair = {"name": sample.adapter.name, "slot": sample.adapter.slot}
            msgspec.structs.force_setattr(sample, "adapter", checked("adapter", pair))
        return sample

    return read


def _two_step_reader(plan: Plan, stem: str) -> Callable[[bytes, int], Any]:
    """Return a reader that decodes the keys needed first and rearranges them."""
    branches: _Branches = {}
    for field in plan.fields:
        for path in _needed(field):
            _grow(branches, path)
    kind: Any = dict[str, Any] if plan.everything else _keys_type(branches)
    decode = msgspec.json.Decoder(kind).decode
    build = sample_maker(plan, stem)

    def read(line: bytes, number: int) -> Any:
        _check_text(line)
        try:
            record: Any = decode(line)
        except (msgspec.DecodeError, RecursionError) as error:
            record = load_object(line)
            if isinstance(error, msgspec.ValidationError):
                raise MisfitError(str(error)) from error
        return build(record, number)

    return read


def _needed(field: Field) -> list[tuple[str, ...]]:
    sources = [source for _, source in field.overlays]
    paths = [(source.text,) for source in sources] + [s.path for s in sources]
    keys = field.keys
    for outer in ((field.source.text,), field.source.path):
        # Where every path inside has a source of its own, the rest is not read.
        paths += [outer] if keys is None else [(*outer, *key) for key in keys]
    return paths


def _grow(branches: _Branches, path: tuple[str, ...]) -> None:
    """Add a path to a tree of keys, in which None stands for a whole value."""
    key, *rest = path
    if not rest:
        branches[key] = None
        return
    inner = branches.setdefault(key, {})
    if inner is not None:
        _grow(inner, tuple(rest))


def _type_of(field: Field) -> Any:
    if field.name in _TYPES:
        return _TYPES[field.name]
    branches: _Branches = {}
    for key in field.keys or ():
        _grow(branches, key)
    return Any if field.keys is None else _value_type(branches)


def _value_type(branches: _Branches | None) -> Any:
    if branches is None:
        return Any
    # What is no object is delivered as it stands: the pipeline decides what it is.
    return _keys_type(branches) | None | bool | int | float | str | list[Any]


def _keys_type(branches: _Branches) -> Any:
    types = {key: _value_type(inner) for key, inner in branches.items()}
    return _typed_dict("Keys", types, total=False)


def _check_text(line: bytes) -> None:
    # A decoder does not look into the texts that it passes over.
    if not line.isascii():
        _decoded(line)


def _decoded(line: bytes) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        found = line[error.start]
        raise MisfitError(
            f"the byte 0x{found:02x} is not valid UTF-8; expected JSON in UTF-8",
            column=error.start + 1,
            broken=True,
        ) from error


def load_object(line: bytes) -> dict[str, Any]:
    """Return a line's object, read by the standard library.

    It takes what Python's own writer emits beyond JSON: NaN, Infinity and halves of
    surrogate pairs.

    Raises:
        MisfitError: The line holds no JSON object.
    """
    text = _decoded(line)
    try:
        value: Any = json.loads(text)
    except json.JSONDecodeError as error:
        rest = text[error.pos :].strip()
        found = shown(rest[:20]) if rest else "the end of the line"
        raise MisfitError(
            f"broken JSON: {error.msg.lower()}, found {found}",
            column=len(text[: error.pos].encode()) + 1,
            broken=True,
        ) from error
    except RecursionError as error:
        raise MisfitError("the JSON is nested too deeply", broken=True) from error
    except ValueError as error:
        raise MisfitError(f"broken JSON: {error}", broken=True) from error
    if is_dict(value):
        return value
    raise MisfitError(f"the line holds {shown(value)}; expected an object, one sample")
