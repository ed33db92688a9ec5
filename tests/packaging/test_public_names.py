"""Every public name is listed and documented."""

from __future__ import annotations

import ast
import inspect
import pkgutil
from collections.abc import Iterator
from importlib import import_module
from types import FunctionType, ModuleType
from typing import Any

import pytest

import keyfold
import keyfold_contrib
import keyfold_strategies

PACKAGES = (keyfold, keyfold_strategies, keyfold_contrib)


def _public_modules() -> Iterator[str]:
    for package in PACKAGES:
        yield package.__name__
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not any(part.startswith("_") for part in found.name.split(".")):
                yield found.name


MODULES = sorted(_public_modules())


@pytest.fixture(params=MODULES)
def module(request: pytest.FixtureRequest) -> ModuleType:
    return import_module(request.param)


def test_a_module_says_what_it_is_for(module: ModuleType) -> None:
    assert module.__doc__


def test_a_module_lists_its_public_names(module: ModuleType) -> None:
    defined = {
        name
        for name, it in vars(module).items()
        if isinstance(it, type | FunctionType)
        and it.__module__ == module.__name__
        and not name.startswith("_")
    }
    listed: list[str] = getattr(module, "__all__", [])
    assert defined <= set(listed)
    assert not [name for name in listed if not hasattr(module, name)]
    assert len(listed) == len(set(listed))


def test_every_public_name_is_documented(module: ModuleType) -> None:
    undocumented = [
        name
        for name in getattr(module, "__all__", [])
        if name != "__version__" and not _documented(module, name)
    ]
    assert not undocumented


def _documented(module: ModuleType, name: str) -> bool:
    it: Any = getattr(module, name)
    if isinstance(it, type):
        return bool(it.__doc__) and all(map(_has_docstring, _own_methods(it)))
    if isinstance(it, FunctionType):
        return _has_docstring(it)
    # A constant, an alias, or an object: a string stands below it in the module that
    # makes it, or a comment above it and its like.
    return any(_noted(each, name) for each in _makers(module, name))


def _own_methods(cls: type) -> list[object]:
    return [
        it.fget if isinstance(it, property) else it
        for name, it in vars(cls).items()
        if not name.startswith("_") and isinstance(it, FunctionType | property)
    ]


def _has_docstring(it: Any) -> bool:
    return bool(it.__doc__)


def _makers(module: ModuleType, name: str) -> Iterator[ModuleType]:
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        if not isinstance(node, ast.ImportFrom) or node.module is None:
            continue
        if name in {alias.asname or alias.name for alias in node.names}:
            yield from _makers(import_module(node.module), name)
    yield module


def _noted(module: ModuleType, name: str) -> bool:
    source = inspect.getsource(module)
    lines = source.splitlines()
    body = ast.parse(source).body
    for node, after in zip(body, [*body[1:], None], strict=True):
        if name in _assigned(node):
            above = _first_of_block(lines, node.lineno - 1)
            return _is_text(after) or lines[above].startswith("#")
    return False


def _assigned(node: ast.stmt) -> set[str]:
    if isinstance(node, ast.Assign):
        return {it.id for it in node.targets if isinstance(it, ast.Name)}
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return {node.target.id}
    return set()


def _is_text(node: ast.stmt | None) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _first_of_block(lines: list[str], at: int) -> int:
    """Find where the lines without a blank one between them begin."""
    while at and lines[at - 1].strip():
        at -= 1
    return at
