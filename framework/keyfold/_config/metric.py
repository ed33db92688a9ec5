"""From the table of one metric to its pipeline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast, get_args

import attrs

from keyfold._config.component import component
from keyfold._config.problems import Problems
from keyfold._config.shapes import is_table
from keyfold._config.tables import (
    as_array,
    as_boolean,
    as_number,
    as_string,
    as_table,
    entries,
    require,
)
from keyfold._config.wording import found, join, listed
from keyfold._nearest import did_you_mean
from keyfold.catalog import Catalog
from keyfold.kinds import Kind
from keyfold.pipeline import Level, Missing, Nonfinite, Pipeline

__all__ = ["read_metrics"]

_KEYS: Final = (
    "value",
    "levels",
    "across",
    "empty",
    "where",
    "by",
    "split_by",
    "missing",
    "nonfinite",
    "coerce",
)
_COMPONENTS: Final[Mapping[str, Kind]] = {
    "value": "value",
    "across": "reducer",
    "where": "selection",
    "by": "key",
    "split_by": "key",
}
_CHOICES: Final[Mapping[str, Sequence[str]]] = {
    "missing": get_args(Missing),
    "nonfinite": get_args(Nonfinite),
}
_LEVEL: Final[Mapping[str, Kind]] = {"key": "key", "reduce": "reducer"}
_LEVEL_MEANS: Final = {
    "key": "the key that names the unit",
    "reduce": "the reducer of the unit's values",
}


def read_metrics(
    value: object, path: str, catalog: Catalog | None, problems: Problems
) -> Mapping[str, Pipeline[Any]]:
    """Return the pipelines of the table `metrics`, noting what is wrong in it.

    Args:
        value: The table.
        path: Its path.
        catalog: What the names in it mean; None checks all but the names.
        problems: Takes everything that is wrong.
    """
    metrics: dict[str, Pipeline[Any]] = {}
    for name, metric in as_table(value, path, problems).items():
        where = join(path, name)
        if not name.strip():
            problems.add(where, expected="the name of a metric", found="an empty one")
        pipeline = _Reader(where, catalog, problems).pipeline(metric)
        if pipeline is not None:
            metrics[name] = pipeline
    return metrics


@attrs.frozen(order=False, eq=False)
class _Reader:
    """Reads the table of one metric."""

    path: str
    catalog: Catalog | None
    problems: Problems

    def pipeline(self, value: object) -> Pipeline[Any] | None:
        table = as_table(value, self.path, self.problems)
        if not is_table(value):
            return None
        parts: dict[str, Any] = {}
        for key, entry, where in entries(table, self.path, _KEYS, self.problems):
            parts[key] = self._part(key, entry, where)
        require(table, self.path, "value", "the value to aggregate", self.problems)
        require(
            table, self.path, "across", "the reducer of what is left", self.problems
        )
        if "by" in table and "split_by" in table:
            self.problems.add(
                join(self.path, "split_by"),
                expected="either by or split_by",
                found="both",
                hint="by gives the number over everything as well, split_by does not",
            )
        wanted = [parts.get(key) for key in table if key in _KEYS]
        if None in wanted or not {"value", "across"} <= parts.keys():
            return None
        if "split_by" in parts:
            parts |= {"by": parts.pop("split_by"), "total": False}
        return Pipeline(**parts)

    def _part(self, key: str, value: object, path: str) -> object:
        if key in _COMPONENTS:
            return self._component(value, _COMPONENTS[key], path)
        if key in _CHOICES:
            return self._choice(value, _CHOICES[key], path)
        if key == "levels":
            return self._levels(value, path)
        if key == "empty":
            return as_number(value, path, self.problems)
        return as_boolean(value, path, self.problems)

    def _component(self, value: object, kind: Kind, path: str) -> object | None:
        text = as_string(value, path, self.problems)
        if text is None:
            return None
        return component(text, kind, path, self.catalog, self.problems)

    def _choice(self, value: object, allowed: Sequence[str], path: str) -> str | None:
        if isinstance(value, str) and value in allowed:
            return value
        self.problems.add(
            path,
            expected=f"one of {listed(map(repr, allowed))}",
            found=found(value),
            hint=did_you_mean(value, allowed) if isinstance(value, str) else None,
        )
        return None

    def _levels(self, value: object, path: str) -> tuple[Level, ...] | None:
        array = as_array(value, path, self.problems)
        levels = [
            self._level(entry, join(path, index)) for index, entry in enumerate(array)
        ]
        whole = tuple(level for level in levels if level is not None)
        return whole if len(whole) == len(levels) else None

    def _level(self, value: object, path: str) -> Level | None:
        table = as_table(value, path, self.problems)
        if not is_table(value):
            return None
        parts: dict[str, object | None] = {}
        for key, entry, where in entries(table, path, tuple(_LEVEL), self.problems):
            parts[key] = self._component(entry, _LEVEL[key], where)
        for name, meaning in _LEVEL_MEANS.items():
            require(table, path, name, meaning, self.problems)
        unit, reducer = parts.get("key"), parts.get("reduce")
        if unit is None or reducer is None:
            return None
        return Level(cast("Any", unit), cast("Any", reducer))
