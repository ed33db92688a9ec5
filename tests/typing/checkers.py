"""The type checkers that are installed, run as their users run them."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Final

__all__ = ["INSTALLED", "complaints"]

INSTALLED: Final = tuple(name for name in ("mypy", "pyright") if find_spec(name))
"""mypy, and pyright where keyfold is worked on: not where only its wheel is tested."""

_OPTIONS: Final = {"mypy": (), "pyright": ("--pythonpath", sys.executable)}


def complaints(checker: str, target: Path, *, project: Path) -> str:
    """Return what a checker prints about a file or folder, or nothing if all is well.

    Args:
        checker: One of those installed.
        target: What is checked.
        project: The folder whose configuration holds.
    """
    run = subprocess.run(
        [sys.executable, "-m", checker, *_OPTIONS[checker], str(target)],
        capture_output=True,
        text=True,
        check=False,
        cwd=project,
        env={**os.environ, "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"},
    )
    return run.stdout + run.stderr if run.returncode else ""
