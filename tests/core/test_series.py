"""Metrics over time: windows and exponential averages over steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import inf, isclose, isfinite, nan
from typing import Any, TypeAlias

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keyfold import Ema, Report, Window, compute, merge, over, partial
from keyfold.errors import (
    AbsentMetricError,
    ArgumentError,
    ContractError,
    MergeError,
    UsageError,
)
from keyfold.report import Outcome
from keyfold.series import SeriesOutcome, Weigh
from keyfold_strategies import Adapter, AdapterRef, Mean, Reward, Rollout, Sample

CHAIN = over(Sample).value(Reward()).within(Rollout(), Mean())
METRICS = {"m": CHAIN.across(Mean())}
WEIGHS: tuple[Weigh, ...] = ("steps", "units", "samples")

# A step's value, and how many units and samples stand behind it.
Told: TypeAlias = tuple[float | None, int, int]

EXTREMES = [5e-324, -5e-324, 1.7976931348623157e308, -1.7976931348623157e308, 1e16, 0.1]
VALUES = st.one_of(
    st.floats(-1.0, 1.0),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(EXTREMES),
)
COUNTS = st.integers(1, 40) | st.sampled_from([1 << 40, 1 << 62])
TOLD = st.tuples(VALUES | st.sampled_from([None, nan, inf, -inf]), COUNTS, COUNTS)


def samples_of(*rewards: float | None) -> list[Sample]:
    return [Sample(rollout_id=row, reward=it) for row, it in enumerate(rewards)]


def report_of(*rewards: float | None) -> Report:
    return compute(samples_of(*rewards), METRICS)


def told(*steps: tuple[str, Told]) -> Report:
    """A report of these outcomes, of which a series reads three fields."""
    return Report(
        {
            name: Outcome(value, used, used, used, 0, 0, 0, units, 0, {})
            for name, (value, units, used) in steps
        }
    )


def weight_of(step: Told, weigh: Weigh) -> int:
    return {"steps": 1, "units": step[1], "samples": step[2]}[weigh]


def outcome_of(series: Window | Ema, reports: Sequence[Report]) -> SeriesOutcome:
    for report in reports:
        series.add(report)
    return series.report().outcome("m")


@pytest.mark.parametrize(
    ("weigh", "value", "weight"),
    [("steps", 3.0, 2), ("units", 2.0, 4), ("samples", 2.0, 4)],
)
def test_c110_uneven_windows_weigh_what_was_asked_for(
    weigh: Weigh, value: float, weight: int
) -> None:
    window = Window(2, weigh=weigh)
    window.add(report_of(1.0, 1.0, 1.0), step=1)
    window.add(report_of(5.0), step=2)
    assert window.report() == {"m": value}
    assert window.report().outcome("m") == SeriesOutcome(value, 2, 0, 0, weight, 0)


@pytest.mark.parametrize("inactive", [None, nan, inf])
def test_c053_an_inactive_step_leaves_the_value_alone(inactive: float | None) -> None:
    reports = [report_of(0.5), report_of(inactive), report_of(0.7)]
    outcome = outcome_of(Window(3, weigh="steps"), reports)
    passed = (1, 0) if inactive is None else (0, 1)
    assert outcome == SeriesOutcome(0.6, 2, *passed, weight=2, idle=0)
    average = outcome_of(Ema(0.5, weigh="steps"), reports)
    assert average == SeriesOutcome((0.25 + 0.7) / 1.5, 2, *passed, weight=1.5, idle=0)


@pytest.mark.parametrize("weigh", WEIGHS)
def test_c053_what_is_absent_in_all_steps_is_absent(weigh: Weigh) -> None:
    for series in (Window(3, weigh=weigh), Ema(0.9, weigh=weigh)):
        outcome = outcome_of(series, [report_of(None), report_of(), report_of(nan)])
        assert outcome == SeriesOutcome(None, 0, 2, 1, weight=0, idle=3)
        assert dict(series.report()) == {}
        with pytest.raises(AbsentMetricError) as caught:
            series.report()["m"]
        assert str(caught.value) == (
            "metric 'm' is absent: of 3 steps 2 had no value and 1 a non-finite one\n"
            "Hint: .outcome('m') gives its counts without a value"
        )


def test_units_and_samples_are_told_apart() -> None:
    one_rollout = [Sample(rollout_id=0, reward=1.0) for _ in range(3)]
    values: dict[Weigh, float] = {}
    for weigh in WEIGHS:
        window = Window(5, weigh=weigh)
        window.add(compute(one_rollout, METRICS))
        window.add(report_of(0.0, 0.0))
        values[weigh] = window.report()["m"]
    assert values == {"steps": 1 / 2, "units": 1 / 3, "samples": 3 / 5}


def test_a_partial_is_taken_by_its_report() -> None:
    steps = [samples_of(0.1, 0.2), samples_of(None), samples_of(0.7)]
    for weigh in WEIGHS:
        reports, partials = Ema(0.9, weigh=weigh), Ema(0.9, weigh=weigh)
        for number, samples in enumerate(steps):
            reports.add(compute(samples, METRICS), step=number)
            ranks = [samples[:1], samples[1:]]
            parts = [partial(it, METRICS, shard=i) for i, it in enumerate(ranks)]
            partials.add(merge(parts), step=number)
        assert reports.to_bytes() == partials.to_bytes()


@given(st.lists(TOLD, min_size=1, max_size=12), st.integers(1, 6))
@settings(deadline=None)
def test_a_window_is_the_exact_weighted_mean_of_its_steps(
    steps: list[Told], last: int
) -> None:
    for weigh in WEIGHS:
        outcome = outcome_of(
            Window(last, weigh=weigh), [told(("m", it)) for it in steps]
        )
        inside = steps[-last:]
        terms = [
            (Fraction(it[0]), weight_of(it, weigh))
            for it in inside
            if it[0] is not None and isfinite(it[0])
        ]
        weight = sum(it for _, it in terms)
        real = sum((value * by for value, by in terms), Fraction(0))
        assert outcome.value == (float(real / weight) if terms else None)
        assert outcome.weight == weight
        assert outcome.steps == len(terms)
        assert outcome.absent == sum(it[0] is None for it in inside)
        assert outcome.steps + outcome.absent + outcome.nonfinite == len(inside)


def plain_ema(steps: Sequence[Told], decay: float, weigh: Weigh) -> float | None:
    over = under = Fraction(0)
    for step in steps:
        if step[0] is not None and isfinite(step[0]):
            over = Fraction(decay) * over + weight_of(step, weigh) * Fraction(step[0])
            under = Fraction(decay) * under + weight_of(step, weigh)
    return float(over / under) if under else None


DECAYS = st.floats(0, 1, exclude_max=True) | st.sampled_from([0, 0.5, 0.9, 1 - 2**-53])


@given(st.lists(TOLD, min_size=1, max_size=12), DECAYS)
@settings(deadline=None)
def test_an_average_is_the_ratio_of_two_decayed_sums(
    steps: list[Told], decay: float
) -> None:
    for weigh in WEIGHS:
        outcome = outcome_of(Ema(decay, weigh=weigh), [told(("m", it)) for it in steps])
        finite = [it[0] for it in steps if it[0] is not None and isfinite(it[0])]
        expected = plain_ema(steps, decay, weigh)
        assert (outcome.value is None) == (expected is None)
        if outcome.value is not None and expected is not None:
            # Rounded once a step, so that the error is one of the values' size.
            size = max(map(abs, finite))
            assert isclose(outcome.value, expected, abs_tol=size * 1e-14)
            assert min(finite) <= outcome.value <= max(finite)
        assert outcome.steps == len(finite)
        assert outcome.absent == sum(it[0] is None for it in steps)
        assert outcome.steps + outcome.absent + outcome.nonfinite == len(steps)


def test_an_average_by_hand() -> None:
    ema = Ema(0.5, weigh="samples")
    ema.add(report_of(1.0, 1.0))
    assert ema.report().outcome("m") == SeriesOutcome(1.0, 1, 0, 0, 2.0, 0)
    ema.add(report_of(0.0, 0.0, 0.0))
    # (0.5 * 2 * 1.0 + 3 * 0.0) / (0.5 * 2 + 3)
    assert ema.report().outcome("m") == SeriesOutcome(0.25, 2, 0, 0, 4.0, 0)


@given(VALUES, st.lists(COUNTS, min_size=1, max_size=8), DECAYS)
@settings(deadline=None)
def test_equal_values_average_to_themselves_from_the_first_on(
    value: float, counts: list[int], decay: float
) -> None:
    ema = Ema(decay, weigh="samples")
    for count in counts:
        ema.add(told(("m", (value, 1, count))))
        assert ema.report() == {"m": value}


@given(st.lists(VALUES, min_size=1, max_size=8))
@settings(deadline=None)
def test_without_memory_an_average_is_the_last_value(values: list[float]) -> None:
    outcome = outcome_of(
        Ema(0, weigh="steps"), [told(("m", (value, 1, 1))) for value in values]
    )
    assert (outcome.value, outcome.weight) == (values[-1], 1.0)


def test_a_step_without_a_value_decays_nothing() -> None:
    with_gaps, without = Ema(0.9, weigh="steps"), Ema(0.9, weigh="steps")
    for reward in (0.1, None, nan, None, 0.4, inf):
        with_gaps.add(report_of(reward))
        if reward in {0.1, 0.4}:
            without.add(report_of(reward))
    found, expected = (it.report().outcome("m") for it in (with_gaps, without))
    assert (found.value, found.weight) == (expected.value, expected.weight)
    assert (found.steps, found.absent, found.nonfinite, found.idle) == (2, 2, 2, 1)


def adapters(**rewards: float) -> Report:
    samples = [
        Sample(adapter=AdapterRef(name, slot), rollout_id=slot, reward=reward)
        for slot, (name, reward) in enumerate(rewards.items())
    ]
    return compute(samples, {"m": CHAIN.by(Adapter()).across(Mean())})


def test_an_adapter_that_comes_later_or_goes_is_told_by_its_own_steps() -> None:
    window, ema = Window(2, weigh="steps"), Ema(0.5, weigh="steps")
    for report in (adapters(a=1.0), adapters(a=0.0, b=1.0), adapters(b=0.0)):
        window.add(report)
        ema.add(report)
    assert window.report().outcome("m/a") == SeriesOutcome(0.0, 1, 1, 0, 1, 1)
    assert window.report().outcome("m/b") == SeriesOutcome(0.5, 2, 0, 0, 2, 0)
    assert ema.report().outcome("m/a") == SeriesOutcome(0.5 / 1.5, 2, 1, 0, 1.5, 1)
    assert ema.report().outcome("m/b") == SeriesOutcome(0.5 / 1.5, 2, 1, 0, 1.5, 0)
    window.add(adapters(b=0.0))
    ema.add(adapters(b=0.0))
    # No step in the window knows it any more; the average does, and says how old it is.
    with pytest.raises(AbsentMetricError, match="has no metric 'm/a'; it has 'm'"):
        window.report().outcome("m/a")
    assert ema.report().outcome("m/a").idle == 2


def test_a_value_that_nothing_stands_behind_weighs_as_nothing() -> None:
    metrics = {"m": CHAIN.across(Mean(), empty=0.0)}
    for weigh in WEIGHS:
        window = Window(2, weigh=weigh)
        window.add(compute(samples_of(1.0), metrics))
        window.add(compute(samples_of(None), metrics))
        outcome = window.report().outcome("m")
        assert outcome.value == (0.5 if weigh == "steps" else 1.0)
        assert outcome.absent == (0 if weigh == "steps" else 1)


def test_a_number_past_the_floats_is_passed_over_as_non_finite() -> None:
    metrics = {"m": CHAIN.across(Mean(), empty=10**400)}
    window = Window(1, weigh="steps")
    window.add(compute([], metrics))
    assert window.report().outcome("m") == SeriesOutcome(None, 0, 0, 1, 0, 1)


def test_a_report_stays_what_it_was() -> None:
    for series in (Window(2, weigh="steps"), Ema(0.5, weigh="steps")):
        before_any = series.report()
        series.add(report_of(1.0))
        before = series.report()
        series.add(report_of(0.0))
        assert dict(before_any) == {}
        assert before == {"m": 1.0}
        assert len(before) == 1
        assert repr(before) == "SeriesReport({'m': 1.0})"
        with pytest.raises(AbsentMetricError) as caught:
            before["n"]
        assert isinstance(caught.value, KeyError)


MAKES: list[Callable[[], Window | Ema]] = [
    lambda: Window(3, weigh="units"),
    lambda: Ema(0.9, weigh="units"),
]


@attrs.frozen
class Unfinished:
    """A reducer that fails when the report is made."""

    def init(self) -> int:
        return 0

    def fold(self, state: int, values: object, /) -> int:
        return state

    def merge(self, left: int, right: int, /) -> int:
        return left

    def finish(self, state: int, /) -> float:
        raise RuntimeError("not today")


@pytest.mark.parametrize("make", MAKES)
def test_an_error_leaves_a_series_as_it_was(make: Callable[[], Any]) -> None:
    series = make()
    series.add(report_of(0.5), step=7)
    before = series.to_bytes()
    broken = partial(samples_of(1.0), {"m": CHAIN.across(Unfinished())})
    good = report_of(1.0)
    for found, step, kind, message in (
        (good, 7, UsageError, "expected a step after 7, found step 7"),
        (good, -1, UsageError, "expected a step after 7, found step -1"),
        (good, None, UsageError, "found one without a number after 1 numbered ones"),
        (good, 8.0, UsageError, "expected step to be an int of 64 bits, found 8.0"),
        (good, True, UsageError, "expected step to be an int of 64 bits, found True"),
        (good, 1 << 63, UsageError, "expected step to be an int of 64 bits, found 9"),
        (dict(good), 8, UsageError, "expected the report or the partial of one step"),
        (series, 8, UsageError, "expected the report or the partial of one step"),
        (broken, 8, ContractError, "not today"),
        (
            told(("m", (0.5, -1, 1))),
            8,
            UsageError,
            "metric 'm': expected a count of un",
        ),
    ):
        with pytest.raises(kind, match=message):
            series.add(found, step=step)
        assert series.to_bytes() == before
    series.add(good, step=8)
    assert series.report().outcome("m").steps == 2


@pytest.mark.parametrize("make", MAKES)
def test_steps_are_numbered_all_or_none(make: Callable[[], Any]) -> None:
    series = make()
    series.add(report_of(0.5))
    series.add(report_of(0.5))
    with pytest.raises(UsageError) as caught:
        series.add(report_of(0.5), step=3)
    assert str(caught.value) == (
        "expected every step to be numbered, or none, found step 3 after 2 steps "
        "without a number\nHint: pass step= each time, or never"
    )


any_window: Any = Window
any_ema: Any = Ema


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: Window(0, weigh="steps"),
            "window: expected last to be at least 1 step, found 0",
        ),
        (
            lambda: any_window(2.0, weigh="steps"),
            "window: expected last to be an int, found 2.0",
        ),
        (
            lambda: any_window(True, weigh="steps"),
            "window: expected last to be an int, found True",
        ),
        (
            lambda: any_window(2, weigh="unit"),
            (
                "window: expected weigh to be one of 'steps', 'units', 'samples', "
                "found 'unit'\nHint: did you mean 'units'?"
            ),
        ),
        (
            lambda: any_ema(0.9, weigh=None),
            "ema: expected weigh to be one of 'steps', 'units', 'samples', found None",
        ),
        (
            lambda: Ema(1.0, weigh="steps"),
            "ema: expected decay to be from 0 to below 1, found 1.0",
        ),
        (
            lambda: Ema(-0.1, weigh="steps"),
            "ema: expected decay to be from 0 to below 1, found -0.1",
        ),
        (
            lambda: Ema(nan, weigh="steps"),
            "ema: expected decay to be from 0 to below 1, found nan",
        ),
        (
            lambda: any_ema("0.9", weigh="steps"),
            "ema: expected decay to be a number, found '0.9'",
        ),
    ],
)
def test_a_wrong_argument(make: Callable[[], object], message: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        make()
    assert str(caught.value) == message


def test_what_is_weighed_has_to_be_said() -> None:
    for kind, argument in ((any_window, 3), (any_ema, 0.9)):
        with pytest.raises(TypeError, match="weigh"):
            kind(argument)


def test_the_arguments_of_a_series_are_fixed() -> None:
    window: Any = Window(last=3, weigh="steps")
    ema: Any = Ema(decay=0.9, weigh="steps")
    for series, name in ((window, "last"), (window, "weigh"), (ema, "decay")):
        with pytest.raises(AttributeError):
            setattr(series, name, getattr(series, name))
    assert repr(window) == "<Window(last=3, weigh='steps') of 0 steps>"
    assert repr(ema) == "<Ema(decay=0.9, weigh='steps') of 0 steps>"


@pytest.mark.parametrize("make", MAKES)
def test_a_series_is_no_shard(make: Callable[[], Any]) -> None:
    series, part = make(), partial(samples_of(1.0), METRICS)
    for wrong in ([part, series], [series], series, iter([series])):
        with pytest.raises(MergeError) as caught:
            merge(wrong)
        assert str(caught.value) == (
            f"expected an iterable of partials to merge, found {series!r}\n"
            "Hint: partial(samples) makes them; time is not rank, so steps are not "
            "merged, but smoothed by a Window or an Ema"
        )
    alone: Any = part
    with pytest.raises(MergeError, match="expected an iterable of partials"):
        merge(alone)
