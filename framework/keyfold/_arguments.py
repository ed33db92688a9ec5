"""Validators for the arguments of components, whose errors are for people."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import attrs

from keyfold._describe import name_of, shown
from keyfold._nearest import did_you_mean
from keyfold.errors import ArgumentError

__all__ = ["Validator", "key_strategy", "of_type", "one_of", "refuse"]

Validator: TypeAlias = Callable[[Any, "attrs.Attribute[Any]", Any], None]


def refuse(
    component: object,
    argument: str,
    expected: str,
    found: object,
    *,
    hint: str | None = None,
) -> ArgumentError:
    """Return the error for an argument that a component does not take."""
    return ArgumentError(
        f"{name_of(component)}: expected {argument} to be {expected}, "
        f"found {shown(found)}",
        hint=hint,
    )


def key_strategy(
    component: object, attribute: attrs.Attribute[Any], found: Any
) -> None:
    """Refuse what is no key strategy, such as a class or a name."""
    if isinstance(found, type) or not callable(getattr(found, "key", None)):
        raise refuse(
            component,
            attribute.alias or attribute.name,
            "a key strategy",
            found,
            hint=f"write {found.__name__}()" if isinstance(found, type) else None,
        )


def one_of(allowed: Sequence[str]) -> Validator:
    """Return a validator that takes some words, and no others."""

    def check(component: Any, attribute: attrs.Attribute[Any], found: Any) -> None:
        if isinstance(found, str) and found in allowed:
            return
        raise refuse(
            component,
            attribute.alias or attribute.name,
            f"one of {', '.join(map(repr, allowed))}",
            found,
            hint=did_you_mean(str(found), allowed),
        )

    return check


def of_type(types: type | tuple[type, ...], expected: str) -> Validator:
    """Return a validator that takes objects of some types; a bool is no number.

    Args:
        types: The types.
        expected: What they are called, such as `a number or None`.
    """
    kinds = types if isinstance(types, tuple) else (types,)

    def check(component: Any, attribute: attrs.Attribute[Any], found: Any) -> None:
        if not isinstance(found, kinds) or (
            isinstance(found, bool) and bool not in kinds
        ):
            raise refuse(component, attribute.alias or attribute.name, expected, found)

    return check
