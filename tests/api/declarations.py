"""What the public sees of a function, a class or a constant, as lines of text.

All but the constructors of attrs classes is taken from the source, where annotations
and defaults are the same in every version of Python.
"""

from __future__ import annotations

import ast
import copy
import inspect
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any, Final, TypeAlias, cast

import attrs
from tests.api.names import Definition, body_of

__all__ = ["declaration_of"]

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
Line: TypeAlias = tuple[str, str]
"""What a line of a class is sorted by, and the line."""

_INDENT: Final = "    "
# They are about how an object is printed or pickled, not about how it is used.
_PASSED_OVER: Final = frozenset({"__repr__", "__str__", "__reduce__"})


def declaration_of(definition: Definition) -> list[str]:
    """Return the lines that declare what a module defines."""
    module, name = definition
    named = [node for node in body_of(module) if name in _names_in(node)]
    made: Any = getattr(import_module(module), name)
    if isinstance(named[0], ast.ClassDef):
        return _class(named[0], made)
    functions = [node for node in named if isinstance(node, Function)]
    if functions:
        return [line for _, line in _functions(functions)]
    return [_constant(named[-1], name, made)]


def _names_in(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.ClassDef | Function):
        return [node.name]
    if isinstance(node, ast.AnnAssign):
        return [node.target.id] if isinstance(node.target, ast.Name) else []
    if isinstance(node, ast.Assign):
        return [it.id for it in node.targets if isinstance(it, ast.Name)]
    return []


def _constant(node: ast.stmt, name: str, made: object) -> str:
    kind = type(made).__name__
    if not isinstance(node, ast.AnnAssign):
        return f"{name}: {kind}"
    annotation = ast.unparse(node.annotation)
    if annotation == "TypeAlias" and node.value is not None:
        return f"{name}: TypeAlias = {ast.unparse(node.value)}"
    return (
        f"{name}: Final[{kind}]" if annotation == "Final" else f"{name}: {annotation}"
    )


def _functions(nodes: Sequence[Function]) -> Iterator[Line]:
    overloads = [node for node in nodes if "overload" in _decorators(node)]
    # What an overloaded function is itself annotated with is nobody's business.
    for node in overloads or nodes:
        for decorator in _decorators(node):
            yield node.name, f"@{decorator}"
        yield node.name, _signature(node)


def _decorators(node: Function | ast.ClassDef) -> list[str]:
    return [ast.unparse(decorator) for decorator in node.decorator_list]


def _signature(node: Function) -> str:
    bare = copy.copy(node)
    bare.decorator_list, bare.body = [], [ast.Pass()]
    return ast.unparse(bare).removesuffix(f":\n{_INDENT}pass")


def _class(node: ast.ClassDef, made: type[Any]) -> list[str]:
    bases = ", ".join(map(ast.unparse, [*node.bases, *node.keywords]))
    members = [*_constructor(node, made), *_attributes(node), *_methods(node)]
    return [
        *(f"@{decorator}" for decorator in _decorators(node)),
        f"class {node.name}({bases})" if bases else f"class {node.name}",
        *(_INDENT + line for _, line in sorted(members, key=lambda it: it[0])),
    ]


def _methods(node: ast.ClassDef) -> Iterator[Line]:
    methods: dict[str, list[Function]] = {}
    for statement in node.body:
        if isinstance(statement, Function) and _is_public(statement.name):
            methods.setdefault(statement.name, []).append(statement)
    for each in methods.values():
        if "setter" not in _decorators(each[-1]):
            yield from _functions(each)


def _is_public(name: str) -> bool:
    dunder = name.startswith("__") and name not in _PASSED_OVER
    return dunder or not name.startswith("_")


def _attributes(node: ast.ClassDef) -> Iterator[Line]:
    is_tuple = "NamedTuple" in map(ast.unparse, node.bases)
    for statement in node.body:
        if isinstance(statement, ast.AnnAssign | ast.Assign):
            for name in _names_in(statement):
                if not name.startswith("_"):
                    yield name, _attribute(statement, name, with_value=is_tuple)
        elif isinstance(statement, ast.FunctionDef) and statement.name == "__init__":
            yield from _set_by(statement)


def _attribute(node: ast.AnnAssign | ast.Assign, name: str, *, with_value: bool) -> str:
    if isinstance(node, ast.Assign) or (with_value and node.value is not None):
        left = name if isinstance(node, ast.Assign) else _annotated(name, node)
        return f"{left} = {ast.unparse(cast('ast.expr', node.value))}"
    return _annotated(name, node)


def _annotated(name: str, node: ast.AnnAssign) -> str:
    return f"{name}: {ast.unparse(node.annotation)}"


def _set_by(init: ast.FunctionDef) -> Iterator[Line]:
    """Yield the attributes that `__init__` gives an object, such as an error."""
    given = {
        argument.arg: ast.unparse(argument.annotation)
        for argument in (*init.args.args, *init.args.kwonlyargs)
        if argument.annotation is not None
    }
    for node in init.body:
        target: ast.expr
        if isinstance(node, ast.AnnAssign):
            target, annotation = node.target, ast.unparse(node.annotation)
        elif isinstance(node, ast.Assign):
            target = node.targets[0]
            annotation = given.get(ast.unparse(node.value), "")
        else:
            continue
        if isinstance(target, ast.Attribute) and not target.attr.startswith("_"):
            name = target.attr
            yield name, f"{name}: {annotation}" if annotation else name


def _constructor(node: ast.ClassDef, made: type[Any]) -> Iterator[Line]:
    if not attrs.has(made) or "__init__" in map(_name, node.body):
        return
    parameters = inspect.signature(made).parameters.values()
    spelt, kinds = [*map(_parameter, parameters)], [it.kind for it in parameters]
    if inspect.Parameter.KEYWORD_ONLY in kinds:
        spelt.insert(kinds.index(inspect.Parameter.KEYWORD_ONLY), "*")
    yield "__init__", f"def __init__({', '.join(['self', *spelt])}) -> None"


def _name(node: ast.stmt) -> str:
    return node.name if isinstance(node, Function) else ""


def _parameter(parameter: inspect.Parameter) -> str:
    annotation = parameter.annotation
    if not isinstance(annotation, str):
        annotation = inspect.formatannotation(annotation)
    text = f"{parameter.name}: {annotation}"
    if parameter.default is inspect.Parameter.empty:
        return text
    return f"{text}={_default(parameter.default)}"


def _default(value: object) -> str:
    if value is None or isinstance(value, bool | int | float | str | tuple):
        return repr(cast("object", value))
    # A factory, or an object whose repr may have an address in memory.
    return "..."
