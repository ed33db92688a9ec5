"""What a plugin must offer: the protocols of keyfold.

A key strategy names the unit that a sample belongs to, a reducer folds a unit's
values, a value reads one number from a sample, a selection decides which samples take
part, and a reader turns a file into samples. A class of your own needs no base class:
the methods below are the whole contract. The parts marked *optional* make a plugin
faster or better described, and change no number.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import (
    TYPE_CHECKING,
    Any,
    Final,
    NamedTuple,
    Protocol,
    TypeAlias,
    TypeVar,
    runtime_checkable,
)

import attrs

if TYPE_CHECKING:
    from pathlib import Path

__all__ = [
    "PAD",
    "AnyKeyStrategy",
    "AnyReducer",
    "AnySelection",
    "AnyValue",
    "BatchValue",
    "BindsToBatch",
    "Categorical",
    "Column",
    "ColumnarKeyStrategy",
    "DumpPart",
    "Finite",
    "KeyColumns",
    "KeyStrategy",
    "LabelledKeyStrategy",
    "MaskSelection",
    "ReadRequest",
    "Reader",
    "Reducer",
    "Selection",
    "UnitReducer",
    "UnitStatesReducer",
    "Value",
]

SampleT_contra = TypeVar("SampleT_contra", contravariant=True)
KeyT_co = TypeVar("KeyT_co", bound=Hashable, covariant=True)
In_contra = TypeVar("In_contra", contravariant=True)
StateT = TypeVar("StateT")
Out_co = TypeVar("Out_co", covariant=True)


class _Padding(enum.Enum):
    PAD = "PAD"


PAD: Final = _Padding.PAD
"""Fills the end of a shorter key where keys of several lengths share columns."""


@attrs.frozen(order=False, eq=False)
class Categorical:
    """A key column in which few distinct objects recur, such as adapters.

    The engine hashes each object of such a column once instead of once a sample, which
    pays where hashing runs Python code (a frozen dataclass, say). It does so for the
    leading columns of a key; further back, a categorical column is like any other.

    Attributes:
        values: One object a sample.
    """

    values: Sequence[Hashable]


Column: TypeAlias = Sequence[Hashable] | Categorical
"""One component of the keys of some samples, one entry a sample."""


class KeyColumns(NamedTuple):
    """The keys of some samples as parallel columns, one row a sample.

    Attributes:
        columns: The components of the keys; each column has one entry a sample.
        applies: Which samples the strategy applies to; None means all of them. The
            rows of the others are never read.
        keyed_by: Which strategy of a chain keyed the samples: one name for all of them,
            or a name a sample; None where there is no chain.
        ragged: Whether keys of several lengths share the columns, the shorter ones
            filled up with `PAD`.
    """

    columns: tuple[Column, ...]
    applies: Sequence[bool] | None = None
    keyed_by: str | Sequence[str] | None = None
    ragged: bool = False


@runtime_checkable
class KeyStrategy(Protocol[SampleT_contra, KeyT_co]):
    """Names the unit that a sample belongs to.

    Samples with equal keys form one unit. A key is a flat tuple of hashable components
    (anything else counts as a tuple of one), and must depend on nothing but the sample
    and its position: not on the sample's identity, on other samples, or on hash order.

    *Optional:* `columns` (see `ColumnarKeyStrategy`); `labels` (see
    `LabelledKeyStrategy`); `fields`, a tuple with the names of the sample fields that
    are read, so that a reader builds no others; and `name`, how the strategy is spelt
    in configurations and counts (by default the class's name in snake case).
    """

    def key(self, sample: SampleT_contra, position: int, /) -> KeyT_co | None:
        """Return the sample's key, or None where this strategy does not apply.

        Args:
            sample: One sample.
            position: Its place in the batch, counted from zero. In a shard of a larger
                batch it counts from a number that no other shard comes to.
        """
        ...


@runtime_checkable
class ColumnarKeyStrategy(KeyStrategy[SampleT_contra, KeyT_co], Protocol):
    """A key strategy with the fast path: many samples at once."""

    def columns(
        self, samples: Sequence[SampleT_contra], positions: Sequence[int], /
    ) -> KeyColumns:
        """Return the keys of samples as parallel columns.

        The law: row i equals the components of `key(samples[i], positions[i])`, and
        `applies[i]` is False exactly where that is None.
        """
        ...


@runtime_checkable
class LabelledKeyStrategy(KeyStrategy[SampleT_contra, KeyT_co], Protocol):
    """A key strategy that says how its keys are written in a report's names."""

    def labels(self, keys: Sequence[tuple[Hashable, ...]], /) -> Sequence[str]:
        """Return a short text for each key, distinct for distinct keys.

        Args:
            keys: All keys that are labelled together, as flat tuples.
        """
        ...


@runtime_checkable
class Reducer(Protocol[In_contra, StateT, Out_co]):
    """A fold that can be merged: the values of one unit become one.

    State is plain, immutable, serialisable data. The laws: `init()` is the identity of
    `merge`; `merge` is associative and, unless the class sets `ordered = True`,
    commutative; `fold(s, a + b) == merge(fold(s, a), fold(init(), b))` wherever the
    values are split; `finish` changes nothing and may be called again.

    *Optional:* `ordered = True` for a reducer whose result depends on the order of the
    values; `idempotent = True` for one that gives back a number which all values of a
    unit are equal to, as a mean does and a sum does not; `name`; and `reduce_units`
    (see `UnitReducer`).
    """

    def init(self) -> StateT:
        """Return the state of no values."""
        ...

    def fold(self, state: StateT, values: Iterable[In_contra], /) -> StateT:
        """Return the state after more values; `state` itself stays as it was."""
        ...

    def merge(self, left: StateT, right: StateT, /) -> StateT:
        """Return the state of both states' values; neither changes."""
        ...

    def finish(self, state: StateT, /) -> Out_co | None:
        """Return the result, or None where the values have none (*absent*)."""
        ...


@runtime_checkable
class UnitReducer(Reducer[In_contra, StateT, Out_co], Protocol):
    """A reducer with the fast path: many units at once, without states."""

    def reduce_units(
        self, codes: Sequence[int], values: Sequence[In_contra], units: int, /
    ) -> Sequence[Out_co | None]:
        """Return one result a unit.

        The law: entry u equals `finish(fold(init(), v))`, where v is those values, in
        order, whose code is u.

        Args:
            codes: The unit of each value, from 0 to `units - 1`.
            values: The values, parallel to `codes`.
            units: How many units there are; a unit may have no value.
        """
        ...


@runtime_checkable
class UnitStatesReducer(Reducer[In_contra, StateT, Out_co], Protocol):
    """A reducer with the fast path for partials: the states of many units at once.

    What stands for the states may be packed, as long as it is a sequence of them.
    """

    def fold_units(
        self, codes: Sequence[int], values: Sequence[In_contra], units: int, /
    ) -> Sequence[StateT]:
        """Return the state of each unit.

        The law: entry u equals `fold(init(), v)`, where v is those values, in order,
        whose code is u.

        Args:
            codes: The unit of each value, from 0 to `units - 1`.
            values: The values, parallel to `codes`.
            units: How many units there are; a unit may have no value.
        """
        ...

    def merge_units(
        self, parts: Sequence[tuple[Sequence[int], Sequence[StateT]]], units: int, /
    ) -> Sequence[StateT]:
        """Return the state of each unit, merged from several parts.

        Args:
            parts: For each part, the unit of each of its states, and the states. A part
                has at most one state of a unit.
            units: How many units there are; each is in one part at least.
        """
        ...

    def finish_units(self, states: Sequence[StateT], /) -> Sequence[Out_co | None]:
        """Return `finish` of each state."""
        ...


@runtime_checkable
class Value(Protocol[SampleT_contra]):
    """Reads from a sample what is aggregated.

    The engine, not the value, decides what counts as a number: None is *missing*,
    anything that is not a `numbers.Number` is *rejected*, and both are counted.

    *Optional:* `values` (see `BatchValue`), `bind` (see `BindsToBatch`), and `fields`
    and `name` as for a key strategy.
    """

    def value(self, sample: SampleT_contra, /) -> object:
        """Return the sample's value, or None where it has none."""
        ...


@attrs.frozen(order=False, eq=False)
class Finite:
    """Values that are finite floats by construction: the engine checks none of them.

    Attributes:
        numbers: One float a sample.
    """

    numbers: Sequence[float]


@runtime_checkable
class BatchValue(Value[SampleT_contra], Protocol):
    """A value with the fast path: many samples at once."""

    def values(self, samples: Sequence[SampleT_contra], /) -> Sequence[object] | Finite:
        """Return `value(sample)` for each sample, in order."""
        ...


@runtime_checkable
class BindsToBatch(Value[SampleT_contra], Protocol):
    """A value that decides where it reads once a batch, from the first sample."""

    def bind(self, first: SampleT_contra, /) -> Value[SampleT_contra]:
        """Return the value that is read from every sample of this batch."""
        ...


@runtime_checkable
class Selection(Protocol[SampleT_contra]):
    """Decides which samples take part: the population of a metric.

    *Optional:* `mask` (see `MaskSelection`), and `fields` and `name` as for a key
    strategy.
    """

    def selects(self, sample: SampleT_contra, /) -> bool:
        """Return whether the sample takes part."""
        ...


@runtime_checkable
class MaskSelection(Selection[SampleT_contra], Protocol):
    """A selection with the fast path: many samples at once."""

    def mask(self, samples: Sequence[SampleT_contra], /) -> Sequence[bool] | None:
        """Return `selects(sample)` for each sample; None means all of them."""
        ...


@attrs.frozen(order=False)
class ReadRequest:
    """What a reader is asked for.

    Attributes:
        fields: The sample fields that the pipelines read; None where that is not
            known, so that every field of the file is wanted.
        mapping: From a sample field to where the file has it: a dotted path such as
            `info.score`, `@file` (the file's name without its ending) or `@line`.
        skip_bad: Whether a broken record is counted and passed over instead of raised.
        advance: Called with the number of bytes read since the last call.
    """

    fields: frozenset[str] | None = None
    mapping: Mapping[str, str] = attrs.field(factory=dict[str, str])
    skip_bad: bool = False
    advance: Callable[[int], None] = lambda _bytes: None


@attrs.frozen(order=False, eq=False)
class DumpPart:
    """Some samples of one step of a dump.

    Attributes:
        step: The training step, or None where the file does not say.
        samples: The samples, in the order of the file; each has the fields asked for.
        bad: Descriptions of the records that were passed over, each with file and line.
    """

    step: int | str | None
    samples: Sequence[Any]
    bad: Sequence[str] = ()


@runtime_checkable
class Reader(Protocol):
    """Turns one file into samples."""

    def recognises(self, path: Path, head: bytes, /) -> bool:
        """Return whether a file is of this reader's format.

        Args:
            path: The file; its name may help, its content decides.
            head: The first bytes of the file, 4,096 at most.
        """
        ...

    def read(self, path: Path, request: ReadRequest, /) -> Iterator[DumpPart]:
        """Yield the file's samples, step by step as they come.

        Raises:
            ReadError: The file is not what it should be; names file, line and column.
        """
        ...


# The catalog and the engine hold plugins whose sample types are not known to them.
AnyKeyStrategy: TypeAlias = KeyStrategy[Any, Hashable]
AnyReducer: TypeAlias = Reducer[Any, Any, Any]
AnyValue: TypeAlias = Value[Any]
AnySelection: TypeAlias = Selection[Any]
