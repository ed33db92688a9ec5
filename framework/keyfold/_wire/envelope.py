"""What stands around a written message: its kind, its schema version, its digest."""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import Final, TypeVar, cast

import attrs
import msgspec

from keyfold._describe import shown
from keyfold._version import __version__
from keyfold.errors import DataError, PartialFormatError, PortabilityError

__all__ = ["Envelope", "opened", "sealed"]

MessageT = TypeVar("MessageT")

_DIGEST: Final = 16
_VERSION: Final = 2
_KIND: Final = re.compile(rb"keyfold ([a-z ]{1,16})\n")


@attrs.frozen(order=False)
class Envelope:
    """The kind of what is written.

    Attributes:
        kind: What it is called, in one word. The first line is made of it.
        schema: The version of its format; what reads one reads no other.
        source: What writes it, as a hint.
        other_schema: The error for another version of the format.
        other_hint: What to do about that.
    """

    kind: str
    schema: int
    source: str
    other_schema: type[DataError]
    other_hint: str

    @property
    def magic(self) -> bytes:
        """The first line."""
        return f"keyfold {self.kind}\n".encode()


def sealed(envelope: Envelope, message: object) -> bytes:
    """Return a message as bytes.

    Raises:
        PortabilityError: A text in it is no valid Unicode, or a count is too large.
    """
    try:
        payload = msgspec.msgpack.encode(message)
    except UnicodeEncodeError as error:
        raise PortabilityError(
            f"the {envelope.kind} can't be written: {shown(error.object)} is no "
            "valid Unicode"
        ) from error
    except OverflowError as error:
        raise PortabilityError(
            f"the {envelope.kind} can't be written: {error}"
        ) from error
    schema = envelope.schema.to_bytes(_VERSION, "little")
    return b"".join((envelope.magic, schema, _digest(payload), payload))


def opened(
    envelope: Envelope, decoder: msgspec.msgpack.Decoder[MessageT], data: bytes
) -> MessageT:
    """Return the message in bytes that nobody vouches for.

    Raises:
        PartialFormatError: They are of another kind, damaged, or no such message.
        DataError: They are of another schema version; of the kind that the envelope
            says.
    """
    kind, magic = envelope.kind, envelope.magic
    if not isinstance(cast("object", data), bytes | bytearray):
        raise PartialFormatError(
            f"expected the bytes of {_one(kind)}, found {shown(data)}",
            hint=envelope.source,
        )
    if not data.startswith(magic):
        other = _KIND.match(data)
        found = _one(other[1].decode()) if other else "something else"
        raise PartialFormatError(
            f"expected {_one(kind)}, found {len(data)} bytes of {found}",
            hint=envelope.source,
        )
    start = len(magic) + _VERSION
    if len(data) < start + _DIGEST:
        raise PartialFormatError(f"the {kind} ends after {len(data)} bytes")
    schema = int.from_bytes(data[len(magic) : start], "little")
    if schema != envelope.schema:
        raise envelope.other_schema(
            f"the {kind} is of schema version {schema}, and this keyfold "
            f"({__version__}) reads version {envelope.schema}",
            hint=envelope.other_hint,
        )
    payload = data[start + _DIGEST :]
    if _digest(payload) != data[start : start + _DIGEST]:
        raise PartialFormatError(
            f"the {kind} is damaged: its {len(payload)} bytes do not match their "
            "digest",
            hint="it was cut short or changed on its way; write or copy it again",
        )
    try:
        return decoder.decode(payload)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise PartialFormatError(f"the {kind} can't be read: {error}") from error


def _one(kind: str) -> str:
    return f"an {kind}" if kind[0] in "aeiou" else f"a {kind}"


def _digest(payload: bytes) -> bytes:
    return blake2b(payload, digest_size=_DIGEST).digest()
