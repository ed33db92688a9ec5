"""How a component is spelt: its name, its expression, and the fields it reads."""

from __future__ import annotations

import dataclasses
import inspect
import json
import re
from collections.abc import Mapping
from typing import Any, cast

import attrs

__all__ = [
    "expression_of",
    "fields_of",
    "length_of",
    "name_of",
    "settings_of",
    "shown",
]

# Python refuses to write much longer ints in decimal.
_MOST_BITS = 4096
_WORD_START = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def name_of(component: object) -> str:
    """Return a component's name: its `name`, or its class's name in snake case."""
    name = getattr(component, "name", None)
    if isinstance(name, str):
        return name
    return _WORD_START.sub("_", type(component).__name__).lower()


def expression_of(component: object) -> str:
    """Return a component as a configuration would spell it.

    `AdapterScoped(FirstOf(Rollout(), Position()))` is spelt
    `adapter_scoped(first_of(rollout, position))`. Arguments that have their default are
    left out. What is of neither an attrs class nor a dataclass is spelt by its name.
    """
    arguments = ", ".join(_arguments(component))
    return f"{name_of(component)}({arguments})" if arguments else name_of(component)


def settings_of(component: object) -> Mapping[str, object] | None:
    """Return what a component was made with, by argument; None if it does not say.

    Components of attrs classes and of dataclasses say so, and so do those that hold
    nothing.
    """
    kind: type[Any] = type(component)
    if attrs.has(kind):
        return {
            field.alias: getattr(component, field.name)
            for field in attrs.fields(kind)
            if field.init
        }
    if dataclasses.is_dataclass(kind):
        return {
            field.name: getattr(component, field.name)
            for field in dataclasses.fields(kind)
            if field.init
        }
    holds_something = getattr(component, "__dict__", None) or any(
        getattr(base, "__slots__", ()) for base in kind.__mro__
    )
    return None if holds_something else {}


def _arguments(component: object) -> list[str]:
    settings = settings_of(component)
    if not settings:
        return []
    parameters = inspect.signature(type(component)).parameters
    spelt: list[str] = []
    by_keyword = False
    for name, value in settings.items():
        parameter = parameters.get(name)
        if (
            parameter is None
            or value is parameter.default
            or value == parameter.default
        ):
            by_keyword = True
        elif parameter.kind is parameter.VAR_POSITIONAL:
            spelt.extend(map(_spell, cast("tuple[object, ...]", value)))
        elif by_keyword or parameter.kind is parameter.KEYWORD_ONLY:
            spelt.append(f"{name}={_spell(value)}")
        else:
            spelt.append(_spell(value))
    return spelt


def _spell(value: object) -> str:
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, int) and value.bit_length() > _MOST_BITS:
        return hex(value)
    if value is None or isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list | tuple | frozenset | set):
        return "[" + ", ".join(map(_spell, cast("list[object]", value))) + "]"
    return expression_of(value)


def length_of(entries: Any) -> int | str:
    """Return how many entries a plugin gave, or `uncounted` where it has no length."""
    try:
        return len(entries)
    except TypeError:
        return "uncounted"


def fields_of(component: object) -> frozenset[str] | None:
    """Return the sample fields that a component declares, or None if it does not."""
    fields = getattr(component, "fields", None)
    return None if fields is None else frozenset(fields)


def shown(value: object, most: int = 60) -> str:
    """Return a value as an error shows it: bounded, and whatever its class does.

    Args:
        value: Anything that a user's data may hold.
        most: How many characters there may be, before the type's name stands for more.
    """
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001 - a repr runs anybody's code
        return f"<{type(value).__name__}>"
    if len(text) <= most:
        return text
    return f"{text[: most - 3]}... ({type(value).__name__})"
