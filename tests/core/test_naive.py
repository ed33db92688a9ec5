"""Any pipeline of built-ins against an engine of a few lines, sample by sample."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from itertools import pairwise
from math import isfinite, nan
from numbers import Number
from typing import Any

import attrs
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keyfold import Session, compute
from keyfold._finish import finish
from keyfold._fold import Fold
from keyfold._fold_source import FoldSource
from keyfold._plan import plan_of
from keyfold.authoring import components_of
from keyfold.contracts import AnyKeyStrategy, AnyReducer
from keyfold.errors import InconsistentUnitError, KeyfoldError
from keyfold.pipeline import Level, Pipeline
from keyfold_strategies import (
    Adapter,
    AdapterRef,
    AdapterScoped,
    All,
    Count,
    FieldKey,
    FieldTest,
    First,
    FirstOf,
    Group,
    Max,
    Mean,
    Min,
    Position,
    RawReward,
    Reward,
    Rollout,
    Sample,
    SampleIndex,
    Scoped,
    Sum,
)

KEYS: list[AnyKeyStrategy] = [
    Adapter(),
    AdapterScoped[Sample](FirstOf(Rollout(), SampleIndex(), Position())),
    AdapterScoped[Sample](FirstOf(Group(), FieldKey("status", default="-"))),
    FieldKey("status", default="-"),
    FirstOf(AdapterScoped[Sample](Rollout()), FieldKey("status"), Position()),
    Position(),
    Scoped[Sample](FieldKey("status", default="-"), Adapter()),
]
REDUCERS: list[AnyReducer] = [Count(), First(), Max(), Mean(), Min(), Sum()]
SAMPLES = st.builds(
    Sample,
    adapter=st.none() | st.builds(AdapterRef, st.sampled_from("ab"), st.just(0)),
    group_index=st.sampled_from([None, 0, 1]),
    rollout_id=st.sampled_from([None, 0, 1]),
    index=st.sampled_from([None, 0, 1]),
    status=st.sampled_from([None, "x", "y"]),
    reward=st.sampled_from(
        [0.1, 1, True, 2**60, -0.0, nan, None, "no", np.bool_(True)]
    ),
    metadata=st.just({"raw_reward": 0.7}),
)


def pipeline_of(*, by: AnyKeyStrategy | None, total: bool, **parts: Any) -> Any:
    """A pipeline; without a breakdown it has a total."""
    return Pipeline[Sample](by=by, total=total or by is None, **parts)


PIPELINES: st.SearchStrategy[Pipeline[Sample]] = st.builds(
    pipeline_of,
    value=st.sampled_from([Reward(), RawReward()]),
    across=st.sampled_from(REDUCERS),
    levels=st.lists(
        st.builds(Level, st.sampled_from(KEYS), st.sampled_from(REDUCERS)), max_size=3
    ).map(tuple),
    where=st.sampled_from([None, All(), FieldTest("status", "!=", "x")]),
    by=st.sampled_from([None, *KEYS[:2]]),
    total=st.booleans(),
    empty=st.sampled_from([None, 0.0]),
    missing=st.sampled_from(["skip", "zero", "nan"]),
    nonfinite=st.sampled_from(["propagate", "skip"]),
    coerce=st.booleans(),
)


@attrs.define
class Unit:
    """A unit with its key, and the samples and the value that it has."""

    key: tuple[Hashable, ...]
    rows: list[int]
    value: Any = None


def reduced(reducer: AnyReducer, values: Sequence[Any]) -> Any:
    state = reducer.init()
    for value in values:
        state = reducer.merge(state, reducer.fold(reducer.init(), [value]))
    return reducer.finish(state)


def admitted(pipeline: Pipeline[Sample], value: Any) -> tuple[str, Any]:
    if value is None:
        return "missing", {"skip": None, "zero": 0.0, "nan": nan}[pipeline.missing]
    if pipeline.coerce and hasattr(value, "item"):
        value = value.item()
    if not isinstance(value, Number):
        return "rejected", None
    number: Any = value
    if isfinite(number):
        return "ordinary", number
    return "nonfinite", None if pipeline.nonfinite == "skip" else number


def naive(
    samples: list[Sample], pipeline: Pipeline[Sample]
) -> dict[str, dict[str, Any]]:
    """The outcomes of a pipeline by label, the total's under the empty label."""

    def unit_of(strategy: AnyKeyStrategy, row: int) -> tuple[Hashable, ...]:
        return components_of(strategy.key(samples[row], row))

    selected = [
        row
        for row, sample in enumerate(samples)
        if pipeline.where is None or pipeline.where.selects(sample)
    ]
    kinds: dict[int, str] = {}
    units: list[Unit] = []
    for row in selected:
        kinds[row], number = admitted(pipeline, pipeline.value.value(samples[row]))
        units.append(Unit((row,), [row], number))
    levels: list[tuple[AnyKeyStrategy, AnyReducer | None]]
    levels = [(level.key, level.reducer) for level in pipeline.levels]
    if pipeline.by:
        levels.append((pipeline.by, None))
    entries: dict[tuple[Hashable, ...], list[Unit]] = {}
    for strategy, reducer in levels:
        above: dict[tuple[Hashable, ...], list[Unit]] = {}
        for row in selected:
            above.setdefault(unit_of(strategy, row), [])
        for unit in units:
            keys = {unit_of(strategy, row) for row in unit.rows}
            if len(keys) > 1:
                raise InconsistentUnitError("two units", position=unit.rows[0])
            above[keys.pop()].append(unit)
        if reducer is None:
            entries = above
        else:
            units = [
                Unit(
                    key,
                    [row for unit in its for row in unit.rows],
                    reduced(
                        reducer,
                        [unit.value for unit in its if unit.value is not None],
                    ),
                )
                for key, its in above.items()
            ]
    found: dict[str, dict[str, Any]] = {}
    parts: dict[str, list[Unit]] = {"": units} if pipeline.total else {}
    if pipeline.by:
        labels = getattr(pipeline.by, "labels")(list(entries))  # noqa: B009
        parts |= {
            f"/{label}": its
            for label, its in zip(labels, entries.values(), strict=True)
        }
    for label, its in parts.items():
        rows = [row for unit in its for row in unit.rows]
        counts = Counter(kinds[row] for row in rows)
        values = [unit.value for unit in its if unit.value is not None]
        result = reduced(pipeline.across, values)
        found[label] = {
            "value": pipeline.empty if result is None else result,
            "samples": len(rows) if label else len(samples),
            "selected": len(rows),
            "missing": counts["missing"],
            "rejected": counts["rejected"],
            "nonfinite": counts["nonfinite"],
            "units": len(values),
            "units_without_value": len(its) - len(values),
        }
    return found


