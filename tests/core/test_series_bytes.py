"""Windows and averages as bytes: resumed to the bit, and refused when damaged."""

from __future__ import annotations

import random
from collections.abc import Callable
from hashlib import blake2b
from math import inf, nan
from typing import Any, TypeAlias

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keyfold import Ema, Partial, Report, Window, compute, over, partial
from keyfold.errors import KeyfoldError, PartialFormatError, PortabilityError
from keyfold.report import Outcome
from keyfold_strategies import Mean, Reward, Sample

Series: TypeAlias = Window | Ema

REWARD = over(Sample).value(Reward()).across(Mean())


def told(values: dict[str, float | None], count: int) -> Report:
    return Report(
        {
            name: Outcome(value, count, count, count, 0, 0, 0, count, 0, {})
            for name, value in values.items()
        }
    )


STEPS = st.builds(
    told,
    st.dictionaries(
        st.sampled_from(["a", "b", "b/é"]),
        st.floats() | st.none() | st.sampled_from([nan, inf, 1.7976931348623157e308]),
    ),
    st.integers(0, 5) | st.just(1 << 62),
)
NEW: st.SearchStrategy[Series] = st.one_of(
    st.builds(Window, st.integers(1, 4), weigh=st.sampled_from(["steps", "units"])),
    st.builds(
        Ema,
        st.floats(0, 1, exclude_max=True) | st.just(0),
        weigh=st.sampled_from(["steps", "samples"]),
    ),
)


def read(series: Series) -> Series:
    return type(series).from_bytes(series.to_bytes())


@given(st.data(), st.lists(STEPS, max_size=8), st.booleans())
@settings(deadline=None)
def test_a_resumed_series_goes_on_with_the_same_bits(
    data: st.DataObject, steps: list[Report], numbered: bool
) -> None:
    series = data.draw(NEW)
    resumed = read(series)
    for number, report in enumerate(steps):
        step = number * 10 - 30 if numbered else None
        series.add(report, step=step)
        if data.draw(st.booleans()):
            resumed = read(resumed)
        resumed.add(report, step=step)
        assert resumed.to_bytes() == series.to_bytes()
        assert repr(resumed.report().outcomes) == repr(series.report().outcomes)
    assert repr(read(resumed)) == repr(series)


def filled_window() -> Window:
    window = Window(2, weigh="units")
    for step, value in enumerate((0.25, 0.5, nan, 0.1)):
        window.add(told({"m": value, f"m/{step}": None}, 3), step=step)
    return window


def filled_ema() -> Ema:
    ema = Ema(0.9, weigh="units")
    for step, value in enumerate((0.25, nan, 0.1)):
        ema.add(told({"m": value, f"m/{step}": None}, 3), step=step)
    return ema


FILLED: list[Callable[[], Series]] = [filled_window, filled_ema]


def test_a_replayed_step_is_refused_after_resuming() -> None:
    for make in FILLED:
        resumed = read(make())
        with pytest.raises(KeyfoldError, match="expected a step after"):
            resumed.add(told({}, 1), step=1)
        with pytest.raises(KeyfoldError, match="numbered, or none"):
            resumed.add(told({}, 1))


def test_the_first_line_and_the_schema_version_say_what_it_is() -> None:
    assert filled_window().to_bytes().startswith(b"keyfold window\n\x01\x00")
    assert filled_ema().to_bytes().startswith(b"keyfold ema\n\x01\x00")
    part = partial([Sample(reward=1.0)], {"m": REWARD})
    assert part.to_bytes().startswith(b"keyfold partial\n\x01\x00")


def test_one_kind_is_not_read_as_another() -> None:
    window, ema = filled_window().to_bytes(), filled_ema().to_bytes()
    part = partial([Sample(reward=1.0)], {"m": REWARD}).to_bytes()
    for reads, data, message in (
        (Window, ema, f"expected a window, found {len(ema)} bytes of an ema"),
        (Window, part, f"expected a window, found {len(part)} bytes of a partial"),
        (Ema, window, f"expected an ema, found {len(window)} bytes of a window"),
        (Partial, ema, f"expected a partial, found {len(ema)} bytes of an ema"),
        (Ema, b"", "expected an ema, found 0 bytes of something else"),
    ):
        with pytest.raises(PartialFormatError) as caught:
            reads.from_bytes(data)
        assert caught.value.message == message
        assert caught.value.hint is not None


