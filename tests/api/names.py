"""The public names: which modules list them, and where each is defined."""

from __future__ import annotations

import ast
import inspect
import pkgutil
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import TypeAlias

import keyfold
import keyfold_contrib
import keyfold_strategies

__all__ = ["Definition", "body_of", "definition_of", "homes", "modules", "names_of"]

Definition: TypeAlias = tuple[str, str]
"""The module that defines something, and the name that it has there."""


@cache
def modules() -> tuple[str, ...]:
    """Return the modules that have no underscore on the way to them, sorted."""
    return tuple(sorted(_modules()))


def _modules() -> Iterator[str]:
    for package in (keyfold, keyfold_strategies, keyfold_contrib):
        yield package.__name__
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not any(part.startswith("_") for part in found.name.split(".")):
                yield found.name


def names_of(module: str) -> list[str]:
    """Return the public names of a module, sorted."""
    return sorted(getattr(import_module(module), "__all__", []))


@cache
def body_of(module: str) -> tuple[ast.stmt, ...]:
    """Return the statements of a module."""
    return tuple(ast.parse(inspect.getsource(import_module(module))).body)


def definition_of(module: str, name: str) -> Definition:
    """Return where a name of a module is defined, through whatever imports it."""
    for node in body_of(module):
        # What is imported later stands below `if TYPE_CHECKING:`.
        inner = node.body if isinstance(node, ast.If) else [node]
        for statement in inner:
            if not isinstance(statement, ast.ImportFrom) or not statement.module:
                continue
            for alias in statement.names:
                if name == (alias.asname or alias.name):
                    return definition_of(statement.module, alias.name)
    return module, name


@cache
def homes() -> Mapping[Definition, str]:
    """Return the public module that each public name is described with.

    That is the one which defines it, or else the one with the shortest name.
    """
    found: dict[Definition, str] = {}
    for module in sorted(modules(), key=lambda name: (name.count("."), name)):
        for name in names_of(module):
            definition = definition_of(module, name)
            if definition[0] == module:
                found[definition] = module
            else:
                found.setdefault(definition, module)
    return found
