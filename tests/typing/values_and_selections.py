"""Values and selections: alone, in a chain, and over samples without a field."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_type

import attrs
from tests.typing.samples import Computed, Row, Scored, Trained, Ungrouped, Unscored

from keyfold import Selection, Value, over
from keyfold.contracts import BatchValue, BindsToBatch, Finite, MaskSelection
from keyfold.pipeline import Chain
from keyfold_strategies import (
    All,
    FieldTest,
    FieldValue,
    One,
    RawReward,
    Reward,
    Sample,
)
from keyfold_strategies.selections.field_test import Comparison

sample = Sample(reward=1.0)

# Each by itself, and what it gives.
assert_type(Reward().value(sample), object)
assert_type(Reward(key="total").key, str | None)
assert_type(RawReward("total").value(sample), object)
assert_type(FieldValue("metadata.turns").value(sample), object)
assert_type(One().value(sample), float)
assert_type(One().values([sample]), Finite)
assert_type(Finite([1.0]).numbers, Sequence[float])
assert_type(All().selects(sample), bool)
assert_type(FieldTest("status", "==", "completed").selects(sample), bool)
assert_type(FieldTest("status", "in", ["a", "b"]).comparison, Comparison)
assert_type(FieldTest("status", "==", "x").fields, frozenset[str])

# In a chain.
assert_type(over(Scored).value(Reward()), Chain[Scored, float])
assert_type(over(Row).value(Reward("x")), Chain[Row, float])
assert_type(over(Computed).value(Reward()), Chain[Computed, float])
assert_type(over(Trained).value(RawReward()), Chain[Trained, float])
assert_type(over(Unscored).value(One()).where(All()), Chain[Unscored, float])
assert_type(
    over(Unscored).value(FieldValue("x")).where(FieldTest("y", ">", 1)),
    Chain[Unscored, float],
)

# All of them keep their contracts, and their optional parts are known.
values: list[Value[Sample]] = [Reward(), RawReward(), FieldValue("x"), One()]
selections: list[Selection[Sample]] = [All(), FieldTest("x", "<", 3)]
batch: BatchValue[Sample] = One()
binds: BindsToBatch[Sample] = RawReward()
mask: MaskSelection[Sample] = All()


def optional_parts(
    value: BindsToBatch[Sample], batch: BatchValue[Sample], mask: MaskSelection[Sample]
) -> None:
    assert_type(value.bind(sample), Value[Sample])
    assert_type(batch.values([sample]), Sequence[object] | Finite)
    assert_type(mask.mask([sample]), Sequence[bool] | None)


# A user's own.
@attrs.frozen
class Tokens:
    def value(self, sample: Trained, /) -> int:
        return len(sample.tokens)

    def values(self, samples: Sequence[Trained], /) -> list[int]:
        return [len(sample.tokens) for sample in samples]


@attrs.frozen
class Long:
    def selects(self, sample: Trained, /) -> bool:
        return len(sample.tokens) > 9

    def mask(self, samples: Sequence[Trained], /) -> list[bool]:
        return [self.selects(sample) for sample in samples]


@attrs.frozen
class Named:
    """Gives no bool."""

    def selects(self, sample: Trained, /) -> str:
        return "yes"


tokens: BatchValue[Trained] = Tokens()
long: MaskSelection[Trained] = Long()
over(Trained).value(Tokens()).where(Long())
over(Trained).value(Tokens()).where(Named())  # type: ignore[arg-type]
over(Sample).value(Tokens())  # type: ignore[arg-type]
over(Sample).value(Reward()).where(Long())  # type: ignore[arg-type]

# The sample type lacks the field that the value needs.
over(Unscored).value(Reward())  # type: ignore[arg-type]
over(Ungrouped).value(RawReward())  # type: ignore[arg-type]
of_unscored: Value[Unscored] = Reward()  # type: ignore[assignment]
Reward().value(Unscored(0))  # type: ignore[arg-type]

# What a component does not take, or is not.
Reward(3)  # type: ignore[arg-type]
RawReward(key="total")  # type: ignore[call-arg]
FieldValue()  # type: ignore[call-arg]
FieldTest("status", "is", "x")  # type: ignore[arg-type]
FieldTest("status")  # type: ignore[call-arg]
One(1.0)  # type: ignore[call-arg]
Finite(["1.0"])  # type: ignore[list-item]
unbound: BindsToBatch[Sample] = Reward()  # type: ignore[assignment]
unmasked: MaskSelection[Sample] = FieldTest("x", "==", 1)  # type: ignore[assignment]
unbatched: BatchValue[Sample] = FieldValue("x")  # type: ignore[assignment]
All().selects()  # type: ignore[call-arg]
no_comparison: Comparison = "is"  # type: ignore[assignment]
no_selection: Selection[Sample] = One()  # type: ignore[assignment]
