"""What authors of strategies build on, and a composite strategy built on it."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, Generic, TypeVar, assert_type

import attrs
from tests.typing.samples import Trained, Ungrouped

from keyfold import over
from keyfold.authoring import (
    columns_of,
    components_of,
    constant_units,
    expression_of,
    fields_of,
    grouped,
    key_strategy,
    labels_of,
    name_of,
    of_type,
    one_of,
    refuse,
    shown,
    shown_position,
)
from keyfold.contracts import (
    PAD,
    Categorical,
    Column,
    ColumnarKeyStrategy,
    KeyColumns,
    KeyStrategy,
    LabelledKeyStrategy,
)
from keyfold.errors import ArgumentError
from keyfold_strategies import Mean, Reward, Rollout, Sample

assert_type(columns_of(Rollout(), [Sample()], [0]), KeyColumns)
assert_type(components_of("key"), tuple[Hashable, ...])
assert_type(constant_units([0, 0], [1.0, 1.0], 1), list[float | None] | None)
assert_type(grouped([0, 1], ["a", "b"], 2), list[list[str]])
assert_type(expression_of(Rollout()), str)
assert_type(name_of(Rollout()), str)
assert_type(fields_of(Rollout()), frozenset[str] | None)
assert_type(labels_of(Rollout(), [("rollout", 0, 1)]), list[str])
assert_type(refuse(Rollout(), "k", "a number", "x", hint=None), ArgumentError)
assert_type((shown([1]), shown([1], 9), shown_position(3)), tuple[str, str, str])

column: Column = Categorical(["math", "code"])
assert_type(Categorical(["math"]).values, Sequence[Hashable])
keyed = KeyColumns((column, [1, PAD]), applies=[True, True], ragged=True)
assert_type(keyed.columns, tuple[Column, ...])
assert_type(keyed.applies, Sequence[bool] | None)
assert_type(keyed.keyed_by, str | Sequence[str] | None)

SampleT_contra = TypeVar("SampleT_contra", contravariant=True)


@attrs.frozen
class Tagged(Generic[SampleT_contra]):
    """Any key, behind a tag."""

    inner: KeyStrategy[SampleT_contra, Hashable] = attrs.field(validator=key_strategy)
    tag: str = attrs.field(default="a", validator=one_of(["a", "b"]))
    depth: int = attrs.field(default=1, validator=of_type(int, "a whole number"))

    def key(
        self, sample: SampleT_contra, position: int, /
    ) -> tuple[Hashable, ...] | None:
        key = self.inner.key(sample, position)
        return None if key is None else (self.tag, *components_of(key))

    def columns(
        self, samples: Sequence[SampleT_contra], positions: Sequence[int], /
    ) -> KeyColumns:
        inner = columns_of(self.inner, samples, positions)
        return KeyColumns(([self.tag] * len(samples), *inner.columns), inner.applies)


columnar: ColumnarKeyStrategy[Trained, Hashable] = Tagged[Trained](Rollout())
over(Trained).value(Reward()).within(Tagged(Rollout()), Mean())
over(Ungrouped).value(Reward()).within(Tagged(Rollout()), Mean())  # type: ignore[arg-type]

columns_of("rollout", [Sample()], [0])  # type: ignore[arg-type]
columns_of(Rollout(), [Sample()])  # type: ignore[call-arg]
components_of([1])  # type: ignore[arg-type]
grouped(["a"], [1.0], 1)  # type: ignore[list-item]
labels_of(Rollout(), ["rollout"])  # type: ignore[list-item]
refuse(Rollout(), "k", "a number")  # type: ignore[call-arg]
of_type("int", "a number")  # type: ignore[arg-type]
one_of([1, 2])  # type: ignore[list-item]
shown_position("3")  # type: ignore[arg-type]
KeyColumns([[1]])  # type: ignore[arg-type]
KeyColumns(([{}],))  # type: ignore[list-item]
KeyColumns(([1],), applies="all")  # type: ignore[arg-type]
Categorical([[1]])  # type: ignore[list-item]
keyed.ragged = False  # type: ignore[misc]
not_columnar: ColumnarKeyStrategy[Any, Any] = Reward()  # type: ignore[assignment]
constant_units([0], [1.0])  # type: ignore[call-arg]
expression_of()  # type: ignore[call-arg]
fields_of(Rollout(), Reward())  # type: ignore[call-arg]
_ = name_of(Rollout()).name  # type: ignore[attr-defined]
key_strategy(Rollout())  # type: ignore[call-arg]
shown([1], most="9")  # type: ignore[arg-type]
text: str = PAD  # type: ignore[assignment]
not_column: Column = 3  # type: ignore[assignment]
unlabelled: LabelledKeyStrategy[Any, Any] = Tagged[Any](Rollout())  # type: ignore[assignment]
