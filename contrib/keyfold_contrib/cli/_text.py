"""Text that somebody else wrote, as it may be printed."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["count_of", "printable"]

# What moves the cursor, breaks a line, turns its direction, or is half a character.
_UNPRINTABLE: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)


def printable(text: str, *, keep: str = "") -> str:
    """Return a text with everything escaped that would not stand still on a terminal.

    Args:
        text: The text.
        keep: Characters to leave as they are.
    """

    def escaped(match: re.Match[str]) -> str:
        found = match[0]
        if found in keep:
            return found
        return found.encode("unicode_escape").decode("ascii")

    return _UNPRINTABLE.sub(escaped, text)


def count_of(count: int, thing: str) -> str:
    """Return `1 sample`, `2 samples` and so on."""
    return f"1 {thing}" if count == 1 else f"{count} {thing}s"
