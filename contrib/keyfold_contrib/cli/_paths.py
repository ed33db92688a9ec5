"""Which paths a word of a command names: a file, a directory or a pattern."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import NoReturn

from keyfold import DataError, UsageError
from keyfold.errors import ReadError

__all__ = ["expand"]


def expand(pattern: str) -> Iterator[tuple[Path, Path | None]]:
    """Yield the paths that a pattern names, those of directories in natural order.

    Each comes with the directory in which it was found by itself, if in one.

    Raises:
        DataError: Nothing is there, or a directory can't be read.
        UsageError: The pattern is empty.
    """
    if not pattern:
        raise UsageError(
            "expected a file, directory or pattern, found an empty text",
            hint="a variable of the shell may not be set; . is the current directory",
        )
    path = Path(pattern)
    if path.is_dir():
        yield from ((each, path) for each in sorted(_files_in(path), key=_natural))
    elif path.exists():
        yield path, None
    elif not glob.has_magic(pattern):
        close = _neighbour(path)
        raise ReadError(
            "there is no such file or directory",
            path=path,
            hint=f"did you mean {close!r}?" if close else None,
        )
    else:
        # Unlike Path.glob it takes absolute patterns, and leaves hidden files out.
        found = glob.glob(pattern, recursive=True)  # noqa: PTH207
        matches = sorted(map(Path, found), key=_natural)
        if not matches:
            raise DataError(f"no file matches the pattern {pattern!r}")
        for match in matches:
            yield from expand(str(match))


def _files_in(folder: Path) -> Iterator[Path]:
    def refuse(error: OSError) -> NoReturn:
        # Passing over a folder would change the numbers without a word.
        raise ReadError(
            f"the directory can't be read: {error.strerror or error}",
            path=Path(error.filename or folder),
        ) from error

    for parent, folders, files in os.walk(folder, onerror=refuse):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in files:
            path = Path(parent, name)
            if path.is_file() and not name.startswith("."):
                yield path


def _neighbour(path: Path) -> str | None:
    try:
        names = [each.name for each in path.parent.iterdir()]
    except OSError:
        return None
    close = get_close_matches(path.name, names, n=1)
    return str(path.parent / close[0]) if close else None


def _natural(path: Path) -> list[tuple[int, int, str]]:
    parts = re.split(r"(\d+)", str(path))
    return [
        (0, int(part), part) if part.isdecimal() else (1, 0, part) for part in parts
    ]
