"""Windows and averages over steps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_type

from keyfold import Ema, Partial, Report, Window
from keyfold.series import SeriesOutcome, SeriesReport, Weigh

weigh: Weigh = "units"
no_weigh: Weigh = "tokens"  # type: ignore[assignment]


def accepted(report: Report, part: Partial) -> None:
    window = Window(last=20, weigh=weigh)
    window.add(report, step=1)
    window.add(part)
    average = Ema(0.9, weigh="steps")
    average.add(report)
    average.add(part, step=2)
    for series in (window, average):
        found = series.report()
        assert_type(found, SeriesReport)
        assert_type(found["reward"], float)
        assert_type(found.outcomes, Mapping[str, SeriesOutcome])
        outcome = found.outcome("reward")
        assert_type(outcome, SeriesOutcome)
        assert_type(outcome.value, float | None)
        assert_type((outcome.steps, outcome.weight), tuple[int, float])
        assert_type(series.to_bytes(), bytes)
    assert_type((window.last, average.decay), tuple[int, float])
    assert_type(Window.from_bytes(b""), Window)
    assert_type(Ema.from_bytes(b""), Ema)


def mistakes(window: Window, average: Ema, report: Report) -> None:
    Window(20)  # type: ignore[call-arg]
    Window(20, "steps")  # type: ignore[call-arg]
    Window(last=0.5, weigh="steps")  # type: ignore[arg-type]
    Window(last=20, weigh="tokens")  # type: ignore[arg-type]
    Ema(weigh="units")  # type: ignore[call-arg]
    Ema("0.9", weigh="units")  # type: ignore[arg-type]
    window.add({"reward": 1.0})  # type: ignore[arg-type]
    window.add(window.report())  # type: ignore[arg-type]
    average.add(report, 3)  # type: ignore[call-arg]
    average.add(report, step="3")  # type: ignore[arg-type]
    average.report().outcome("reward").value + 1  # type: ignore[operator]
    Ema.from_bytes(window)  # type: ignore[arg-type]
    SeriesOutcome(1.0)  # type: ignore[call-arg]
    SeriesReport({"reward": 1.0})  # type: ignore[dict-item]