def test_a_name_that_is_no_unicode_can_not_be_written() -> None:
    report = compute([Sample(reward=1.0)], {"\ud800": REWARD})
    for series in (Window(1, weigh="steps"), Ema(0.5, weigh="steps")):
        series.add(report)
        with pytest.raises(PortabilityError, match="is no valid Unicode"):
            series.to_bytes()


def split(data: bytes) -> tuple[bytes, bytes]:
    start = data.index(b"\n") + 1 + 2
    return data[:start], data[start + 16 :]


def mended(head: bytes, payload: bytes) -> bytes:
    return head + blake2b(payload, digest_size=16).digest() + payload


def survives(kind: type[Series], data: bytes) -> bool:
    """Whether bytes are read; then what was read has to work."""
    try:
        series = kind.from_bytes(data)
    except KeyfoldError:
        return False
    series.report()
    again = kind.from_bytes(series.to_bytes())
    assert again.to_bytes() == series.to_bytes()
    assert repr(again.report().outcomes) == repr(series.report().outcomes)
    for outcome in series.report().outcomes.values():
        assert outcome.steps >= 0
        assert outcome.absent >= 0
        assert outcome.nonfinite >= 0
        assert outcome.value is None or abs(outcome.value) < inf
    try:
        series.add(told({"m": 0.5}, 1), step=1 << 62)
    except KeyfoldError:
        # Its steps are not numbered, or past that.
        assert again.to_bytes() == series.to_bytes()
    return True


