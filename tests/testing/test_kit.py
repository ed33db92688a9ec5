"""How the kit itself is used: fresh copies, expected failures, records and mistakes."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from typing import Any

import attrs
import pytest
from tests.testing.broken import Turn, turns

from keyfold.errors import ContractError, KeyfoldError, UsageError
from keyfold.testing import (
    Check,
    CheckFailure,
    CheckRecord,
    ConformanceError,
    check_key_strategy,
    check_reducer,
    key_strategy_checks,
    pipeline_checks,
    plugin_checks,
    reducer_checks,
    selection_checks,
    value_checks,
)
from keyfold_strategies import Mean, Position


@attrs.frozen(order=False)
class ByRun:
    def key(self, sample: Turn, position: int, /) -> Any:
        sample.notes.append("seen")
        return ("run", float("nan"))


BROKEN = ("docstring", "equal_to_itself", "sample_unchanged")
EXPECTED: dict[str, str] = dict.fromkeys(BROKEN, "it is only a draft")


def broken(**named: Any) -> ConformanceError:
    with pytest.raises(ConformanceError) as caught:
        check_key_strategy(ByRun(), turns(), **named)
    return caught.value


def test_everything_that_is_wrong_is_told_at_once() -> None:
    error = broken()
    assert [it.check for it in error.exceptions if isinstance(it, CheckFailure)] == [
        *BROKEN
    ]
    total = len(key_strategy_checks())
    assert error.message == f"by_run fails 3 of {total} checks: {', '.join(BROKEN)}"
    assert isinstance(error, KeyfoldError)
    assert isinstance(error, ExceptionGroup)


def test_a_failure_says_whose_it_is_what_was_found_and_how_to_mend_it() -> None:
    first = broken().exceptions[0]
    assert isinstance(first, ContractError)
    assert isinstance(first, CheckFailure)
    assert (first.subject, first.check) == ("by_run", "docstring")
    assert str(first) == (
        "by_run fails docstring: the class ByRun has no docstring\n"
        "Hint: say in one sentence what it makes a unit of, or computes"
    )


def test_an_error_has_the_records_of_all_checks() -> None:
    records = {it.check: it for it in broken().records}
    assert list(records) == [it.name for it in key_strategy_checks()]
    assert records["docstring"].state == "failed"
    assert records["deterministic"] == CheckRecord("deterministic", "passed")
    assert records["columns_match"].message == "has no columns"
    assert records["portable"].state == "skipped"
    assert records["portable"].message == (
        "says nothing as long as equal_to_itself fails"
    )


def test_an_error_can_be_pickled() -> None:
    error = broken()
    copy: object = pickle.loads(pickle.dumps(error))
    assert isinstance(copy, ConformanceError)
    assert copy.message == error.message
    assert copy.records == error.records
    assert list(map(str, copy.exceptions)) == list(map(str, error.exceptions))


def test_failures_that_are_expected_are_recorded_and_not_raised() -> None:
    records = check_key_strategy(ByRun(), turns(), expected_failures=EXPECTED)
    expected = {it.check: it.message for it in records if it.state == "expected"}
    assert list(expected) == list(BROKEN)
    assert expected["docstring"] == (
        "it is only a draft: the class ByRun has no docstring"
    )


def test_an_expected_failure_that_passes_fails() -> None:
    [found] = broken(expected_failures={**EXPECTED, "name": "not yet"}).exceptions
    assert isinstance(found, CheckFailure)
    assert (found.check, found.hint) == ("name", "take 'name' out of expected_failures")
    assert found.message == "an unexpected pass: it was expected to fail (not yet)"


def test_an_expected_failure_that_is_skipped_is_recorded_as_skipped() -> None:
    wanted = {**EXPECTED, "columns_match": "slow"}
    records = check_key_strategy(ByRun(), turns(), expected_failures=wanted)
    assert CheckRecord("columns_match", "skipped", "has no columns") in records


def test_an_expected_failure_of_no_check_is_an_error() -> None:
    with pytest.raises(
        UsageError, match="names 'hashble', which is no check"
    ) as caught:
        check_key_strategy(ByRun(), turns(), expected_failures={"hashble": "x"})
    assert caught.value.hint == "did you mean 'hashable'?"


def test_each_check_has_samples_that_no_other_has_touched() -> None:
    given = turns()
    broken()
    with pytest.raises(ConformanceError):
        check_key_strategy(ByRun(), given)
    assert given == turns()


def test_samples_may_come_from_a_function() -> None:
    made: list[Sequence[Turn]] = []

    def make() -> Sequence[Turn]:
        made.append(turns())
        return made[-1]

    with pytest.raises(ConformanceError):
        check_key_strategy(ByRun(), make)
    assert len(made) > len(BROKEN)


def test_no_samples_are_an_error() -> None:
    with pytest.raises(UsageError, match="at least one of the samples, found none"):
        check_key_strategy(Position(), [])
    with pytest.raises(UsageError, match="at least one of the values, found none"):
        check_reducer(Mean(), [])


def test_samples_that_cannot_be_copied_are_an_error() -> None:
    generators: list[object] = [(number for number in range(3))]
    with pytest.raises(UsageError, match="the samples can't be made afresh") as caught:
        check_key_strategy(Position(), generators)
    assert caught.value.hint == (
        "give a function that returns new samples each time it is called"
    )


def test_a_check_can_be_made_by_itself() -> None:
    checks = {str(check): check for check in key_strategy_checks()}
    record = checks["deterministic"](ByRun(), turns())
    assert record == CheckRecord("deterministic", "passed")
    assert checks["columns_match"](ByRun(), turns()).state == "skipped"
    with pytest.raises(CheckFailure, match="the class ByRun has no docstring"):
        checks["docstring"](ByRun(), turns())


def test_whatever_a_plugin_raises_is_told_by_the_check_that_met_it() -> None:
    @attrs.frozen(order=False)
    class Raises:
        """Nothing."""

        def key(self, sample: object, position: int, /) -> Any:
            raise LookupError("nowhere")

    with pytest.raises(ConformanceError) as caught:
        check_key_strategy(Raises(), turns())
    first = caught.value.exceptions[0]
    assert isinstance(first, CheckFailure)
    assert first.message == "raised LookupError: nowhere"
    assert isinstance(first.__cause__, LookupError)
    assert first.hint == "every key is hashable"


ALL = {
    "keys": key_strategy_checks,
    "reducers": reducer_checks,
    "values": value_checks,
    "selections": selection_checks,
    "pipelines": pipeline_checks,
    "plugins": plugin_checks,
}


@pytest.mark.parametrize("kind", ALL)
def test_checks_have_names_of_their_own_and_stand_behind_what_they_need(
    kind: str,
) -> None:
    checks: tuple[Check, ...] = ALL[kind]()
    names = [check.name for check in checks]
    assert len(set(names)) == len(names)
    for place, check in enumerate(checks):
        assert set(check.after) <= set(names[:place]), check.name
        assert check.about
