"""What some pipelines need of each batch, with everything that they share said once."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from itertools import pairwise
from typing import Any, Generic, TypeVar

import attrs

from keyfold._admission import Policy
from keyfold.contracts import AnyKeyStrategy, AnySelection, AnyValue
from keyfold.errors import UsageError
from keyfold.pipeline import Pipeline

__all__ = ["Metric", "Plan", "Population", "plan_of"]

T = TypeVar("T")


@attrs.frozen(order=False, eq=False)
class Population:
    """What is read from the samples of one selection.

    Attributes:
        selection: Which samples take part; None means all.
        values: The distinct values, each with what becomes of what is no number.
        keys: The distinct key strategies.
        links: The pairs of keys (by place in `keys`) of which the second must agree
            over each unit of the first.
    """

    selection: AnySelection | None
    values: tuple[tuple[AnyValue, Policy], ...]
    keys: tuple[AnyKeyStrategy, ...]
    links: tuple[tuple[int, int], ...]


@attrs.frozen(order=False, eq=False)
class Metric:
    """Where one pipeline's parts stand in the plan.

    Attributes:
        name: The metric's name.
        pipeline: The pipeline.
        population: The place of its population.
        value: The place of its value in the population.
        keys: The places of its key strategies, level by level, the breakdown's last.
    """

    name: str
    pipeline: Pipeline[Any]
    population: int
    value: int
    keys: tuple[int, ...]


@attrs.frozen(order=False, eq=False)
class Plan:
    """What some pipelines need, shared parts once."""

    populations: tuple[Population, ...]
    metrics: tuple[Metric, ...]


def plan_of(pipelines: Mapping[str, Pipeline[Any]]) -> Plan:
    """Return the plan of named pipelines.

    Raises:
        UsageError: A name is not a string, is empty, or names no pipeline.
    """
    selections = _Distinct[AnySelection | None]()
    values: list[_Distinct[tuple[AnyValue, Policy]]] = []
    keys: list[_Distinct[AnyKeyStrategy]] = []
    links: list[_Distinct[tuple[int, int]]] = []
    metrics: list[Metric] = []
    for name, pipeline in pipelines.items():
        _check(name, pipeline)
        population = selections.place(pipeline.where)
        if population == len(values):
            values.append(_Distinct())
            keys.append(_Distinct())
            links.append(_Distinct())
        policy = Policy(pipeline.missing, pipeline.nonfinite, pipeline.coerce)
        value = values[population].place((pipeline.value, policy))
        places = tuple(keys[population].place(key) for key in pipeline.keys)
        for link in pairwise(places):
            links[population].place(link)
        metrics.append(Metric(name, pipeline, population, value, places))
    populations = tuple(
        Population(
            selection, tuple(some.items), tuple(tables.items), tuple(pairs.items)
        )
        for selection, some, tables, pairs in zip(
            selections.items, values, keys, links, strict=True
        )
    )
    return Plan(populations, tuple(metrics))


def _check(name: object, pipeline: object) -> None:
    if not isinstance(name, str) or not name:
        raise UsageError(f"expected a metric's name, found {name!r}")
    if not isinstance(pipeline, Pipeline):
        raise UsageError(
            f"metric {name!r}: expected a pipeline, found {type(pipeline).__name__}",
            hint="close a chain with .across(...)",
        )


class _Distinct(Generic[T]):
    # Items in order of appearance, equal ones once; what has no hash equals nothing.

    def __init__(self) -> None:
        self.items: list[T] = []
        self._places: dict[Hashable, int] = {}

    def place(self, item: T) -> int:
        try:
            place = self._places.setdefault(item, len(self.items))
        except TypeError:
            place = len(self.items)
        if place == len(self.items):
            self.items.append(item)
        return place
