"""Metrics computed one by one, so that one that fails leaves the others alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from logging import getLogger
from typing import Final

from keyfold._finish import finish
from keyfold._plan import Plan, plan_of
from keyfold._source import Source
from keyfold.errors import KeyfoldError, LabelClashError
from keyfold.report import Outcome, Report

__all__ = ["one_by_one"]

_log: Final = getLogger("keyfold")


def one_by_one(plan: Plan, source_of: Callable[[Plan], Source]) -> Report:
    """Return the report of those metrics that can be computed, with the others' errors.

    Args:
        plan: The plan of all metrics.
        source_of: Gives what the metrics of a plan are finished from.
    """
    outcomes: dict[str, Outcome] = {}
    breakdowns: dict[str, Mapping[str, Outcome]] = {}
    errors: dict[str, KeyfoldError] = {}
    for name, pipeline in plan.pipelines.items():
        try:
            alone = plan_of({name: pipeline})
            report = finish(alone.metrics, source_of(alone))
            _refuse_clash(outcomes, report)
        except KeyfoldError as error:
            errors[name] = error
            _log.warning("the metric %r is left out: %s", name, error)
        else:
            outcomes |= report.outcomes
            breakdowns |= report.breakdowns
    return Report(outcomes, breakdowns, errors)


def _refuse_clash(outcomes: Mapping[str, Outcome], report: Report) -> None:
    for name in report.outcomes:
        if name in outcomes:
            raise LabelClashError(
                f"two series of the report would be called {name!r}",
                hint="rename the metric, or change the key's labels",
            )
