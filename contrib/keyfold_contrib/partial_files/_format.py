"""From the steps of a partial file to bytes, and back from bytes of strangers."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from typing import Final, TypeAlias

import msgspec

from keyfold import __version__
from keyfold.errors import PartialFormatError, PortabilityError

__all__ = ["HEAD", "Step", "decoded", "encoded", "looks_like_partials", "named"]

Step: TypeAlias = int | str | None
"""A step's number or name, or None where a file does not say."""

_MAGIC: Final = b"keyfold partial file\n"
# The first line of Partial.to_bytes, with nothing around it.
_ONE: Final = b"keyfold partial\n"
_FORMAT: Final = 1
_VERSION: Final = 2
_DIGEST: Final = 16
HEAD: Final = len(_MAGIC)
"""How many of a file's first bytes say what it is."""


class _Entry(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    step: Step
    partial: bytes


class _Content(
    msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True
):
    version: str
    entries: tuple[_Entry, ...]


_decoder: Final = msgspec.msgpack.Decoder(_Content)


def looks_like_partials(head: bytes) -> bool:
    """Return whether a file that begins so says that it is a partial file."""
    return head.startswith((_MAGIC, _ONE))


def named(step: Step) -> str:
    """Return how an error names a step."""
    return "the step without a name" if step is None else f"step {step}"


def encoded(partials: Mapping[Step, bytes]) -> bytes:
    """Return the bytes of a partial file.

    Args:
        partials: The bytes of each step's partial.

    Raises:
        PortabilityError: The name of a step can't be written.
    """
    for step in partials:
        try:
            msgspec.msgpack.encode(step)
        except (OverflowError, UnicodeEncodeError) as error:
            raise PortabilityError(
                f"step {step!r} can't be written: {error}",
                hint="number the steps with 64 bits, or name them in valid Unicode",
            ) from error
    entries = tuple(_Entry(step, data) for step, data in partials.items())
    payload = msgspec.msgpack.encode(_Content(__version__, entries))
    version = _FORMAT.to_bytes(_VERSION, "little")
    return b"".join((_MAGIC, version, _digest(payload), payload))


def decoded(data: bytes) -> dict[Step, bytes]:
    """Return the bytes of each step's partial.

    Raises:
        PartialFormatError: The bytes are no partial file, a damaged one, or one of
            another version of the format.
    """
    if data.startswith(_ONE):
        return {None: data}
    if not data.startswith(_MAGIC):
        raise PartialFormatError(
            f"this is no partial file: its {len(data)} bytes begin otherwise",
            hint="keyfold partial writes partial files",
        )
    start = len(_MAGIC) + _VERSION
    if len(data) < start + _DIGEST:
        raise PartialFormatError(
            f"the partial file ends after {len(data)} bytes, in its header",
            hint="it was cut short; write or copy it again",
        )
    version = int.from_bytes(data[len(_MAGIC) : start], "little")
    if version != _FORMAT:
        raise PartialFormatError(
            f"the partial file is of format version {version}, and this keyfold "
            f"({__version__}) reads version {_FORMAT}",
            hint="use one version of keyfold to write and to read",
        )
    payload = data[start + _DIGEST :]
    if _digest(payload) != data[start : start + _DIGEST]:
        raise PartialFormatError(
            f"the partial file is damaged: its {len(payload)} bytes do not match their "
            "digest",
            hint="it was cut short or changed on its way; write or copy it again",
        )
    return _entries(payload)


def _entries(payload: bytes) -> dict[Step, bytes]:
    try:
        content = _decoder.decode(payload)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise PartialFormatError(f"the partial file can't be read: {error}") from error
    found: dict[Step, bytes] = {}
    for entry in content.entries:
        if entry.step in found:
            raise PartialFormatError(
                f"expected each step once, found {named(entry.step)} twice"
            )
        found[entry.step] = entry.partial
    return found


def _digest(payload: bytes) -> bytes:
    return blake2b(payload, digest_size=_DIGEST).digest()
