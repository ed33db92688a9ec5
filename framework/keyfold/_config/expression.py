"""Expressions: names, calls and plain values, read from text and never evaluated.

    adapter_scoped(first_of(rollout, sample_index, position))

is Python's syntax, parsed by Python's parser. Of its tree a few nodes are taken, and
everything else is refused.
"""

from __future__ import annotations

import ast
from typing import Final

import attrs

from keyfold._config.problems import Problems
from keyfold._config.tree import Call, Items, Literal, Name, Node

__all__ = ["parse"]

_LONGEST: Final = 4_000
_DEEPEST: Final = 32

_ALLOWED: Final = "a name, a call, a string, a number, True, False, None or a list"
_EXAMPLE: Final = "an expression such as mean or first_of(rollout, position)"

_WORDS: Final[dict[type[ast.AST], str]] = {
    ast.Attribute: "an attribute",
    ast.BinOp: "an operator",
    ast.BoolOp: "an operator",
    ast.Call: "a call",
    ast.Compare: "a comparison",
    ast.Dict: "a dict",
    ast.DictComp: "a comprehension",
    ast.GeneratorExp: "a comprehension",
    ast.IfExp: "a condition",
    ast.JoinedStr: "an f-string",
    ast.Lambda: "a lambda",
    ast.ListComp: "a comprehension",
    ast.NamedExpr: "an assignment",
    ast.Set: "a set",
    ast.SetComp: "a comprehension",
    ast.Starred: "a starred argument",
    ast.Subscript: "a subscript",
    ast.UnaryOp: "an operator",
}

_SPELT_OTHERWISE: Final = {"true": "True", "false": "False", "none": "None"}


def parse(text: str, path: str, problems: Problems) -> Node | None:
    """Return the tree of an expression, or None where something is wrong with it.

    Args:
        text: The expression.
        path: The path of the configuration's key that holds it.
        problems: Takes everything that is wrong.
    """
    text = text.strip()
    if len(text) > _LONGEST:
        problems.add(
            path,
            expected=f"an expression of at most {_LONGEST} characters",
            found=f"one of {len(text)}",
        )
        return None
    try:
        tree = ast.parse(text, mode="eval")
    except SyntaxError as error:
        problems.add(path, expected=_EXAMPLE, found=_syntax(text, error))
        return None
    # Python's parser gives up on deep nesting, null bytes and lone surrogates this way.
    except (ValueError, RecursionError, MemoryError) as error:
        reason = str(error) or "it is nested too deeply"
        problems.add(path, expected=_EXAMPLE, found=f"text that is none: {reason}")
        return None
    return _Walk(text, path, problems).node(tree.body, 0)


def _syntax(text: str, error: SyntaxError) -> str:
    what = f"{text!r}" if text else "an empty string"
    if not text or error.offset is None:
        return what if not text else f"{what}: {error.msg}"
    line = error.lineno or 1
    return f"{what}: {error.msg} at {_at(text, line, error.offset)}"


def _at(text: str, line: int, column: int) -> str:
    return f"line {line}, column {column}" if "\n" in text else f"column {column}"


def _signed(tree: ast.expr) -> tuple[ast.Constant | None, int]:
    # A sign is an operator to Python's parser, and part of the number to a reader.
    if isinstance(tree, ast.Constant):
        return tree, 1
    if isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.USub | ast.UAdd):
        inner = tree.operand
        if isinstance(inner, ast.Constant) and type(inner.value) in (int, float):
            return inner, -1 if isinstance(tree.op, ast.USub) else 1
    return None, 1


@attrs.frozen(order=False, eq=False)
class _Walk:
    """Goes through one expression's tree."""

    text: str
    path: str
    problems: Problems

    def node(self, tree: ast.expr, depth: int) -> Node | None:
        if depth > _DEEPEST:
            self._refuse(
                tree, f"nesting of more than {_DEEPEST} levels", "less nesting"
            )
            return None
        if isinstance(tree, ast.Name):
            return self._name(tree)
        if isinstance(tree, ast.Call):
            return self._call(tree, depth)
        if isinstance(tree, ast.List | ast.Tuple):
            return self._items(tree, depth)
        return self._literal(tree)

    def _name(self, tree: ast.Name) -> Node | None:
        python = _SPELT_OTHERWISE.get(tree.id)
        if python is None:
            return Name(tree.id, *self._place(tree))
        self._refuse(tree, f"{tree.id!r}", hint=f"write {python}")
        return None

    def _items(self, tree: ast.List | ast.Tuple, depth: int) -> Node | None:
        items = [self.node(item, depth + 1) for item in tree.elts]
        whole = tuple(item for item in items if item is not None)
        return Items(whole, *self._place(tree)) if len(whole) == len(items) else None

    def _call(self, tree: ast.Call, depth: int) -> Node | None:
        named = isinstance(tree.func, ast.Name)
        if not named:
            self._refuse(tree.func, self._words(tree.func), "the name of a plugin")
        arguments = [self.node(argument, depth + 1) for argument in tree.args]
        keywords: dict[str, Node] = {}
        whole = named and None not in arguments
        for keyword in tree.keywords:
            value = self.node(keyword.value, depth + 1)
            if keyword.arg is None:
                self._refuse(keyword.value, "a starred argument")
                whole = False
            elif keyword.arg in keywords:
                self._refuse(
                    keyword.value,
                    f"the argument {keyword.arg!r} again",
                    "each argument once",
                )
                whole = False
            elif value is None:
                whole = False
            else:
                keywords[keyword.arg] = value
        if not whole or not isinstance(tree.func, ast.Name):
            return None
        given = tuple(argument for argument in arguments if argument is not None)
        return Call(tree.func.id, given, tuple(keywords.items()), *self._place(tree))

    def _literal(self, tree: ast.expr) -> Node | None:
        constant, sign = _signed(tree)
        if constant is None:
            self._refuse(tree, self._words(tree))
            return None
        value = constant.value
        if isinstance(value, bool | str) or value is None:
            return Literal(value, *self._place(tree))
        if isinstance(value, int | float):
            return Literal(sign * value, *self._place(tree))
        self._refuse(tree, f"a constant of the type {type(value).__name__}")
        return None

    def _refuse(
        self,
        tree: ast.expr,
        what: str,
        expected: str = _ALLOWED,
        *,
        hint: str | None = None,
    ) -> None:
        source, at = self._place(tree)
        short = source if len(source) <= 40 else f"{source[:37]}..."
        shown = what if what == repr(source) else f"{what}, {short!r},"
        self.problems.add(
            self.path, expected=expected, found=f"{shown} at {at}", hint=hint
        )

    def _words(self, tree: ast.expr) -> str:
        return _WORDS.get(type(tree), f"{type(tree).__name__.lower()} syntax")

    def _place(self, tree: ast.expr) -> tuple[str, str]:
        # The parser counts columns in bytes, a reader in characters.
        line = self.text.split("\n")[tree.lineno - 1].encode()
        column = len(line[: tree.col_offset].decode()) + 1
        source = ast.get_source_segment(self.text, tree) or ""
        return source, _at(self.text, tree.lineno, column)
