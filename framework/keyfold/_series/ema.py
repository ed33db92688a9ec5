"""What an exponential average over steps holds, and what it gives."""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from keyfold._series.mean import weighted_mean
from keyfold._series.report import SeriesOutcome, SeriesReport
from keyfold._series.step import START, Clock, Entry, Step

__all__ = ["EmaState", "Smoothed", "ema_report", "ema_with"]


@attrs.frozen(order=False)
class Smoothed:
    """What an average holds of one metric.

    The mean and the weight stand for the ratio of two decayed sums, of weight times
    value and of weight: its denominator is the weight, its numerator their product. The
    mean by itself is rounded once a step, and equal values keep it as it is.

    Attributes:
        mean: The decayed mean of its values, or None where it had none.
        weight: The decayed sum of their weights.
        steps: How many values there were.
        nonfinite: How many were passed over.
        latest: Which of the added steps, counted from one, gave the last; 0 for none.
    """

    mean: float | None = None
    weight: float = 0.0
    steps: int = 0
    nonfinite: int = 0
    latest: int = 0


@attrs.frozen(order=False)
class EmaState:
    """The averages of all metrics that were met.

    Attributes:
        clock: Says how many steps were added.
        series: The averages by name.
    """

    clock: Clock = START
    series: Mapping[str, Smoothed] = attrs.field(factory=dict[str, Smoothed])


def ema_with(state: EmaState, decay: float, clock: Clock, step: Step) -> EmaState:
    """Return the averages that a step was added to."""
    series = dict(state.series)
    for name, entry in step.items():
        series[name] = _with(series.get(name, Smoothed()), decay, clock.added, entry)
    return EmaState(clock, series)


def ema_report(state: EmaState) -> SeriesReport:
    """Return the average of each metric that was met."""
    added = state.clock.added
    return SeriesReport(
        {
            name: SeriesOutcome(
                value=it.mean,
                steps=it.steps,
                absent=added - it.steps - it.nonfinite,
                nonfinite=it.nonfinite,
                weight=it.weight,
                idle=added - it.latest,
            )
            for name, it in state.series.items()
        }
    )


def _with(before: Smoothed, decay: float, added: int, entry: Entry) -> Smoothed:
    if entry.nonfinite:
        return attrs.evolve(before, nonfinite=before.nonfinite + 1)
    if entry.value is None:
        return before
    decayed = decay * before.weight
    mean = weighted_mean([(before.mean or 0.0, decayed), (entry.value, entry.weight)])
    return Smoothed(
        mean, decayed + entry.weight, before.steps + 1, before.nonfinite, added
    )