@given(st.lists(SAMPLES, max_size=10), st.lists(PIPELINES, min_size=1, max_size=3))
@settings(max_examples=600, deadline=None)
def test_every_pipeline_gives_what_a_naive_engine_gives(
    samples: list[Sample], pipelines: list[Pipeline[Sample]]
) -> None:
    named = {str(place): pipeline for place, pipeline in enumerate(pipelines)}
    try:
        expected = {
            f"{name}{label}": counts
            for name, pipeline in named.items()
            for label, counts in naive(samples, pipeline).items()
        }
    except InconsistentUnitError:
        with pytest.raises(InconsistentUnitError):
            compute(samples, named)
        return
    report = compute(samples, named)
    found = {
        name: {key: getattr(outcome, key) for key in expected[name]}
        for name, outcome in report.outcomes.items()
    }
    assert repr(dict(sorted(found.items()))) == repr(dict(sorted(expected.items())))


@given(
    st.lists(SAMPLES, max_size=8), PIPELINES, st.lists(st.integers(0, 8), max_size=3)
)
@settings(max_examples=300, deadline=None)
def test_no_outcome_depends_on_where_batches_end(
    samples: list[Sample], pipeline: Pipeline[Sample], cuts: list[int]
) -> None:
    def in_batches(*cuts: int) -> str:
        fold = Fold(plan_of({"m": pipeline}))
        try:
            for start, stop in pairwise([0, *sorted(cuts), len(samples)]):
                if batch := samples[start:stop]:
                    fold.add(batch)
            return repr(finish(fold.plan.metrics, FoldSource(fold)).outcomes)
        except KeyfoldError as error:
            return type(error).__name__

    assert in_batches(*cuts) == in_batches()


@given(
    st.lists(SAMPLES, max_size=8), PIPELINES, st.lists(st.integers(0, 8), max_size=3)
)
@settings(max_examples=300, deadline=None)
def test_a_session_reports_what_one_batch_does(
    samples: list[Sample], pipeline: Pipeline[Sample], cuts: list[int]
) -> None:
    def in_one_batch() -> str:
        report = compute(samples, {"m": pipeline})
        return repr((report.outcomes, report.breakdowns))

    def in_batches() -> str:
        session = Session({"m": pipeline})
        for start, stop in pairwise([0, *sorted(cuts), len(samples)]):
            session.add(samples[start:stop])
        report = session.report()
        return repr((report.outcomes, report.breakdowns))

    try:
        expected = in_one_batch()
    except KeyfoldError as error:
        with pytest.raises(type(error)):
            in_batches()
    else:
        assert in_batches() == expected
