"""Which partial files a command reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from keyfold import DataError, UsageError
from keyfold.catalog import Catalog
from keyfold.errors import PartialFormatError
from keyfold_contrib.cli._files import is_dump
from keyfold_contrib.cli._notes import note_passed_over
from keyfold_contrib.cli._paths import expand
from keyfold_contrib.partial_files import is_partial_file

__all__ = ["names_partials", "partial_files_of", "refuse_options"]


def names_partials(patterns: Sequence[str]) -> Path | None:
    """Return the first partial file that some paths name, if there is one.

    Raises:
        DataError: A path does not exist, or a file can't be read.
        UsageError: A path is empty.
    """
    for pattern in patterns:
        for path, _ in expand(pattern):
            if _is_partial(path):
                return path
    return None


def refuse_options(path: Path, options: Mapping[str, object]) -> None:
    """Refuse options that a partial file settles.

    Args:
        path: The partial file.
        options: The options by name; those that were not given are None or false.

    Raises:
        UsageError: One was given.
    """
    given = [
        name
        for name, value in options.items()
        if value is not None and value is not False
    ]
    if given:
        raise UsageError(
            f"{', '.join(given)} can't be applied to {path}: it is a partial file, "
            "whose samples were read and whose metrics were chosen when it was made",
            hint="give the option to keyfold partial",
        )


def partial_files_of(patterns: Sequence[str], catalog: Catalog) -> list[Path]:
    """Return the partial files that some paths name, each once.

    Files of a directory that are neither partial files nor dumps are passed over, and
    people are told.

    Raises:
        DataError: A path does not exist or names no partial file, or a file can't be
            read.
        UsageError: There are partial files and others, or a path is empty.
    """
    partials: dict[Path, Path] = {}
    others: dict[Path, None] = {}
    passed_over: dict[Path, None] = {}
    for pattern in patterns:
        known = len(partials) + len(others)
        found = False
        for path, folder in expand(pattern):
            if _is_partial(path):
                partials.setdefault(path.resolve(), path)
                found = True
            elif folder is None or is_dump(path, catalog):
                others[path] = None
            else:
                passed_over[path] = None
        if not found and known == len(partials) + len(others):
            raise DataError(
                f"no partial file in {pattern!r}",
                hint="keyfold partial writes partial files",
            )
    if others:
        _refuse(next(iter(others)), next(iter(partials.values()), None))
    note_passed_over(passed_over)
    return list(partials.values())


def _is_partial(path: Path) -> bool:
    return path.is_file() and is_partial_file(path)


def _refuse(other: Path, partial: Path | None) -> None:
    hint = "keyfold partial DUMPS -o FILE makes a partial file of dumps"
    if partial is None:
        raise PartialFormatError(f"{other}: this is no partial file", hint=hint)
    raise UsageError(
        f"{partial} is a partial file and {other} is none: partial files are merged, "
        "dumps are read, and nothing tells how one adds to the other",
        hint=hint,
    )
