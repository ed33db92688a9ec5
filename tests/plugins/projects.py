"""The example distribution as it is, and as others might have written it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TypeAlias

__all__ = ["EXAMPLE", "Edit", "built", "edited", "renamed"]

EXAMPLE = Path(__file__).parent / "keyfold-example"

Edit: TypeAlias = tuple[str, str, str]
"""A file of the project, what stands there, and what takes its place.

Where nothing stands there, the file is a new one.
"""


def edited(folder: Path, edits: Iterable[Edit]) -> Path:
    """Copy the example to a folder that is not there yet, and change some lines."""
    shutil.copytree(
        EXAMPLE, folder, ignore=shutil.ignore_patterns("__pycache__", ".*_cache")
    )
    for name, old, new in edits:
        file = folder / name
        if not old:
            file.touch(exist_ok=False)
            file.write_text(new, encoding="utf-8")
            continue
        text = file.read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{name} has {old!r} {text.count(old)} times"
        file.write_text(text.replace(old, new), encoding="utf-8")
    return folder


def renamed(folder: Path, name: str) -> Path:
    """Give a project another name: its distribution, and its import package."""
    package = name.replace("-", "_")
    (folder / "src" / "keyfold_example").rename(folder / "src" / package)
    for file in folder.rglob("*"):
        if file.is_file():
            text = file.read_text(encoding="utf-8")
            text = text.replace("keyfold-example", name)
            file.write_text(text.replace("keyfold_example", package), encoding="utf-8")
    return folder


def built(project: Path, folder: Path) -> Path:
    """Build the wheel of a project into a folder that has none yet."""
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder],
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    (wheel,) = folder.glob("*.whl")
    return wheel
