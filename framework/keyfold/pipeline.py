"""A metric, declared: which samples, what value, in which units, reduced how.

    over(Sample).value(RawReward()).within(Rollout(), Mean()).across(Mean())

reads: take the raw reward of each sample, average it within each rollout, then average
the rollouts. A chain is checked by mypy and pyright: each strategy must be able to read
the sample type that `over` names, and each reducer to take what the level below gives.
"""

from __future__ import annotations

from collections.abc import Hashable
from types import NoneType
from typing import Any, Generic, Literal, TypeAlias, TypeVar, cast, get_args

import attrs

from keyfold._arguments import of_type, one_of, refuse
from keyfold._describe import fields_of
from keyfold.contracts import (
    AnyKeyStrategy,
    AnyReducer,
    AnySelection,
    AnyValue,
    KeyStrategy,
    Reducer,
    Selection,
    Value,
)
from keyfold.errors import UsageError

__all__ = [
    "Chain",
    "Level",
    "Missing",
    "Nonfinite",
    "Over",
    "Pipeline",
    "over",
]

SampleT = TypeVar("SampleT")
SampleT_contra = TypeVar("SampleT_contra", contravariant=True)
InT = TypeVar("InT")
OutT = TypeVar("OutT")

Missing: TypeAlias = Literal["skip", "zero", "nan", "error"]
"""What a missing value does: it is left out, or counts as 0 or NaN, or is an error."""

Nonfinite: TypeAlias = Literal["propagate", "skip", "error"]
"""What NaN and infinities do: they are used as numbers, left out, or are an error."""


@attrs.frozen(order=False)
class Level:
    """One level of a pipeline: the samples or units that share a key become one value.

    Attributes:
        key: Names the unit.
        reducer: Folds the unit's values.
    """

    key: AnyKeyStrategy
    reducer: AnyReducer


def _reports_something(
    pipeline: Pipeline[Any], attribute: attrs.Attribute[Any], total: bool
) -> None:
    if not total and pipeline.by is None:
        raise refuse(
            pipeline,
            attribute.name,
            "True, as there is no breakdown",
            total,
        )


@attrs.frozen(order=False)
class Pipeline(Generic[SampleT_contra]):
    """A declared metric over samples of one type; `over` builds it.

    Attributes:
        value: What is read from each sample.
        across: Reduces what the last level leaves to one number.
        levels: The units, from the innermost to the outermost.
        where: Which samples take part; None means all of them.
        by: The key of a breakdown, or None without one.
        total: Whether the number over everything stands beside the breakdown.
        empty: The value where nothing was usable; None makes the metric absent.
        missing: What a missing value (None) does.
        nonfinite: What NaN and infinities do.
        coerce: Whether numpy bools, and arrays and tensors of one element, are numbers.
    """

    value: AnyValue
    across: AnyReducer
    levels: tuple[Level, ...] = ()
    where: AnySelection | None = None
    by: AnyKeyStrategy | None = None
    total: bool = attrs.field(
        default=True, validator=[of_type(bool, "True or False"), _reports_something]
    )
    empty: float | None = attrs.field(
        default=None, validator=of_type((float, int, NoneType), "a number or None")
    )
    missing: Missing = attrs.field(default="skip", validator=one_of(get_args(Missing)))
    nonfinite: Nonfinite = attrs.field(
        default="propagate", validator=one_of(get_args(Nonfinite))
    )
    coerce: bool = attrs.field(default=False, validator=of_type(bool, "True or False"))

    @property
    def keys(self) -> tuple[AnyKeyStrategy, ...]:
        """The key strategies of all levels and of the breakdown, innermost first."""
        keys = tuple(level.key for level in self.levels)
        return keys if self.by is None else (*keys, self.by)

    @property
    def fields(self) -> frozenset[str] | None:
        """The sample fields that are read; None where a component does not say."""
        selections = () if self.where is None else (self.where,)
        found: set[str] = set()
        for component in (self.value, *selections, *self.keys):
            fields = fields_of(component)
            if fields is None:
                return None
            found |= fields
        return frozenset(found)


