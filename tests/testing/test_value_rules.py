"""Each rule of values is broken by a plugin, and found by its check alone."""

from __future__ import annotations

import itertools
import math
import threading
from collections.abc import Sequence
from typing import Any, ClassVar

import attrs
import pytest
from tests.testing.broken import Broken, Rules, Turn, assert_told, caught, names, turns

from keyfold.contracts import Finite
from keyfold.testing import check_value, value_checks

RULES = Rules()
ELSEWHERE = {"picklable", "toml_round_trip", "light_import", "hash_seed"}


@attrs.frozen(order=False)
class Base:
    """The reward of a turn."""

    def value(self, sample: Any, /) -> Any:
        return sample.reward


def test_the_base_of_the_broken_ones_is_sound() -> None:
    states = {record.state for record in check_value(Base(), turns())}
    assert states == {"passed", "skipped"}


@RULES.broken("contract", "has no method 'value'", "write a method value")
def without_value() -> Any:
    @attrs.frozen(order=False)
    class Worth:
        """Nothing."""

    return Worth()


@RULES.broken("name", "has the name 5, expected a string", "ClassVar[str]")
def numbered() -> Any:
    @attrs.frozen(order=False)
    class Worth(Base):
        """A reward."""

        name: ClassVar[Any] = 5

    return Worth()


@RULES.broken("docstring", "the class Worth has no docstring", "in one sentence")
def undescribed() -> Any:
    @attrs.frozen(order=False)
    class Worth(Base):
        pass

    return Worth()


@RULES.broken("equal_settings", "is equal to a copy whose hash is another", "frozen")
def hashed_by_identity() -> Any:
    @attrs.frozen(order=False, eq=False)
    class Worth(Base):
        """A reward."""

        def __eq__(self, other: object) -> bool:
            return type(other) is type(self)

        def __hash__(self) -> int:
            return id(self)

    return Worth()


@RULES.broken("immutable", "lets its setting 'scale' be set", "@attrs.frozen")
def settable() -> Any:
    @attrs.define(order=False, unsafe_hash=True)
    class Worth:
        """A reward."""

        scale: float = 1.0

        def value(self, sample: Any, /) -> Any:
            return sample.reward

    return Worth()


@RULES.broken("repr", "which does not say what it is", "let __repr__ name the class")
def unspoken() -> Any:
    @attrs.frozen(order=False, repr=False)
    class Worth(Base):
        """A reward."""

        def __repr__(self) -> str:
            return object.__repr__(self)

    return Worth()


@RULES.broken(
    "deterministic", "has the value 0, and 10 when asked again", "nothing but"
)
def counting() -> Any:
    counter = itertools.count()

    @attrs.frozen(order=False)
    class Worth(Base):
        """How many were asked."""

        def value(self, sample: Any, /) -> Any:
            return next(counter)

    return Worth()


@RULES.broken("independent_of_identity", "as an equal copy", "never id(sample)")
def by_identity() -> Any:
    @attrs.frozen(order=False)
    class Worth(Base):
        """An address."""

        def value(self, sample: Any, /) -> Any:
            return id(sample)

    return Worth()


@RULES.broken("independent_of_order", "when asked from the back", "keep no state")
def by_first_met() -> Any:
    @attrs.frozen(order=False)
    class Worth(Base):
        """The reward of a run's first turn."""

        met: dict[int | None, float] = attrs.field(
            factory=dict[int | None, float], eq=False, repr=False
        )

        def value(self, sample: Any, /) -> Any:
            return self.met.setdefault(sample.run, sample.reward)

    return Worth()


@RULES.broken("sample_unchanged", "changes sample 0", "copy what you change")
def noting() -> Any:
    @attrs.frozen(order=False)
    class Worth(Base):
        """A reward."""

        def value(self, sample: Any, /) -> Any:
            sample.notes.append("seen")
            return sample.reward

    return Worth()


