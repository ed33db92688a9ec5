"""No public name changes by accident: the committed listing is that of the code."""

from __future__ import annotations

import difflib
import inspect
import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from tests.api.listing import COMMAND, listing
from tests.api.names import definition_of, homes, modules, names_of

from keyfold.hooks import HookSpecs

LISTING = Path(__file__).parents[2] / "docs" / "reference" / "api.txt"
PACKAGES = ("keyfold", "keyfold_strategies", "keyfold_contrib")


def listed(heading: str) -> str:
    _, found, rest = listing().partition(f"\n## {heading}\n")
    assert found
    return rest.partition("\n## ")[0]


def declared(module: str, name: str) -> str:
    """Return the lines of a class in a section of the listing."""
    found = re.search(
        rf"^class {name}\b.*\n(?:    .*\n)*", listed(module), re.MULTILINE
    )
    assert found
    return found[0]


def difference(committed: str, now: str) -> str:
    lines = difflib.unified_diff(
        committed.splitlines(), now.splitlines(), "committed", "the code", "", "", 1, ""
    )
    return "\n".join(lines)


def test_the_public_api_is_the_committed_one() -> None:
    diff = difference(LISTING.read_text(encoding="utf-8"), listing())
    if diff:
        pytest.fail(
            f"the public API has changed:\n{diff}\n\nIf it was meant to, run\n"
            f"    {COMMAND}\nand say in CHANGELOG.md what changes for users.",
            pytrace=False,
        )


def test_a_change_is_shown_by_its_lines() -> None:
    committed = listing().replace("on_error: OnError='raise'", "strict: bool=True")
    _, _, _, *lines = difference(committed, listing()).splitlines()
    changed = [line for line in lines if line[0] in "+-"]
    assert [line[:13] for line in changed] == ["-def compute(", "+def compute("]
    assert "strict: bool=True" in changed[0]
    assert "on_error: OnError='raise'" in changed[1]


def test_every_public_name_is_declared_once_and_else_referred_to() -> None:
    for module in modules():
        section = listed(module)
        for name in names_of(module):
            home = homes()[definition_of(module, name)]
            line = rf"(class |def )?{name}\b" if home == module else f"{name} = {home}"
            assert re.search(f"^{line}", section, re.MULTILINE), (module, name)


@pytest.mark.parametrize("module", [it for it in modules() if names_of(it)])
def test_no_public_member_of_a_class_is_left_out(module: str) -> None:
    for name in names_of(module):
        made: Any = getattr(import_module(module), name)
        if homes()[definition_of(module, name)] != module or not inspect.isclass(made):
            continue
        # What a base has stands with the base, which must be public then.
        ours = [it for it in made.__mro__ if it.__module__.startswith(PACKAGES)]
        text = "".join(declared(*home_of(it)) for it in ours)
        members = {key for it in ours for key in vars(it) if not key.startswith("_")}
        assert {it for it in members if not re.search(rf"\b{it}\b", text)} == set()


def home_of(made: type[Any]) -> tuple[str, str]:
    return homes()[made.__module__, made.__name__], made.__name__


def test_an_error_is_listed_with_its_bases_and_its_attributes() -> None:
    assert declared("keyfold.errors", "ReadError") == (
        "class ReadError(DataError)\n"
        "    def __init__(self, message: str, *, path: Path, line: int | None=None, "
        "column: int | None=None, hint: str | None=None) -> None\n"
        "    column: int | None\n"
        "    line: int | None\n"
        "    path: Path\n"
    )


def test_an_attrs_class_is_listed_with_what_it_is_made_of() -> None:
    _, init, *fields = declared("keyfold.errors", "ConfigProblem").splitlines()
    given = "self, key: str, *, expected: str, found: str, hint: str | None=None"
    assert init == f"    def __init__({given}) -> None"
    assert fields == [
        "    expected: str",
        "    found: str",
        "    hint: str | None",
        "    key: str",
    ]


def test_an_overload_is_listed_and_what_implements_it_is_not() -> None:
    calls = re.findall(
        r"    @overload\n    def make\(self, kind: (.*?), name",
        listed("keyfold.catalog"),
    )
    assert "Literal['key']" in calls
    assert listed("keyfold.catalog").count("def make(") == len(calls)


def test_a_constant_is_listed_with_its_type() -> None:
    lines = listed("keyfold.kinds").splitlines()
    assert "API_VERSION: Final[int]" in lines
    assert "KINDS: Final[tuple[Kind, ...]]" in lines
    assert "OfferKind: TypeAlias = Kind | Literal['module']" in lines


def test_hooks_are_listed_with_their_arguments() -> None:
    text = declared("keyfold.hooks", "HookSpecs")
    hooks = [name for name in vars(HookSpecs) if name.startswith("keyfold_")]
    assert [hook for hook in hooks if f"def {hook}(self, " not in text] == []


def test_entry_points_and_commands_are_listed() -> None:
    readers = "[keyfold.readers]\n    jsonl = keyfold_contrib.readers:JsonlReader\n"
    assert readers in listed("Entry points")
    commands = listed("Commands")
    assert "keyfold report\n" in commands
    assert "    --metric: list[str] | None\n" in commands
    assert "    --output, -o: Path, required\n" in commands