@attrs.frozen(order=False)
class Chain(Generic[SampleT, InT]):
    """A pipeline in the making, whose last step gives values of one type."""

    _value: Value[SampleT]
    _missing: Missing = attrs.field(validator=one_of(get_args(Missing)))
    _nonfinite: Nonfinite = attrs.field(validator=one_of(get_args(Nonfinite)))
    _coerce: bool = attrs.field(validator=of_type(bool, "True or False"))
    _levels: tuple[Level, ...] = ()
    _where: Selection[SampleT] | None = None
    _by: AnyKeyStrategy | None = None
    _total: bool = True

    def where(self, selection: Selection[SampleT], /) -> Chain[SampleT, InT]:
        """Let only the samples of a selection take part.

        Raises:
            UsageError: The pipeline has a selection already.
        """
        if self._where is not None:
            raise UsageError(
                "the pipeline has a selection already, and takes one",
                hint="write one selection that holds both conditions",
            )
        return attrs.evolve(self, where=selection)

    def within(
        self, key: KeyStrategy[SampleT, Hashable], reducer: Reducer[InT, Any, OutT], /
    ) -> Chain[SampleT, OutT]:
        """Reduce the values of each unit to one value.

        Args:
            key: Names the unit. It must agree over all samples of a unit of the level
                below.
            reducer: Folds the unit's values; a unit without a value drops out.
        """
        level = attrs.evolve(self, levels=(*self._levels, Level(key, reducer)))
        return cast("Chain[SampleT, OutT]", level)

    def by(self, key: KeyStrategy[SampleT, Hashable], /) -> Chain[SampleT, InT]:
        """Also report the metric for each key, beside the number over everything.

        Args:
            key: Names the entry. It must agree over all samples of an outermost unit.

        Raises:
            UsageError: The pipeline has a breakdown already.
        """
        return self._broken_down(key, total=True)

    def split_by(self, key: KeyStrategy[SampleT, Hashable], /) -> Chain[SampleT, InT]:
        """Report the metric for each key, without a number over everything.

        Args:
            key: Names the entry. It must agree over all samples of an outermost unit.

        Raises:
            UsageError: The pipeline has a breakdown already.
        """
        return self._broken_down(key, total=False)

    def across(
        self, reducer: Reducer[InT, Any, float], /, *, empty: float | None = None
    ) -> Pipeline[SampleT]:
        """Reduce what is left to one number, and close the pipeline.

        Args:
            reducer: Folds the outermost units' values, or the samples' own where the
                pipeline has no level.
            empty: The metric's value where nothing was usable. Without it the metric is
                then absent from the report.
        """
        return Pipeline(
            value=self._value,
            across=reducer,
            levels=self._levels,
            where=self._where,
            by=self._by,
            total=self._total,
            empty=empty,
            missing=self._missing,
            nonfinite=self._nonfinite,
            coerce=self._coerce,
        )

    def _broken_down(self, key: AnyKeyStrategy, *, total: bool) -> Chain[SampleT, InT]:
        if self._by is not None:
            raise UsageError(
                "the pipeline has a breakdown already, and takes one",
                hint="break down by one key that holds both, such as scoped(a, b)",
            )
        return attrs.evolve(self, by=key, total=total)


@attrs.frozen(order=False)
class Over(Generic[SampleT]):
    """The start of a pipeline over one type of sample."""

    def value(
        self,
        value: Value[SampleT],
        /,
        *,
        missing: Missing = "skip",
        nonfinite: Nonfinite = "propagate",
        coerce: bool = False,
    ) -> Chain[SampleT, float]:
        """Say what number of a sample is aggregated.

        Args:
            value: Reads the number. None is missing; what is no `numbers.Number` is
                rejected; both are counted.
            missing: What a missing value does.
            nonfinite: What NaN and infinities do.
            coerce: Whether numpy bools, and arrays and tensors of one element, are
                taken as numbers instead of being rejected.
        """
        return Chain(value, missing, nonfinite, coerce)


def over(sample_type: type[SampleT], /) -> Over[SampleT]:
    """Start a pipeline over samples of a type.

    Args:
        sample_type: The class of the samples, or a protocol with the fields that the
            pipeline reads. It guides the type checker, and is not checked at run time.
    """
    del sample_type
    return Over()
