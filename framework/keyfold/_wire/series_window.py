"""A window over steps as bytes, and back from bytes that nobody vouches for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final, TypeAlias

import msgspec

from keyfold._series.step import ABSENT, MOST, NONFINITE, Entry, Step, Weigh
from keyfold._series.window import WindowState
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

__all__ = ["decode_window", "encode_window"]

Weight: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=MOST)]


class WireEntry(
    msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True
):
    """What a step gives to the metric of some number.

    Value and weight are both None where there is none to weigh.
    """

    name: Count
    value: float | None
    weight: Weight | None
    nonfinite: bool


class WindowMessage(
    msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True
):
    """A window: its arguments, its clock, and its steps, oldest first."""

    version: str
    last: Annotated[int, msgspec.Meta(ge=1, le=MOST)]
    weigh: Weigh
    added: Count
    step: StepNumber | None
    names: tuple[str, ...]
    steps: tuple[tuple[WireEntry, ...], ...]


_ENVELOPE: Final = envelope_of("window", "Window.to_bytes")
_decoder: Final = msgspec.msgpack.Decoder(WindowMessage)


def encode_window(last: int, weigh: Weigh, state: WindowState) -> bytes:
    """Return a window's bytes.

    Raises:
        PortabilityError: A name is no valid Unicode.
    """
    names = {
        name: number
        for number, name in enumerate(
            dict.fromkeys(name for step in state.steps for name in step)
        )
    }
    message = WindowMessage(
        version=__version__,
        last=last,
        weigh=weigh,
        added=state.clock.added,
        step=state.clock.step,
        names=tuple(names),
        steps=tuple(
            tuple(
                WireEntry(names[name], it.value, it.weight or None, it.nonfinite)
                for name, it in step.items()
            )
            for step in state.steps
        ),
    )
    return sealed(_ENVELOPE, message)


def decode_window(data: bytes) -> tuple[int, Weigh, WindowState]:
    """Return how far a window looks back, what it weighs, and what it holds.

    Raises:
        PartialFormatError: The bytes are no window, or a damaged one.
    """
    message = opened(_ENVELOPE, _decoder, data)
    clock = clock_of(message.added, message.step)
    check_names(message.names)
    expected = min(message.added, message.last)
    if len(message.steps) != expected:
        raise PartialFormatError(
            f"expected {expected} steps in the window, found {len(message.steps)}"
        )
    steps = tuple(_step(it, message.names, message.weigh) for it in message.steps)
    return message.last, message.weigh, WindowState(clock, steps)


def _step(entries: Sequence[WireEntry], names: Sequence[str], weigh: Weigh) -> Step:
    step: dict[str, Entry] = {}
    for it in entries:
        if it.name >= len(names):
            raise PartialFormatError(
                f"expected one of {len(names)} metrics, found number {it.name}"
            )
        step[names[it.name]] = _entry(it, weigh)
    if len(step) != len(entries):
        raise PartialFormatError("expected each metric once in a step, found one twice")
    return step


def _entry(wire: WireEntry, weigh: Weigh) -> Entry:
    if wire.value is None and wire.weight is None:
        return NONFINITE if wire.nonfinite else ABSENT
    if wire.value is None or wire.weight is None or wire.nonfinite:
        raise PartialFormatError("expected a value and its weight, found one alone")
    if weigh == "steps" and wire.weight != 1:
        raise PartialFormatError(
            f"expected each step to weigh 1, found one of weight {wire.weight}"
        )
    return Entry(finite(wire.value), wire.weight)
