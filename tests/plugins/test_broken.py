"""A plugin of a distribution is broken: who it is, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from tests.plugins.environments import Environment
from tests.plugins.expected import MEND, problems, unusable
from tests.plugins.projects import Edit

Broken = Callable[..., Environment]

REPORT = ("report", "turns.jsonl", "--config", "keyfold.toml")
PYPROJECT = "pyproject.toml"
INIT = "src/keyfold_example/__init__.py"
SPREAD = "src/keyfold_example/spread.py"
TARGET = "keyfold_example.spread:Spread"
WRONG = (
    "keyfold.contracts says what a reducer must have; 'spread' may stand for the wrong "
    "object"
)
METHODS = "no method 'init', no method 'fold', no method 'merge', no method 'finish'"


def failed(target: str, raised: str) -> tuple[str, str]:
    return (
        (
            f"the reducer 'spread' failed to import: {target} of keyfold-example 0.1 "
            f"raised {raised}"
        ),
        MEND,
    )


def beside(source: str) -> Sequence[Edit]:
    """Let the name stand in a module that nothing else of the package imports."""
    return (
        (PYPROJECT, TARGET, "keyfold_example.extra:Spread"),
        ("src/keyfold_example/extra.py", "", source),
    )


def instead(name: str, source: str) -> Sequence[Edit]:
    """Make the name stand for something else of the package."""
    return (
        (PYPROJECT, TARGET, f"keyfold_example:{name}"),
        (INIT, "\n__all__ = ", f"\n{source}\n\n__all__ = "),
    )


CASES: dict[str, tuple[Sequence[Edit], str, str]] = {
    "its module imports what is not there": (
        beside("import not_there\n"),
        *failed(
            "keyfold_example.extra:Spread",
            "ModuleNotFoundError: No module named 'not_there'",
        ),
    ),
    "its module ends the process": (
        beside("raise SystemExit('enough')\n"),
        *failed("keyfold_example.extra:Spread", "SystemExit: enough"),
    ),
    "an attribute that is missing": (
        ((PYPROJECT, TARGET, "keyfold_example.spread:Spraed"),),
        *failed(
            "keyfold_example.spread:Spraed",
            "AttributeError: module 'keyfold_example.spread' has no attribute 'Spraed'",
        ),
    ),
    "a number": (
        instead("SPREAD", "SPREAD = 3"),
        (
            "keyfold_example:SPREAD of keyfold-example 0.1 is no reducer: the object "
            f"has {METHODS}"
        ),
        WRONG,
    ),
    "a function that makes nothing": (
        instead("spread_of", "def spread_of() -> None: ..."),
        (
            "keyfold_example:spread_of of keyfold-example 0.1 is no reducer: the "
            f"object has {METHODS}"
        ),
        WRONG,
    ),
    "a class of another kind": (
        ((PYPROJECT, TARGET, "keyfold_example.turn:Turn"),),
        (
            "keyfold_example.turn:Turn of keyfold-example 0.1 is no reducer: the class "
            f"has {METHODS}"
        ),
        WRONG,
    ),
    "a method that takes too little": (
        ((SPREAD, "def merge(self, left: _State, right", "def merge(self, right"),),
        (
            "keyfold_example.spread:Spread of keyfold-example 0.1 is no reducer: the "
            "class has a method 'merge' that can't be called with 2 arguments"
        ),
        WRONG,
    ),
    "contracts of another version": (
        ((SPREAD, "    def init(self)", "    api_version = 2\n\n    def init(self)"),),
        (
            "keyfold_example.spread:Spread of keyfold-example 0.1 was written for "
            "version 2 of the plugin contracts, and this keyfold has version 1"
        ),
        "install releases of keyfold and keyfold-example that go together",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_broken_reducer_is_named_where_it_is_used(broken: Broken, case: str) -> None:
    edits, why, hint = CASES[case]
    environment = broken(*edits)

    done = environment.keyfold(*REPORT)

    assert done.stderr == problems(*unusable("reducer", "spread", why, hint))
    assert (done.code, done.stdout) == (2, "")


def test_a_broken_reducer_bothers_nobody_else(broken: Broken) -> None:
    edits, _, _ = CASES["its module ends the process"]

    done = broken(*edits).keyfold("report", "turns.jsonl")

    assert (done.code, done.stderr) == (0, "")


def test_a_broken_reducer_is_shown_where_plugins_are_listed(broken: Broken) -> None:
    edits, why, _ = CASES["its module imports what is not there"]
    environment = broken(*edits)

    listed = environment.keyfold("plugins")
    checked = environment.keyfold("plugins", "--check")

    for done, state in ((listed, ["available"]), (checked, ["broken", why])):
        (row,) = [it for it in done.stdout.splitlines() if " spread " in it]
        cells = row.split(maxsplit=6)
        assert [cells[2], *cells[6:]] == state
        assert (done.code, done.stderr) == (0, "")


PIPELINES = "keyfold_example.pipelines:TURNS"
SETS: dict[str, tuple[Sequence[Edit], str, str]] = {
    "a function": (
        ((PYPROJECT, PIPELINES, "keyfold_example.hooks:keyfold_error"),),
        (
            "keyfold_example.hooks:keyfold_error of keyfold-example 0.1 is no pipeline "
            "set: expected a Pipeline or a mapping of names to pipelines, found the "
            "function keyfold_error"
        ),
        "'turns' may stand for the wrong object",
    ),
    "a chain that was not closed": (
        (
            (PYPROJECT, PIPELINES, "keyfold_example.open:SETS"),
            (
                "src/keyfold_example/open.py",
                "",
                (
                    "from keyfold import over\nfrom keyfold_example import *\n"
                    "SETS = {'calls': over(TurnSample).value(ToolCalls())}\n"
                ),
            ),
        ),
        (
            "keyfold_example.open:SETS of keyfold-example 0.1 is no pipeline set: "
            "expected a Pipeline under 'calls', found an object of the type Chain"
        ),
        "end each chain with .across(reducer)",
    ),
}


@pytest.mark.parametrize("case", SETS)
def test_a_wrong_pipeline_set_is_named_where_it_is_used(
    broken: Broken, case: str
) -> None:
    edits, why, hint = SETS[case]
    environment = broken(*edits)
    environment.write("keyfold.toml", 'pipelines = ["turns"]\n')

    done = environment.keyfold(*REPORT)

    assert done.stderr == problems(
        f"pipelines[0]: expected a pipeline set that can be used, found {why}",
        f"Hint: {hint}",
    )
    assert (done.code, done.stdout) == (2, "")
