"""What written windows and averages have in common."""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite
from typing import Annotated, TypeAlias

from msgspec import Meta

from keyfold._series.step import MOST, Clock
from keyfold._wire.envelope import Envelope
from keyfold.errors import PartialFormatError

__all__ = ["Count", "StepNumber", "check_names", "clock_of", "envelope_of", "finite"]

Count: TypeAlias = Annotated[int, Meta(ge=0, le=MOST)]
StepNumber: TypeAlias = Annotated[int, Meta(ge=-(1 << 63), le=(1 << 63) - 1)]


def envelope_of(kind: str, source: str) -> Envelope:
    """Return the envelope of a kind of series."""
    return Envelope(
        kind=kind,
        schema=1,
        source=f"{source} writes one",
        other_schema=PartialFormatError,
        other_hint="resume with the version of keyfold that wrote it",
    )


def clock_of(added: int, step: int | None) -> Clock:
    """Return how many steps were met, and which was the last.

    Raises:
        PartialFormatError: There was a last step, but none at all.
    """
    if not added and step is not None:
        raise PartialFormatError(f"expected no step, found the last to be {step}")
    return Clock(added, step)


def finite(value: float) -> float:
    """Return a number that must be finite.

    Raises:
        PartialFormatError: It is not.
    """
    if not isfinite(value):
        raise PartialFormatError(f"expected a finite number, found {value}")
    return value


def check_names(names: Iterable[str]) -> None:
    """Refuse names of which two are the same.

    Raises:
        PartialFormatError: Two are.
    """
    listed = list(names)
    distinct = len(set(listed))
    if distinct != len(listed):
        raise PartialFormatError(
            f"expected metrics of different names, found {len(listed)} with "
            f"{distinct} names"
        )
