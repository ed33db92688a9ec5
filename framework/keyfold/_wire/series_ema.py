"""An average over steps as bytes, and back from bytes that nobody vouches for."""

from __future__ import annotations

from typing import Annotated, Final

import msgspec

from keyfold._series.ema import EmaState, Smoothed
from keyfold._series.step import Weigh
from keyfold._version import __version__
from keyfold._wire.envelope import opened, sealed
from keyfold._wire.series_parts import (
    Count,
    StepNumber,
    check_names,
    clock_of,
    envelope_of,
    finite,
)
from keyfold.errors import PartialFormatError

__all__ = ["decode_ema", "encode_ema"]


class WireSmoothed(
    msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True
):
    """What an average holds of one metric."""

    name: str
    mean: float | None
    weight: float
    steps: Count
    nonfinite: Count
    latest: Count


class EmaMessage(
    msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True
):
    """An average: its arguments, its clock, and its metrics."""

    version: str
    decay: Annotated[float, msgspec.Meta(ge=0, lt=1)]
    weigh: Weigh
    added: Count
    step: StepNumber | None
    series: tuple[WireSmoothed, ...]


_ENVELOPE: Final = envelope_of("ema", "Ema.to_bytes")
_decoder: Final = msgspec.msgpack.Decoder(EmaMessage)


def encode_ema(decay: float, weigh: Weigh, state: EmaState) -> bytes:
    """Return an average's bytes.

    Raises:
        PortabilityError: A name is no valid Unicode.
    """
    message = EmaMessage(
        version=__version__,
        decay=float(decay),
        weigh=weigh,
        added=state.clock.added,
        step=state.clock.step,
        series=tuple(
            WireSmoothed(name, it.mean, it.weight, it.steps, it.nonfinite, it.latest)
            for name, it in state.series.items()
        ),
    )
    return sealed(_ENVELOPE, message)


def decode_ema(data: bytes) -> tuple[float, Weigh, EmaState]:
    """Return an average's decay, what it weighs, and what it holds.

    Raises:
        PartialFormatError: The bytes are no average, or a damaged one.
    """
    message = opened(_ENVELOPE, _decoder, data)
    clock = clock_of(message.added, message.step)
    check_names(it.name for it in message.series)
    series = {it.name: _smoothed(it, message.added) for it in message.series}
    return message.decay, message.weigh, EmaState(clock, series)


def _smoothed(wire: WireSmoothed, added: int) -> Smoothed:
    steps, latest, weight = wire.steps, wire.latest, finite(wire.weight)
    if steps + wire.nonfinite > added or not steps <= latest <= added:
        raise PartialFormatError(
            f"metric {wire.name!r}: expected counts of {added} steps, found {steps} "
            f"with a value, the last of them {latest}, and {wire.nonfinite} non-finite"
        )
    if wire.mean is None:
        valid = steps == latest == weight == 0
    else:
        # The latest value is not decayed, and has a weight of at least 1.
        finite(wire.mean)
        valid = steps > 0 and weight >= 1
    if not valid:
        raise PartialFormatError(
            f"metric {wire.name!r}: expected the mean of {steps} steps, found "
            f"{wire.mean} of weight {weight}"
        )
    return Smoothed(wire.mean, weight, steps, wire.nonfinite, latest)
