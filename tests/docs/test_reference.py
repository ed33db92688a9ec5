"""The reference has everything that there is, and nothing else."""

from __future__ import annotations

import importlib
import inspect
import re
from importlib.metadata import EntryPoint, distribution
from pathlib import Path
from typing import Any

import attrs
import pytest

import keyfold
import keyfold_contrib.collectives.processes
import keyfold_contrib.collectives.ray_tasks
import keyfold_contrib.collectives.torch_distributed
import keyfold_contrib.partial_files
import keyfold_contrib.readers
import keyfold_strategies.pipelines
from keyfold import Outcome, errors
from keyfold.errors import ConfigError
from keyfold.hooks import HookSpecs
from keyfold_contrib.cli import main

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"
PLUGINS = ("keys", "reducers", "values", "selections", "pipelines", "readers")


def section(page: str, heading: str) -> str:
    text = (REFERENCE / page).read_text(encoding="utf-8")
    _, found, rest = text.partition(f"\n## {heading}\n")
    assert found
    return rest.partition("\n## ")[0]


def first_cells(text: str) -> list[str]:
    """The names in the first column of the tables of a text."""
    rows = re.findall(r"^\| (`[^|]*) \|", text, re.MULTILINE)
    return [name for row in rows for name in re.findall(r"`([^`]+)`", row)]


def entry_points(kind: str) -> dict[str, EntryPoint]:
    found = distribution("keyfold").entry_points.select(group=f"keyfold.{kind}")
    return {entry.name: entry for entry in found}


@pytest.mark.parametrize("kind", PLUGINS)
def test_every_built_in_plugin_is_described(kind: str) -> None:
    spelt = first_cells(section("strategies.md", kind.capitalize()))
    provided = entry_points(kind)
    assert sorted(it.partition("(")[0] for it in spelt) == sorted(provided)


@pytest.mark.parametrize("kind", ["keys", "reducers", "values", "selections"])
def test_a_plugin_takes_the_arguments_that_are_described(kind: str) -> None:
    provided = entry_points(kind)
    for spelt in first_cells(section("strategies.md", kind.capitalize())):
        name, _, arguments = spelt.partition("(")
        signature = inspect.signature(provided[name].load())
        expected = [
            str(parameter.replace(annotation=inspect.Parameter.empty))
            for parameter in signature.parameters.values()
        ]
        described = arguments.removesuffix(")")
        assert described == ", ".join(expected), name


def test_every_error_is_described() -> None:
    page = (REFERENCE / "errors.md").read_text(encoding="utf-8")
    assert sorted([*first_cells(page), "ConfigProblem"]) == sorted(errors.__all__)


def test_the_exit_code_of_an_error_is_that_of_its_family() -> None:
    page = (REFERENCE / "errors.md").read_text(encoding="utf-8")
    for name, code in re.findall(r"^\| `(\w+)` \|.*\| (\d?) ?\|$", page, re.MULTILINE):
        error = getattr(errors, name)
        families = {"1": errors.DataError, "2": errors.UsageError}
        assert issubclass(error, families.get(code, errors.KeyfoldError)), name


def test_every_count_is_described() -> None:
    page = (REFERENCE / "outcomes.md").read_text(encoding="utf-8").partition("\n## ")[0]
    assert first_cells(page) == [field.name for field in attrs.fields(Outcome)]


def public_modules() -> list[Any]:
    folder = Path(keyfold.__file__).parent
    names = [path.stem for path in folder.glob("*.py") if path.stem[0] != "_"]
    found = [importlib.import_module(f"keyfold.{name}") for name in sorted(names)]
    return [
        keyfold,
        *found,
        keyfold_strategies,
        keyfold_strategies.pipelines,
        keyfold_contrib.readers,
        keyfold_contrib.collectives.processes,
        keyfold_contrib.collectives.ray_tasks,
        keyfold_contrib.collectives.torch_distributed,
        keyfold_contrib.partial_files,
    ]


@pytest.mark.parametrize("module", public_modules(), ids=lambda it: str(it.__name__))
def test_every_public_name_is_described(module: Any) -> None:
    described = first_cells(section("python.md", module.__name__))
    assert sorted(described) == sorted(module.__all__)


def test_no_other_module_is_described() -> None:
    page = (REFERENCE / "python.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## (.*)$", page, re.MULTILINE)
    assert sorted(headings) == sorted(it.__name__ for it in public_modules())


@pytest.mark.parametrize(
    "command", ["report", "explain", "partial", "merge", "plugins", "check", "new"]
)
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


METRIC = {"value": "one", "across": "count"}
WRONG: dict[str, dict[str, object]] = {
    "The file": {"x": 1},
    "Metrics": {"metrics": {"m": {**METRIC, "x": 1}}},
    "Levels": {"metrics": {"m": {**METRIC, "levels": [{"x": 1}]}}},
    "Plugins": {"plugins": {"x": 1}},
}


@pytest.mark.parametrize("heading", WRONG)
def test_every_key_of_a_configuration_is_described(heading: str) -> None:
    with pytest.raises(ConfigError) as caught:
        keyfold.load(WRONG[heading])
    [expected] = [it.expected for it in caught.value.problems if "'x'" in it.found]
    known = expected.removeprefix("one of the keys ").split(", ")
    assert sorted(first_cells(section("configuration.md", heading))) == sorted(known)


def test_every_key_of_the_reader_table_is_described(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config, dump = tmp_path / "keyfold.toml", tmp_path / "a.jsonl"
    config.write_text("[reader]\nx = 1\n", encoding="utf-8")
    dump.write_text('{"reward": 1.0}\n', encoding="utf-8")
    with pytest.raises(SystemExit):
        main(["report", str(dump), "--config", str(config)])
    found = re.search(
        r"reader\.x: expected one of the keys (.*), found", capsys.readouterr().err
    )
    assert found is not None
    described = first_cells(section("configuration.md", "Reader"))
    assert sorted(described) == sorted(found[1].split(", "))


def test_every_hook_is_described() -> None:
    page = REFERENCE.parent / "how-to" / "hook-into-reports.md"
    hooks = [name for name in vars(HookSpecs) if name.startswith("keyfold_")]
    assert first_cells(page.read_text(encoding="utf-8")) == hooks
