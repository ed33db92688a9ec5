"""Writing a partial file, and saying what is in it."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from cyclopts import Parameter

from keyfold import Partial
from keyfold_contrib.cli._text import count_of, printable
from keyfold_contrib.partial_files import Step, write_partials

__all__ = ["OutputParameter", "write"]

OutputParameter: Final = Parameter(
    name=["--output", "-o"],
    help="The partial file to write. It is written whole or not at all, and replaces "
    "nothing but a partial file.",
)
_MOST_NAMED: Final = 8


def write(path: Path, partials: Mapping[Step, Partial]) -> None:
    """Write a partial file, and print a line that says what was written.

    Raises:
        KeyfoldError: As `write_partials` does.
    """
    size = write_partials(path, partials)
    samples = sum(partial.samples for partial in partials.values())
    shards = sorted({shard for each in partials.values() for shard in each.shards})
    parts = (
        count_of(len(partials), "step"),
        count_of(samples, "sample"),
        _named(shards),
        count_of(size, "byte"),
    )
    sys.stdout.write(f"{printable(str(path))}: wrote {', '.join(parts)}\n")


def _named(shards: list[int]) -> str:
    if not shards or len(shards) > _MOST_NAMED:
        return count_of(len(shards), "shard")
    names = list(map(str, shards))
    if len(names) == 1:
        return f"shard {names[0]}"
    return f"shards {' '.join(names)}"
