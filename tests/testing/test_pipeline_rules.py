"""Each check of pipelines finds the pipeline that breaks its rule."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from typing import Any

import attrs
import pytest
from tests.testing.broken import names

from keyfold import over
from keyfold.testing import CheckFailure, check_pipeline, pipeline_checks
from keyfold_strategies import Group, Max, Mean, Reward, Rollout, Sample
from keyfold_strategies.pipelines import REWARD

REWARDS = over(Sample).value(Reward())


def samples() -> list[Sample]:
    """Eight samples of four rollouts; the rewards in each differ."""
    return [Sample(rollout_id=number % 4, reward=number / 8) for number in range(8)]


@attrs.frozen(order=False)
class Drifting:
    """A value that changes with every report."""

    asked: Any = attrs.field(factory=itertools.count, eq=False)

    def value(self, sample: Sample, /) -> float:
        """Return how often it was asked before, in tens."""
        return float(next(self.asked) // 16)


@attrs.frozen(order=False)
class KeepsLeft:
    """A reducer that forgets what it merges."""

    def init(self) -> float | None:
        """Return None."""
        return None

    def fold(self, state: float | None, values: Iterable[float], /) -> float | None:
        """Return the largest so far."""
        return max([*values] if state is None else [state, *values], default=None)

    def merge(self, left: float | None, right: float | None, /) -> float | None:
        """Return the left, whatever the right is."""
        return right if left is None else left

    def finish(self, state: float | None, /) -> float | None:
        """Return the state."""
        return state


@attrs.frozen(order=False)
class Latest(KeepsLeft):
    """A reducer of the last value, which does not say that it is ordered."""

    def fold(self, state: float | None, values: Iterable[float], /) -> float | None:
        """Return the last value."""
        return [state, *values][-1]


def open_chain() -> Any:
    return REWARDS.within(Rollout(), Mean())


RULES: dict[str, tuple[Callable[[], Any], str, str]] = {
    "contract": (
        open_chain,
        "expected a Pipeline",
        "end the chain with .across(reducer)",
    ),
    "computes": (
        lambda: REWARDS.within(Group(), Mean()).across(Mean()),
        "can't be computed: sample at position 0: key strategy group does not apply",
        "wrap it in first_of(...)",
    ),
    "planned": (
        lambda: over(Sample).value(Drifting()).across(Max()),
        "once it is Planned",
        "check the pipeline's keys and reducers by themselves",
    ),
    "components": (
        lambda: REWARDS.within(Rollout(), KeepsLeft()).across(Mean()),
        "keeps_left",
        "",
    ),
    "merged_partials": (
        lambda: REWARDS.within(Rollout(), KeepsLeft()).across(Mean()),
        "merged from shards of",
        "check the pipeline's keys and reducers by themselves",
    ),
    "any_order": (
        lambda: REWARDS.within(Rollout(), Latest()).across(Mean()),
        "in another order",
        "check the pipeline's keys and reducers by themselves",
    ),
}


def test_every_check_has_a_pipeline_that_breaks_it() -> None:
    assert RULES.keys() == names(pipeline_checks())


@pytest.mark.parametrize("name", RULES)
def test_a_broken_rule_is_found_by_its_check(name: str) -> None:
    make, message, hint = RULES[name]
    [check] = [check for check in pipeline_checks() if check.name == name]
    with pytest.raises(CheckFailure) as caught:
        check(make(), samples)
    assert caught.value.check == name
    assert message in caught.value.message
    assert caught.value.hint is not None
    assert hint in caught.value.hint


@pytest.mark.parametrize("name", REWARD)
def test_the_default_pipelines_pass(name: str) -> None:
    states = {it.state for it in check_pipeline(REWARD[name], samples)}
    assert states <= {"passed", "skipped"}
