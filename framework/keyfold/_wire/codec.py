"""The whole of a written partial: a header, a digest, and a msgpack message."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Any, Final

import attrs
import msgspec

from keyfold._compute import plan_for
from keyfold._partial.layout import layouts_of
from keyfold._partial.population import PartialPopulation
from keyfold._partial.spec import (
    difference,
    fingerprint_of,
    pipelines_of,
    specs_of,
)
from keyfold._plan import Plan
from keyfold._positions import MOST_SHARDS
from keyfold._version import __version__
from keyfold._wire.message import Message
from keyfold._wire.read import from_wire
from keyfold._wire.write import to_wire
from keyfold.catalog import Catalog
from keyfold.errors import MergeError, PartialFormatError
from keyfold.pipeline import Pipeline

__all__ = ["SCHEMA", "Read", "decode", "encode"]

SCHEMA: Final = 1
"""The version of the format; what reads one reads no other."""

_MAGIC: Final = b"keyfold partial\n"
_DIGEST: Final = 16
_HEADER: Final = len(_MAGIC) + 2 + _DIGEST
_MOST_METRICS: Final = 10_000
_MOST_SAMPLES: Final = 1 << 62
_decoder: Final = msgspec.msgpack.Decoder(Message)


@attrs.frozen(order=False, eq=False)
class Read:
    """What was read from the bytes of a partial.

    Attributes:
        plan: That of the pipelines.
        shards: The shards, in order.
        samples: How many samples there were.
        populations: What the partial holds of each population.
    """

    plan: Plan
    shards: tuple[int, ...]
    samples: int
    populations: tuple[PartialPopulation, ...]


def encode(
    pipelines: Mapping[str, Pipeline[Any]],
    shards: Sequence[int],
    samples: int,
    populations: Sequence[PartialPopulation],
) -> bytes:
    """Return a partial's bytes.

    Raises:
        PortabilityError: A key or a state can't be written.
    """
    specs = specs_of(pipelines)
    message = Message(
        version=__version__,
        fingerprint=fingerprint_of(specs),
        pipelines=specs,
        shards=tuple(shards),
        samples=samples,
        populations=tuple(map(to_wire, populations)),
    )
    payload = msgspec.msgpack.encode(message)
    return b"".join((_MAGIC, SCHEMA.to_bytes(2, "little"), _digest(payload), payload))


def decode(
    data: bytes,
    pipelines: Mapping[str, Pipeline[Any]] | None,
    catalog: Catalog | None,
) -> Read:
    """Return what the bytes of a partial hold.

    Args:
        data: The bytes.
        pipelines: The pipelines that it was made by; None means that they are made
            from their spelling.
        catalog: What the names in that mean; None means what is installed.

    Raises:
        PartialFormatError: The bytes are no partial, or a damaged one.
        MergeError: It is of another schema version, or of other pipelines.
    """
    message = _message(data)
    specs = message.pipelines
    if pipelines is None:
        pipelines = pipelines_of(specs, catalog)
    else:
        found = difference(specs, specs_of(pipelines))
        if found is not None:
            raise MergeError(
                f"the partial is of other pipelines than those given: {found}"
            )
    plan = plan_for(pipelines)
    if len(message.populations) != len(plan.populations):
        raise PartialFormatError(
            f"expected {len(plan.populations)} populations, as its pipelines have, "
            f"found {len(message.populations)}"
        )
    populations = tuple(
        from_wire(wire, population, layout, message.samples)
        for wire, population, layout in zip(
            message.populations, plan.populations, layouts_of(plan), strict=True
        )
    )
    return Read(plan, message.shards, message.samples, populations)


def _message(data: bytes) -> Message:
    if not data.startswith(_MAGIC):
        raise PartialFormatError(
            f"expected a partial, found {len(data)} bytes of something else",
            hint="Partial.to_bytes and `keyfold partial` write partials",
        )
    if len(data) < _HEADER:
        raise PartialFormatError(f"the partial ends after {len(data)} bytes")
    schema = int.from_bytes(data[len(_MAGIC) : len(_MAGIC) + 2], "little")
    if schema != SCHEMA:
        raise MergeError(
            f"the partial is of schema version {schema}, and this keyfold "
            f"({__version__}) reads version {SCHEMA}",
            hint="use one version of keyfold to write and to merge",
        )
    payload = data[_HEADER:]
    if _digest(payload) != data[_HEADER - _DIGEST : _HEADER]:
        raise PartialFormatError(
            f"the partial is damaged: its {len(payload)} bytes do not match their "
            "digest",
            hint="it was cut short or changed on its way; write or copy it again",
        )
    try:
        message = _decoder.decode(payload)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise PartialFormatError(f"the partial can't be read: {error}") from error
    _check(message)
    return message


def _check(message: Message) -> None:
    shards, specs = message.shards, message.pipelines
    if not shards or list(shards) != sorted(set(shards)):
        raise PartialFormatError(f"expected distinct shards in order, found {shards}")
    if not 0 <= shards[0] <= shards[-1] < MOST_SHARDS:
        raise PartialFormatError(f"expected shards below {MOST_SHARDS}, found {shards}")
    if not 0 <= message.samples <= _MOST_SAMPLES:
        raise PartialFormatError(f"expected a count, found {message.samples} samples")
    names = {spec.name for spec in specs}
    if len(names) != len(specs) or len(specs) > _MOST_METRICS:
        raise PartialFormatError(
            f"expected metrics of different names, found {len(specs)} with "
            f"{len(names)} names"
        )
    if message.fingerprint != fingerprint_of(specs):
        raise PartialFormatError("the fingerprint is not that of the pipelines")


def _digest(payload: bytes) -> bytes:
    return blake2b(payload, digest_size=_DIGEST).digest()
