"""Pipeline sets, merged into one mapping of metrics."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from keyfold.errors import PluginConflictError
from keyfold.pipeline import Pipeline

__all__ = ["merged_sets"]


def merged_sets(sets: Mapping[str, object]) -> Mapping[str, Pipeline[Any]]:
    """Return the metrics of several loaded sets, by name.

    A set is a pipeline, whose metric is named as the set, or a mapping of pipelines.

    Raises:
        PluginConflictError: Two of the sets give metrics of one name.
    """
    merged: dict[str, Pipeline[Any]] = {}
    owners: dict[str, str] = {}
    for name, loaded in sets.items():
        for metric, pipeline in _metrics(name, loaded).items():
            if metric in merged:
                raise PluginConflictError(
                    f"the pipeline sets {owners[metric]!r} and {name!r} both give a "
                    f"metric {metric!r}",
                    hint="list one of the two in pipelines",
                )
            merged[metric] = pipeline
            owners[metric] = name
    return merged


def _metrics(name: str, loaded: object) -> Mapping[str, Pipeline[Any]]:
    # What a set is was checked when it was loaded.
    return cast(
        "Mapping[str, Pipeline[Any]]",
        {name: loaded} if isinstance(loaded, Pipeline) else loaded,
    )
