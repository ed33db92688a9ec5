"""Batches and pipelines to draw: every built-in, and whatever dumps hold."""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from math import inf, nan
from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st

from keyfold.contracts import AnyKeyStrategy, AnyReducer
from keyfold.pipeline import Level, Pipeline
from keyfold_strategies import (
    Adapter,
    AdapterRef,
    AdapterScoped,
    All,
    Count,
    FieldKey,
    FieldTest,
    FieldValue,
    First,
    FirstOf,
    Group,
    Max,
    Mean,
    Min,
    One,
    Position,
    RawReward,
    Reward,
    Rollout,
    Same,
    Sample,
    SampleIndex,
    Scoped,
    Sum,
)


@dataclasses.dataclass(frozen=True)
class OwnAdapter:
    """An adapter as a trainer may write it, with a field that AdapterRef lacks."""

    name: str
    slot: int
    rank: float = 0.5


class NamedAdapter(NamedTuple):
    """An adapter that is a tuple as well."""

    name: str
    slot: int


class Color(Enum):
    """Adapters of a closed set."""

    RED = "r"
    BLUE = 2


ADAPTERS: list[Hashable] = [
    None,
    "a",
    AdapterRef("a", 0),
    AdapterRef("a", 1),
    AdapterRef("b", 0),
    OwnAdapter("a", 0),
    OwnAdapter("c", 2, rank=2.0),
    NamedAdapter("d", 0),
    Color.RED,
    Color.BLUE,
]
# Equal numbers of different types are one id.
IDS: list[Any] = [None, 0, 1, True, 1.0, np.int64(1), "1", "é", 2**70, -(2**63)]
NUMBERS: list[Any] = [
    None,
    True,
    0,
    7,
    2**53 + 1,
    -(2**60) - 1,
    0.1,
    1 / 3,
    1e-320,
    -0.0,
    1e16,
    -1e16,
    1.7976931348623157e308,
    -1.7976931348623157e308,
    nan,
    inf,
    -inf,
    Decimal("0.1"),
    Fraction(1, 3),
    np.float32(0.1),
    np.float64(0.3),
    np.int64(2**60 + 1),
    np.bool_(True),
    np.array([0.25]),
    "text",
]
# Their sums are not floats, and what is lost by rounding early shows at once.
SUMMED: list[Any] = [1e16, -1e16, 1.0, 0.1, 1e-8, 2**53 + 1, 0.7, -1e16, None]
REFUSED: list[Any] = [1j, 10**400]
"""What no pipeline takes as a number."""

KEYS: list[AnyKeyStrategy] = [
    Adapter(),
    FieldKey("metadata.source", default="-"),
    FieldKey("status", default="-"),
    FirstOf(Group(), FieldKey("status", default=0)),
    FirstOf(Rollout(), SampleIndex(), Position()),
    AdapterScoped[Sample](FirstOf(Rollout(), SampleIndex(), Position())),
    AdapterScoped[Sample](FirstOf(Group(), Adapter())),
    Scoped[Sample](Adapter(), FirstOf(SampleIndex(), Group(), Position())),
    Scoped[Sample](FieldKey("status", default="-"), Adapter()),
    Position(),
    # These do not apply to every sample.
    Rollout(),
    SampleIndex(),
    Group(),
    AdapterScoped[Sample](Rollout()),
]
INNER: list[AnyKeyStrategy] = [Position(), KEYS[5], KEYS[7]]
OUTER: list[AnyKeyStrategy] = [Adapter(), KEYS[1], KEYS[2]]
# The labels of these are the same whichever of some equal ids came first.
ENTRIES: list[AnyKeyStrategy] = [
    Adapter(),
    KEYS[2],
    KEYS[8],
    Position(),
    AdapterScoped[Sample](FieldKey("status", default="-")),
]
UNORDERED: list[AnyReducer] = [Count(), Max(), Mean(), Min(), Same(), Sum()]
REDUCERS: list[AnyReducer] = [*UNORDERED, First()]


