"""The parts of a written partial, as msgpack has them."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from keyfold._partial.spec import MetricSpec
from keyfold._wire.atoms import TotalOf
from keyfold._wire.columns import Floats, Ints, WireColumn

__all__ = [
    "Message",
    "WireCounts",
    "WirePopulation",
    "WireStates",
    "WireTotals",
    "WireUnits",
]


class WireUnits(msgspec.Struct, frozen=True, array_like=True):
    """The keys of some units."""

    size: int
    columns: tuple[WireColumn, ...]
    ragged: bool


class WireTotals(msgspec.Struct, frozen=True, array_like=True, tag="totals"):
    """The exact sums of some units: those of one value, and the units of the others."""

    values: Floats
    counts: Ints
    units: Ints
    others: tuple[TotalOf, ...]


class WirePlain(msgspec.Struct, frozen=True, array_like=True, tag="plain"):
    """The states of some units as plain data."""

    states: WireColumn


WireStates: TypeAlias = WireTotals | WirePlain


class WireCounts(msgspec.Struct, frozen=True, array_like=True):
    """What is counted, and the counts of each."""

    names: tuple[str, ...]
    counts: tuple[Ints, ...]


class WirePopulation(msgspec.Struct, frozen=True, array_like=True):
    """What a partial holds of one population."""

    rows: int
    bound: tuple[str | None, ...]
    units: tuple[WireUnits, ...]
    links: tuple[Ints, ...]
    states: tuple[WireStates, ...]
    counts: tuple[WireCounts, ...]


class Message(msgspec.Struct, frozen=True, array_like=True):
    """A partial.

    Attributes:
        version: The version of keyfold that wrote it.
        fingerprint: That of the pipelines.
        pipelines: How the pipelines are spelt.
        shards: The numbers of the shards, in order.
        samples: How many samples there were.
        populations: What it holds of each population of the pipelines' plan.
    """

    version: str
    fingerprint: bytes
    pipelines: tuple[MetricSpec, ...]
    shards: tuple[int, ...]
    samples: int
    populations: tuple[WirePopulation, ...]
