"""From partial files to the merged partial of each step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import attrs

from keyfold import DataError, Partial, Pipeline, Planned, merge
from keyfold.catalog import Catalog, default_catalog
from keyfold.config import read_config
from keyfold.errors import MergeError
from keyfold_contrib.cli._partials.alike import Part, check_alike
from keyfold_contrib.cli._partials.paths import partial_files_of
from keyfold_contrib.cli._steps import in_order
from keyfold_contrib.partial_files import Step, read_partials

__all__ = ["Merged", "merged_from"]

_MOST_NAMED: Final = 3
# What the framework advises in Python, and what does the same here.
_IN_PYTHON: Final = "pass pipelines="
_HERE: Final = "give the configuration that has its metrics by --config"


@attrs.frozen(order=False, eq=False)
class Merged:
    """The merged partials of some files.

    Attributes:
        partials: The partial of each step, numbered steps first and in order.
        pipelines: The metrics by name, which are the same in all steps.
        catalog: The plugins.
    """

    partials: Mapping[Step, Partial]
    pipelines: Mapping[str, Pipeline[Any]]
    catalog: Catalog
    _parts: Mapping[Step, Sequence[Part]]

    def told(self, error: DataError, step: Step) -> DataError:
        """Return an error about a step with its files; plugins are told of it."""
        return _told(error, self._parts[step], self.catalog)


def merged_from(paths: Sequence[str], config: Path | None) -> Merged:
    """Return the merged partials of the files that some paths name.

    Plugins are told of each step's merged partial, unless there is a single file.

    Args:
        paths: Partial files, directories and patterns.
        config: A configuration whose settings apply, and that has the metrics of the
            partials if it has any; None takes what the files say.

    Raises:
        DataError: A file is no partial file or a damaged one, or they can't be merged;
            names the files and the step.
        UsageError: The configuration is not what it should be, or there are dumps among
            the files.
    """
    catalog, expected = _configured(config)
    files = partial_files_of(paths, catalog)
    parts = _parts_of(files, expected, catalog)
    pipelines = _pipelines_of(parts)
    partials: dict[Step, Partial] = {}
    for step, its in parts.items():
        partials[step] = _merged(its, catalog)
        if len(files) > 1:
            catalog.hooks.keyfold_partial_merged(
                partial=partials[step], pipelines=pipelines
            )
    return Merged(partials, pipelines, catalog, parts)


def _configured(
    config: Path | None,
) -> tuple[Catalog, Mapping[str, Pipeline[Any]] | None]:
    if config is None:
        return default_catalog(), None
    read = read_config(config)
    return read.catalog, Planned(read.metrics) if read.metrics else None


def _parts_of(
    files: Sequence[Path],
    expected: Mapping[str, Pipeline[Any]] | None,
    catalog: Catalog,
) -> Mapping[Step, Sequence[Part]]:
    parts: dict[Step, list[Part]] = {}
    first: Part | None = None
    for path in files:
        for step, partial in _read(path, expected, catalog).items():
            part = Part(path, step, partial)
            first = first or part
            check_alike(first, part)
            parts.setdefault(step, []).append(part)
    return in_order(parts)


def _pipelines_of(
    parts: Mapping[Step, Sequence[Part]],
) -> Mapping[str, Pipeline[Any]]:
    for its in parts.values():
        return its[0].partial.pipelines
    return {}


def _read(
    path: Path, expected: Mapping[str, Pipeline[Any]] | None, catalog: Catalog
) -> Mapping[Step, Partial]:
    try:
        return read_partials(path, pipelines=expected, catalog=catalog)
    except MergeError as error:
        hint = error.hint and error.hint.replace(_IN_PYTHON, _HERE)
        if hint is None and expected is not None:
            hint = "without --config the metrics are those that the file names"
        raise MergeError(error.message, hint=hint) from error


def _merged(parts: Sequence[Part], catalog: Catalog) -> Partial:
    # In the order of the shards, so that the order of the files changes nothing.
    ordered = sorted(parts, key=lambda part: part.partial.shards)
    try:
        _check_shards(ordered)
        return merge(part.partial for part in ordered)
    except DataError as error:
        raise _told(error, ordered, catalog) from error


def _check_shards(parts: Sequence[Part]) -> None:
    owners: dict[int, Path] = {}
    for part in parts:
        for shard in part.partial.shards:
            if shard in owners:
                raise MergeError(
                    f"shard {shard} is in {owners[shard]} and in {part.path}, and "
                    "would be counted twice",
                    hint="give each dump a number of its own, as in keyfold partial "
                    f"--shard {shard + 1}, and merge each shard once",
                )
            owners[shard] = part.path


def _told(error: DataError, parts: Sequence[Part], catalog: Catalog) -> DataError:
    names = [str(part.path) for part in parts]
    if len(names) > _MOST_NAMED:
        names[_MOST_NAMED - 1 :] = [f"{len(names) - _MOST_NAMED + 1} more"]
    where = " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
    step = parts[0].step
    place = where if step is None else f"{where}, step {step}"
    located = DataError(f"{place}: {error.message}", hint=error.hint)
    catalog.hooks.keyfold_error(error=located)
    return located
