"""Testing a plugin of your own: whether it keeps the contract of its kind.

    from keyfold.testing import check_key_strategy

    check_key_strategy(ByTurn(), samples)

Each function makes every check of a kind, on copies of your samples that no other check
has touched, and tells everything that is wrong at once. Nothing here needs pytest, and
with it each check can be a test of its own:

    @pytest.mark.parametrize("check", key_strategy_checks(), ids=str)
    def test_by_turn(check):
        check(ByTurn(), samples)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from keyfold._testing.check import (
    Check,
    CheckFailure,
    CheckRecord,
    CheckState,
    ConformanceError,
    Samples,
)
from keyfold._testing.keys import key_strategy_checks
from keyfold._testing.pipelines import pipeline_checks
from keyfold._testing.plugins import plugin_checks, provided_by
from keyfold._testing.readers import selection_checks, value_checks
from keyfold._testing.reducers import reducer_checks
from keyfold._testing.run import conforms, some_of
from keyfold._testing.travel import HEAVY
from keyfold.contracts import AnyKeyStrategy, AnyReducer, AnySelection, AnyValue
from keyfold.pipeline import Pipeline

__all__ = [
    "HEAVY",
    "Check",
    "CheckFailure",
    "CheckRecord",
    "CheckState",
    "ConformanceError",
    "Samples",
    "check_key_strategy",
    "check_pipeline",
    "check_plugin",
    "check_reducer",
    "check_selection",
    "check_value",
    "key_strategy_checks",
    "pipeline_checks",
    "plugin_checks",
    "reducer_checks",
    "selection_checks",
    "value_checks",
]


def check_key_strategy(
    strategy: AnyKeyStrategy,
    samples: Samples,
    *,
    expected_failures: Mapping[str, str] | None = None,
    heavy: Sequence[str] = HEAVY,
) -> tuple[CheckRecord, ...]:
    """Return what came of every check of a key strategy; all passed or were skipped.

    Args:
        strategy: The strategy.
        samples: A dozen samples, with what is rare among them: fields that are None,
            and units of several samples. Or a function that makes them.
        expected_failures: Checks that may fail, by name, each with the reason. One that
            passes all the same is a failure.
        heavy: The modules that the import of the strategy may not bring along.

    Raises:
        ConformanceError: The strategy breaks rules; has a `CheckFailure` for each.
        UsageError: There are no samples, or an expected failure is of no check.
    """
    fresh = some_of(samples, "samples")
    checks = key_strategy_checks(heavy=heavy)
    return conforms(checks, strategy, fresh, expected_failures)


def check_reducer(
    reducer: AnyReducer,
    values: Samples,
    *,
    expected_failures: Mapping[str, str] | None = None,
    heavy: Sequence[str] = HEAVY,
) -> tuple[CheckRecord, ...]:
    """Return what came of every check of a reducer; all passed or were skipped.

    Args:
        reducer: The reducer.
        values: A dozen values of one unit, with what is hard among them: ties, 0.0 and
            -0.0, numbers of very different size. Or a function that makes them.
        expected_failures: As for `check_key_strategy`.
        heavy: As for `check_key_strategy`.

    Raises:
        ConformanceError: The reducer breaks rules; has a `CheckFailure` for each.
        UsageError: There are no values, or an expected failure is of no check.
    """
    fresh = some_of(values, "values")
    return conforms(reducer_checks(heavy=heavy), reducer, fresh, expected_failures)


def check_value(
    value: AnyValue,
    samples: Samples,
    *,
    expected_failures: Mapping[str, str] | None = None,
    heavy: Sequence[str] = HEAVY,
) -> tuple[CheckRecord, ...]:
    """Return what came of every check of a value; all passed or were skipped.

    Args:
        value: The value.
        samples: As for `check_key_strategy`.
        expected_failures: As for `check_key_strategy`.
        heavy: As for `check_key_strategy`.

    Raises:
        ConformanceError: The value breaks rules; has a `CheckFailure` for each.
        UsageError: There are no samples, or an expected failure is of no check.
    """
    fresh = some_of(samples, "samples")
    return conforms(value_checks(heavy=heavy), value, fresh, expected_failures)


def check_selection(
    selection: AnySelection,
    samples: Samples,
    *,
    expected_failures: Mapping[str, str] | None = None,
    heavy: Sequence[str] = HEAVY,
) -> tuple[CheckRecord, ...]:
    """Return what came of every check of a selection; all passed or were skipped.

    Args:
        selection: The selection.
        samples: As for `check_key_strategy`; some are selected, and some are not.
        expected_failures: As for `check_key_strategy`.
        heavy: As for `check_key_strategy`.

    Raises:
        ConformanceError: The selection breaks rules; has a `CheckFailure` for each.
        UsageError: There are no samples, or an expected failure is of no check.
    """
    fresh = some_of(samples, "samples")
    return conforms(selection_checks(heavy=heavy), selection, fresh, expected_failures)


def check_pipeline(
    pipeline: Pipeline[Any],
    samples: Samples,
    *,
    expected_failures: Mapping[str, str] | None = None,
    heavy: Sequence[str] = HEAVY,
) -> tuple[CheckRecord, ...]:
    """Return what came of every check of a pipeline; all passed or were skipped.

    Its components are checked as well, each by the checks of its kind.

    Args:
        pipeline: The pipeline.
        samples: As for `check_key_strategy`; the pipeline must be able to report on
            them.
        expected_failures: As for `check_key_strategy`.
        heavy: As for `check_key_strategy`.

    Raises:
        ConformanceError: The pipeline breaks rules; has a `CheckFailure` for each.
        UsageError: There are no samples, or an expected failure is of no check.
    """
    fresh = some_of(samples, "samples")
    return conforms(pipeline_checks(heavy=heavy), pipeline, fresh, expected_failures)


def check_plugin(
    distribution: str,
    *,
    expected_failures: Mapping[str, str] | None = None,
    heavy: Sequence[str] = HEAVY,
    path: Sequence[str] | None = None,
) -> tuple[CheckRecord, ...]:
    """Return what came of every check of a distribution; all passed or were skipped.

    Args:
        distribution: The name of an installed distribution, in any spelling.
        expected_failures: As for `check_key_strategy`.
        heavy: The modules that the import of its plugins may not bring along.
        path: Where distributions are looked for; None means `sys.path`.

    Raises:
        ConformanceError: The distribution breaks rules; has a `CheckFailure` for each.
        UsageError: It is not installed, provides no plugin, or an expected failure is
            of no check.
    """
    plugin = provided_by(distribution, path)
    checks = plugin_checks(heavy=heavy)
    return conforms(checks, plugin, list, expected_failures)
