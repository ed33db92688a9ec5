"""Reading partial files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from keyfold import Partial, Pipeline
from keyfold.catalog import Catalog
from keyfold.errors import MergeError, PartialFormatError, ReadError
from keyfold_contrib.partial_files._format import (
    HEAD,
    Step,
    decoded,
    looks_like_partials,
    named,
)

__all__ = ["is_partial_file", "read_partials"]

_OF_ONE_STEP: Final = (MergeError, PartialFormatError)


def is_partial_file(path: Path) -> bool:
    """Return whether a file says in its first line that it is a partial file.

    Raises:
        ReadError: It can't be read.
    """
    return looks_like_partials(_bytes_of(path, HEAD))


def read_partials(
    path: Path,
    *,
    pipelines: Mapping[str, Pipeline[Any]] | None = None,
    catalog: Catalog | None = None,
) -> dict[Step, Partial]:
    """Return the partial of each step in a file; all of it is checked.

    Args:
        path: The file.
        pipelines: The pipelines that the partials are of. None means that they are made
            from their spelling in the file.
        catalog: What the names in that mean; None means what is installed.

    Raises:
        ReadError: The file can't be read.
        PartialFormatError: It is no partial file, or a damaged one.
        MergeError: A partial is of another schema version, or of other pipelines than
            those given, or its pipelines can't be made here.
    """
    data = _bytes_of(path)
    try:
        entries = decoded(data)
    except PartialFormatError as error:
        raise PartialFormatError(f"{path}: {error.message}", hint=error.hint) from error
    partials: dict[Step, Partial] = {}
    for step, its in entries.items():
        try:
            partials[step] = Partial.from_bytes(
                its, pipelines=pipelines, catalog=catalog
            )
        except _OF_ONE_STEP as error:
            message = f"{path}, {named(step)}: {error.message}"
            raise type(error)(message, hint=error.hint) from error
    return partials


def _bytes_of(path: Path, most: int = -1) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(most)
    except OSError as error:
        raise ReadError(
            f"the file can't be read: {error.strerror or error}",
            path=path,
            hint="check that it exists, is a file, and may be read by you",
        ) from error
