"""The pipeline sets that a configuration lists."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from keyfold._catalog.sets import merged_sets
from keyfold._config.problems import Problems
from keyfold._config.tables import strings
from keyfold._config.wording import join, listed
from keyfold.catalog import Catalog
from keyfold.errors import ConfigProblem, PluginError, UnknownPluginError
from keyfold.pipeline import Pipeline

__all__ = ["read_sets"]


def read_sets(
    value: object, path: str, catalog: Catalog | None, problems: Problems
) -> Mapping[str, Pipeline[Any]]:
    """Return the metrics of the sets that `pipelines` names, by name.

    Args:
        value: The array of names.
        path: Its path.
        catalog: What the names mean; None checks nothing.
        problems: Takes what is wrong.
    """
    if catalog is None:
        return {}
    loaded: dict[str, object] = {}
    # What is no string was noted with the settings.
    for place, name in enumerate(strings(value, path, Problems(path))):
        where = join(path, place)
        try:
            loaded[name] = catalog.load("pipeline", name)
            merged_sets(loaded)
        except UnknownPluginError as error:
            problems.add(
                where,
                expected=f"one of the pipelines {listed(catalog.names('pipeline'))}",
                found=repr(name),
                hint=error.hint,
            )
        except PluginError as error:
            loaded.pop(name, None)
            problem = ConfigProblem(
                where,
                expected="a pipeline set that can be used",
                found=error.message,
                hint=error.hint,
            )
            problems.take(problem, cause=error)
    return merged_sets(loaded)
