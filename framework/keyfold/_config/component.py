"""From an expression to the component that it means."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import attrs

from keyfold._catalog.fit import is_ready
from keyfold._config.annotations import hints_of, mismatch
from keyfold._config.arguments import (
    argument_names,
    argument_problems,
    signature_of,
)
from keyfold._config.expression import parse
from keyfold._config.problems import Problems
from keyfold._config.tree import Call, Items, Literal, Name, Node
from keyfold._config.wording import listed
from keyfold.catalog import Catalog
from keyfold.errors import ConfigProblem, PluginError, UnknownPluginError
from keyfold.kinds import Kind

__all__ = ["component"]


class _Failed:
    """Stands for what could not be made, and was noted."""


_FAILED: Final = _Failed()
_Argument: TypeAlias = tuple[str | None, Node, object]


def component(
    text: str, kind: Kind, path: str, catalog: Catalog | None, problems: Problems
) -> object | None:
    """Return the component that an expression means, or None where it can't be made.

    Args:
        text: The expression.
        kind: What its names are.
        path: The path of the configuration's key that holds it.
        catalog: What the names mean; None checks the syntax alone.
        problems: Takes everything that is wrong.
    """
    node = parse(text, path, problems)
    if node is None or catalog is None:
        return None
    if isinstance(node, Literal | Items):
        problems.add(
            path,
            expected=f"the name of a {kind}, or a call of one",
            found=f"{node.source!r}",
            hint=_unquoted(node, kind, catalog),
        )
        return None
    made = _Maker(kind, path, catalog, problems).make(node)
    return None if isinstance(made, _Failed) else made


def _unquoted(node: Node, kind: Kind, catalog: Catalog) -> str | None:
    if isinstance(node, Literal) and node.value in catalog.names(kind):
        return f"write {node.value} without the inner quotes"
    return None


@attrs.frozen(order=False, eq=False)
class _Maker:
    """Makes the components of one expression."""

    kind: Kind
    path: str
    catalog: Catalog
    problems: Problems

    def make(self, node: Node) -> object | _Failed:
        if isinstance(node, Literal):
            return node.value
        if isinstance(node, Items):
            items = [self.make(item) for item in node.items]
            failed = any(isinstance(item, _Failed) for item in items)
            return _FAILED if failed else tuple(items)
        loaded = self._load(node)
        arguments = self._arguments(node)
        if isinstance(loaded, _Failed):
            return _FAILED
        if is_ready(self.kind, loaded):
            return self._ready(node, loaded)
        if not self._takes(node, loaded, arguments):
            return _FAILED
        return self._call(node, loaded, arguments)

    def _load(self, node: Name | Call) -> object | _Failed:
        try:
            return self.catalog.load(self.kind, node.name)
        except UnknownPluginError as error:
            self.problems.add(
                self.path,
                expected=f"one of the {self.kind}s {listed(self.names)}",
                found=f"{node.name!r} at {node.at}",
                hint=error.hint,
            )
        except PluginError as error:
            self._plugin_problem(node, error)
        return _FAILED

    @property
    def names(self) -> Sequence[str]:
        return self.catalog.names(self.kind)

    def _plugin_problem(self, node: Name | Call, error: PluginError) -> None:
        problem = ConfigProblem(
            self.path,
            expected=f"a {self.kind} that can be used",
            found=f"{node.name!r} at {node.at}: {error.message}",
            hint=error.hint,
        )
        self.problems.take(problem, cause=error)

    def _arguments(self, node: Name | Call) -> Sequence[_Argument]:
        if isinstance(node, Name):
            return ()
        given: list[_Argument] = [(None, it, self.make(it)) for it in node.arguments]
        return [*given, *((name, it, self.make(it)) for name, it in node.keywords)]

    def _ready(self, node: Name | Call, loaded: object) -> object | _Failed:
        if isinstance(node, Name):
            return loaded
        self.problems.add(
            self.path,
            expected=f"{node.name!r} without parentheses, as it is a ready object",
            found=f"{node.source!r} at {node.at}",
        )
        return _FAILED

    def _takes(
        self, node: Name | Call, loaded: Any, arguments: Sequence[_Argument]
    ) -> bool:
        fits = not any(isinstance(value, _Failed) for _, _, value in arguments)
        signature = signature_of(loaded)
        if signature is None:
            return fits
        for problem in argument_problems(node, signature, self.path):
            self.problems.take(problem)
            fits = False
        if not fits or not isinstance(node, Call):
            return fits
        hints = hints_of(loaded)
        names = argument_names(signature, node)
        for index, (keyword, inner, value) in enumerate(arguments):
            name = keyword or names[index]
            expected = mismatch(hints.get(name or "", Any), value)
            if expected is not None:
                self.problems.add(
                    self.path,
                    expected=f"{expected} as the argument {name!r} of {node.name!r}",
                    found=f"{inner.source!r} at {inner.at}",
                    hint=_unquoted(inner, self.kind, self.catalog),
                )
                fits = False
        return fits

    def _call(
        self, node: Name | Call, loaded: Any, arguments: Sequence[_Argument]
    ) -> object | _Failed:
        positional = [value for name, _, value in arguments if name is None]
        named = {name: value for name, _, value in arguments if name is not None}
        try:
            return self.catalog.make(self.kind, node.name, *positional, **named)
        except PluginError as error:
            self._plugin_problem(node, error)
        # The plugin's own checks may raise whatever they like.
        except Exception as error:  # noqa: BLE001
            problem = ConfigProblem(
                self.path,
                expected=f"arguments that {node.name!r} takes",
                found=f"{node.source!r} at {node.at}, which raised "
                f"{type(error).__name__}: {_said(error)}",
            )
            self.problems.take(problem, cause=error)
        return _FAILED


def _said(error: Exception) -> str:
    # attrs' validators put their message first, and objects for programs behind it.
    first = error.args[0] if error.args else ""
    return first if isinstance(first, str) else str(error)
