"""What a component is, from its methods."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, Literal, TypeAlias, get_args

import attrs

from keyfold import Pipeline, UsageError
from keyfold.authoring import fields_of

__all__ = ["CHECKED", "CheckedKind", "Component", "component_of"]

CheckedKind: TypeAlias = Literal["key", "reducer", "value", "selection", "pipeline"]

CHECKED: Final[tuple[CheckedKind, ...]] = get_args(CheckedKind)

_METHODS: Final[Mapping[CheckedKind, tuple[str, ...]]] = MappingProxyType(
    {
        "key": ("key",),
        "reducer": ("init", "fold", "merge", "finish"),
        "value": ("value",),
        "selection": ("selects",),
    }
)


@attrs.frozen(order=False, eq=False)
class Component:
    """One thing to check.

    Attributes:
        kind: What it is.
        title: What it is called in the output.
        subject: The thing.
    """

    kind: CheckedKind
    title: str
    subject: Any

    @property
    def says_what_it_reads(self) -> bool:
        """Whether it declares its fields, or reads no sample at all."""
        return self.kind == "reducer" or fields_of(self.subject) is not None


def component_of(found: object, title: str, kind: CheckedKind | None) -> Component:
    """Return an object, or one of a class that needs no arguments, as a component.

    Args:
        found: The object or the class.
        title: What it is called in the output.
        kind: What it is; None finds that from its methods.

    Raises:
        UsageError: It is no component, or may be of several kinds, or the class can't
            be called without arguments.
    """
    subject = _made(found, title) if inspect.isclass(found) else found
    return Component(kind or _kind_of(subject, title), title, subject)


def _made(kind: type[Any], title: str) -> object:
    try:
        inspect.signature(kind).bind()
    except TypeError as error:
        raise UsageError(
            f"{title} is a class that needs arguments: {error}",
            hint="name a ready object, or a name with its arguments, as in "
            "'scoped(adapter, rollout)'",
        ) from error
    except ValueError:
        pass  # Written in C, perhaps; calling it tells.
    try:
        return kind()
    except Exception as error:
        raise UsageError(
            f"{title}: making one raised {type(error).__name__}: {error}"
        ) from error


def _kind_of(subject: object, title: str) -> CheckedKind:
    if isinstance(subject, Pipeline):
        return "pipeline"
    kinds: list[CheckedKind] = [
        kind
        for kind, methods in _METHODS.items()
        if all(callable(getattr(subject, method, None)) for method in methods)
    ]
    if len(kinds) == 1:
        return kinds[0]
    if kinds:
        raise UsageError(
            f"{title} has the methods of several kinds: {', '.join(kinds)}",
            hint=f"say which is meant, as in --kind {kinds[0]}",
        )
    raise UsageError(
        f"{title} is no plugin: an object of the type {type(subject).__name__} has "
        "the methods of no kind that can be checked",
        hint="keyfold.contracts says what each kind must have; --kind NAME checks it "
        "as one all the same, to find what is missing",
    )
