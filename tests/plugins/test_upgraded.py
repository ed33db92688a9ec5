"""A new version of a distribution of plugins takes the place of the old one."""

from __future__ import annotations

import json
from pathlib import Path

from tests.plugins.conftest import CONFIG, with_wheels
from tests.plugins.expected import names_with, problems
from tests.plugins.projects import Edit, built, edited

REPORT = ("report", "turns.jsonl", "--config", "keyfold.toml")

# The key has another name, and the value counts the answer itself as a call.
CHANGES: tuple[Edit, ...] = (
    ("pyproject.toml", 'version = "0.1"', 'version = "0.2"'),
    ("pyproject.toml", "turn = ", "by_turn = "),
    (
        "src/keyfold_example/tool_calls.py",
        "else len(sample.tool_calls)",
        "else 1 + len(sample.tool_calls)",
    ),
)


def test_names_and_code_are_those_of_the_new_version(
    wheel: Path, tmp_path: Path
) -> None:
    environment = with_wheels(tmp_path, wheel)
    environment.write("keyfold.toml", 'pipelines = ["turns"]\n' + CONFIG)

    def metrics() -> dict[str, float]:
        done = environment.keyfold(*REPORT, "--json")
        assert (done.code, done.stderr) == (0, "")
        (step,) = json.loads(done.stdout)["steps"]
        return {name: it["value"] for name, it in step["metrics"].items()}

    def listed() -> list[list[str]]:
        done = environment.keyfold("plugins")
        rows = [line.split() for line in done.stdout.splitlines()]
        return [row[:2] + row[4:5] for row in rows if "keyfold-example" in row]

    spread = {"reward_spread_over_turns": 0.375}
    assert metrics() == {**spread, "tool_calls_per_turn": 0.75, "moves": 0.5}
    assert listed()[0] == ["key", "turn", "0.1"]

    project = edited(tmp_path / "project", CHANGES)
    environment.install(built(project, tmp_path / "wheels"))

    old = environment.keyfold(*REPORT)
    assert old.stderr == problems(
        f"metrics.moves.levels[0].key: expected one of the keys "
        f"{names_with('key', 'by_turn')}, found 'turn' at column 16",
        "Hint: did you mean 'by_turn'?",
    )
    assert (old.code, old.stdout) == (2, "")
    environment.write(
        "keyfold.toml",
        'pipelines = ["turns"]\n' + CONFIG.replace("(turn)", "(by_turn)"),
    )
    assert metrics() == {**spread, "tool_calls_per_turn": 1.75, "moves": 0.5}
    assert listed() == [
        ["key", "by_turn", "0.2"],
        ["reducer", "spread", "0.2"],
        ["value", "tool_calls", "0.2"],
        ["pipeline", "turns", "0.2"],
        ["module", "example_log", "0.2"],
    ]
