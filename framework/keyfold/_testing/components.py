"""Whether the components of a pipeline pass the checks of their kinds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from numbers import Real
from typing import Any

from keyfold._testing.check import Check, CheckFailure, Fresh
from keyfold._testing.keys import key_strategy_checks
from keyfold._testing.laws import state_of
from keyfold._testing.readers import selection_checks, value_checks
from keyfold._testing.reducers import reducer_checks
from keyfold._testing.roles import VALUE
from keyfold._testing.run import outcomes
from keyfold.contracts import AnyReducer
from keyfold.errors import ContractError, KeyfoldError
from keyfold.pipeline import Pipeline

__all__ = ["components_check"]

Part = tuple[str, object, Sequence[Check], Fresh]


def components_check(heavy: Sequence[str]) -> Check:
    """Return the check of a pipeline's components.

    Args:
        heavy: The modules that the import of a component may not bring along.
    """

    def run(pipeline: Pipeline[Any], fresh: Fresh) -> None:
        found = [
            f"{place}: {failure}"
            for place, component, checks, its in _parts(pipeline, fresh, heavy)
            for _, failure in outcomes(checks, component, its)
            if isinstance(failure, CheckFailure)
        ]
        if found:
            raise ContractError(
                "has components that fail:\n" + "\n".join(found),
                hint="mend each by itself, with the check of its kind",
            )

    about = "every component passes the checks of its kind"
    return Check("components", about, run, after=("computes",))


def _parts(
    pipeline: Pipeline[Any], fresh: Fresh, heavy: Sequence[str]
) -> Iterator[Part]:
    keys, reducers = key_strategy_checks(heavy=heavy), reducer_checks(heavy=heavy)
    yield "value", pipeline.value, value_checks(heavy=heavy), fresh
    if pipeline.where is not None:
        yield "where", pipeline.where, selection_checks(heavy=heavy), fresh
    if pipeline.by is not None:
        yield "by", pipeline.by, keys, fresh
    values = _numbers(pipeline, fresh())
    for place, level in enumerate(pipeline.levels):
        yield f"levels[{place}].key", level.key, keys, fresh
        own = _taken(level.reducer, values)
        yield f"levels[{place}].reduce", level.reducer, reducers, _maker(own)
        values = [level.reducer.finish(state_of(level.reducer, [it])) for it in own]
    yield "across", pipeline.across, reducers, _maker(_taken(pipeline.across, values))


def _maker(values: Sequence[Any]) -> Fresh:
    kept = tuple(values)
    return lambda: list(kept)


def _numbers(pipeline: Pipeline[Any], samples: Sequence[Any]) -> list[Any]:
    """Return the numbers that the engine would use of the samples."""
    found = VALUE.ask_all(pipeline.value, samples, range(len(samples)))
    return [float(it) if isinstance(it, Real) else None for it in found]


def _taken(reducer: AnyReducer, values: Sequence[Any]) -> list[Any]:
    present = [value for value in values if value is not None] or [1.0, 0.25, 0.5]
    try:
        state_of(reducer, present)
    except KeyfoldError:
        # A reducer that refuses values which differ is given one, again and again.
        return present[:1] * 3
    return list(present)
