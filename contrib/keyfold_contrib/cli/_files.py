"""Which dumps a command reads, and which reader reads each of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import attrs

from keyfold import DataError, Reader, UsageError
from keyfold.catalog import Catalog
from keyfold.errors import ReadError
from keyfold_contrib.cli._notes import note_passed_over
from keyfold_contrib.cli._paths import expand
from keyfold_contrib.partial_files import looks_like_partials

__all__ = ["Dump", "dumps_of", "is_dump"]

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
        for path, folder in expand(pattern):
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
    note_passed_over(passed_over)
    return list(dumps.values())


def is_dump(path: Path, catalog: Catalog) -> bool:
    """Return whether a reader knows a file.

    Raises:
        DataError: It can't be read, or several readers know it.
    """
    readers = _readers(catalog, None)
    return _reader_for(path, readers, path.parent, chosen=False) is not None


def _readers(catalog: Catalog, format_name: str | None) -> dict[str, Reader]:
    names = catalog.names("reader") if format_name is None else (format_name,)
    if not names:
        raise UsageError("no reader is installed, or all are blocked")
    return {name: catalog.make("reader", name) for name in names}


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
        if looks_like_partials(head):
            raise ReadError(
                "this is a partial file, and no dump",
                path=path,
                hint="keyfold report and keyfold merge read partial files",
            )
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
