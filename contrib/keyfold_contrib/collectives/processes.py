"""Reports by several processes of one machine.

    report = processes.report(paths, metrics, load=samples_of)

It pays where the processes read the samples themselves: sending samples to a process
takes longer than the default metrics do. The processes are started afresh, so a script
needs its `if __name__ == "__main__":`, and what they run must be importable.
"""

from __future__ import annotations

import multiprocessing
import pickle
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar, overload

from keyfold import Partial, Pipeline, Report, UsageError, merge
from keyfold.authoring import shown
from keyfold_contrib.collectives._task import Failure, failure_of, part_of

__all__ = ["report"]

SampleT = TypeVar("SampleT")
ShardT = TypeVar("ShardT")


@overload
def report(
    shards: Iterable[Iterable[SampleT]],
    pipelines: Mapping[str, Pipeline[SampleT]] | None = None,
    *,
    load: None = None,
    workers: int | None = None,
) -> Report: ...
@overload
def report(
    shards: Iterable[ShardT],
    pipelines: Mapping[str, Pipeline[SampleT]] | None = None,
    *,
    load: Callable[[ShardT], Iterable[SampleT]],
    workers: int | None = None,
) -> Report: ...
def report(
    shards: Iterable[Any],
    pipelines: Mapping[str, Pipeline[Any]] | None = None,
    *,
    load: Callable[[Any], Iterable[Any]] | None = None,
    workers: int | None = None,
) -> Report:
    """Return the report on the samples of all shards, worked out by several processes.

    It is that of `keyfold.compute` on all samples together, to the bit.

    Args:
        shards: At least one. Each is a sequence of samples, or whatever `load` takes,
            such as a path. They are sent by pickle, as `pipelines` and `load` are.
        pipelines: The metrics by name; None means the catalog's defaults.
        load: A function of a module that gives a shard's samples; it runs in the
            process that works on the shard.
        workers: How many processes; None means one for each processor.

    Raises:
        DataError: The samples are not what a pipeline needs, or the shards' partials
            can't be merged.
        UsageError: An argument is not what it should be, or can't be sent to another
            process, or a process ended before its work was done.
    """
    tasks = [_sent(number, it, pipelines, load) for number, it in enumerate(shards)]
    if not tasks:
        raise UsageError("expected at least one shard, found none")
    found = _done(tasks, _checked(workers))
    return merge(Partial.from_bytes(it, pipelines=pipelines) for it in found).report()


def _sent(number: int, shard: object, pipelines: object, load: object) -> bytes:
    # Pickled here and not by the executor, which leaves it open what was at fault.
    try:
        return pickle.dumps((number, shard, pipelines, load))
    except Exception as error:
        raise UsageError(
            f"shard {number}, the pipelines or load= can't be sent to another process: "
            f"{shown(error, 300)}",
            hint="shards are sequences of samples, or paths with load=, a function of "
            "a module; a lambda or a generator can't be sent",
        ) from error


def _checked(workers: object) -> int | None:
    if workers is None or (type(workers) is int and workers > 0):
        return workers
    raise UsageError(
        f"expected workers to be None or a whole number above 0, found {shown(workers)}"
    )


def _done(tasks: list[bytes], workers: int | None) -> list[bytes]:
    # Spawned, as a fork of a process with threads may hang.
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=spawn) as executor:
        futures = [executor.submit(_work, task) for task in tasks]
        try:
            # In the order of the shards, so that of several errors it is always the
            # same that is raised.
            return [_result(future) for future in futures]
        finally:
            executor.shutdown(cancel_futures=True)


def _result(future: Future[bytes | Failure]) -> bytes:
    try:
        result = future.result()
    except BrokenProcessPool as error:
        raise UsageError(
            "a process ended before it gave its partial",
            hint="what it printed says why; a script needs "
            'if __name__ == "__main__": around what it runs, and a machine enough '
            "memory",
        ) from error
    if isinstance(result, Failure):
        raise result.error()
    return result


def _work(task: bytes) -> bytes | Failure:
    try:
        # The process that started this one wrote it.
        number, shard, pipelines, load = pickle.loads(task)  # noqa: S301
    except Exception as error:  # noqa: BLE001
        wrong = UsageError(
            f"a process can't read what it was sent: {shown(error, 300)}",
            hint="classes and functions that are sent must stand in a module that the "
            "process can import",
        )
        wrong.__cause__ = error
        return failure_of(wrong)
    return part_of(number, shard, pipelines, load)
