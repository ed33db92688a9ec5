"""What some pipelines need of each batch, with everything that they share said once."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Generic, TypeVar, cast

import attrs

from keyfold._admission import Policy
from keyfold._describe import shown
from keyfold.contracts import AnyKeyStrategy, AnySelection, AnyValue
from keyfold.errors import UsageError
from keyfold.pipeline import Pipeline

__all__ = ["Distinct", "Metric", "Plan", "Population", "plan_of"]

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
        constants: The pairs of a key and a value (by place) of metrics that need no
            more than one value a unit, as long as units have but one.
        numbered: The keys (by place) whose units have to be numbered in any case.
        metrics: The metrics of the population.
    """

    selection: AnySelection | None
    values: tuple[tuple[AnyValue, Policy], ...]
    keys: tuple[AnyKeyStrategy, ...]
    links: tuple[tuple[int, int], ...]
    constants: tuple[tuple[int, int], ...]
    numbered: frozenset[int]
    metrics: tuple[Metric, ...]


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

    @property
    def pipelines(self) -> Mapping[str, Pipeline[Any]]:
        """The pipelines, by name."""
        return {metric.name: metric.pipeline for metric in self.metrics}


def plan_of(pipelines: Mapping[str, Pipeline[Any]]) -> Plan:
    """Return the plan of named pipelines.

    Raises:
        UsageError: A name is not a string, is empty, or names no pipeline.
    """
    if not isinstance(cast("object", pipelines), Mapping):
        raise UsageError(
            f"expected a mapping of names to pipelines, found {shown(pipelines)}",
            hint='write {"my_metric": pipeline}',
        )
    selections = Distinct[AnySelection | None]()
    needs: list[_Needs] = []
    metrics: list[Metric] = []
    for name, pipeline in pipelines.items():
        _check(name, pipeline)
        place = selections.place(pipeline.where)
        if place == len(needs):
            needs.append(_Needs(pipeline.where))
        metrics.append(needs[place].take(name, pipeline, place))
    return Plan(tuple(need.population() for need in needs), tuple(metrics))


def _check(name: object, pipeline: object) -> None:
    if not isinstance(name, str) or not name:
        raise UsageError(f"expected a metric's name, found {shown(name)}")
    if not isinstance(pipeline, Pipeline):
        raise UsageError(
            f"metric {name!r}: expected a pipeline, found {type(pipeline).__name__}",
            hint="close a chain with .across(...)",
        )
    _check_part(name, "value", pipeline.value, ("value",))
    if pipeline.where is not None:
        _check_part(name, "selection", pipeline.where, ("selects",))
    for key in pipeline.keys:
        _check_part(name, "key strategy", key, ("key",))
    for reducer in (*(level.reducer for level in pipeline.levels), pipeline.across):
        _check_part(name, "reducer", reducer, ("init", "fold", "merge", "finish"))


def _check_part(metric: str, kind: str, part: object, methods: Sequence[str]) -> None:
    if isinstance(part, type):
        raise UsageError(
            f"metric {metric!r}: expected an object, found the class {part.__name__}",
            hint=f"write {part.__name__}()",
        )
    missing = [it for it in methods if not callable(getattr(part, it, None))]
    if missing:
        raise UsageError(
            f"metric {metric!r}: expected a {kind}, found {shown(part)}, which has no "
            f"method {missing[0]!r}",
            hint="names of plugins stand for them in configurations alone"
            if isinstance(part, str)
            else None,
        )


class Distinct(Generic[T]):
    """Items in order of appearance, equal ones once; without a hash, each by itself."""

    def __init__(self) -> None:
        self.items: list[T] = []
        self._places: dict[Hashable, int] = {}

    def place(self, item: T) -> int:
        """Return the place of an item, which is added where it is new."""
        try:
            place = self._places.setdefault(item, len(self.items))
        except TypeError:
            place = len(self.items)
        if place == len(self.items):
            self.items.append(item)
        return place


class _Needs:
    # What the pipelines of one selection need, gathered pipeline by pipeline.

    def __init__(self, selection: AnySelection | None) -> None:
        self._selection = selection
        self._values = Distinct[tuple[AnyValue, Policy]]()
        self._keys = Distinct[AnyKeyStrategy]()
        self._links = Distinct[tuple[int, int]]()
        self._constants = Distinct[tuple[int, int]]()
        self._numbered: set[int] = set()
        self._metrics: list[Metric] = []

    def take(self, name: str, pipeline: Pipeline[Any], population: int) -> Metric:
        policy = Policy(pipeline.missing, pipeline.nonfinite, pipeline.coerce)
        value = self._values.place((pipeline.value, policy))
        keys = tuple(self._keys.place(key) for key in pipeline.keys)
        for link in pairwise(keys):
            self._links.place(link)
        if _wants_one_value_a_unit(pipeline):
            self._constants.place((keys[0], value))
        else:
            self._numbered.update(keys)
        metric = Metric(name, pipeline, population, value, keys)
        self._metrics.append(metric)
        return metric

    def population(self) -> Population:
        # Units that are numbered for another metric have their lists from there.
        constants = [
            pair for pair in self._constants.items if pair[0] not in self._numbered
        ]
        return Population(
            self._selection,
            tuple(self._values.items),
            tuple(self._keys.items),
            tuple(self._links.items),
            tuple(constants),
            frozenset(self._numbered),
            tuple(self._metrics),
        )


def _wants_one_value_a_unit(pipeline: Pipeline[Any]) -> bool:
    if len(pipeline.levels) != 1 or pipeline.by is not None:
        return False
    # Units without a value stand in the order of their first sample only if numbered.
    ordered = getattr(pipeline.across, "ordered", False)
    return not ordered and getattr(pipeline.levels[0].reducer, "idempotent", False)
