"""What a window over steps holds, and what it gives."""

from __future__ import annotations

import attrs

from keyfold._series.mean import weighted_mean
from keyfold._series.report import SeriesOutcome, SeriesReport
from keyfold._series.step import ABSENT, START, Clock, Step

__all__ = ["WindowState", "window_report", "window_with"]


@attrs.frozen(order=False)
class WindowState:
    """The steps in a window.

    Attributes:
        clock: Says how many steps were added.
        steps: The last of them, oldest first.
    """

    clock: Clock = START
    steps: tuple[Step, ...] = ()


def window_with(state: WindowState, last: int, clock: Clock, step: Step) -> WindowState:
    """Return the window that a step was added to, and the oldest may have left."""
    return WindowState(clock, (*state.steps, step)[-last:])


def window_report(state: WindowState) -> SeriesReport:
    """Return the weighted mean of each metric that a step in the window knows."""
    names = dict.fromkeys(name for step in state.steps for name in step)
    return SeriesReport({name: _outcome(state.steps, name) for name in names})


def _outcome(steps: tuple[Step, ...], name: str) -> SeriesOutcome:
    entries = [step.get(name, ABSENT) for step in steps]
    terms = [(it.value, it.weight) for it in entries if it.value is not None]
    nonfinite = sum(it.nonfinite for it in entries)
    idle = next(
        (idle for idle, it in enumerate(reversed(entries)) if it.value is not None),
        len(entries),
    )
    return SeriesOutcome(
        value=weighted_mean(terms) if terms else None,
        steps=len(terms),
        absent=len(entries) - len(terms) - nonfinite,
        nonfinite=nonfinite,
        weight=sum(weight for _, weight in terms),
        idle=idle,
    )
