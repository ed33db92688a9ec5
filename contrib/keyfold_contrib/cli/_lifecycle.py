"""The hooks in the life of a report, called in one place for all commands."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from keyfold import Pipeline, Report
from keyfold.hooks import Hooks
from keyfold_contrib.partial_files import Step

__all__ = ["print_additions", "tell_of_report"]


def tell_of_report(
    hooks: Hooks, report: Report, pipelines: Mapping[str, Pipeline[Any]], step: Step
) -> None:
    """Tell the plugins of a report, and first of the metrics that rejected values.

    Args:
        hooks: The hooks.
        report: The report.
        pipelines: The pipelines that it was made by, by name.
        step: The step that it is of.
    """
    for name in pipelines:
        outcome = report.outcomes.get(name)
        if outcome is not None and outcome.rejected:
            hooks.keyfold_values_rejected(metric=name, outcome=outcome, step=step)
    hooks.keyfold_report_made(report=report, pipelines=pipelines, step=step)


def print_additions(
    hooks: Hooks, reports: Mapping[Step, Report], pipelines: Mapping[str, Pipeline[Any]]
) -> None:
    """Print what the plugins add below the tables."""
    for text in hooks.keyfold_report_text(reports=reports, pipelines=pipelines):
        sys.stdout.write(f"{text}\n")
