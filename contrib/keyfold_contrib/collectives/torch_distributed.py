"""Reports over the ranks of `torch.distributed`, each in one collective call.

    report = all_report(samples_of_this_rank, metrics)

Every rank of the group must call the same function, also one that has no samples. A
rank that fails takes part all the same and says why, so that none waits for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from keyfold import Partial, Pipeline, Planned, Report, UsageError, merge, partial
from keyfold.authoring import shown
from keyfold.errors import KeyfoldError, MergeError
from keyfold_contrib.collectives._ranks import Ranks, ranks_of
from keyfold_contrib.collectives._refusal import Refusal, error_of, refusal_of

__all__ = ["all_merge", "all_report", "report_on"]

SampleT = TypeVar("SampleT")


def all_report(
    samples: Iterable[SampleT],
    pipelines: Mapping[str, Pipeline[SampleT]] | None = None,
    *,
    group: object = None,
) -> Report:
    """Return, on every rank, the report on the samples of all ranks.

    It is that of `keyfold.compute` on all samples together, to the bit. The rank's
    number in the whole job is the number of its shard.

    Args:
        samples: The samples of this rank, in order; there may be none.
        pipelines: The metrics by name, the same on every rank; None means the
            catalog's defaults.
        group: The process group whose ranks take part; None means all. Ranks that hold
            copies of the same samples, as those of tensor parallelism do, must not be
            in one group.

    Raises:
        UsageError: torch is not installed, there is no process group, this process is
            not in it, or `pipelines` is not what it should be.
        DataError: The samples are not what a pipeline needs, or the ranks' partials
            can't be merged.
        KeyfoldError: Another rank failed; names it, and has its message and hint. It is
            a DataError or a UsageError where that of the other rank is. The rank that
            failed raises its own error, whatever that is.
    """
    ranks = ranks_of(group)
    return _all(ranks, lambda: partial(samples, pipelines, shard=ranks.own)).report()


def all_merge(part: Partial, *, group: object = None) -> Partial:
    """Return, on every rank, the partials of all ranks merged.

    Args:
        part: The partial of this rank, such as a `Session` has. Ranks that can fail to
            make theirs are safer with `all_report`: the others would wait for them.
        group: The process group whose ranks take part; None means all.

    Raises:
        UsageError: torch is not installed, there is no process group, this process is
            not in it, or `part` is no partial.
        DataError: The partials can't be merged, or this one can't be sent.
        KeyfoldError: Another rank failed, as in `all_report`.
    """
    return _all(ranks_of(group), lambda: _checked(part))


def report_on(
    samples: Iterable[SampleT],
    pipelines: Mapping[str, Pipeline[SampleT]] | None = None,
    *,
    dst: int = 0,
    group: object = None,
) -> Report | None:
    """Return the report on the samples of all ranks on one rank, and None elsewhere.

    The other ranks receive nothing and merge nothing. So they do not learn of a rank
    that failed: that one raises its own error, and `dst` one that names it.

    Args:
        samples: The samples of this rank, in order; there may be none.
        pipelines: The metrics by name, the same on every rank; None means the
            catalog's defaults.
        dst: The rank that gets the report, as numbered in the whole job.
        group: The process group whose ranks take part; None means all.

    Raises:
        UsageError: As in `all_report`, or `dst` is not in the group.
        DataError: As in `all_report`.
        KeyfoldError: Another rank failed; on `dst` alone.
    """
    ranks = ranks_of(group)
    own, sent = _attempt(lambda: partial(samples, pipelines, shard=ranks.own))
    received = ranks.gathered(sent, dst)
    if isinstance(own, Exception):
        raise own
    return None if received is None else _merged(own, received).report()


def _all(ranks: Ranks, make: Callable[[], Partial]) -> Partial:
    own, sent = _attempt(make)
    received = ranks.all_gathered(sent)
    if isinstance(own, Exception):
        raise own
    return _merged(own, received)


def _attempt(make: Callable[[], Partial]) -> tuple[Partial | Exception, object]:
    # What this rank has, and what it sends. Any error waits until after the collective
    # call, since the other ranks wait in it for this one.
    try:
        own = make()
        return own, own.to_bytes()
    except Exception as error:  # noqa: BLE001
        return error, refusal_of(error)


def _checked(part: object) -> Partial:
    if isinstance(part, Partial):
        return part
    raise UsageError(
        f"expected a partial, found {shown(part)}",
        hint="keyfold.partial(samples, shard=rank) makes one, and all_report takes "
        "samples",
    )


def _merged(own: Partial, received: Mapping[int, Any]) -> Partial:
    refusals = {
        rank: sent for rank, sent in received.items() if isinstance(sent, Refusal)
    }
    if refusals:
        raise error_of(refusals)
    # Planned once, and not for each rank.
    pipelines = Planned(own.pipelines)
    return merge([_read(rank, data, pipelines) for rank, data in received.items()])


def _read(rank: int, data: bytes, pipelines: Planned) -> Partial:
    try:
        return Partial.from_bytes(data, pipelines=pipelines)
    except KeyfoldError as error:
        raise MergeError(
            f"the partial of rank {rank}: {error.message}",
            hint=error.hint or "give every rank the same pipelines",
        ) from error
