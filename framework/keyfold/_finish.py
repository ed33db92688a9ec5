"""From columns to outcomes: what the levels leave, reduced across, with the counts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from numbers import Real

from keyfold._counts import keyed_by, keyed_by_entry
from keyfold._describe import expression_of, shown
from keyfold._fold import Fold, PopulationFold
from keyfold._labels import distinct_labels_of
from keyfold._levels import Reduced, reduce_across, reduce_each, reduce_levels
from keyfold._numbers import Irregular, NumberColumn
from keyfold._plan import Metric
from keyfold.errors import ContractError, LabelClashError
from keyfold.report import Outcome, Report

__all__ = ["finish"]

_REGULAR = Irregular()


def finish(fold: Fold) -> Report:
    """Return the report of all samples that a fold took in; the fold stays as it is.

    Raises:
        DataError: A reducer refuses a unit's values, or two series share a name.
        ContractError: A reducer does not keep its contract.
    """
    outcomes: dict[str, Outcome] = {}
    breakdowns: dict[str, dict[str, Outcome]] = {}
    for metric in fold.plan.metrics:
        population = fold.populations[metric.population]
        column = population.columns[metric.value]
        reduced = reduce_levels(population, column, metric)
        if metric.pipeline.total:
            outcome = _total(fold, metric, population, column, reduced)
            _put(outcomes, metric.name, outcome)
        if metric.pipeline.by is not None:
            entries = dict(_breakdown(metric, population, column, reduced))
            breakdowns[metric.name] = entries
            for label, outcome in entries.items():
                _put(outcomes, f"{metric.name}/{label}", outcome)
    return Report(outcomes, breakdowns)


def _put(outcomes: dict[str, Outcome], name: str, outcome: Outcome) -> None:
    if name in outcomes:
        raise LabelClashError(
            f"two series of the report would be called {name!r}",
            hint="rename the metric, or change the key's labels",
        )
    outcomes[name] = outcome


def _total(
    fold: Fold,
    metric: Metric,
    population: PopulationFold,
    column: NumberColumn,
    reduced: Reduced,
) -> Outcome:
    result = reduce_across(metric.pipeline.across, reduced.values)
    irregular = column.irregular or _REGULAR
    return Outcome(
        value=result if type(result) is float else _number(result, metric),
        samples=fold.samples,
        selected=population.rows,
        used=population.rows - len(irregular.dropped),
        missing=len(irregular.missing),
        rejected=len(irregular.rejected),
        nonfinite=len(irregular.nonfinite),
        units=len(reduced.values),
        units_without_value=reduced.without,
        keyed_by=keyed_by(metric, population),
        level_units=reduced.level_units,
    )


def _breakdown(
    metric: Metric,
    population: PopulationFold,
    column: NumberColumn,
    reduced: Reduced,
) -> Iterable[tuple[str, Outcome]]:
    table = population.tables[metric.keys[-1]]
    results = reduce_each(
        metric.pipeline.across, reduced.entries, reduced.values, table
    )
    of_row = table.rows.__getitem__
    irregular = column.irregular or _REGULAR
    selected = Counter(table.rows)
    dropped, missing, rejected, nonfinite = (
        Counter(map(of_row, rows))
        for rows in (
            irregular.dropped,
            irregular.missing,
            irregular.rejected,
            irregular.nonfinite,
        )
    )
    units, without = Counter(reduced.entries), Counter(reduced.entries_without)
    chosen = keyed_by_entry(metric, population, table)
    labels = distinct_labels_of(table.strategy, table.keys())
    for entry in sorted(range(len(table)), key=lambda entry: _natural(labels[entry])):
        yield (
            labels[entry],
            Outcome(
                value=_number(results[entry], metric),
                samples=selected[entry],
                selected=selected[entry],
                used=selected[entry] - dropped[entry],
                missing=missing[entry],
                rejected=rejected[entry],
                nonfinite=nonfinite[entry],
                units=units[entry],
                units_without_value=without[entry],
                keyed_by=chosen[entry],
            ),
        )


def _number(result: object, metric: Metric) -> float | None:
    if result is None:
        return metric.pipeline.empty
    if type(result) is float:
        return result
    try:
        if isinstance(result, Real):
            return float(result)
    except (OverflowError, TypeError, ValueError):
        pass
    reducer = expression_of(metric.pipeline.across)
    raise ContractError(
        f"metric {metric.name!r}: reducer {reducer} gave {shown(result)} across all "
        "units",
        hint="the reducer across gives one real number, or None where it has none",
    )


def _natural(label: str) -> list[tuple[int, int | str]]:
    # Numbers in a label sort by size: step 2 before step 10.
    parts = re.split(r"(\d+)", label)
    return [
        # Python refuses to read longer numbers, and such a part is an id anyway.
        (0, int(part)) if part.isdecimal() and len(part) < 1000 else (1, part)
        for part in parts
    ]
