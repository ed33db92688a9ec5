"""Reducers: what they take, what they give, and their optional fast paths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, assert_type

from tests.typing.own_reducers import Spread, Unfinished, Widest

from keyfold import Reducer, over
from keyfold.contracts import UnitReducer, UnitStatesReducer
from keyfold.exact import Total
from keyfold.totals import Totals
from keyfold_strategies import (
    Count,
    First,
    Group,
    Max,
    Mean,
    Min,
    Reward,
    Rollout,
    Same,
    Sample,
    Sum,
)

# Each by itself: its state, and what it gives.
assert_type(Count().init(), int)
assert_type(Count().fold(0, ["anything"]), int)
assert_type(Count().finish(0), float)
assert_type(First().fold(None, [1.0]), float | None)
assert_type(Max().merge(1.0, None), float | None)
assert_type(Min().finish(1.0), float | None)
assert_type(Same().init(), float | None)
assert_type(Mean().init(), Total)
assert_type(Mean().finish(Mean().fold(Mean().init(), [1.0, 2])), float | None)
assert_type(Sum().merge(Sum().init(), Sum().init()), Total)
assert_type(Mean().reduce_units([0], [1.0], 1), list[float | None])
assert_type(Sum().fold_units([0], [1.0], 1), Totals)
assert_type(First().ordered, bool)
assert_type(Mean().idempotent, bool)

# They are reducers of floats, and a count takes anything.
reducers: list[Reducer[float, Any, float]] = [
    *(Count(), First(), Max(), Mean(), Min(), Same(), Sum()),
]
count: Reducer[object, int, float] = Count()
fast: list[UnitReducer[float, Any, float]] = [Count(), Mean()]
packed: list[UnitStatesReducer[float, Total, float]] = [Mean(), Sum()]
spread: Reducer[float, tuple[float, ...], tuple[float, float]] = Spread()
widest: Reducer[tuple[float, float], float, float] = Widest()


def many(reducer: UnitReducer[float, Any, float], codes: Sequence[int]) -> None:
    assert_type(reducer.reduce_units(codes, [1.0], 1), Sequence[float | None])
    reducer.reduce_units(codes, ["1.0"], 1)  # type: ignore[list-item]


def states(reducer: UnitStatesReducer[float, Total, float]) -> None:
    folded = reducer.fold_units([0], [1.0], 1)
    assert_type(folded, Sequence[Total])
    assert_type(reducer.merge_units([([0], folded)], 1), Sequence[Total])
    assert_type(reducer.finish_units(folded), Sequence[float | None])
    reducer.finish_units([1.0])  # type: ignore[list-item]


# Every one of them reduces a level, and across.
rewards = over(Sample).value(Reward())
for each in (Count(), First(), Max(), Mean(), Min(), Same(), Sum()):
    rewards.within(Rollout(), each).within(Group(), each).across(each)

# What a reducer does not take or give.
Mean().fold(Mean().init(), ["1.0"])  # type: ignore[list-item]
Mean().fold(0.0, [1.0])  # type: ignore[arg-type]
Mean().finish(1.0)  # type: ignore[arg-type]
Max().merge("a", None)  # type: ignore[arg-type]
Same("reward")  # type: ignore[call-arg]
of_text: Reducer[str, Any, float] = Mean()  # type: ignore[assignment]
of_float: Reducer[float, Any, float] = Widest()  # type: ignore[assignment]
to_float: Reducer[float, Any, float] = Spread()  # type: ignore[assignment]
unfinished: Reducer[float, float, float] = Unfinished()  # type: ignore[assignment]
plain: UnitReducer[float, Any, float] = Spread()  # type: ignore[assignment]
stateless: UnitStatesReducer[float, Any, float] = Max()  # type: ignore[assignment]
Count().fold(0, 3)  # type: ignore[arg-type]
First().fold(None, 1.0)  # type: ignore[arg-type]
Min().finish("1.0")  # type: ignore[arg-type]
Sum().merge(1.0, 2.0)  # type: ignore[arg-type]
