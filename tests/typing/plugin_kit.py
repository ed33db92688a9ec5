"""The kit that tests plugins: each kind has its own check."""

from __future__ import annotations

from typing import assert_type

from keyfold import KeyfoldError, over
from keyfold.errors import ContractError
from keyfold.testing import (
    HEAVY,
    Check,
    CheckFailure,
    CheckRecord,
    CheckState,
    ConformanceError,
    Samples,
    check_key_strategy,
    check_pipeline,
    check_plugin,
    check_reducer,
    check_selection,
    check_value,
    key_strategy_checks,
    pipeline_checks,
    plugin_checks,
    reducer_checks,
    selection_checks,
    value_checks,
)
from keyfold_strategies import All, Mean, Reward, Rollout, Sample

samples: Samples = [Sample(reward=1.0)]
made: Samples = lambda: [Sample(reward=1.0)]  # noqa: E731
pipeline = over(Sample).value(Reward()).across(Mean())
heavy: tuple[str, ...] = HEAVY
reasons = {"fields": "it reads every field"}

found = check_key_strategy(Rollout(), samples, expected_failures=reasons)
assert_type(found, tuple[CheckRecord, ...])
assert_type(found[0].state, CheckState)
assert_type((found[0].check, found[0].message), tuple[str, str])
assert_type(check_reducer(Mean(), [1.0, 2.0], heavy=()), tuple[CheckRecord, ...])
assert_type(check_value(Reward(), made), tuple[CheckRecord, ...])
assert_type(check_selection(All(), samples), tuple[CheckRecord, ...])
assert_type(check_pipeline(pipeline, samples), tuple[CheckRecord, ...])
assert_type(check_plugin("acme", path=["site"]), tuple[CheckRecord, ...])

for check in (
    *(*key_strategy_checks(), *reducer_checks(), *value_checks(), *selection_checks()),
    *(*pipeline_checks(heavy=["torch"]), *plugin_checks()),
):
    assert_type(check, Check)
    assert_type(check(Rollout(), samples), CheckRecord)
    assert_type((check.name, check.after), tuple[str, tuple[str, ...]])


def told(error: ConformanceError) -> None:
    family: KeyfoldError = error
    group: ExceptionGroup[CheckFailure] = error
    assert_type(error.records, tuple[CheckRecord, ...])
    for failure in group.exceptions:
        assert_type(failure, CheckFailure | ExceptionGroup[CheckFailure])
    broken: ContractError = CheckFailure("no", check="pure", subject="rollout")
    del family, broken


check_key_strategy(Mean(), samples)  # type: ignore[arg-type]
check_key_strategy(Rollout(), Sample())  # type: ignore[arg-type]
check_key_strategy(Rollout(), samples, reasons)  # type: ignore[call-arg]
check_reducer(Rollout(), [1.0])  # type: ignore[arg-type]
check_value(Rollout(), samples)  # type: ignore[arg-type]
check_selection(Reward(), samples)  # type: ignore[arg-type]
check_pipeline({"reward": pipeline}, samples)  # type: ignore[arg-type]
check_plugin(Rollout())  # type: ignore[arg-type]
key_strategy_checks(("torch",))  # type: ignore[call-arg]
reducer_checks(heavy=3)  # type: ignore[arg-type]
value_checks(samples)  # type: ignore[call-arg, arg-type]
selection_checks(samples)  # type: ignore[call-arg, arg-type]
pipeline_checks(pipeline)  # type: ignore[call-arg, arg-type]
plugin_checks("acme")  # type: ignore[call-arg]
Check("pure")  # type: ignore[call-arg]
CheckRecord("pure", state="broken")  # type: ignore[arg-type]
CheckFailure("no")  # type: ignore[call-arg]
ConformanceError("no", ["pure"])  # type: ignore[list-item]
no_state: CheckState = "broken"  # type: ignore[assignment]
no_samples: Samples = 3  # type: ignore[assignment]
HEAVY.append("torch")  # type: ignore[attr-defined]
