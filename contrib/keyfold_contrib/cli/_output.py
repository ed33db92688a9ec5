"""Reports, for people and for other programs to read."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from typing import Any, Final, Literal, TypeAlias

import attrs

from keyfold import Outcome, Pipeline, Report, UsageError
from keyfold.explain import declaration_of
from keyfold_contrib.cli._tables import Block, Column, Grid, Heading, number, show
from keyfold_contrib.partial_files import Step

__all__ = ["Form", "form_of", "print_reports"]

Form: TypeAlias = Literal["tables", "json", "csv"]

# Counts that matter only where they are not zero.
_RARE: Final = {
    "nonfinite": "not finite",
    "units_without_value": "units without value",
}
# An entry may well be called `all`; no reader takes the brackets for a part of a name.
_TOTAL: Final = "(all)"


def form_of(*, json: bool, csv: bool) -> Form:
    """Return the form that two options ask for.

    Raises:
        UsageError: They exclude each other.
    """
    if json and csv:
        raise UsageError("--json and --csv exclude each other")
    return "json" if json else "csv" if csv else "tables"


def print_reports(
    form: Form,
    reports: Mapping[Step, Report],
    pipelines: Mapping[str, Pipeline[Any]],
    bad: Sequence[str] = (),
) -> None:
    """Print reports.

    Args:
        form: As what.
        reports: The report of each step.
        pipelines: The metrics by name.
        bad: The records that were passed over; only JSON has them.
    """
    if form == "json":
        print_json(reports, bad)
    elif form == "csv":
        print_csv(reports)
    else:
        print_tables(reports, pipelines)


def print_tables(
    reports: Mapping[Step, Report], pipelines: Mapping[str, Pipeline[Any]]
) -> None:
    """Print a table a metric: a row a step, and below it those of its breakdown."""
    blocks: list[Block] = []
    for name, pipeline in pipelines.items():
        rows = [
            (step, entry, outcome)
            for step, report in reports.items()
            for entry, outcome in _of_metric(name, report)
        ]
        declared = "; ".join(declaration_of(pipeline))
        if blocks:
            blocks.append(Heading(""))
        blocks += [
            Heading(name, [declared]),
            _grid(pipeline, rows, stepped=set(reports) != {None}),
        ]
    show(blocks)


def _of_metric(metric: str, report: Report) -> Iterator[tuple[str, Outcome]]:
    # The number over everything, where there is one, then the entries.
    if metric in report.outcomes:
        yield _TOTAL, report.outcomes[metric]
    yield from report.breakdowns.get(metric, {}).items()


def _grid(
    pipeline: Pipeline[Any],
    rows: Sequence[tuple[Step, str, Outcome]],
    *,
    stepped: bool,
) -> Grid:
    rare = [
        (field, title)
        for field, title in _RARE.items()
        if any(getattr(outcome, field) for _, _, outcome in rows)
    ]
    columns = [Column("step")] if stepped else []
    if pipeline.by is not None:
        columns.append(Column("entry", "text"))
    columns += [Column("value"), Column("samples")]
    if pipeline.where is not None:
        columns.append(Column("selected"))
    columns += map(Column, ("used", "missing", "rejected", "units"))
    columns += [Column(title) for _, title in rare]
    if pipeline.levels:
        columns.append(Column("keyed by", "text"))
    grid = Grid(columns)
    for step, entry, outcome in rows:
        cells = ["-" if step is None else str(step)] if stepped else []
        if pipeline.by is not None:
            cells.append(entry)
        cells += [number(outcome.value), str(outcome.samples)]
        if pipeline.where is not None:
            cells.append(str(outcome.selected))
        counts = (outcome.used, outcome.missing, outcome.rejected, outcome.units)
        cells += map(str, counts)
        cells += [str(getattr(outcome, field)) for field, _ in rare]
        if pipeline.levels:
            keyed = outcome.keyed_by.items()
            cells.append(", ".join(f"{key} {count}" for key, count in keyed))
        grid.rows.append(cells)
    return grid


def print_json(reports: Mapping[Step, Report], bad: Sequence[str]) -> None:
    """Print reports as one JSON object.

    An absent value is null; NaN and infinities, for which JSON has no numbers, are the
    strings `NaN`, `Infinity` and `-Infinity`.
    """
    steps = [
        {
            "step": step,
            "metrics": {
                name: _jsonable(outcome) for name, outcome in report.outcomes.items()
            },
        }
        for step, report in reports.items()
    ]
    # Dumped first and written at once: json.dump writes a great many small pieces.
    text = json.dumps({"steps": steps, "bad_records": list(bad)}, indent=2)
    sys.stdout.write(text + "\n")


def print_csv(reports: Mapping[Step, Report]) -> None:
    """Print reports as CSV: one row for each step and metric, absent values empty."""
    writer = csv.writer(sys.stdout, lineterminator="\n")
    counts = [field.name for field in attrs.fields(Outcome)]
    writer.writerow(("step", "metric", *counts))
    for step, report in reports.items():
        for name, outcome in report.outcomes.items():
            writer.writerow((step, name, *_cells(outcome)))


def _jsonable(outcome: Outcome) -> dict[str, Any]:
    found = attrs.asdict(outcome)
    value = outcome.value
    if value is not None and not isfinite(value):
        found["value"] = "NaN" if value != value else _infinity(value)  # noqa: PLR0124 - only NaN differs from itself
    return found


def _infinity(value: float) -> str:
    return "Infinity" if value > 0 else "-Infinity"


def _cells(outcome: Outcome) -> Iterator[object]:
    for field in attrs.fields(Outcome):
        if field.name == "keyed_by":
            keyed = outcome.keyed_by.items()
            yield " ".join(f"{name}:{count}" for name, count in keyed)
        elif field.name == "level_units":
            yield " ".join(map(str, outcome.level_units))
        else:
            yield getattr(outcome, field.name)
