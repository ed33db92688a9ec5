"""Whether an argument is what a plugin's annotation asks for, so far as that is plain.

An annotation of plain types, of literals, of sequences of them, or of a contract of
keyfold is checked without any coercion; whatever else an annotation says is left to the
plugin.
"""

from __future__ import annotations

import inspect
import types
import typing
from collections import abc
from collections.abc import Mapping
from typing import Any, Final, Literal, Union, cast, get_args, get_origin

import attrs

from keyfold.contracts import KeyStrategy, Reducer, Selection, Value

__all__ = ["hints_of", "mismatch"]

_PLAIN: Final[Mapping[object, tuple[tuple[type, ...], str]]] = {
    str: ((str,), "a string"),
    int: ((int,), "an integer"),
    float: ((int, float), "a number"),
    bool: ((bool,), "True or False"),
    None: ((type(None),), "None"),
    type(None): ((type(None),), "None"),
}

_CONTRACTS: Final[Mapping[object, str]] = {
    KeyStrategy: "a key",
    Reducer: "a reducer",
    Value: "a value",
    Selection: "a selection",
}

_SEQUENCES: Final[tuple[object, ...]] = (
    tuple,
    list,
    set,
    frozenset,
    abc.Sequence,
    abc.Collection,
    abc.Iterable,
    abc.Set,
)


def hints_of(factory: object) -> Mapping[str, Any]:
    """Return the annotations of a plugin's arguments, by the argument's name.

    An annotation that can't be resolved is left out, as is a field with a converter.
    """
    if not inspect.isclass(factory):
        return _resolved(factory)
    if not attrs.has(factory) or not _makes_its_init(factory):
        return _resolved(factory.__init__)
    resolved = _resolved(factory)
    return {
        field.alias or field.name: resolved[field.name]
        for field in attrs.fields(factory)
        if field.init and field.converter is None and field.name in resolved
    }


def _makes_its_init(factory: type) -> bool:
    owner = next(it for it in factory.__mro__ if "__init__" in vars(it))
    # An attrs class with an __init__ of its own has the generated one beside it.
    return "__attrs_attrs__" in vars(owner) and "__attrs_init__" not in vars(owner)


def _resolved(annotated: Any) -> Mapping[str, Any]:
    try:
        return typing.get_type_hints(annotated)
    except (NameError, TypeError, AttributeError, SyntaxError):
        return {}


def mismatch(annotation: Any, value: object) -> str | None:
    """Return what was expected instead of a value, or None where it may do."""
    if annotation in _PLAIN:
        accepted, words = _PLAIN[annotation]
        fits = isinstance(value, accepted)
        # A bool is an int to Python, and to nobody else.
        if isinstance(value, bool) and bool not in accepted:
            fits = False
        return None if fits else words
    origin = get_origin(annotation)
    if origin in (Union, types.UnionType):
        return _of_union(annotation, value)
    if origin is Literal:
        allowed = get_args(annotation)
        if any(value == it and type(value) is type(it) for it in allowed):
            return None
        return f"one of {', '.join(map(repr, allowed))}"
    if origin in _SEQUENCES or annotation in _SEQUENCES:
        return _of_sequence(annotation, value)
    contract = _CONTRACTS.get(origin or annotation)
    plain = isinstance(value, str | int | float | tuple) or value is None
    return contract if plain else None


def _of_union(annotation: object, value: object) -> str | None:
    expected = [mismatch(option, value) for option in get_args(annotation)]
    words = [it for it in expected if it is not None]
    return " or ".join(words) if len(words) == len(expected) else None


def _of_sequence(annotation: object, value: object) -> str | None:
    if not isinstance(value, tuple):
        return "a list"
    items = cast("tuple[object, ...]", value)
    inner = [it for it in get_args(annotation) if it is not Ellipsis]
    if len(inner) != 1:
        return None
    wrong = (mismatch(inner[0], item) for item in items)
    words = next((it for it in wrong if it is not None), None)
    return None if words is None else f"a list of which each item is {words}"
