"""Where a metric's number comes from: its units, and what became of each sample."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

import attrs

from keyfold._counts import strategies_of
from keyfold._describe import expression_of
from keyfold._finish import finish
from keyfold._fold import Fold, PopulationFold
from keyfold._fold_source import FoldSource
from keyfold._labels import labels_of
from keyfold._plan import plan_of
from keyfold._reading import mask_of
from keyfold.contracts import AnyKeyStrategy
from keyfold.pipeline import Pipeline
from keyfold.report import Report

__all__ = ["Explanation", "Skipped", "Unit", "declaration_of", "explain"]

SampleT = TypeVar("SampleT")


@attrs.frozen(order=False)
class Unit:
    """One unit of a metric's innermost level.

    Attributes:
        key: The unit's key.
        label: The key's short text.
        samples: How many selected samples it has.
        used: How many of them gave a number.
        value: Its value, or None where nothing was usable.
    """

    key: tuple[Hashable, ...]
    label: str
    samples: int
    used: int
    value: object


@attrs.frozen(order=False)
class Skipped:
    """One sample that gave the metric no number.

    Attributes:
        position: Its place in the batch, counted from zero.
        reason: `not selected`, `missing`, `rejected` or `not finite`.
    """

    position: int
    reason: str


@attrs.frozen(order=False, eq=False)
class Explanation:
    """Where a metric's number comes from.

    Attributes:
        metric: The metric's name.
        declaration: The pipeline, level by level, as text.
        report: The number itself, and its counts.
        units: The units of the innermost level, those with most samples first; empty
            for a pipeline without levels.
        keyed: The positions of the samples that each strategy of the innermost key
            keyed.
        skipped: The samples that gave no number, by position.
    """

    metric: str
    declaration: Sequence[str]
    report: Report
    units: Sequence[Unit]
    keyed: Mapping[str, Sequence[int]]
    skipped: Sequence[Skipped]


def explain(
    samples: Iterable[SampleT], pipeline: Pipeline[SampleT], *, name: str = "metric"
) -> Explanation:
    """Say where a metric's number comes from.

    Args:
        samples: The samples of one step, in order; all are held at once.
        pipeline: The metric.
        name: The metric's name in the explanation.

    Raises:
        DataError: The samples are not what the pipeline needs.
        UsageError: The pipeline or one of its plugins is broken.
    """
    batch = list(samples)
    fold = Fold(plan_of({name: pipeline}))
    fold.add(batch)
    population, source = fold.populations[0], FoldSource(fold)
    positions = _selected(batch, pipeline)
    return Explanation(
        name,
        declaration_of(pipeline),
        finish(fold.plan.metrics, source),
        _units(source, pipeline),
        _keyed(population, pipeline, positions),
        _skipped(population, positions, len(batch)),
    )


def declaration_of(pipeline: Pipeline[Any]) -> list[str]:
    """Return a pipeline as text, one line a step, in the order of the data."""
    lines = [f"value {expression_of(pipeline.value)}"]
    if pipeline.where is not None:
        lines.append(f"where {expression_of(pipeline.where)}")
    lines += [
        f"{expression_of(level.reducer)} within {expression_of(level.key)}"
        for level in pipeline.levels
    ]
    across = f"{expression_of(pipeline.across)} across all"
    lines.append(
        across if pipeline.empty is None else f"{across}, {pipeline.empty} if empty"
    )
    if pipeline.by is not None:
        beside = "also by" if pipeline.total else "only by"
        lines.append(f"{beside} {expression_of(pipeline.by)}")
    return lines


def _selected(samples: Sequence[Any], pipeline: Pipeline[Any]) -> list[int]:
    everywhere = range(len(samples))
    if pipeline.where is None or not samples:
        return list(everywhere)
    mask = mask_of(pipeline.where, samples, everywhere)
    if mask is None:
        return list(everywhere)
    return [position for position in everywhere if mask[position]]


def _units(source: FoldSource, pipeline: Pipeline[Any]) -> list[Unit]:
    population = source.fold.populations[0]
    if not pipeline.levels or not population.rows:
        return []
    table, column = population.tables[0], population.columns[0]
    values = source.each_unit(source.fold.plan.metrics[0])
    samples = Counter(table.rows)
    irregular = column.irregular
    dropped = Counter(
        table.rows[row] for row in (irregular.dropped if irregular else ())
    )
    keys = table.keys()
    labels = _labels(pipeline.levels[0].key, keys)
    units = [
        Unit(
            key,
            labels[unit],
            samples[unit],
            samples[unit] - dropped[unit],
            values[unit],
        )
        for unit, key in enumerate(keys)
    ]
    return sorted(units, key=lambda unit: -unit.samples)


def _labels(
    strategy: AnyKeyStrategy, keys: Sequence[tuple[Hashable, ...]]
) -> list[str]:
    labels = labels_of(strategy, keys)
    sharing = Counter(labels)
    # Nothing is stored under a label here, so where two are alike the keys will do.
    return [
        label if sharing[label] == 1 else " ".join(map(repr, key))
        for label, key in zip(labels, keys, strict=True)
    ]


def _keyed(
    population: PopulationFold, pipeline: Pipeline[Any], positions: Sequence[int]
) -> dict[str, list[int]]:
    keyed: dict[str, list[int]] = {}
    if pipeline.levels and population.rows:
        names = strategies_of(population.tables[0])
        for position, name in zip(positions, names, strict=True):
            keyed.setdefault(name, []).append(position)
    return keyed


def _skipped(
    population: PopulationFold, positions: Sequence[int], samples: int
) -> list[Skipped]:
    skipped = [
        Skipped(position, "not selected")
        for position in sorted(set(range(samples)).difference(positions))
    ]
    irregular = population.columns[0].irregular
    if irregular is not None:
        dropped = set(irregular.dropped)
        for rows, reason in (
            (irregular.missing, "missing"),
            (irregular.rejected, "rejected"),
            (irregular.nonfinite, "not finite"),
        ):
            skipped += [
                Skipped(positions[row], reason) for row in rows if row in dropped
            ]
    return sorted(skipped, key=lambda one: one.position)