@pytest.mark.parametrize("make", FILLED)
def test_a_cut_or_a_flipped_bit_is_seen(make: Callable[[], Series]) -> None:
    series = make()
    data = series.to_bytes()
    assert survives(type(series), data)
    assert not any(survives(type(series), data[:size]) for size in range(len(data)))
    assert not survives(type(series), data + b"\0")
    for bit in range(8 * len(data)):
        flipped = bytearray(data)
        flipped[bit // 8] ^= 1 << bit % 8
        assert not survives(type(series), bytes(flipped))


@pytest.mark.parametrize("make", FILLED)
def test_damage_with_a_digest_that_fits_is_refused_or_harmless(
    make: Callable[[], Series],
) -> None:
    series = make()
    head, payload = split(series.to_bytes())
    assert mended(head, payload) == series.to_bytes()
    assert not any(
        survives(type(series), mended(head, payload[:size]))
        for size in range(len(payload))
    )
    assert not survives(type(series), mended(head, payload + b"\0"))
    outcomes: set[bool] = set()
    for bit in range(8 * len(payload)):
        flipped = bytearray(payload)
        flipped[bit // 8] ^= 1 << bit % 8
        outcomes.add(survives(type(series), mended(head, bytes(flipped))))
    # Some bits are those of a value, and any finite value is one.
    assert outcomes == {True, False}


@pytest.mark.parametrize("make", FILLED)
def test_random_bytes_are_refused_or_harmless(make: Callable[[], Series]) -> None:
    series, chance = make(), random.Random(53)
    head, payload = split(series.to_bytes())
    for _ in range(2000):
        junk = bytearray(payload)
        for _ in range(chance.randrange(1, 6)):
            junk[chance.randrange(len(junk))] = chance.randrange(256)
        survives(type(series), mended(head, bytes(junk)))
        noise = chance.randbytes(chance.randrange(40))
        assert not survives(type(series), noise)
        assert not survives(type(series), mended(head, noise))


@given(st.binary())
@settings(deadline=None)
def test_any_bytes_are_refused(data: bytes) -> None:
    for kind in (Window, Ema):
        with pytest.raises(PartialFormatError):
            kind.from_bytes(data)


def test_another_schema_version_is_not_read() -> None:
    for make in FILLED:
        series = make()
        head, payload = split(series.to_bytes())
        with pytest.raises(PartialFormatError) as caught:
            type(series).from_bytes(mended(head[:-2] + b"\x02\x00", payload))
        assert "is of schema version 2, and this keyfold" in caught.value.message
        assert caught.value.hint == "resume with the version of keyfold that wrote it"


Path: TypeAlias = tuple[int, ...]


def changed(series: Series, path: Path, value: object) -> bytes:
    head, payload = split(series.to_bytes())
    message: Any = msgspec.msgpack.decode(payload)
    place = message
    for at in path[:-1]:
        place = place[at]
    place[path[-1]] = value
    return mended(head, msgspec.msgpack.encode(message))


# version, last, weigh, added, step, names, steps of (name, value, weight, nonfinite)
WINDOW_DAMAGE: list[tuple[Path, object, str]] = [
    ((1,), 0, "Expected `int` >= 1"),
    ((1,), 3, "expected 3 steps in the window, found 2"),
    ((1,), 1, "expected 1 steps in the window, found 2"),
    ((2,), "unit", "Invalid enum value 'unit'"),
    ((2,), "steps", "expected each step to weigh 1, found one of weight 3"),
    ((3,), -1, "Expected `int` >= 0"),
    ((3,), 1, "expected 1 steps in the window, found 2"),
    ((3,), 0, "expected no step, found the last to be 3"),
    ((4,), (1 << 63), "Expected `int` <="),
    ((5, 1), "m", "expected metrics of different names, found 3 with 2 names"),
    ((6, 1, 0, 0), 3, "expected one of 3 metrics, found number 3"),
    ((6, 1, 1, 0), 0, "expected each metric once in a step, found one twice"),
    ((6, 1, 0, 1), nan, "expected a finite number, found nan"),
    ((6, 1, 0, 1), inf, "expected a finite number, found inf"),
    ((6, 1, 0, 1), None, "expected a value and its weight, found one alone"),
    ((6, 1, 0, 2), None, "expected a value and its weight, found one alone"),
    ((6, 1, 0, 2), 0, "Expected `int` >= 1"),
    ((6, 1, 0, 2), (1 << 62) + 1, "Expected `int` <="),
    ((6, 1, 0, 3), True, "expected a value and its weight, found one alone"),
    ((6, 1, 0), [0, 0.5, 1, False, 0], "Expected `array` of at most length 4"),
]


@pytest.mark.parametrize(("path", "value", "message"), WINDOW_DAMAGE)
def test_a_window_that_can_not_be_is_refused(
    path: Path, value: object, message: str
) -> None:
    with pytest.raises(PartialFormatError) as caught:
        Window.from_bytes(changed(filled_window(), path, value))
    assert message in str(caught.value)


# version, decay, weigh, added, step,
# series of (name, mean, weight, steps, nonfinite, latest)
EMA_DAMAGE: list[tuple[Path, object, str]] = [
    ((1,), 1.0, "Expected `float` < 1"),
    ((1,), -0.5, "Expected `float` >= 0"),
    ((1,), nan, "Expected `float` >= 0"),
    ((3,), 2, "metric 'm': expected counts of 2 steps"),
    ((3,), 0, "expected no step, found the last to be 2"),
    ((5, 1, 0), "m", "expected metrics of different names, found 4 with 3 names"),
    ((5, 0, 1), inf, "expected a finite number, found inf"),
    ((5, 0, 1), None, "metric 'm': expected the mean of 2 steps, found None"),
    ((5, 0, 2), nan, "expected a finite number, found nan"),
    (
        (5, 0, 2),
        0.5,
        "of weight 0.5",
    ),
    ((5, 0, 3), 3, "metric 'm': expected counts of 3 steps"),
    ((5, 0, 4), 2, "metric 'm': expected counts of 3 steps"),
    ((5, 0, 5), 4, "metric 'm': expected counts of 3 steps"),
    ((5, 0, 5), 1, "metric 'm': expected counts of 3 steps"),
    ((5, 1, 1), 0.5, "metric 'm/0': expected the mean of 0 steps, found 0.5"),
    ((5, 1, 2), 1.0, "metric 'm/0': expected the mean of 0 steps, found None"),
    ((5, 1, 5), 1, "metric 'm/0': expected the mean of 0 steps, found None"),
]


@pytest.mark.parametrize(("path", "value", "message"), EMA_DAMAGE)
def test_an_average_that_can_not_be_is_refused(
    path: Path, value: object, message: str
) -> None:
    with pytest.raises(PartialFormatError) as caught:
        Ema.from_bytes(changed(filled_ema(), path, value))
    assert message in str(caught.value)
