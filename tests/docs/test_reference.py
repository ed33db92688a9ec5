"""The reference has everything that there is, and nothing else."""

from __future__ import annotations

import re
from importlib.metadata import distribution
from pathlib import Path

import attrs
import pytest

import keyfold
from keyfold import Outcome, errors
from keyfold_contrib.cli import main

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"


def section(page: str, heading: str) -> str:
    text = (REFERENCE / page).read_text(encoding="utf-8")
    _, _, rest = text.partition(f"\n## {heading}\n")
    return rest.partition("\n## ")[0]


def first_cells(text: str) -> list[str]:
    """The names in the first column of the tables of a text."""
    rows = re.findall(r"^\| (`[^|]*) \|", text, re.MULTILINE)
    return [name for row in rows for name in re.findall(r"`([^`]+)`", row)]


@pytest.mark.parametrize(
    ("heading", "group"),
    [
        ("Keys", "keyfold.keys"),
        ("Reducers", "keyfold.reducers"),
        ("Values", "keyfold.values"),
        ("Selections", "keyfold.selections"),
        ("Pipelines", "keyfold.pipelines"),
        ("Readers", "keyfold.readers"),
    ],
)
def test_every_built_in_plugin_is_described(heading: str, group: str) -> None:
    provided = distribution("keyfold").entry_points.select(group=group)
    described = first_cells(section("strategies.md", heading))
    assert sorted(described) == sorted(entry.name for entry in provided)


def test_every_error_is_described() -> None:
    page = (REFERENCE / "errors.md").read_text(encoding="utf-8")
    assert {*first_cells(page), "ConfigProblem"} == set(errors.__all__)


def test_every_count_is_described() -> None:
    page = (REFERENCE / "outcomes.md").read_text(encoding="utf-8")
    assert first_cells(page) == [field.name for field in attrs.fields(Outcome)]


def test_every_name_of_the_package_is_described() -> None:
    assert sorted(first_cells(section("python.md", "keyfold"))) == sorted(
        keyfold.__all__
    )


def test_every_public_module_is_described() -> None:
    folder = Path(keyfold.__file__).parent
    modules = {
        f"keyfold.{path.stem}"
        for path in folder.glob("*.py")
        if not path.stem.startswith("_")
    }
    assert set(first_cells(section("python.md", "Its public modules"))) == modules


@pytest.mark.parametrize("command", ["report", "explain", "plugins"])
def test_every_option_is_described(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main([command, "--help"])
    offered = set(re.findall(r"(--[a-z-]+)", capsys.readouterr().out))
    page = (REFERENCE / "command-line.md").read_text(encoding="utf-8")
    _, _, rest = page.partition(f"\n## keyfold {command}")
    described = set(first_cells(rest.partition("\n## ")[0]))
    assert described == offered - {"--traceback", "--help", "--version"}
