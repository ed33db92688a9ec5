"""Pipelines as plain data: how partials know whether they belong together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Any

import msgspec

from keyfold._load import load
from keyfold._partial.spelling import spelling_of
from keyfold.catalog import Catalog, default_catalog
from keyfold.errors import ConfigError, MergeError
from keyfold.pipeline import Pipeline
from keyfold.planned import Planned

__all__ = ["MetricSpec", "difference", "fingerprint_of", "pipelines_of", "specs_of"]


class MetricSpec(
    msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True
):
    """One pipeline, spelt as a configuration would spell it.

    Attributes:
        name: The metric's name.
        value: The value.
        levels: The key and the reducer of each level.
        across: The reducer of what is left.
        where: The selection, or None.
        by: The key of a breakdown beside the number over everything, or None.
        split_by: The key of a breakdown instead of it, or None.
        empty: The value where nothing was usable, or None.
        missing: What a missing value does.
        nonfinite: What NaN and infinities do.
        coerce: Whether numpy bools and the like are numbers.
    """

    name: str
    value: str
    levels: tuple[tuple[str, str], ...]
    across: str
    where: str | None
    by: str | None
    split_by: str | None
    empty: float | None
    missing: str
    nonfinite: str
    coerce: bool


def specs_of(pipelines: Mapping[str, Pipeline[Any]]) -> tuple[MetricSpec, ...]:
    """Return how named pipelines are spelt, in their order.

    Raises:
        UsageError: A component has settings that its spelling would not tell.
    """
    return tuple(_spec(name, pipeline) for name, pipeline in pipelines.items())


def _spec(name: str, pipeline: Pipeline[Any]) -> MetricSpec:
    by = None if pipeline.by is None else spelling_of(pipeline.by)
    return MetricSpec(
        name=name,
        value=spelling_of(pipeline.value),
        levels=tuple(
            (spelling_of(level.key), spelling_of(level.reducer))
            for level in pipeline.levels
        ),
        across=spelling_of(pipeline.across),
        where=None if pipeline.where is None else spelling_of(pipeline.where),
        by=by if pipeline.total else None,
        split_by=None if pipeline.total else by,
        empty=None if pipeline.empty is None else float(pipeline.empty),
        missing=pipeline.missing,
        nonfinite=pipeline.nonfinite,
        coerce=pipeline.coerce,
    )


def fingerprint_of(specs: Sequence[MetricSpec]) -> bytes:
    """Return 16 bytes that differ where pipelines do."""
    return blake2b(msgspec.msgpack.encode(specs), digest_size=16).digest()


def difference(left: Sequence[MetricSpec], right: Sequence[MetricSpec]) -> str | None:
    """Return in what two sets of pipelines differ first, or None where they do not."""
    ours, theirs = ({spec.name: spec for spec in specs} for specs in (left, right))
    for name in [*ours, *theirs]:
        if name not in theirs or name not in ours:
            return f"only one of them has the metric {name!r}"
        for field in MetricSpec.__struct_fields__:
            mine, other = (getattr(some[name], field) for some in (ours, theirs))
            # By their texts, since NaN does not equal itself.
            if repr(mine) != repr(other):
                return f"{field} of the metric {name!r} is {mine} and {other}"
    if list(ours) != list(theirs):
        return f"the metrics stand in the orders {list(ours)} and {list(theirs)}"
    return None


def pipelines_of(
    specs: tuple[MetricSpec, ...], catalog: Catalog | None
) -> Mapping[str, Pipeline[Any]]:
    """Return the pipelines that are spelt so.

    Args:
        specs: How they are spelt.
        catalog: What the names mean; None means what is installed.

    Raises:
        MergeError: A name in them means nothing here, or something else.
    """
    known = default_catalog() if catalog is None else catalog
    # By the fingerprint too, since 0.0 equals -0.0.
    return _made(specs, fingerprint_of(specs), known)


# All ranks send the same few pipelines. The same objects for the same spelling also let
# a merge see at once that they are the same.
@lru_cache(maxsize=16)
def _made(
    specs: tuple[MetricSpec, ...], fingerprint: bytes, catalog: Catalog
) -> Mapping[str, Pipeline[Any]]:
    del fingerprint
    if not specs:
        return Planned({})
    hint = "install the plugins that it was made with, or pass pipelines="
    try:
        pipelines = load(
            {"metrics": {spec.name: _table(spec) for spec in specs}}, catalog=catalog
        )
    except ConfigError as error:
        raise MergeError(
            f"the partial's pipelines can't be made here: {error.message}", hint=hint
        ) from error
    found = difference(specs, specs_of(pipelines))
    if found is not None:
        raise MergeError(
            f"the partial's pipelines mean others here: {found}", hint=hint
        )
    return pipelines


def _table(spec: MetricSpec) -> Mapping[str, Any]:
    table = {
        "value": spec.value,
        "levels": [{"key": key, "reduce": reducer} for key, reducer in spec.levels],
        "across": spec.across,
        "where": spec.where,
        "by": spec.by,
        "split_by": spec.split_by,
        "empty": spec.empty,
        "missing": spec.missing,
        "nonfinite": spec.nonfinite,
        "coerce": spec.coerce,
    }
    return {key: value for key, value in table.items() if value is not None}
