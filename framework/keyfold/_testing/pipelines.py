"""The checks of pipelines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Final

from keyfold._compute import compute
from keyfold._describe import shown
from keyfold._testing.check import Check, Fresh, Skip, behind
from keyfold._testing.compare import cuts, view
from keyfold._testing.components import components_check
from keyfold._testing.roles import KEY
from keyfold._testing.travel import HEAVY
from keyfold.errors import ContractError, KeyfoldError
from keyfold.partials import Partial, merge, partial
from keyfold.pipeline import Pipeline
from keyfold.planned import Planned
from keyfold.report import Report

__all__ = ["pipeline_checks", "pipeline_shape"]

_NAME: Final = "metric"
_SHUFFLES: Final = 6
_EXACT: Final = "check the pipeline's keys and reducers by themselves"


def _shape(pipeline: object, _fresh: Fresh) -> None:
    if not isinstance(pipeline, Pipeline):
        raise ContractError(
            f"is {shown(pipeline)}, expected a Pipeline",
            hint="end the chain with .across(reducer)",
        )


def pipeline_shape() -> Check:
    """Return the check that something is a pipeline at all."""
    return Check("contract", "a pipeline is a chain that .across() closed", _shape)


def _told(report: Report) -> dict[str, tuple[str, object]]:
    """Return what a report says, to the bit, with its counts."""
    return {
        name: (repr(number), report.outcome(name)) for name, number in report.items()
    }


def _report(pipeline: Pipeline[Any], samples: Sequence[Any]) -> Report:
    return compute(samples, {_NAME: pipeline})


def _computes(pipeline: Pipeline[Any], fresh: Fresh) -> None:
    samples = fresh()
    before = [view(sample) for sample in samples]
    try:
        first = _told(_report(pipeline, samples))
    except KeyfoldError as error:
        raise ContractError(
            f"can't be computed: {error.message}",
            hint=error.hint or "give samples that the pipeline is meant for",
        ) from error
    if _told(_report(pipeline, samples)) != first:
        raise ContractError("reports something else the second time", hint=_EXACT)
    if [view(sample) for sample in samples] != before:
        raise ContractError("changes the samples", hint=_EXACT)


def _planned(pipeline: Pipeline[Any], fresh: Fresh) -> None:
    samples = fresh()
    plain = _told(_report(pipeline, samples))
    planned = Planned({_NAME: pipeline})
    for _ in range(2):
        found = _told(compute(samples, planned))
        if found != plain:
            raise ContractError(
                f"reports {shown(plain)}, and {shown(found)} once it is Planned",
                hint=_EXACT,
            )


def _reducers(pipeline: Pipeline[Any]) -> Iterator[object]:
    yield from (level.reducer for level in pipeline.levels)
    yield pipeline.across


def _judge(
    pipeline: Pipeline[Any],
    samples: Sequence[Any],
    reports: tuple[Report, Report],
    how: str,
) -> None:
    expected, found = map(_told, reports)
    if expected == found:
        return
    for key in pipeline.keys:
        for place, sample in enumerate(samples):
            if KEY.ask(key, sample, place) != KEY.ask(
                key, sample, place + len(samples)
            ):
                raise Skip("a key depends on the position, so the number may as well")
    raise ContractError(
        f"reports {shown(expected, 200)}, and {shown(found, 200)} {how}", hint=_EXACT
    )


def _skip_ordered(pipeline: Pipeline[Any]) -> None:
    if any(getattr(reducer, "ordered", False) for reducer in _reducers(pipeline)):
        raise Skip("a reducer is ordered")


def _skip_bound(pipeline: Pipeline[Any], samples: Sequence[Any]) -> None:
    bind: Any = getattr(pipeline.value, "bind", None)
    if bind is not None and any(bind(it) != bind(samples[0]) for it in samples):
        raise Skip("the value reads where the first sample says, and they differ in it")


def _merged(pipeline: Pipeline[Any], fresh: Fresh) -> None:
    samples = fresh()
    _skip_ordered(pipeline)
    _skip_bound(pipeline, samples)
    pipelines = {_NAME: pipeline}
    whole = _report(pipeline, samples)
    splits = [[samples[:cut], samples[cut:]] for cut in cuts(len(samples))]
    splits += [[samples[start::3] for start in range(3)], [[it] for it in samples[:40]]]
    splits[-1] += [samples[40:]]
    for shards in splits:
        parts = [partial(its, pipelines, shard=at) for at, its in enumerate(shards)]
        sent = [Partial.from_bytes(it.to_bytes(), pipelines=pipelines) for it in parts]
        sizes = [len(its) for its in shards]
        for order in (sent, sent[::-1]):
            how = f"merged from shards of {sizes}"
            ordered = [sample for its in shards for sample in its]
            _judge(pipeline, ordered, (whole, merge(order).report()), how)


def _order(pipeline: Pipeline[Any], fresh: Fresh) -> None:
    samples = fresh()
    _skip_ordered(pipeline)
    _skip_bound(pipeline, samples)
    whole = _report(pipeline, samples)
    random = Random(0)  # noqa: S311 - it only shuffles
    for _ in range(_SHUFFLES):
        shuffled = random.sample(samples, len(samples))
        found = _report(pipeline, shuffled)
        _judge(pipeline, samples, (whole, found), "in another order")


def pipeline_checks(*, heavy: Sequence[str] = HEAVY) -> tuple[Check, ...]:
    """Return every check of a pipeline, in the order in which they are made.

    Args:
        heavy: The modules that the import of a component may not bring along.
    """
    computed = ("computes",)
    parts = ("computes", "components")
    checks = (
        Check("computes", "it reports on the samples, twice the same", _computes),
        Check("planned", "Planned changes nothing", _planned, after=computed),
        components_check(heavy),
        Check("merged_partials", "no split changes a bit", _merged, after=parts),
        Check(
            "any_order", "no order of the samples changes a bit", _order, after=parts
        ),
    )
    return (pipeline_shape(), *behind("contract", checks))
