"""Finds the pickle in a file that `torch.save` wrote, without torch."""

from __future__ import annotations

import struct
import zipfile
import zlib
from typing import TYPE_CHECKING, Final

from keyfold.errors import ReadError
from keyfold_contrib.readers._lines import unreadable

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["LEGACY", "ZIP", "first_member", "read_pickle"]

ZIP: Final = b"PK\x03\x04"
LEGACY: Final = b"\x80\x02\x8a\x0al\xfc\x9cF\xf9 j\xa8P\x19."
"""How `torch.save` began a file before 2020: a number, pickled on its own."""

_LARGEST: Final = 1 << 31
_FREELY: Final = 1 << 20
_HIGHEST_RATIO: Final = 200
_BROKEN: Final = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    IndexError,
    KeyError,
    NotImplementedError,
    OverflowError,
    RuntimeError,
    ValueError,
)


def first_member(head: bytes) -> str:
    """Return the name of the first member of a zip file, from its first bytes."""
    if not head.startswith(ZIP) or len(head) < 30:
        return ""
    length = int.from_bytes(head[26:28], "little")
    return head[30 : 30 + length].decode("utf-8", "replace")


def read_pickle(path: Path) -> tuple[bytes, int]:
    """Return a torch file's pickle, and the size of the whole file.

    Raises:
        ReadError: The file is no such file, is damaged, or is larger than it should be.
    """
    try:
        with path.open("rb") as file:
            head = file.read(len(LEGACY))
            size = file.seek(0, 2)
            if head.startswith(LEGACY[:-1]):
                raise _legacy(path)
            with zipfile.ZipFile(file) as archive:
                return _member(path, archive, size), size
    except OSError as error:
        raise unreadable(path, error) from error
    except _BROKEN as error:
        raise ReadError(
            f"the file is no torch file, or it is damaged or cut off: {error}",
            path=path,
            hint="expected the zip file that torch.save writes; if it is still being "
            "written, wait until it is complete",
        ) from error


def _legacy(path: Path) -> ReadError:
    return ReadError(
        "the file has the format that torch.save wrote before torch 1.6; expected its "
        "zip format; nothing in it was run",
        path=path,
        hint="if you trust it, re-save it where torch and the trainer are installed: "
        "torch.save(torch.load(old, weights_only=False), new)",
    )


def _member(path: Path, archive: zipfile.ZipFile, size: int) -> bytes:
    names = archive.namelist()
    found = [
        name for name in names if name.count("/") == 1 and name[-9:] == "/data.pkl"
    ]
    if len(found) != 1:
        listed = ", ".join(name[:60] for name in names[:8])
        raise ReadError(
            f"the zip file has {len(found)} members named <folder>/data.pkl (of "
            f"{len(names)}: {listed}); expected one, as torch.save writes it",
            path=path,
        )
    info = archive.getinfo(found[0])
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ReadError(
            f"`{info.filename}` is compressed by method {info.compress_type}; expected "
            "it stored, as torch.save does",
            path=path,
        )
    # What the file says of itself is checked before memory is set aside for it.
    ratio = info.file_size / max(1, min(info.compress_size, size))
    if info.file_size > _LARGEST or (
        info.file_size > _FREELY and ratio > _HIGHEST_RATIO
    ):
        raise ReadError(
            f"`{info.filename}` says that it unpacks to {info.file_size:,} bytes, "
            f"{ratio:,.0f} times what is stored; at most {_LARGEST:,} bytes and "
            f"{_HIGHEST_RATIO} times are read",
            path=path,
        )
    with archive.open(info) as member:
        return member.read()
