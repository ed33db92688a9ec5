"""The lines of a text file, whatever happens to the file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from keyfold.errors import ReadError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["BOM", "numbered_lines", "unreadable"]

BOM: Final = b"\xef\xbb\xbf"
_LONGEST: Final = 1 << 28
_TICK: Final = 1 << 20


def unreadable(path: Path, error: OSError) -> ReadError:
    """Return the error for a file that the operating system does not give."""
    reason = error.strerror or str(error) or type(error).__name__
    return ReadError(
        f"the file can't be read: {reason}",
        path=path,
        hint="check that it exists, is a file, and may be read by you",
    )


def numbered_lines(
    path: Path, advance: Callable[[int], None]
) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that are not blank, with their numbers counted from one.

    Args:
        path: The file.
        advance: Called now and then with the number of bytes read since the last call.

    Raises:
        ReadError: The file can't be read, or a line has no end.
    """
    try:
        file = path.open("rb", buffering=_TICK)
    except OSError as error:
        raise unreadable(path, error) from error
    with file:
        number = read = 0
        while True:
            try:
                # Bounded, because a file that is no text may be one endless line.
                line = file.readline(_LONGEST)
            except OSError as error:
                raise unreadable(path, error) from error
            if not line:
                break
            number += 1
            if len(line) == _LONGEST:
                raise ReadError(
                    f"the line is longer than {_LONGEST:,} bytes; expected one "
                    "sample a line",
                    path=path,
                    line=number,
                )
            read += len(line)
            if read >= _TICK:
                advance(read)
                read = 0
            if number == 1:
                line = line.removeprefix(BOM)
            if not line.isspace() and line:
                yield number, line
        advance(read)
