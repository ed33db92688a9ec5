"""Environments of their own, in which keyfold and other distributions are installed."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import attrs

from keyfold.settings import DISABLE_VARIABLE

__all__ = ["Done", "Environment", "made"]

# What the person who runs the tests has set must not decide what they show.
_OURS = (DISABLE_VARIABLE, "KEYFOLD_EXAMPLE_LOG", "PYTHONPATH")


@attrs.frozen(order=False)
class Done:
    """How a process ended."""

    code: int
    stdout: str
    stderr: str


@attrs.frozen(order=False)
class Environment:
    """A virtual environment, and a folder of its own to work in.

    Attributes:
        python: Its interpreter.
        folder: The current folder of what runs in it.
    """

    python: Path
    folder: Path

    def install(self, *wheels: Path) -> None:
        """Install wheels, or other versions of what is there."""
        words = ["--no-index", "--no-deps", "--no-compile", "--quiet"]
        pip = [sys.executable, "-m", "pip", "--python", str(self.python), "install"]
        subprocess.run([*pip, *words, *map(str, wheels)], check=True)

    def unpack(self, wheel: Path) -> None:
        """Put a wheel where an installer would; quick, and nothing can replace it."""
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(packages_of(self.python.parents[1]))

    def keyfold(self, *words: str, **variables: str) -> Done:
        """Run a command line of keyfold in a new process."""
        return self.run([str(self.python), "-m", "keyfold", *words], variables)

    def python_code(self, code: str, **variables: str) -> Done:
        """Run Python in a new process."""
        return self.run([str(self.python), "-c", code], variables)

    def run(
        self, command: Sequence[str], variables: Mapping[str, str] | None = None
    ) -> Done:
        """Run any command in the folder, with more variables in its environment."""
        kept = {name: it for name, it in os.environ.items() if name not in _OURS}
        done = subprocess.run(
            command,
            cwd=self.folder,
            env={**kept, **(variables or {})},
            capture_output=True,
            text=True,
            check=False,
        )
        return Done(done.returncode, done.stdout, done.stderr)

    def write(self, name: str, text: str) -> Path:
        """Write a file into the folder."""
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path


def made(folder: Path) -> Environment:
    """Make an environment that has what runs these tests, keyfold above all."""
    venv.create(folder / "venv", with_pip=False, symlinks=True)
    python = folder / "venv" / "bin" / "python"
    # Its own packages come first, so that what is installed there is what is found.
    ours = sysconfig.get_path("purelib")
    packages_of(folder / "venv").joinpath("_ours.pth").write_text(
        f"import site; site.addsitedir({ours!r})\n", encoding="utf-8"
    )
    work = folder / "work"
    work.mkdir()
    return Environment(python, work)


def packages_of(root: Path) -> Path:
    """Return the folder of a virtual environment in which distributions stand."""
    return Path(sysconfig.get_path("purelib", "venv", vars={"base": str(root)}))
