"""From what samples gave to outcomes: reduced across what the levels leave."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from numbers import Real

from keyfold._describe import expression_of, shown
from keyfold._labels import distinct_labels_of
from keyfold._levels import Reduced, reduce_levels
from keyfold._notes import note_metric
from keyfold._plan import Metric
from keyfold._reduce import reduce_across, reduce_each
from keyfold._source import Source, Tally
from keyfold.contracts import AnyKeyStrategy
from keyfold.errors import ContractError, KeyfoldError, LabelClashError
from keyfold.report import Outcome, Report

__all__ = ["finish"]


def finish(metrics: Sequence[Metric], source: Source) -> Report:
    """Return the report of some samples; their source stays as it is.

    Raises:
        DataError: A reducer refuses a unit's values, or two series share a name.
        ContractError: A reducer does not keep its contract.
    """
    outcomes: dict[str, Outcome] = {}
    breakdowns: dict[str, dict[str, Outcome]] = {}
    for metric in metrics:
        try:
            _finish_one(metric, source, outcomes, breakdowns)
        except KeyfoldError as error:
            note_metric(error, metric.name)
            raise
    return Report(outcomes, breakdowns)


def _finish_one(
    metric: Metric,
    source: Source,
    outcomes: dict[str, Outcome],
    breakdowns: dict[str, dict[str, Outcome]],
) -> None:
    reduced = reduce_levels(source, metric) if metric.pipeline.levels else None
    if metric.pipeline.total:
        _put(outcomes, metric.name, _total(source, metric, reduced))
    by = metric.pipeline.by
    if by is not None:
        entries = dict(_breakdown(source, metric, by, reduced))
        breakdowns[metric.name] = entries
        for label, outcome in entries.items():
            _put(outcomes, f"{metric.name}/{label}", outcome)


def _put(outcomes: dict[str, Outcome], name: str, outcome: Outcome) -> None:
    if name in outcomes:
        raise LabelClashError(
            f"two series of the report would be called {name!r}",
            hint="rename the metric, or change the key's labels",
        )
    outcomes[name] = outcome


def _total(source: Source, metric: Metric, reduced: Reduced | None) -> Outcome:
    (tally,) = source.tallies(metric, None)
    if reduced is None:
        (result,) = source.results(metric, None)
        return _outcome(metric, result, tally, source.samples)
    return _outcome(
        metric,
        reduce_across(metric.pipeline.across, reduced.values),
        tally,
        source.samples,
        (len(reduced.values), reduced.without),
        reduced.level_units,
    )


def _breakdown(
    source: Source, metric: Metric, by: AnyKeyStrategy, reduced: Reduced | None
) -> Iterator[tuple[str, Outcome]]:
    entries = source.units(metric, len(metric.pipeline.levels))
    tallies = source.tallies(metric, metric.keys[-1])
    units: Sequence[tuple[int, int] | None]
    if reduced is None:
        results = source.results(metric, metric.keys[-1])
        units = [None] * len(entries)
    else:
        results = reduce_each(
            metric.pipeline.across, reduced.entries, reduced.values, entries
        )
        there, without = Counter(reduced.entries), Counter(reduced.entries_without)
        units = [(there[entry], without[entry]) for entry in range(len(entries))]
    labels = distinct_labels_of(by, entries.keys())
    for entry in sorted(range(len(labels)), key=lambda entry: _natural(labels[entry])):
        tally = tallies[entry]
        yield (
            labels[entry],
            _outcome(metric, results[entry], tally, tally.selected, units[entry]),
        )


def _outcome(
    metric: Metric,
    result: object,
    tally: Tally,
    samples: int,
    units: tuple[int, int] | None = None,
    level_units: tuple[int, ...] = (),
) -> Outcome:
    # Where there is no level, the samples themselves are the units.
    used = tally.selected - tally.dropped
    there, without = (used, tally.dropped) if units is None else units
    return Outcome(
        value=_number(result, metric),
        samples=samples,
        selected=tally.selected,
        used=used,
        missing=tally.missing,
        rejected=tally.rejected,
        nonfinite=tally.nonfinite,
        units=there,
        units_without_value=without,
        keyed_by=tally.keyed_by,
        level_units=level_units,
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


def _natural(label: str) -> tuple[list[tuple[int, int | str]], str]:
    # Numbers in a label sort by size: step 2 before step 10.
    parts = re.split(r"(\d+)", label)
    numbered: list[tuple[int, int | str]] = [
        # Python refuses to read longer numbers, and such a part is an id anyway.
        (0, int(part)) if part.isdecimal() and len(part) < 1000 else (1, part)
        for part in parts
    ]
    # The label itself, so that 1 and 01 do not stand in the order of their samples.
    return numbered, label