@st.composite
def _batches(draw: st.DrawFn) -> list[Sample]:
    raw = draw(st.sampled_from(["all", "none", "some"]))
    # A few of each, so that units have several samples.
    adapters = draw(st.lists(st.sampled_from(ADAPTERS), min_size=1, max_size=4))
    some = st.sampled_from([NUMBERS, SUMMED]).flatmap(st.sampled_from)
    numbers = draw(st.just(SUMMED) | st.lists(some, min_size=1, max_size=5))
    if draw(st.integers(0, 19)) == 0:
        numbers = [*numbers, draw(st.sampled_from(REFUSED))]
    ids = draw(st.lists(st.sampled_from(IDS), min_size=1, max_size=4))

    def one() -> Sample:
        metadata: dict[str, Any] = {"source": draw(st.sampled_from([None, "x", "y"]))}
        if raw == "all" or (raw == "some" and draw(st.booleans())):
            metadata["raw_reward"] = draw(st.sampled_from(numbers))
        return Sample(
            adapter=draw(st.sampled_from(adapters)),
            group_index=draw(st.sampled_from(ids)),
            rollout_id=draw(st.sampled_from(ids)),
            index=draw(st.sampled_from(ids)),
            status=draw(st.sampled_from([None, "x", "y"])),
            reward=draw(st.sampled_from(numbers)),
            response_length=draw(st.sampled_from([None, 3, 4])),
            metadata=metadata if draw(st.integers(0, 9)) or raw == "all" else None,
        )

    return [one() for _ in range(draw(st.integers(0, 12)))]


def _pipeline(
    broken_down: tuple[AnyKeyStrategy | None, bool], **parts: Any
) -> Pipeline[Sample]:
    by, total = broken_down
    return Pipeline(by=by, total=total, **parts)


def _levels(
    inner: list[AnyKeyStrategy], outer: list[AnyKeyStrategy], reducers: list[AnyReducer]
) -> st.SearchStrategy[tuple[Level, ...]]:
    level = st.builds(Level, st.sampled_from(inner), st.sampled_from(reducers))
    above = st.builds(Level, st.sampled_from(outer), st.sampled_from(reducers))
    deeper = st.tuples(level, st.lists(above, max_size=2))
    return st.just(()) | deeper.map(lambda it: (it[0], *it[1]))


def _pipelines(
    levels: st.SearchStrategy[tuple[Level, ...]],
    reducers: list[AnyReducer],
    policies: st.SearchStrategy[str],
) -> st.SearchStrategy[Pipeline[Sample]]:
    broken_down = st.tuples(st.sampled_from(ENTRIES), st.booleans())
    return st.builds(
        _pipeline,
        broken_down | st.just((None, True)),
        value=st.sampled_from(
            [Reward(), RawReward(), One(), FieldValue("response_length")]
        ),
        across=st.sampled_from(reducers),
        levels=levels,
        where=st.sampled_from(
            [None, All(), FieldTest("status", "!=", "x"), FieldTest("index", "==", 1)]
        ),
        empty=st.sampled_from([None, 0.0, -0.0, nan]),
        missing=policies.map(lambda it: "zero" if it == "propagate" else it),
        nonfinite=policies.map(lambda it: it if it == "error" else "propagate")
        | st.sampled_from(["propagate", "skip"]),
        coerce=st.booleans(),
    )


BATCHES = _batches()
"""Samples of which some share units, and some have nothing to share one by."""
PIPELINES = _pipelines(
    _levels(INNER, OUTER, UNORDERED), UNORDERED, st.sampled_from(["skip", "nan"])
) | _pipelines(
    _levels(KEYS, KEYS, REDUCERS),
    REDUCERS,
    st.sampled_from(["skip", "propagate", "nan", "error"]),
)
"""Pipelines that mostly work, and pipelines of anything at all."""
