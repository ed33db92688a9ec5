"""Reports by the tasks of a Ray cluster.

    report = ray_tasks.report(paths, metrics, load=samples_of)

Tasks give the bytes of partials, and other tasks merge them as a tree, so that they
need not all be in one process. keyfold must be installed wherever a task runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any, Final

from keyfold import KeyfoldError, Partial, Pipeline, Report, UsageError, merge
from keyfold.authoring import shown
from keyfold_contrib.collectives._task import Failure, failure_of, part_of

__all__ = ["merge_tree", "report"]

_FAN_IN: Final = 8


def report(
    shards: Iterable[object],
    pipelines: Mapping[str, Pipeline[Any]] | None = None,
    *,
    load: Callable[[Any], Iterable[Any]] | None = None,
    fan_in: int = _FAN_IN,
) -> Report:
    """Return the report on the samples of all shards, worked out by Ray tasks.

    It is that of `keyfold.compute` on all samples together, to the bit. There is a task
    for each shard. Ray is started as by `ray.init()` where it is not yet.

    Args:
        shards: At least one. Each is a sequence of samples, or whatever `load` takes,
            such as a path, or Ray's reference to either.
        pipelines: The metrics by name; None means the catalog's defaults.
        load: Gives a shard's samples; it runs in the shard's task.
        fan_in: How many partials one task merges.

    Raises:
        DataError: The samples are not what a pipeline needs, or the shards' partials
            can't be merged.
        UsageError: Ray is not installed, or an argument is not what it should be.
    """
    ray = _ray()
    task, shared = ray.remote(part_of), ray.put(pipelines)
    refs = [task.remote(number, it, shared, load) for number, it in enumerate(shards)]
    return merge_tree(refs, pipelines, fan_in=fan_in).report()


def merge_tree(
    refs: Iterable[object],
    pipelines: Mapping[str, Pipeline[Any]] | None = None,
    *,
    fan_in: int = _FAN_IN,
) -> Partial:
    """Return what partials in Ray's object store contribute together.

    Args:
        refs: Ray's references to the bytes of at least one partial, as tasks or actors
            of yours give them with `partial(samples, metrics, shard=n).to_bytes()`.
        pipelines: The pipelines that they are of. None means that they are made from
            their spelling in the bytes, which takes plugins with installed names.
        fan_in: How many partials one task merges.

    Raises:
        DataError: One holds no partial, or they can't be merged.
        UsageError: Ray is not installed, or an argument is not what it should be.
    """
    ray = _ray()
    if type(fan_in) is not int or fan_in < 2:
        raise UsageError(
            f"expected fan_in to be a whole number above 1, found {shown(fan_in)}"
        )
    level = list(refs)
    if not level:
        raise UsageError("expected at least one partial to merge, found none")
    task, shared = ray.remote(_merged_bytes), ray.put(pipelines)
    while len(level) > fan_in:
        level = [
            task.remote(shared, *level[start : start + fan_in])
            for start in range(0, len(level), fan_in)
        ]
    read = _all_bytes(ray.get(level))
    if isinstance(read, Failure):
        raise read.error()
    return _merged(pipelines, read)


def _merged_bytes(
    pipelines: Mapping[str, Pipeline[Any]] | None, *parts: bytes | Failure
) -> bytes | Failure:
    read = _all_bytes(parts)
    if isinstance(read, Failure):
        return read
    try:
        return _merged(pipelines, read).to_bytes()
    except KeyfoldError as error:
        return failure_of(error)


def _all_bytes(parts: Iterable[bytes | Failure]) -> list[bytes] | Failure:
    # The first in the order of the shards, so that of several failures it is always the
    # same that is raised.
    read: list[bytes] = []
    for part in parts:
        if isinstance(part, Failure):
            return part
        read.append(part)
    return read


def _merged(
    pipelines: Mapping[str, Pipeline[Any]] | None, parts: Iterable[bytes]
) -> Partial:
    return merge(Partial.from_bytes(part, pipelines=pipelines) for part in parts)


def _ray() -> Any:
    try:
        return import_module("ray")
    except ModuleNotFoundError as error:
        if error.name != "ray":
            raise
        raise UsageError(
            "Ray is not installed, and this runs as its tasks",
            hint="pip install 'keyfold[ray]'",
        ) from error
