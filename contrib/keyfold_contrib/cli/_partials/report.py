"""The report of partial files, as `keyfold report` and `keyfold merge` print it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from keyfold import DataError, Outcome, Report
from keyfold_contrib.cli._checks import note_unusable
from keyfold_contrib.cli._lifecycle import print_additions, tell_of_report
from keyfold_contrib.cli._metrics import chosen
from keyfold_contrib.cli._notes import note
from keyfold_contrib.cli._output import Form, print_reports
from keyfold_contrib.cli._partials.merging import Merged, merged_from
from keyfold_contrib.partial_files import Step

__all__ = ["report_merged"]


def report_merged(
    paths: Sequence[str],
    form: Form,
    *,
    config: Path | None,
    metrics: Sequence[str] = (),
) -> None:
    """Print the report of partial files, which are merged.

    Args:
        paths: Partial files, directories and patterns.
        form: What to print.
        config: As for `merged_from`.
        metrics: The metrics to print; none means all.

    Raises:
        DataError: The files are not what they should be, or can't be merged.
        UsageError: The configuration is not what it should be, there are dumps among
            the files, or a metric is not in them.
    """
    merged = merged_from(paths, config)
    pipelines = merged.pipelines
    if not merged.partials:
        note("the files have no step, and so no metric")
    elif metrics:
        pipelines = chosen(metrics, pipelines)
    hooks = merged.catalog.hooks
    reports: dict[Step, Report] = {}
    for step in merged.partials:
        hooks.keyfold_report_starting(pipelines=pipelines, step=step)
        report = _report(merged, step)
        reports[step] = _only(report, pipelines) if metrics else report
        tell_of_report(hooks, reports[step], pipelines, step)
    note_unusable(reports.values(), pipelines)
    print_reports(form, reports, pipelines)
    if form == "tables":
        print_additions(hooks, reports, pipelines)


def _report(merged: Merged, step: Step) -> Report:
    try:
        return merged.partials[step].report()
    except DataError as error:
        raise merged.told(error, step) from error


def _only(report: Report, metrics: Iterable[str]) -> Report:
    outcomes: dict[str, Outcome] = {}
    breakdowns: dict[str, Mapping[str, Outcome]] = {}
    for name in metrics:
        if name in report.outcomes:
            outcomes[name] = report.outcomes[name]
        if name in report.breakdowns:
            breakdowns[name] = report.breakdowns[name]
            for label, outcome in breakdowns[name].items():
                outcomes[f"{name}/{label}"] = outcome
    return Report(outcomes, breakdowns)
