from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import keyfold


@pytest.fixture(autouse=True)
def _eighty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


@pytest.mark.parametrize("words", [[], ["--help"], ["-h"]])
def test_the_commands(run: Any, words: list[str]) -> None:
    result = run(*words)
    assert (result.stderr, result.code) == ("", 0)
    places = [
        result.stdout.index(f" {name} ") for name in ("report", "partial", "merge")
    ]
    assert places == sorted(places)
    assert "Exit codes: 0 all went well; 1 the data" in result.stdout


@pytest.mark.parametrize(
    "command", ["report", "explain", "partial", "merge", "plugins"]
)
def test_a_command(run: Any, command: str) -> None:
    result = run(command, "--help")
    assert result.code == 0
    assert max(map(len, result.lines)) <= 80
    assert f"\nExamples:\n  keyfold {command} " in result.stdout
    assert "--traceback" in result.stdout
    assert "False" not in result.stdout


def test_every_option_of_report_is_explained(run: Any) -> None:
    text = run("report", "--help").stdout
    for option in (
        "--by",
        "--metric",
        "--config",
        "--reward-key",
        "--field",
        "--step",
        "--format",
        "--skip-bad",
        "--json",
        "--csv",
    ):
        [line] = [it for it in text.splitlines() if it.startswith(f"│ {option} ")]
        assert len(line.strip("│ ").split()) > 4


@pytest.mark.parametrize("command", ["partial", "merge"])
def test_the_reference_has_every_option(run: Any, command: str) -> None:
    offered = set(re.findall(r"(--[a-z-]+)", run(command, "--help").stdout))
    page = Path(__file__).parents[2] / "docs" / "reference" / "command-line.md"
    _, _, rest = page.read_text(encoding="utf-8").partition(f"## keyfold {command} ")
    rows = re.findall(r"^\| (`[^|]*) \|", rest.partition("\n## ")[0], re.MULTILINE)
    described = {name for row in rows for name in re.findall(r"`([^`]+)`", row)}
    assert described == offered - {"--traceback", "--help"}


def test_the_version(run: Any) -> None:
    assert run("--version").stdout == f"{keyfold.__version__}\n"
