"""Metrics over time: numbers of many steps, smoothed.

    smooth = Window(last=20, weigh="steps")
    smooth.add(compute(samples, pipelines), step=step)
    smooth.report()["episode_raw_reward"]

Time is not rank. The numbers of rollouts begin again in each step, so partials of
different steps are never merged: two rollouts of one number would be taken for one.
Each step is reported by itself, and a series smooths its numbers. It knows them by
their names in the report, an entry of a breakdown by `<metric>/<label>`.
"""

from __future__ import annotations

from typing import Any, Final

import attrs

from keyfold._arguments import of_type, one_of, refuse
from keyfold._series.ema import EmaState, ema_report, ema_with
from keyfold._series.report import SeriesOutcome, SeriesReport
from keyfold._series.step import MOST, WEIGHS, Weigh, step_of, ticked
from keyfold._series.window import WindowState, window_report, window_with
from keyfold.partials import Partial
from keyfold.report import Report

__all__ = ["Ema", "SeriesOutcome", "SeriesReport", "Weigh", "Window"]

_fixed: Final = attrs.setters.frozen


def _check_last(window: object, attribute: attrs.Attribute[Any], found: int) -> None:
    if not 1 <= found <= MOST:
        raise refuse(window, attribute.name, "at least 1 step", found)


def _check_decay(ema: object, attribute: attrs.Attribute[Any], found: float) -> None:
    # NaN is in no range.
    if not 0 <= found < 1:
        raise refuse(ema, attribute.name, "from 0 to below 1", found)


@attrs.define(order=False, eq=False, repr=False)
class Window:
    """The weighted mean of each metric over the last steps.

    It is exact: sum(weight * value) / sum(weight) over the steps in the window is
    rounded once. A step without a value of a metric contributes nothing to its number,
    and neither does one whose value is NaN or infinite; both take their place in the
    window, and are counted. A metric that no step in the window knows is forgotten.

    A window changes with each `add`, and is not thread-safe: add from one thread.

    Attributes:
        last: How many steps it looks back, at least 1.
        weigh: What a step's value counts by. "steps": each step counts alike. "units"
            and "samples": a value counts as often as its outcome has `units`, or
            `used`; a value that nothing stands behind, as one of `empty=`, then counts
            as absent.

    Raises:
        ArgumentError: An argument is not what it should be.
    """

    last: int = attrs.field(
        validator=[of_type(int, "an int"), _check_last], on_setattr=_fixed
    )
    weigh: Weigh = attrs.field(
        kw_only=True, validator=one_of(WEIGHS), on_setattr=_fixed
    )
    _state: WindowState = attrs.field(init=False, factory=WindowState)

    def add(self, found: Report | Partial, *, step: int | None = None) -> None:
        """Take in one step; an error leaves the window as it was.

        Args:
            found: The step's report, or the partial of all its samples.
            step: The step's number, greater than that of the step before. Number every
                step or none.

        Raises:
            UsageError: It is no report or partial, or the step is out of order.
            KeyfoldError: The partial has no report.
        """
        clock = ticked(self._state.clock, step)
        entries = step_of(found, self.weigh)
        self._state = window_with(self._state, self.last, clock, entries)

    def report(self) -> SeriesReport:
        """Return the smoothed numbers, each with what it counted."""
        return window_report(self._state)

    def to_bytes(self) -> bytes:
        """Return the window as bytes, for a checkpoint.

        Raises:
            PortabilityError: A metric's name is no valid Unicode.
        """
        # Slow to import, and a program that never stops has no need of it.
        from keyfold._wire.series_window import encode_window  # noqa: PLC0415

        return encode_window(self.last, self.weigh, self._state)

    @classmethod
    def from_bytes(cls, data: bytes) -> Window:
        """Return the window that bytes hold; it goes on as if nothing had happened.

        Args:
            data: What `to_bytes` gave; it is checked, and nothing is run.

        Raises:
            PartialFormatError: The bytes are no window, or a damaged one, or one of
                another schema version.
        """
        from keyfold._wire.series_window import decode_window  # noqa: PLC0415

        last, weigh, state = decode_window(data)
        window = cls(last, weigh=weigh)
        window._state = state
        return window

    def __repr__(self) -> str:
        added = self._state.clock.added
        return f"<Window(last={self.last}, weigh={self.weigh!r}) of {added} steps>"


@attrs.define(order=False, eq=False, repr=False)
class Ema:
    """The exponential moving average of each metric over the steps so far.

    A value counts with its weight, times `decay` for each later step that had a value
    of the same metric. The average is the sum of weight times value divided by the sum
    of the weights, so that the first value is its own average: there is no zero to
    start from that could leak in, and no bias left to correct.

    A step without a value of a metric, or with NaN or an infinity, leaves the metric's
    average as it is, and decays nothing: `decay` is about values, not about time. Such
    steps are counted, and `SeriesOutcome.idle` says how old an average is.

    An average changes with each `add`, and is not thread-safe: add from one thread. It
    holds a few numbers for each metric that it ever met.

    Attributes:
        decay: How much of a value's weight is left after the next one, from 0 (the last
            value alone) to below 1.
        weigh: What a step's value counts by; as in `Window`.

    Raises:
        ArgumentError: An argument is not what it should be.
    """

    decay: float = attrs.field(
        validator=[of_type((int, float), "a number"), _check_decay], on_setattr=_fixed
    )
    weigh: Weigh = attrs.field(
        kw_only=True, validator=one_of(WEIGHS), on_setattr=_fixed
    )
    _state: EmaState = attrs.field(init=False, factory=EmaState)

    def add(self, found: Report | Partial, *, step: int | None = None) -> None:
        """Take in one step; an error leaves the average as it was.

        Args:
            found: The step's report, or the partial of all its samples.
            step: The step's number, greater than that of the step before. Number every
                step or none.

        Raises:
            UsageError: It is no report or partial, or the step is out of order.
            KeyfoldError: The partial has no report.
        """
        clock = ticked(self._state.clock, step)
        entries = step_of(found, self.weigh)
        self._state = ema_with(self._state, self.decay, clock, entries)

    def report(self) -> SeriesReport:
        """Return the smoothed numbers, each with what it counted."""
        return ema_report(self._state)

    def to_bytes(self) -> bytes:
        """Return the average as bytes, for a checkpoint.

        Raises:
            PortabilityError: A metric's name is no valid Unicode.
        """
        # Slow to import, and a program that never stops has no need of it.
        from keyfold._wire.series_ema import encode_ema  # noqa: PLC0415

        return encode_ema(self.decay, self.weigh, self._state)

    @classmethod
    def from_bytes(cls, data: bytes) -> Ema:
        """Return the average that bytes hold; it goes on as if nothing had happened.

        Args:
            data: What `to_bytes` gave; it is checked, and nothing is run.

        Raises:
            PartialFormatError: The bytes are no average, or a damaged one, or one of
                another schema version.
        """
        from keyfold._wire.series_ema import decode_ema  # noqa: PLC0415

        decay, weigh, state = decode_ema(data)
        ema = cls(decay, weigh=weigh)
        ema._state = state
        return ema

    def __repr__(self) -> str:
        added = self._state.clock.added
        decay = float(self.decay)
        return f"<Ema(decay={decay!r}, weigh={self.weigh!r}) of {added} steps>"
