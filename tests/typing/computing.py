"""Computing: samples and pipelines in, a report of outcomes out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, assert_type

from tests.typing.samples import Scored

from keyfold import (
    DataError,
    KeyfoldError,
    Outcome,
    Pipeline,
    Planned,
    Report,
    UsageError,
    __version__,
    compute,
    load,
    over,
)
from keyfold.explain import Explanation, Skipped, Unit, declaration_of, explain
from keyfold.report import OnError
from keyfold_strategies import Mean, Reward, Sample
from keyfold_strategies.pipelines import REWARD, reward_pipelines

chain = over(Sample).value(Reward())
reward = chain.across(Mean())
version: str = __version__
no_version: int = __version__  # type: ignore[assignment]
assert_type(REWARD, Mapping[str, Pipeline[Sample]])
assert_type(reward_pipelines(reward_key="total"), Mapping[str, Pipeline[Sample]])


def accepted(samples: list[Sample], rest: Iterator[Sample], scored: Scored) -> None:
    assert_type(compute(samples), Report)
    assert_type(compute(rest, {"reward": reward}), Report)
    on_error: OnError = "report"
    assert_type(compute(samples, REWARD, on_error=on_error), Report)
    assert_type(compute(samples, load("keyfold.toml")), Report)
    assert_type(compute(samples, load({"metrics": {}})), Report)
    compute((scored,), {"m": over(Scored).value(Reward()).across(Mean())})
    assert_type(load("keyfold.toml"), Mapping[str, Pipeline[Any]])
    planned = Planned({"reward": reward})
    assert_type(planned["reward"], Pipeline[Any])
    compute(samples, planned)


def results(report: Report) -> None:
    numbers: Mapping[str, float] = report
    assert_type(report["reward"], float)
    assert_type(report.get("reward"), float | None)
    assert_type(report.outcomes, Mapping[str, Outcome])
    assert_type(report.breakdowns, Mapping[str, Mapping[str, Outcome]])
    assert_type(report.errors, Mapping[str, KeyfoldError])
    outcome = report.outcome("reward")
    assert_type(outcome, Outcome)
    assert_type(outcome.value, float | None)
    assert_type(outcome.used, int)
    assert_type(outcome.keyed_by, Mapping[str, int])
    assert_type(outcome.level_units, tuple[int, ...])
    outcome.value + 1.0  # type: ignore[operator]
    outcome.used = 3  # type: ignore[misc]
    _ = outcome.unit  # type: ignore[attr-defined]
    report["reward"] = 1.0  # type: ignore[index]
    report[0]  # type: ignore[index]
    numbers["reward"] = 1.0  # type: ignore[index]


def explained(samples: list[Sample]) -> None:
    explanation = explain(samples, reward, name="reward")
    assert_type(explanation, Explanation)
    assert_type(explanation.report, Report)
    for unit in explanation.units:
        assert_type(unit, Unit)
        assert_type(unit.label, str)
        assert_type(unit.value, object)
    for skipped in explanation.skipped:
        assert_type(skipped, Skipped)
        assert_type((skipped.position, skipped.reason), tuple[int, str])
    assert_type(declaration_of(reward), list[str])
    explain(samples, {"reward": reward})  # type: ignore[arg-type]
    explain([Scored(1.0)], reward)  # type: ignore[misc]
    explain(samples, chain)  # type: ignore[arg-type]
    declaration_of("mean")  # type: ignore[arg-type]


def families(samples: list[Sample]) -> str | None:
    try:
        compute(samples)
    except DataError as error:
        return error.message
    except (UsageError, KeyfoldError) as error:
        return error.hint
    return None


def mistakes(samples: list[Sample]) -> None:
    # A chain that was not closed, and what is no mapping of names to pipelines.
    compute(samples, {"reward": chain})  # type: ignore[dict-item]
    compute(samples, [reward])  # type: ignore[arg-type]
    compute(samples, reward)  # type: ignore[arg-type]
    compute(samples, {1: reward})  # type: ignore[dict-item]
    compute(samples, {"reward": reward}, "report")  # type: ignore[call-arg]
    compute(samples, on_error="log")  # type: ignore[arg-type]
    no_choice: OnError = "log"  # type: ignore[assignment]
    del no_choice
    # Samples that the pipelines are not of.
    compute([Scored(1.0)], {"reward": reward})  # type: ignore[misc]
    compute([Scored(1.0)], REWARD)  # type: ignore[misc]
    compute(samples[0], REWARD)  # type: ignore[arg-type]
    Planned([reward])  # type: ignore[arg-type]
    load(["keyfold.toml"])  # type: ignore[arg-type]
    reward_pipelines("total")  # type: ignore[call-arg]
    Report([1.0])  # type: ignore[arg-type]
    Outcome(value=1.0)  # type: ignore[call-arg]
    Explanation("reward")  # type: ignore[call-arg]
    Unit(("rollout", 1), "1", 3, 3)  # type: ignore[call-arg]
    Skipped("3", "missing")  # type: ignore[arg-type]
    UsageError()  # type: ignore[call-arg]
