"""From samples to a report, in one call."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from keyfold._describe import shown
from keyfold._finish import finish
from keyfold._fold import Fold
from keyfold._fold_source import FoldSource
from keyfold._plan import Plan, plan_of
from keyfold._positions import position_in
from keyfold.errors import KeyfoldError, UsageError
from keyfold.pipeline import Pipeline
from keyfold.planned import Planned
from keyfold.report import OnError, Report

if TYPE_CHECKING:
    from keyfold.catalog import Catalog

__all__ = ["compute", "folded", "listed", "plan_for"]

SampleT = TypeVar("SampleT")

# So many samples at a time keep what is read from them in the processor's cache.
_BATCH = 4096


def compute(
    samples: Iterable[SampleT],
    pipelines: Mapping[str, Pipeline[SampleT]] | None = None,
    *,
    on_error: OnError = "raise",
) -> Report:
    """Return the metrics of one batch of samples.

    Args:
        samples: The samples of one step, in order. Any iterable will do; it is gone
            through once.
        pipelines: The metrics by name; None means the catalog's defaults, which are the
            number of training samples and the adapter-scoped, equal-rollout reward.
        on_error: What becomes of a metric that can't be computed: "raise" raises its
            error, and "report" leaves it out of the report, whose `errors` has it, logs
            it as a warning, and computes the others. A metric should not end a
            training run.

    Raises:
        DataError: The samples are not what a pipeline needs; names the position.
        UsageError: `pipelines` is no mapping of names to pipelines, or a plugin is
            broken.
    """
    plan = plan_for(pipelines)
    if on_error != "raise":
        return _whatever_can_be(listed(samples), plan, on_error)
    return finish(plan.metrics, FoldSource(folded(samples, plan)))


def _whatever_can_be(samples: Sequence[Any], plan: Plan, on_error: object) -> Report:
    if on_error != "report":
        raise UsageError(
            f"expected on_error to be 'raise' or 'report', found {shown(on_error)}"
        )
    try:
        return finish(plan.metrics, FoldSource(folded(samples, plan)))
    except KeyfoldError:
        # logging, which it imports, is slow to import.
        from keyfold._one_by_one import one_by_one  # noqa: PLC0415

        # Metrics share what they read: each by itself shows which of them fail.
        return one_by_one(plan, lambda alone: FoldSource(folded(samples, alone)))


def folded(
    samples: Iterable[Any], plan: Plan, *, shard: int = 0, start: int = 0
) -> Fold:
    """Return a fold that took in all samples, some at a time.

    Args:
        samples: The samples, in order.
        plan: What is needed of them.
        shard: The number of the shard that they are of.
        start: The place of the first of them in its shard.
    """
    fold = Fold(plan, position_in(shard, start))
    for batch in _batches(samples):
        fold.add(batch)
    return fold


def listed(samples: Iterable[Any]) -> Sequence[Any]:
    """Return all samples of an iterable, which is gone through once.

    Raises:
        UsageError: It is no iterable.
    """
    return samples if isinstance(samples, list | tuple) else list(_iterator(samples))


def plan_for(pipelines: Mapping[str, Pipeline[Any]] | None) -> Plan:
    """Return the plan of pipelines; None means those of the catalog.

    Raises:
        UsageError: It is no mapping of names to pipelines.
    """
    if pipelines is None:
        pipelines = _default_catalog()().defaults()
    if isinstance(pipelines, Planned):
        return pipelines.plan
    return plan_of(pipelines)


@cache
def _default_catalog() -> Callable[[], Catalog]:
    # Slow to import, and a program with pipelines of its own never needs it.
    from keyfold.catalog import default_catalog  # noqa: PLC0415

    return default_catalog


def _batches(samples: Iterable[Any]) -> Iterator[Sequence[Any]]:
    if isinstance(samples, list | tuple):
        if len(samples) <= _BATCH:
            yield samples
            return
        for start in range(0, len(samples), _BATCH):
            yield samples[start : start + _BATCH]
        return
    rest = _iterator(samples)
    while batch := list(islice(rest, _BATCH)):
        yield batch


def _iterator(samples: Iterable[Any]) -> Iterator[Any]:
    try:
        return iter(samples)
    except TypeError:
        raise UsageError(
            f"expected samples, found {shown(samples)}",
            hint="pass a list, or any other iterable, of samples",
        ) from None
