"""Wrong arguments are users' errors, and say what is expected."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs
import pytest

from keyfold import KeyfoldError, Pipeline, Planned, UsageError, compute, over
from keyfold.authoring import expression_of, shown
from keyfold.errors import ArgumentError
from keyfold_strategies import (
    AdapterScoped,
    FieldKey,
    FieldTest,
    FieldValue,
    FirstOf,
    Mean,
    Position,
    RawReward,
    Reward,
    Rollout,
    Sample,
)

loose: Any = over(Sample)
any_test: Any = FieldTest
any_key: Any = FieldKey
any_reward: Any = Reward


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: loose.value(Reward(), missing="zeros"),
            (
                "chain: expected missing to be one of 'skip', 'zero', 'nan', 'error', "
                "found 'zeros'\nHint: did you mean 'zero'?"
            ),
        ),
        (
            lambda: loose.value(Reward(), nonfinite=3),
            (
                "chain: expected nonfinite to be one of 'propagate', 'skip', 'error', "
                "found 3"
            ),
        ),
        (
            lambda: Pipeline[Sample](Reward(), Mean(), total=False),
            (
                "pipeline: expected total to be True, as there is no breakdown, "
                "found False"
            ),
        ),
        (
            lambda: loose.value(Reward(), coerce="yes"),
            "chain: expected coerce to be True or False, found 'yes'",
        ),
        (
            lambda: loose.value(Reward()).across(Mean(), empty="0"),
            "pipeline: expected empty to be a number or None, found '0'",
        ),
        (
            lambda: loose.value(Reward()).across(Mean(), empty=True),
            "pipeline: expected empty to be a number or None, found True",
        ),
        (FirstOf, "first_of needs at least one key strategy"),
        (
            lambda: FieldKey("a..b"),
            "expected a field's name or dotted path, found 'a..b'",
        ),
        (lambda: any_key(3), "expected a field's name or dotted path, found 3"),
        (
            lambda: any_test("a", "=<", 1),
            (
                "field_test: expected comparison to be one of '==', '!=', '<', '<=', "
                "'>', '>=', 'in', 'not in', found '=<'\nHint: did you mean '<'?"
            ),
        ),
        (
            lambda: FieldTest("a", "in", "abc"),
            "field_test: expected wanted to be a list for 'in', found 'abc'",
        ),
        (
            lambda: any_reward(key=3),
            "reward: expected key to be a string or None, found 3",
        ),
    ],
)
def test_a_wrong_argument(make: Callable[[], object], message: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        make()
    assert str(caught.value) == message
    assert isinstance(caught.value, KeyfoldError)
    # What attrs and the standard library raise for such a thing.
    assert isinstance(caught.value, ValueError)


def test_a_wrapper_of_what_is_no_strategy() -> None:
    loosely: Any = AdapterScoped
    for wrong, hint in ((Rollout, "\nHint: write Rollout()"), ("rollout", "")):
        with pytest.raises(ArgumentError) as caught:
            loosely(wrong)
        found = shown(wrong)
        assert str(caught.value) == (
            f"adapter_scoped: expected inner to be a key strategy, found {found}{hint}"
        )
    loose_chain: Any = FirstOf
    with pytest.raises(ArgumentError, match="to be a key strategy, found"):
        loose_chain([Rollout(), Position()])


@pytest.mark.parametrize(
    ("pipeline", "message"),
    [
        (
            loose.value(Reward()).within("rollout", Mean()).across(Mean()),
            (
                "metric 'm': expected a key strategy, found 'rollout', which has no "
                "method 'key'\n"
                "Hint: names of plugins stand for them in configurations alone"
            ),
        ),
        (
            loose.value(Reward()).across("mean"),
            (
                "metric 'm': expected a reducer, found 'mean', which has no method "
                "'init'\nHint: names of plugins stand for them in configurations alone"
            ),
        ),
        (
            loose.value(None).across(Mean()),
            "metric 'm': expected a value, found None, which has no method 'value'",
        ),
        (
            loose.value(Reward()).where(Mean()).across(Mean()),
            (
                "metric 'm': expected a selection, found Mean(), which has no method "
                "'selects'"
            ),
        ),
    ],
    ids=["key", "reducer", "value", "selection"],
)
def test_a_part_of_another_kind(pipeline: Pipeline[Sample], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        compute([Sample()], {"m": pipeline})
    assert str(caught.value) == message


def test_a_class_in_the_place_of_an_object() -> None:
    pipeline: Pipeline[Sample] = (
        loose.value(Reward()).within(Rollout, Mean()).across(Mean())
    )
    with pytest.raises(UsageError) as caught:
        compute([Sample()], {"m": pipeline})
    assert str(caught.value) == (
        "metric 'm': expected an object, found the class Rollout\nHint: write Rollout()"
    )


def test_planning_what_is_no_mapping() -> None:
    pipelines: Any = [1]
    with pytest.raises(UsageError, match="expected a mapping of names to pipelines"):
        Planned(pipelines)


@attrs.frozen
class Odd:
    """A component with arguments of every kind."""

    name = "odd"
    text: str
    words: tuple[str, ...] = ()
    limit: float | None = 3
    strict: bool = attrs.field(default=False, kw_only=True)


@pytest.mark.parametrize(
    ("component", "spelt"),
    [
        (Rollout(), "rollout"),
        (
            AdapterScoped[Sample](FirstOf(Rollout(), FieldKey("a.b", 3), Position())),
            'adapter_scoped(first_of(rollout, field("a.b", 3), position))',
        ),
        (FieldTest("s", "in", ["a", None]), 'field_test("s", "in", ["a", None])'),
        (RawReward(), "raw_reward"),
        (FieldValue("naïve"), 'field("naïve")'),
        (Odd("a", limit=None, strict=True), 'odd("a", limit=None, strict=True)'),
        (Odd("a", ("b", "c"), 0.5), 'odd("a", ["b", "c"], 0.5)'),
        (object(), "object"),
    ],
)
def test_a_component_is_spelt_as_a_configuration_would(
    component: object, spelt: str
) -> None:
    assert expression_of(component) == spelt


class Unshown:
    """An object whose text can't be had."""

    def __repr__(self) -> str:
        raise RuntimeError("no")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("short", "'short'"),
        ("x" * 99, f"'{'x' * 56}... (str)"),
        (10**5000, "<int>"),
        (Unshown(), "<Unshown>"),
    ],
    ids=["short", "long", "an int of too many digits", "no repr"],
)
def test_errors_show_values_in_bounds(value: object, text: str) -> None:
    assert shown(value) == text
