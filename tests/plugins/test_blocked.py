"""A distribution of plugins is left out: by each of its names, and in each way."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from tests.plugins.environments import Environment
from tests.plugins.expected import problems, unusable

from keyfold.kinds import Kind

NAMES: Sequence[tuple[Kind, str]] = (
    ("value", "tool_calls"),
    ("key", "turn"),
    ("reducer", "spread"),
)
REPORT = ("report", "turns.jsonl", "--config", "keyfold.toml")
IMPORTED = """\
import sys
from keyfold_contrib.cli import main
try:
    main(["report", "turns.jsonl", "--config", "keyfold.toml"])
except SystemExit as ended:
    ours = [it for it in sys.modules if it.startswith("keyfold_example")]
    print(ended.code, sorted(ours)[:1])
"""


def blocked(kind: Kind, name: str, reason: str) -> Sequence[str]:
    why = f"the {kind} {name!r} of keyfold-example 0.1 is blocked: {reason}"
    return unusable(kind, name, why, "lift the block, or do without the plugin")


def all_blocked(reason: str) -> str:
    lines = [line for kind, name in NAMES for line in blocked(kind, name, reason)]
    return problems(*lines)


def set_plugins(environment: Environment, line: str) -> None:
    text = (environment.folder / "keyfold.toml").read_text()
    environment.write("keyfold.toml", f"plugins.{line}\n{text}")


def test_by_the_name_of_an_entry_point(environment: Environment) -> None:
    done = environment.keyfold(*REPORT, KEYFOLD_DISABLE_PLUGINS="turn")

    reason = "KEYFOLD_DISABLE_PLUGINS names 'turn'"
    assert done.stderr == problems(*blocked("key", "turn", reason))
    assert (done.code, done.stdout) == (2, "")
    set_plugins(environment, 'block = ["key:turn"]')
    done = environment.keyfold(*REPORT)
    reason = "plugins.block names 'key:turn'"
    assert done.stderr == problems(*blocked("key", "turn", reason))
    assert (done.code, done.stdout) == (2, "")


def test_by_the_name_of_the_distribution(environment: Environment) -> None:
    done = environment.keyfold(*REPORT, KEYFOLD_DISABLE_PLUGINS="keyfold-example")

    assert done.stderr == all_blocked("KEYFOLD_DISABLE_PLUGINS names 'keyfold-example'")
    assert (done.code, done.stdout) == (2, "")
    set_plugins(environment, 'block = ["Keyfold_Example"]')
    done = environment.keyfold(*REPORT)
    assert done.stderr == all_blocked("plugins.block names 'Keyfold_Example'")
    assert (done.code, done.stdout) == (2, "")


def test_with_all_that_is_not_built_in(environment: Environment) -> None:
    done = environment.keyfold(*REPORT, KEYFOLD_DISABLE_PLUGINS="*")

    assert done.stderr == all_blocked(
        "KEYFOLD_DISABLE_PLUGINS is '*', which leaves the built-in plugins"
    )
    assert (done.code, done.stdout) == (2, "")
    set_plugins(environment, "autoload = false")
    done = environment.keyfold(*REPORT)
    assert done.stderr == all_blocked(
        "plugins.autoload is false, which leaves the built-in plugins"
    )
    assert (done.code, done.stdout) == (2, "")


def test_nothing_of_it_is_imported(environment: Environment) -> None:
    used = environment.python_code(IMPORTED)
    assert used.stdout.endswith("0 ['keyfold_example']\n")

    done = environment.python_code(IMPORTED, KEYFOLD_DISABLE_PLUGINS="keyfold-example")

    assert done.stdout == "2 []\n"


def test_its_pipeline_set_is_told_as_well(environment: Environment) -> None:
    environment.write("keyfold.toml", 'pipelines = ["turns"]\n')

    done = environment.keyfold(*REPORT, KEYFOLD_DISABLE_PLUGINS="pipeline:turns")

    assert done.stderr == problems(
        "pipelines[0]: expected a pipeline set that can be used, found the pipeline "
        "'turns' of keyfold-example 0.1 is blocked: KEYFOLD_DISABLE_PLUGINS names "
        "'pipeline:turns'",
        "Hint: lift the block, or do without the plugin",
    )
    assert (done.code, done.stdout) == (2, "")


@pytest.mark.parametrize("name", ["example_log", "module:example_log"])
def test_its_hooks_alone(environment: Environment, name: str) -> None:
    log = environment.folder / "log"

    done = environment.keyfold(
        *REPORT, KEYFOLD_DISABLE_PLUGINS=name, KEYFOLD_EXAMPLE_LOG=str(log)
    )

    assert (done.code, done.stderr) == (0, "")
    assert not log.exists()


def test_what_is_blocked_is_listed_with_the_reason(environment: Environment) -> None:
    done = environment.keyfold("plugins", KEYFOLD_DISABLE_PLUGINS="keyfold-example")

    rows = [line.split(maxsplit=6) for line in done.stdout.splitlines()]
    ours = [row for row in rows if "keyfold-example" in row]
    reason = "KEYFOLD_DISABLE_PLUGINS names 'keyfold-example'"
    assert [(row[2], row[6].strip()) for row in ours] == [("blocked", reason)] * 5
    assert done.code == 0


def test_a_block_that_matches_nothing_is_an_error(environment: Environment) -> None:
    expected = "expected the name of a plugin, or of a distribution that provides one"

    done = environment.keyfold(*REPORT, KEYFOLD_DISABLE_PLUGINS="trun")

    assert done.stderr == problems(
        f"KEYFOLD_DISABLE_PLUGINS: {expected}, found 'trun'",
        "Hint: did you mean 'turn'?",
    )
    assert (done.code, done.stdout) == (2, "")
    set_plugins(environment, 'block = ["spread", "keyfold-exampel"]')
    done = environment.keyfold(*REPORT)
    assert done.stderr == problems(
        f"plugins.block[1]: {expected}, found 'keyfold-exampel'",
        "Hint: did you mean 'keyfold-example'?",
    )
    assert (done.code, done.stdout) == (2, "")
