from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.plugins.environments import Environment, made
from tests.plugins.projects import EXAMPLE, Edit, built, edited

FILES = ("turns.jsonl", "turns.toml")
CONFIG = """\
[metrics.moves]
value  = "tool_calls"
levels = [{ key = "adapter_scoped(turn)", reduce = "spread" }]
across = "mean"
"""


@pytest.fixture(scope="package", autouse=True)
def bytecode(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let processes keep what they compile, as those of a user do, but in one place.

    It saves much time, and shows that no version of a plugin is taken for another.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
        patch.setenv("PYTHONPYCACHEPREFIX", str(tmp_path_factory.mktemp("bytecode")))
        yield


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example's wheel, built once."""
    return built(EXAMPLE, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An environment with the example, which no test changes."""
    return with_wheels(tmp_path_factory.mktemp("installed"), wheel)


@pytest.fixture
def environment(installed: Environment, tmp_path: Path) -> Environment:
    """The environment with the example, and a folder for this test alone."""
    return with_files(Environment(installed.python, tmp_path))


@pytest.fixture
def broken(tmp_path: Path) -> Callable[..., Environment]:
    """Make an environment with a changed example."""

    def make(*edits: Edit) -> Environment:
        project = edited(tmp_path / "project", edits)
        environment = made(tmp_path)
        environment.unpack(built(project, tmp_path / "wheels"))
        return with_files(environment)

    return make


def with_wheels(folder: Path, *wheels: Path) -> Environment:
    environment = made(folder)
    environment.install(*wheels)
    return with_files(environment)


def with_files(environment: Environment) -> Environment:
    for name in FILES:
        shutil.copy(EXAMPLE.parent / name, environment.folder)
    environment.write("keyfold.toml", CONFIG)
    return environment