@RULES.broken("threads", "in another thread", "local variables")
def by_thread() -> Any:
    @attrs.frozen(order=False)
    class Worth(Base):
        """A reward, in one thread."""

        def value(self, sample: Any, /) -> Any:
            own = threading.current_thread() is threading.main_thread()
            return sample.reward if own else None

    return Worth()


@RULES.broken("bind_gives_value", "bind gives None for sample 9", "a method value")
def bound_to_nothing() -> Any:
    @attrs.frozen(order=False)
    class Worth(Base):
        """A reward, unless the batch begins without a run."""

        def bind(self, first: Any, /) -> Any:
            return None if first.turn == 0 and first.run is None else self

    return Worth()


@RULES.broken("values_match", "has the value 0.0, and 1.0 by values", "let values say")
def off_by_one() -> Any:
    @attrs.frozen(order=False)
    class Worth(Base):
        """A reward."""

        def values(self, samples: Sequence[Turn], /) -> list[float]:
            return [sample.reward + 1 for sample in samples]

    return Worth()


@RULES.broken("values_of_parts", "by values on 1 of 10 samples", "some, one or none")
def wrong_for_one() -> Any:
    @attrs.frozen(order=False)
    class Worth(Base):
        """A reward."""

        def values(self, samples: Sequence[Turn], /) -> Any:
            if len(samples) == 1:
                return [None]
            return [sample.reward for sample in samples]

    return Worth()


@RULES.broken("finite_is_finite", "gives inf for sample 9", "give a plain list")
def falsely_finite() -> Any:
    @attrs.frozen(order=False)
    class Worth(Base):
        """A reward."""

        def value(self, sample: Any, /) -> Any:
            return math.inf if sample.run is None else sample.reward

        def values(self, samples: Sequence[Turn], /) -> Finite:
            return Finite([self.value(sample) for sample in samples])

    return Worth()


@RULES.broken("fields_are_enough", "the field 'reward'", "name in `fields` every field")
def undeclared() -> Any:
    @attrs.frozen(order=False)
    class Worth(Base):
        """A reward."""

        fields: ClassVar[tuple[str, ...]] = ("run",)

    return Worth()


@RULES.broken("missing_field_is_told", "silently 0.0", "without a default")
def silent() -> Any:
    @attrs.frozen(order=False)
    class Worth(Base):
        """A reward."""

        fields: ClassVar[tuple[str, ...]] = ("reward",)

        def value(self, sample: Any, /) -> Any:
            return getattr(sample, "reward", 0.0)

    return Worth()


@pytest.mark.parametrize("case", RULES.cases, ids=str)
def test_a_broken_rule_is_found_by_its_check_alone(case: Broken) -> None:
    found = caught(check_value, case.make(), turns())
    assert_told(found, case.check, case.message, case.hint)


def test_every_rule_is_broken_somewhere() -> None:
    assert RULES.names() | ELSEWHERE == names(value_checks())


def test_the_fast_path_of_what_a_value_binds_to_is_checked() -> None:
    @attrs.frozen(order=False)
    class Doubled(Base):
        """Twice the reward, by its fast path."""

        def values(self, samples: Sequence[Turn], /) -> list[float]:
            return [2 * sample.reward for sample in samples]

    @attrs.frozen(order=False)
    class Bound(Base):
        """A reward."""

        def bind(self, first: Any, /) -> Doubled:
            return Doubled()

    found = caught(check_value, Bound(), turns())
    assert_told(found, "values_match", "0.125, and 0.25 by values", "let values say")


def test_a_missing_field_that_the_error_does_not_name_is_told() -> None:
    @attrs.frozen(order=False)
    class Worth(Base):
        """A reward."""

        fields: ClassVar[tuple[str, ...]] = ("reward",)

        def value(self, sample: Any, /) -> Any:
            if not hasattr(sample, "reward"):
                raise ValueError("no luck")
            return sample.reward

    found = caught(check_value, Worth(), turns())
    assert_told(
        found,
        "missing_field_is_told",
        "without the field 'reward' and does not name it",
        "without a default",
    )
