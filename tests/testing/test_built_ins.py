"""Every built-in strategy passes the checks of its kind."""

from __future__ import annotations

from typing import Any

import pytest

from keyfold.catalog import default_catalog
from keyfold.testing import (
    check_key_strategy,
    check_reducer,
    check_selection,
    check_value,
)
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

KEYS: list[Any] = [
    Adapter(),
    AdapterScoped[Sample](FirstOf(Rollout(), SampleIndex(), Position())),
    FieldKey("status", default="-"),
    FirstOf[Sample](Rollout(), SampleIndex(), Position()),
    Group(),
    Position(),
    Rollout(),
    SampleIndex(),
    Scoped[Sample](Adapter(), Rollout()),
]
REDUCERS: list[Any] = [Count(), First(), Max(), Mean(), Min(), Sum()]
VALUES: list[Any] = [FieldValue("response_length"), One(), RawReward(), Reward()]
SELECTIONS: list[Any] = [All(), FieldTest("status", "==", "completed")]
NUMBERS = [0.0, -0.0, 1.0, 0.1, 0.2, 0.1, 1e16, -1e16, 3.5, 1e-300]


def samples() -> list[Sample]:
    """A dozen samples of two adapters, with what is rare among them."""
    adapters = (AdapterRef("a", 0), AdapterRef("b", 1), None)
    return [
        Sample(
            adapter=adapters[number % 3],
            group_index=number % 2,
            rollout_id=None if number % 5 == 4 else number // 2,
            index=None if number % 7 == 6 else number,
            reward=number / 8,
            metadata={},
            status=("completed", "truncated", None)[number % 3],
            response_length=number + 1,
        )
        for number in range(12)
    ]


def test_no_built_in_is_left_out() -> None:
    catalog = default_catalog()
    checked = [type(it).__name__ for it in (*KEYS, *REDUCERS, *VALUES, *SELECTIONS)]
    for kind in ("key", "reducer", "value", "selection"):
        for name in catalog.names(kind):
            loaded: Any = catalog.load(kind, name)
            assert loaded.__name__ in [*checked, "Same"]


@pytest.mark.parametrize("strategy", KEYS, ids=lambda it: type(it).__name__)
def test_keys_pass(strategy: Any) -> None:
    assert _passed(check_key_strategy(strategy, samples))


@pytest.mark.parametrize("reducer", REDUCERS, ids=lambda it: type(it).__name__)
def test_reducers_pass(reducer: Any) -> None:
    assert _passed(check_reducer(reducer, NUMBERS))


def test_same_passes_on_values_that_are_the_same() -> None:
    assert _passed(check_reducer(Same(), [0.5] * 6))


@pytest.mark.parametrize("value", VALUES, ids=lambda it: type(it).__name__)
def test_values_pass(value: Any) -> None:
    assert _passed(check_value(value, samples))


@pytest.mark.parametrize("selection", SELECTIONS, ids=lambda it: type(it).__name__)
def test_selections_pass(selection: Any) -> None:
    assert _passed(check_selection(selection, samples))


def _passed(records: Any) -> bool:
    return {record.state for record in records} <= {"passed", "skipped"}
