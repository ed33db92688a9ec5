"""No public name without a typed example: a new one needs a line in this folder."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from tests.api.names import Definition, definition_of, homes, modules

SOURCES = [
    file.read_text(encoding="utf-8")
    for file in sorted(Path(__file__).parent.glob("*.py"))
    if not file.name.startswith("test_")
]


def used_in(source: str) -> set[Definition]:
    """Return what a file imports, and takes from the modules that it imports."""
    found: set[Definition] = set()
    bound: dict[str, str] = {}
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                bound[alias.asname or alias.name] = f"{node.module}.{alias.name}"
                if node.module in modules():
                    found.add(definition_of(node.module, alias.name))
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            module = bound.get(node.value.id)
            if module in modules():
                found.add(definition_of(module, node.attr))
    return found


def test_every_public_name_is_used_in_a_typed_example() -> None:
    used = {it for source in SOURCES for it in used_in(source)}
    assert sorted(spelt(it) for it in homes() if it not in used) == []


def test_every_public_name_has_a_mistake_that_is_found() -> None:
    mistakes = [
        line.partition("# type: ignore[")[0]
        for source in SOURCES
        for line in source.splitlines()
        if "# type: ignore[" in line
    ]
    words = {word for line in mistakes for word in re.findall(r"\w+", line)}
    assert sorted(spelt(it) for it in homes() if it[1] not in words) == []


def spelt(definition: Definition) -> str:
    return f"{homes()[definition]}.{definition[1]}"


def test_a_name_counts_by_whatever_module_it_is_taken_from() -> None:
    report = ("keyfold.report", "Report")
    assert used_in("from keyfold import Report") == {report}
    assert used_in("from keyfold.report import Report as R") == {report}
    assert ("keyfold.exact", "add") in used_in("from keyfold import exact\nexact.add")
    assert used_in("from os import path\npath.Report") == set()
