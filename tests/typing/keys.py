"""Key strategies: by themselves, in a chain, and over samples without their fields."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Protocol, assert_type

import attrs
from tests.typing.samples import Row, Scored, Trained, Unadapted, Ungrouped

from keyfold import KeyStrategy, Pipeline, over
from keyfold.contracts import ColumnarKeyStrategy, KeyColumns, LabelledKeyStrategy
from keyfold_strategies import (
    Adapter,
    AdapterRef,
    AdapterScoped,
    FieldKey,
    FirstOf,
    Group,
    Mean,
    Position,
    Reward,
    Rollout,
    Sample,
    SampleIndex,
    Scoped,
)
from keyfold_strategies.keys.adapter import adapter_labels

sample = Sample(adapter=AdapterRef("math", slot=0), group_index=1, rollout_id="a")
assert_type(sample.adapter, Hashable)
assert_type(sample.group_index, int | str | None)
assert_type(AdapterRef("math", 0).slot, int)

# Each by itself, and what it gives.
assert_type(Adapter().key(sample, 0), tuple[Hashable])
assert_type(Group().key(sample, 0), tuple[str, Hashable] | None)
assert_type(Position().key(sample, 0), tuple[str, Hashable, int])
assert_type(Rollout().key(sample, 0), tuple[str, Hashable, Hashable] | None)
assert_type(SampleIndex().key(sample, 0), tuple[str, Hashable, Hashable] | None)
assert_type(FieldKey("status").key(sample, 0), tuple[str, Hashable] | None)
assert_type(FieldKey("status", "none").default, str | int | None)
assert_type(Rollout().columns([sample], [0]), KeyColumns)
assert_type(Adapter().labels([("math",)]), list[str])
assert_type(adapter_labels([AdapterRef("math", 0), None]), list[str])

# One that wraps others names its sample type once.
scoped = AdapterScoped[Sample](FirstOf(Rollout(), Position()))
assert_type(scoped, AdapterScoped[Sample])
assert_type(scoped.key(sample, 0), tuple[Hashable, ...] | None)
assert_type(scoped.inner, KeyStrategy[Sample, Hashable])
assert_type(scoped.fields, frozenset[str] | None)
assert_type(FirstOf[Trained](Rollout(), Group()), FirstOf[Trained])
pair = Scoped[Sample](FieldKey("status"), Rollout())
assert_type(pair, Scoped[Sample])

# In a chain the sample type is known.
trained = over(Trained).value(Reward())
assert_type(
    trained.within(AdapterScoped(Rollout()), Mean())
    .within(AdapterScoped(FirstOf(Group(), Position())), Mean())
    .within(Scoped(FieldKey("tokens"), SampleIndex()), Mean())
    .by(Adapter())
    .across(Mean()),
    Pipeline[Trained],
)
over(Unadapted).value(Reward()).within(FirstOf(Rollout(), SampleIndex()), Mean())
over(Row).value(Reward()).within(Group(), Mean())
over(Scored).value(Reward()).within(FieldKey("anything"), Mean())

# All of them are key strategies, whose fast paths and labels are known.
keys: list[KeyStrategy[Sample, Hashable]] = [
    *(Adapter(), Group(), Position(), Rollout(), SampleIndex(), FieldKey("x")),
    *(scoped, pair, FirstOf[Sample](Rollout())),
]
columnar: list[ColumnarKeyStrategy[Sample, Hashable]] = [
    *(Adapter(), Group(), Position(), Rollout(), SampleIndex(), scoped, pair),
]
labelled: list[LabelledKeyStrategy[Sample, Hashable]] = [
    *(Adapter(), Group(), Position(), Rollout(), SampleIndex(), scoped, FieldKey("x")),
]


# A user's strategy needs no base class.
class HasTokens(Protocol):
    @property
    def tokens(self) -> list[int]: ...


@attrs.frozen
class ByLength:
    limit: int

    def key(self, sample: HasTokens, position: int, /) -> tuple[str, bool]:
        return ("length", len(sample.tokens) > self.limit)


@attrs.frozen
class Unhashable:
    """Its key has no hash."""

    def key(self, sample: Sample, position: int, /) -> list[int]:
        return [position]


@attrs.frozen
class Placeless:
    """Takes no position."""

    def key(self, sample: Sample, /) -> int:
        return 0


assert_type(trained.within(ByLength(9), Mean()).across(Mean()), Pipeline[Trained])
trained.within(AdapterScoped(FirstOf(ByLength(9), Rollout())), Mean())
rewards = over(Sample).value(Reward())
rewards.within(ByLength(9), Mean())  # type: ignore[arg-type]
rewards.within(Unhashable(), Mean())  # type: ignore[arg-type]
rewards.within(Placeless(), Mean())  # type: ignore[arg-type]

# The sample type lacks a field that the key needs, wherever the key stands.
ungrouped = over(Ungrouped).value(Reward())
ungrouped.within(Group(), Mean())  # type: ignore[arg-type]
ungrouped.within(Rollout(), Mean())  # type: ignore[arg-type]
ungrouped.within(SampleIndex(), Mean())  # type: ignore[arg-type]
ungrouped.within(Position(), Mean())  # type: ignore[arg-type]
ungrouped.within(Adapter(), Mean())  # type: ignore[arg-type]
ungrouped.by(Rollout())  # type: ignore[arg-type]
ungrouped.split_by(Position())  # type: ignore[arg-type]
ungrouped.within(FirstOf(Rollout(), Position()), Mean())  # type: ignore[arg-type]
ungrouped.within(Scoped(FieldKey("x"), Group()), Mean())  # type: ignore[arg-type]
lacking: KeyStrategy[Ungrouped, Hashable] = Group()  # type: ignore[assignment]
Group().key(Ungrouped(1.0), 0)  # type: ignore[arg-type]

# The sample type lacks the adapter.
unadapted = over(Unadapted).value(Reward())
unadapted.by(Adapter())  # type: ignore[arg-type]
unadapted.within(AdapterScoped(Rollout()), Mean())  # type: ignore[type-var]
unadapted.within(AdapterScoped[Unadapted](Rollout()), Mean())  # type: ignore[type-var]

# What a strategy is not made of.
AdapterScoped[Sample](Rollout)  # type: ignore[arg-type]
AdapterScoped[Sample](Mean())  # type: ignore[arg-type]
AdapterScoped[Sample]()  # type: ignore[call-arg]
FirstOf[Sample]("rollout")  # type: ignore[arg-type]
FirstOf[Ungrouped](Rollout())  # type: ignore[arg-type]
Scoped[Sample](Group())  # type: ignore[call-arg]
FieldKey(3)  # type: ignore[arg-type]
Rollout("x")  # type: ignore[call-arg]
AdapterRef("math", slot="0")  # type: ignore[arg-type]
Sample(rollout_id=1.5)  # type: ignore[arg-type]
Sample(rewards=1.0)  # type: ignore[call-arg]
sample.reward = 1.0  # type: ignore[misc]
adapter_labels(3)  # type: ignore[arg-type]
