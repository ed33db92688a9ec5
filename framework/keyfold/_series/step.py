"""What one step gives to a series: each metric's number, and how much it weighs."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Final, Literal, TypeAlias

import attrs

from keyfold._describe import shown
from keyfold.errors import UsageError
from keyfold.partials import Partial
from keyfold.report import Outcome, Report

__all__ = [
    "ABSENT",
    "MOST",
    "NONFINITE",
    "START",
    "WEIGHS",
    "Clock",
    "Entry",
    "Step",
    "Weigh",
    "step_of",
    "ticked",
]

Weigh: TypeAlias = Literal["steps", "units", "samples"]
"""What a series weighs its steps by: each alike, or by an outcome's units or used."""

WEIGHS: Final[tuple[Weigh, ...]] = ("steps", "units", "samples")

MOST: Final = 1 << 62
"""No count is larger."""

_LEAST_STEP, _MOST_STEP = -(1 << 63), (1 << 63) - 1


@attrs.frozen(order=False)
class Entry:
    """What one step gives to one metric's series.

    Attributes:
        value: The number, which is finite, or None where there is none to weigh.
        weight: How often it counts, at least once; 0 where there is none.
        nonfinite: Whether there was one that is NaN or infinite.
    """

    value: float | None
    weight: int
    nonfinite: bool = False


ABSENT: Final = Entry(None, 0)
NONFINITE: Final = Entry(None, 0, nonfinite=True)

Step: TypeAlias = Mapping[str, Entry]


@attrs.frozen(order=False)
class Clock:
    """How many steps a series has met, and which was the last.

    Attributes:
        added: How many.
        step: The number of the last one, or None where steps are not numbered.
    """

    added: int = 0
    step: int | None = None


START: Final = Clock()


def step_of(found: object, weigh: Weigh) -> Step:
    """Return what a report, or the report of a partial, gives to each series.

    Raises:
        UsageError: It is neither, or an outcome can't be weighed.
        KeyfoldError: The partial has no report.
    """
    report = found.report() if isinstance(found, Partial) else found
    if not isinstance(report, Report):
        raise UsageError(
            f"expected the report or the partial of one step, found {shown(found)}",
            hint="compute(samples) gives a report",
        )
    return {name: _entry(name, it, weigh) for name, it in report.outcomes.items()}


def ticked(clock: Clock, step: int | None) -> Clock:
    """Return the clock after one more step.

    Raises:
        UsageError: The step is not after the last one, or only some are numbered.
    """
    if step is not None and (
        type(step) is not int or not _LEAST_STEP <= step <= _MOST_STEP
    ):
        raise UsageError(f"expected step to be an int of 64 bits, found {shown(step)}")
    if clock.added and (step is None) is not (clock.step is None):
        before = "steps without a number" if clock.step is None else "numbered ones"
        now = "one without a number" if step is None else f"step {step}"
        raise UsageError(
            f"expected every step to be numbered, or none, found {now} after "
            f"{clock.added} {before}",
            hint="pass step= each time, or never",
        )
    if step is not None and clock.step is not None and step <= clock.step:
        raise UsageError(
            f"expected a step after {clock.step}, found step {step}",
            hint="a series takes each step once, in order; keyfold.merge puts the "
            "partials of one step together first",
        )
    return Clock(clock.added + 1, step)


def _entry(name: str, outcome: Outcome, weigh: Weigh) -> Entry:
    if outcome.value is None:
        return ABSENT
    try:
        value = float(outcome.value)
    except OverflowError:
        # An int that no float holds, which only empty= can give.
        return NONFINITE
    if not isfinite(value):
        return NONFINITE
    weight = _weight(outcome, weigh)
    if not 0 <= weight <= MOST:
        raise UsageError(
            f"metric {name!r}: expected a count of {weigh} to weigh it by, found "
            f"{shown(weight)}"
        )
    # Nothing stands behind the value of an `empty=` but the step itself.
    return Entry(value, int(weight)) if weight else ABSENT


def _weight(outcome: Outcome, weigh: Weigh) -> int:
    match weigh:
        case "steps":
            return 1
        case "units":
            return outcome.units
        case "samples":
            return outcome.used
