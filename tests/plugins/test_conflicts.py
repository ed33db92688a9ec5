"""Two distributions give one name: nothing is guessed, and one line settles it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.plugins.conftest import with_wheels
from tests.plugins.environments import Environment
from tests.plugins.expected import names_with, problems, unusable
from tests.plugins.projects import Edit, built, edited, renamed

from keyfold import __version__
from keyfold.kinds import Kind

REPORT = ("report", "turns.jsonl", "--config", "keyfold.toml")
RENAMED: Edit = ("pyproject.toml", "spread = ", "mean = ")
TENFOLD: Edit = (
    "src/keyfold_example/tool_calls.py",
    "else len(sample.tool_calls)",
    "else 10 * len(sample.tool_calls)",
)
CALLS = '[metrics.calls]\nvalue = "tool_calls"\nacross = "mean"\n'


@pytest.fixture(scope="module")
def with_mean(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An environment with an example whose reducer is named as a built-in one is."""
    folder = tmp_path_factory.mktemp("with_mean")
    project = edited(folder / "project", [RENAMED])
    return with_wheels(folder, built(project, folder / "wheels"))


@pytest.fixture(scope="module")
def with_rival(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An environment with a second distribution that gives all of the names."""
    folder = tmp_path_factory.mktemp("with_rival")
    project = renamed(edited(folder / "project", [TENFOLD]), "keyfold-rival")
    return with_wheels(folder, wheel, built(project, folder / "wheels"))


def number_of(environment: Environment, config: str) -> float:
    """The only number of a report under a configuration."""
    environment.write("keyfold.toml", config)
    done = environment.keyfold(*REPORT, "--json")
    assert (done.code, done.stderr) == (0, "")
    (metric,) = json.loads(done.stdout)["steps"][0]["metrics"].values()
    return float(metric["value"])


def refusal(environment: Environment, config: str) -> str:
    """What stands on the screen where a report is refused."""
    environment.write("keyfold.toml", config)
    done = environment.keyfold(*REPORT)
    assert (done.code, done.stdout) == (2, "")
    return done.stderr


def rivals(kind: Kind, name: str) -> Sequence[str]:
    return unusable(
        kind,
        name,
        f"the {kind} {name!r} is provided by keyfold-example 0.1 and keyfold-rival 0.1",
        f'write plugins.prefer."{kind}:{name}" = "keyfold-example" '
        '(or "keyfold-rival")',
    )


def test_a_name_of_a_built_in_is_in_conflict(with_mean: Environment) -> None:
    assert refusal(with_mean, CALLS) == problems(
        "metrics.calls.across: expected a reducer that can be used, found 'mean' at "
        f"column 1: the reducer 'mean' is provided by keyfold {__version__} and "
        "keyfold-example 0.1",
        'Hint: write plugins.prefer."reducer:mean" = "keyfold" (or "keyfold-example")',
    )


@pytest.mark.parametrize(
    ("distribution", "number"), [("keyfold", 1.0), ("keyfold-example", 2.0)]
)
def test_the_line_of_the_hint_settles_it(
    with_mean: Environment, distribution: str, number: float
) -> None:
    line = f'plugins.prefer."reducer:mean" = "{distribution}"\n'

    assert number_of(with_mean, line + CALLS) == number


def test_the_default_metrics_are_as_they_were(with_mean: Environment) -> None:
    # They are made in Python, and take no reducer by its name.
    done = with_mean.keyfold("report", "turns.jsonl", "--json")

    (step,) = json.loads(done.stdout)["steps"]
    assert step["metrics"]["episode_raw_reward"]["value"] == 0.375


def test_names_of_two_plugins_are_all_told(with_rival: Environment) -> None:
    config = (
        '[metrics.moves]\nvalue = "tool_calls"\nacross = "mean"\n'
        'levels = [{ key = "adapter_scoped(turn)", reduce = "spread" }]\n'
    )

    assert refusal(with_rival, config) == problems(
        *rivals("value", "tool_calls"),
        *rivals("key", "turn"),
        *rivals("reducer", "spread"),
    )


@pytest.mark.parametrize(
    ("key", "distribution", "number"),
    [
        ("tool_calls", "keyfold-example", 1.0),
        ('"value:tool_calls"', "Keyfold_Rival", 10.0),
    ],
)
def test_either_of_two_plugins_can_be_preferred(
    with_rival: Environment, key: str, distribution: str, number: float
) -> None:
    line = f'plugins.prefer.{key} = "{distribution}"\n'

    assert number_of(with_rival, line + CALLS) == number


def test_a_block_settles_it_as_well(with_rival: Environment) -> None:
    line = 'plugins.block = ["keyfold-example"]\n'

    assert number_of(with_rival, line + CALLS) == 10.0


def test_what_can_not_be_preferred_is_told(with_rival: Environment) -> None:
    config = (
        'pipelines = ["reward"]\n[plugins.prefer]\n'
        'tool_calls = "keyfold"\ntrun = "keyfold"\n'
    )

    assert refusal(with_rival, config) == problems(
        "plugins.prefer.tool_calls: expected a distribution that provides it: "
        "keyfold-example, keyfold-rival, found 'keyfold'",
        "Hint: did you mean 'keyfold-rival'?",
        "plugins.prefer.trun: expected the name of a plugin, or kind:name, "
        "found 'trun'",
        "Hint: did you mean 'turn'?",
    )


def test_conflicts_are_shown_where_plugins_are_listed(with_rival: Environment) -> None:
    done = with_rival.keyfold("plugins")

    rows = [line.split(maxsplit=6) for line in done.stdout.splitlines()]
    assert [(row[3], row[6].strip()) for row in rows if row[1] == "turn"] == [
        (
            one,
            (
                f'also provided by {other} 0.1; write plugins.prefer."key:turn" = '
                '"keyfold-example" (or "keyfold-rival")'
            ),
        )
        for one, other in (
            ("keyfold-example", "keyfold-rival"),
            ("keyfold-rival", "keyfold-example"),
        )
    ]
    assert done.stdout.splitlines()[0].endswith(" plugins, 8 conflict")
    assert (done.code, done.stderr) == (0, "")


def test_a_name_that_is_gone_is_no_conflict(with_mean: Environment) -> None:
    config = CALLS.replace("mean", "spread")

    assert refusal(with_mean, config) == problems(
        f"metrics.calls.across: expected one of the reducers {names_with('reducer')}, "
        "found 'spread' at column 1"
    )
