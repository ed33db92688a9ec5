"""The whole of a written partial, from its state to bytes and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
from keyfold._wire.envelope import Envelope, opened, sealed
from keyfold._wire.message import Message
from keyfold._wire.read import from_wire
from keyfold._wire.write import to_wire
from keyfold.catalog import Catalog
from keyfold.errors import MergeError, PartialFormatError, PortabilityError
from keyfold.pipeline import Pipeline

__all__ = ["SCHEMA", "Read", "decode", "encode"]

SCHEMA: Final = 1
"""The version of the format; what reads one reads no other."""

_ENVELOPE: Final = Envelope(
    kind="partial",
    schema=SCHEMA,
    source="Partial.to_bytes and `keyfold partial` write partials",
    other_schema=MergeError,
    other_hint="use one version of keyfold to write and to merge",
)
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
    plan: Plan,
    shards: Sequence[int],
    samples: int,
    populations: Sequence[PartialPopulation],
) -> bytes:
    """Return a partial's bytes.

    Raises:
        PortabilityError: A key or a state can't be written, or there are more samples
            than are read.
    """
    if samples > _MOST_SAMPLES:
        raise PortabilityError(
            f"the partial can't be written: it is of {samples} samples, expected at "
            f"most {_MOST_SAMPLES}"
        )
    specs = specs_of(plan.pipelines)
    message = Message(
        version=__version__,
        fingerprint=fingerprint_of(specs),
        pipelines=specs,
        shards=tuple(shards),
        samples=samples,
        populations=tuple(map(to_wire, populations, layouts_of(plan))),
    )
    return sealed(_ENVELOPE, message)


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
    message = opened(_ENVELOPE, _decoder, data)
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
