"""Writing partial files: whole or not at all, and over nothing else."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from pathlib import Path

from keyfold import DataError, Partial, UsageError
from keyfold.errors import PortabilityError
from keyfold_contrib.partial_files._format import Step, encoded, named
from keyfold_contrib.partial_files._read import is_partial_file

__all__ = ["check_target", "write_partials"]


def check_target(path: Path) -> None:
    """Refuse a path at which no partial file may be written.

    Raises:
        UsageError: Its folder does not exist, or what stands there is no partial file.
        ReadError: What stands there can't be read.
    """
    if not path.parent.is_dir():
        raise UsageError(
            f"{path} can't be written: there is no directory {str(path.parent)!r}",
            hint="make the directory first",
        )
    if not path.exists():
        return
    if not path.is_file():
        raise UsageError(
            f"{path} can't be written: expected a file or nothing there, found "
            + ("a directory" if path.is_dir() else "a pipe or a device"),
            hint="name a file, as in shard-0.partials",
        )
    if not is_partial_file(path):
        raise UsageError(
            f"{path} is not overwritten, since it is no partial file",
            hint="choose another name, or remove the file first",
        )


def write_partials(path: Path, partials: Mapping[Step, Partial]) -> int:
    """Write a partial file, and return how many bytes it has.

    It replaces another partial file at once, when all of it is written: who reads
    meanwhile has the old one or the new one.

    Args:
        path: The file.
        partials: The partial of each step.

    Raises:
        PortabilityError: A reducer's state, or the name of a step, can't be written.
        UsageError: The pipelines can't be told from others, or `check_target` refuses
            the path.
        DataError: The file can't be written.
    """
    data = encoded({step: _bytes_of(step, it) for step, it in partials.items()})
    check_target(path)
    # Where the path is a link, what it leads to is replaced, and not the link.
    target = path.resolve()
    # Hidden, so that no directory that is read meanwhile has it.
    beside = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        try:
            with beside.open("xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(target)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        raise DataError(
            f"{path}: the file can't be written: {error.strerror or error}",
            hint="the directory must be yours to write, and have room",
        ) from error
    return len(data)


def _bytes_of(step: Step, partial: Partial) -> bytes:
    try:
        return partial.to_bytes()
    except PortabilityError as error:
        message = f"{named(step)}: {error.message}"
        raise PortabilityError(message, hint=error.hint) from error
