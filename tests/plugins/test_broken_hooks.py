"""A module of hooks is broken: no number is given that may lack what it does."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from tests.plugins.environments import Environment
from tests.plugins.expected import HOOKS, MEND, arguments_of, problems
from tests.plugins.projects import Edit

Broken = Callable[..., Environment]

HOOK_FILE = "src/keyfold_example/hooks.py"
ORIGIN = "keyfold_example.hooks of keyfold-example 0.1"


def failed(raised: str) -> tuple[str, str]:
    return (
        f"the module 'example_log' failed to import: {ORIGIN} raised {raised}",
        MEND,
    )


def in_hooks(old: str, new: str) -> Sequence[Edit]:
    return ((HOOK_FILE, old, new),)


CASES: dict[str, tuple[Sequence[Edit], str, str]] = {
    "a hook that is misspelt": (
        in_hooks("def keyfold_report_made(", "def keyfold_reprot_made("),
        (
            f"{ORIGIN} implements the hook 'keyfold_reprot_made', which keyfold does "
            f"not have; its hooks are {HOOKS}"
        ),
        "did you mean 'keyfold_report_made'?",
    ),
    "a hook of no such name": (
        in_hooks("def keyfold_error(", "def after_all("),
        (
            f"{ORIGIN} implements the hook 'after_all', which keyfold does not have; "
            f"its hooks are {HOOKS}"
        ),
        "a hook of a later keyfold is marked hookimpl(optionalhook=True)",
    ),
    "an argument that is misspelt": (
        in_hooks("keyfold_report_made(report: ", "keyfold_report_made(reprot: "),
        (
            f"{ORIGIN} takes the argument 'reprot' in keyfold_report_made, which "
            f"offers {arguments_of('keyfold_report_made')}"
        ),
        "did you mean 'report'?",
    ),
    "a hook without its mark": (
        in_hooks("@hookimpl\ndef keyfold_error(", "def keyfold_error("),
        f"{ORIGIN} has a function 'keyfold_error' that is not marked as a hook",
        "mark it with @hookimpl, from keyfold.hooks",
    ),
    "a module that raises on import": (
        in_hooks("LOG_VARIABLE: Final = ", "LOG_VARIABLE: Final = {}['no'] or "),
        *failed("KeyError: 'no'"),
    ),
    "a package that imports what is not there": (
        (("src/keyfold_example/turn.py", "import attrs", "import not_there, attrs"),),
        *failed("ModuleNotFoundError: No module named 'not_there'"),
    ),
    "contracts of another version": (
        in_hooks("LOG_VARIABLE: Final = ", "api_version = 2\nLOG_VARIABLE: Final = "),
        (
            f"{ORIGIN} was written for version 2 of the plugin contracts, and this "
            "keyfold has version 1"
        ),
        "install releases of keyfold and keyfold-example that go together",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_broken_module_is_named_by_every_report(broken: Broken, case: str) -> None:
    edits, why, hint = CASES[case]
    environment = broken(*edits)

    done = environment.keyfold("report", "turns.jsonl")

    assert done.stderr == f"keyfold: {why}\nHint: {hint}\n"
    assert (done.code, done.stdout) == (2, "")


def test_a_configuration_has_it_among_its_problems(broken: Broken) -> None:
    edits, why, hint = CASES["a hook that is misspelt"]

    done = broken(*edits).keyfold("report", "turns.jsonl", "--config", "keyfold.toml")

    assert done.stderr == problems(
        f"plugins: expected plugin modules that can be used, found {why}",
        f"Hint: {hint}",
    )
    assert (done.code, done.stdout) == (2, "")


def test_it_is_shown_where_plugins_are_listed_and_can_be_blocked(
    broken: Broken,
) -> None:
    edits, why, _ = CASES["a package that imports what is not there"]
    environment = broken(*edits)

    listed = environment.keyfold("plugins")

    (row,) = [it for it in listed.stdout.splitlines() if it.startswith("module ")]
    cells = row.split(maxsplit=6)
    assert (cells[2], cells[6].strip()) == ("broken", why)
    assert (listed.code, listed.stderr) == (0, "")
    # The way out that the hint names.
    blocked = environment.keyfold(
        "report", "turns.jsonl", KEYFOLD_DISABLE_PLUGINS="keyfold-example"
    )
    assert (blocked.code, blocked.stderr) == (0, "")


def test_a_hook_that_raises_is_told_with_its_plugin(broken: Broken) -> None:
    environment = broken(*in_hooks('_log("report "', '{}["no"]; _log("report "'))

    done = environment.keyfold("report", "turns.jsonl", "--traceback")

    assert done.code != 0
    assert f"in keyfold_report_made of the plugin example_log ({ORIGIN})" in done.stderr
