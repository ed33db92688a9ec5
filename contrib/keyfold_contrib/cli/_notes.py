"""What people are told beside the output, on standard error."""

from __future__ import annotations

import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Final

from keyfold_contrib.cli._text import count_of, printable

__all__ = ["complain", "note", "note_bad", "note_passed_over"]

_MOST_LISTED: Final = 5


def complain(message: str) -> None:
    """Say why there is no output."""
    _say(message)


def note(message: str, listed: Sequence[str] = ()) -> None:
    """Say what is worth knowing about the output.

    Args:
        message: One sentence.
        listed: What it is about; only the first few are listed.
    """
    lines = [message + ":" if listed else message, *listed[:_MOST_LISTED]]
    if len(listed) > _MOST_LISTED:
        lines.append(f"... and {len(listed) - _MOST_LISTED} more")
    _say("note: " + "\n  ".join(lines))


def note_bad(bad: Sequence[str]) -> None:
    """Say which records were passed over."""
    if bad:
        records = "1 broken record" if len(bad) == 1 else f"{len(bad)} broken records"
        note(f"passed over {records}", bad)


def note_passed_over(paths: Collection[Path]) -> None:
    """Say which files of a directory nothing here reads."""
    if paths:
        files = count_of(len(paths), "file")
        note(f"passed over {files} of no known format", list(map(str, paths)))


def _say(text: str) -> None:
    sys.stderr.write(f"keyfold: {printable(text, keep=chr(10))}\n")
