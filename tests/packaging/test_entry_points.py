from __future__ import annotations

import tomllib
from importlib.metadata import EntryPoint, distribution, version
from pathlib import Path

import pytest

import keyfold

PYPROJECT = Path(__file__).resolve().parents[2] / "pyproject.toml"
INSTALLED = [
    entry_point
    for entry_point in distribution("keyfold").entry_points
    if entry_point.group.startswith("keyfold")
]


def test_what_is_installed_is_what_the_project_declares() -> None:
    project = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]
    declared = {
        (group, name, target)
        for group, names in project["entry-points"].items()
        for name, target in names.items()
    } | {("console_scripts", name, it) for name, it in project["scripts"].items()}
    installed = {
        (it.group, it.name, it.value) for it in distribution("keyfold").entry_points
    }
    # They differ after an edit of pyproject.toml: install the project again.
    assert installed == declared


@pytest.mark.parametrize(
    "entry_point", INSTALLED, ids=lambda it: f"{it.group}-{it.name}"
)
def test_a_plugin_loads_and_says_what_it_is(entry_point: EntryPoint) -> None:
    plugin = entry_point.load()
    assert plugin.__doc__


def test_the_command_line_loads() -> None:
    [script] = distribution("keyfold").entry_points.select(group="console_scripts")
    assert callable(script.load())


def test_the_version_is_that_of_the_distribution() -> None:
    assert keyfold.__version__ == version("keyfold")


def test_the_licence_is_installed() -> None:
    files = distribution("keyfold").files or []
    [licence] = [it for it in files if it.name == "LICENSE"]
    assert "Apache License" in licence.read_text()
    assert distribution("keyfold").metadata["License-Expression"] == "Apache-2.0"
