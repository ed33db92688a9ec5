"""Which files a command reads, and which reader reads each of them."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Final, NoReturn

import attrs

from keyfold import DataError, Reader, UsageError
from keyfold.catalog import Catalog
from keyfold.errors import ReadError
from keyfold_contrib.cli._notes import note
from keyfold_contrib.cli._text import count_of

__all__ = ["Dump", "dumps_of"]

_HEAD: Final = 4096
_CHOOSE: Final = "--format NAME reads a file that you name with a reader of your choice"


@attrs.frozen(order=False)
class Dump:
    """One file, and the reader for it."""

    path: Path
    reader: Reader


def dumps_of(
    patterns: Sequence[str], catalog: Catalog, format_name: str | None
) -> list[Dump]:
    """Return the dumps that some paths name, each once.

    A file stands for itself, a directory for the files of a known format in it and
    below, and anything else is a pattern. Files of a directory or pattern come in
    natural order: step 2 before step 10. Files of a directory that no reader knows are
    passed over, and people are told.

    Args:
        patterns: Files, directories and patterns.
        catalog: What knows the readers.
        format_name: The only reader; None takes all, and looks at each file's content.

    Raises:
        DataError: A path does not exist, has no dump, or no reader knows a file.
        UsageError: There is no such reader, or a path is empty.
    """
    readers = _readers(catalog, format_name)
    dumps: dict[Path, Dump] = {}
    passed_over: dict[Path, None] = {}
    for pattern in patterns:
        found = False
        for path, folder in _expand(pattern):
            reader = _reader_for(path, readers, folder, chosen=format_name is not None)
            if reader is None:
                passed_over[path] = None
            else:
                found = True
                dumps.setdefault(path.resolve(), Dump(path, reader))
        if not found:
            raise DataError(
                f"no file of a known format in {pattern!r}; the formats are "
                + ", ".join(readers),
                hint=_CHOOSE,
            )
    if passed_over:
        files = count_of(len(passed_over), "file")
        note(f"passed over {files} of no known format", list(map(str, passed_over)))
    return list(dumps.values())


def _readers(catalog: Catalog, format_name: str | None) -> dict[str, Reader]:
    names = catalog.names("reader") if format_name is None else (format_name,)
    if not names:
        raise UsageError("no reader is installed, or all are blocked")
    return {name: catalog.make("reader", name) for name in names}


def _expand(pattern: str) -> Iterator[tuple[Path, Path | None]]:
    # Paths, each with the directory in which it was found by itself, if in one.
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
            yield from _expand(str(match))


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


def _reader_for(
    path: Path, readers: Mapping[str, Reader], folder: Path | None, *, chosen: bool
) -> Reader | None:
    if not path.is_file():
        raise ReadError(
            "this is no regular file but a pipe or a device",
            path=path,
            hint="write it to a file first: keyfold looks at a file before it reads it",
        )
    if chosen and folder is None:
        return next(iter(readers.values()))
    head = _head_of(path)
    knowing = [name for name, it in readers.items() if it.recognises(path, head)]
    if len(knowing) > 1:
        raise ReadError(
            f"several readers know this file's format: {', '.join(knowing)}",
            path=path,
            hint=f"choose one, as in --format {knowing[0]}",
        )
    if not knowing and folder is None:
        raise ReadError(
            "no reader knows this file's format; the formats are " + ", ".join(readers),
            path=path,
            hint=_CHOOSE,
        )
    return readers[knowing[0]] if knowing else None


def _head_of(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(_HEAD)
    except OSError as error:
        raise ReadError(
            f"the file can't be read: {error.strerror or error}",
            path=path,
            hint="check that it exists, is a file, and may be read by you",
        ) from error
