"""Running the command line, and files for it to read."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from textwrap import dedent
from typing import Any

import attrs
import pytest

from keyfold.catalog import set_default_catalog
from keyfold_contrib.cli import main


@attrs.frozen(order=False)
class Result:
    """What a command line printed, and its exit code."""

    stdout: str
    stderr: str
    code: int

    @property
    def lines(self) -> list[str]:
        """The lines of the output."""
        return self.stdout.splitlines()


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Result]:
    """Run a command line in this process."""

    def call(*words: object) -> Result:
        capsys.readouterr()
        with pytest.raises(SystemExit) as caught:
            main([str(word) for word in words])
        printed = capsys.readouterr()
        assert isinstance(caught.value.code, int)
        return Result(printed.out, printed.err, caught.value.code)

    return call


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, which is the current one."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def jsonl(here: Path) -> Callable[..., str]:
    """Write samples as JSON Lines in the current folder."""

    def write(name: str, *rows: Any) -> str:
        path = here / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return name

    return write


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Install distributions as an installer would leave them."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.setattr(sys, "path", [str(folder), *sys.path])

    def add(
        distribution: str,
        entry_points: Mapping[str, Mapping[str, str]],
        source: str = "",
        *,
        version: str = "1.0",
    ) -> Path:
        module = distribution.replace("-", "_")
        info = folder / f"{module}-{version}.dist-info"
        info.mkdir()
        info.joinpath("METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}\n"
        )
        lines: list[str] = []
        for group, names in entry_points.items():
            lines.append(f"[{group}]")
            lines += [f"{name} = {target}" for name, target in names.items()]
        info.joinpath("entry_points.txt").write_text("\n".join(lines))
        folder.joinpath(f"{module}.py").write_text(dedent(source))
        importlib.invalidate_caches()
        set_default_catalog(None)
        return folder

    yield add
    set_default_catalog(None)
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if file and Path(file).parent == folder:
            del sys.modules[name]


EXAMPLE = Path(__file__).resolve().parents[2] / "docs" / "examples" / "multi-lora"


@pytest.fixture
def shards(here: Path) -> tuple[str, str]:
    """The shipped example in two folders, unevenly: rollouts are in both of them.

    Only the second has the last step.
    """
    names = ("left", "right")
    files = sorted(EXAMPLE.glob("*.jsonl"))
    assert len(files) == 4
    for name in names:
        (here / name).mkdir()
    for number, file in enumerate(files):
        lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
        left = [] if file is files[-1] else lines[1 :: 3 + number]
        right = [line for line in lines if line not in left]
        assert len(left) + len(right) == len(lines)
        for name, its in zip(names, (left, right), strict=True):
            if its:
                (here / name / file.name).write_text("".join(its), encoding="utf-8")
    return names


@pytest.fixture
def partial_of(run: Callable[..., Result], here: Path) -> Callable[..., str]:
    """Make a partial file of dumps by the command line."""

    def make(name: str, *words: object) -> str:
        result = run("partial", "-o", name, *words)
        assert (result.stderr, result.code) == ("", 0)
        return name

    return make
