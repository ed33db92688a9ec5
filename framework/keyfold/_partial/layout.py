"""Which states and counts a partial holds for the pipelines of a plan."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import attrs

from keyfold._plan import Distinct, Metric, Plan
from keyfold._source import Grouping
from keyfold.contracts import AnyReducer

__all__ = ["Cell", "Counting", "Layout", "cell_of", "countings_of", "layouts_of"]


@attrs.frozen(order=False)
class Cell:
    """A state for each group of samples.

    Attributes:
        grouping: The groups.
        value: The place of the value that is folded.
        reducer: Folds it.
    """

    grouping: Grouping
    value: int
    reducer: AnyReducer


@attrs.frozen(order=False)
class Counting:
    """Some counts for each group of samples.

    Attributes:
        grouping: The groups.
        what: What is counted: the selected samples, what a value gave, or what the
            strategies of a key keyed.
        place: The place of the value or the key.
    """

    grouping: Grouping
    what: Literal["selected", "value", "key"]
    place: int = 0


@attrs.frozen(order=False, eq=False)
class Layout:
    """The states and counts of one population, each once."""

    cells: tuple[Cell, ...]
    countings: tuple[Counting, ...]


def layouts_of(plan: Plan) -> Sequence[Layout]:
    """Return the layout of each population of a plan."""
    layouts: list[Layout] = []
    for place in range(len(plan.populations)):
        metrics = [metric for metric in plan.metrics if metric.population == place]
        cells = Distinct[Cell]()
        countings: dict[Counting, None] = {}
        for metric in metrics:
            for grouping in groupings_of(metric):
                countings |= dict.fromkeys(countings_of(metric, grouping))
                cells.place(cell_of(metric, grouping))
        layouts.append(Layout(tuple(cells.items), tuple(countings)))
    return layouts


def groupings_of(metric: Metric) -> list[Grouping]:
    """Return the groups that a metric reports: all together, its entries, or both."""
    if metric.pipeline.by is None:
        return [None]
    entries = metric.keys[-1]
    return [None, entries] if metric.pipeline.total else [entries]


def cell_of(metric: Metric, grouping: Grouping) -> Cell:
    """Return the cell that a metric folds its numbers into."""
    if metric.pipeline.levels:
        # Whatever is reported, it is reduced from the innermost units.
        level = metric.pipeline.levels[0]
        return Cell(metric.keys[0], metric.value, level.reducer)
    return Cell(grouping, metric.value, metric.pipeline.across)


def countings_of(metric: Metric, grouping: Grouping) -> list[Counting]:
    """Return what a metric counts of some groups: selected, values, strategies."""
    counted = [
        Counting(grouping, "selected"),
        Counting(grouping, "value", metric.value),
    ]
    if metric.pipeline.levels:
        counted.append(Counting(grouping, "key", metric.keys[0]))
    return counted
