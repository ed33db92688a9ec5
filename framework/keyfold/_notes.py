"""Notes on errors: which plugin of which metrics raised them, and for what.

A plugin is shared by all metrics that name it, so only the plan knows whose it is.
"""

from __future__ import annotations

from collections.abc import Iterable

from keyfold._describe import expression_of
from keyfold._plan import Population
from keyfold.errors import KeyfoldError

__all__ = ["note_key", "note_metric", "note_selection", "note_value"]


def note_selection(error: KeyfoldError, population: Population) -> None:
    """Say that an error arose in the selection of a population."""
    names = (metric.name for metric in population.metrics)
    _note(error, "selection", population.selection, names)


def note_value(error: KeyfoldError, population: Population, value: int) -> None:
    """Say that an error arose in one of the values of a population."""
    plugin, _ = population.values[value]
    names = (metric.name for metric in population.metrics if metric.value == value)
    _note(error, "value", plugin, names)


def note_key(error: KeyfoldError, population: Population, key: int) -> None:
    """Say that an error arose in one of the key strategies of a population."""
    names = (metric.name for metric in population.metrics if key in metric.keys)
    _note(error, "key strategy", population.keys[key], names)


def note_metric(error: KeyfoldError, name: str) -> None:
    """Say that an error arose as a metric was finished."""
    error.add_note(f"in the metric {name!r}")


def _note(
    error: KeyfoldError, role: str, plugin: object, metrics: Iterable[str]
) -> None:
    names = ", ".join(map(repr, metrics))
    position = getattr(error, "position", None)
    where = "" if position is None else f", sample at position {position}"
    error.add_note(
        f"in the {role} {expression_of(plugin)} of the metric {names}{where}"
    )
