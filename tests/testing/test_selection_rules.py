"""Each rule of selections is broken by a plugin, and found by its check alone."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Sequence
from typing import Any, ClassVar

import attrs
import pytest
from tests.testing.broken import Broken, Rules, Turn, assert_told, caught, names, turns

from keyfold.testing import check_selection, selection_checks

RULES = Rules()
ELSEWHERE = {"picklable", "toml_round_trip", "light_import", "hash_seed"}


@attrs.frozen(order=False)
class Base:
    """The turns of some run."""

    def selects(self, sample: Any, /) -> Any:
        return sample.run is not None


def test_the_base_of_the_broken_ones_is_sound() -> None:
    states = {record.state for record in check_selection(Base(), turns())}
    assert states == {"passed", "skipped"}


@RULES.broken("contract", "can't be called with 1 arguments", "write selects with")
def with_position() -> Any:
    @attrs.frozen(order=False)
    class Some:
        """Some turns."""

        def selects(self, sample: Turn, position: int, /) -> bool:
            return True

    return Some()


@RULES.broken("name", "is called '2nd'", "with small letters first")
def misnamed() -> Any:
    @attrs.frozen(order=False)
    class Some(Base):
        """Some turns."""

        name: ClassVar[str] = "2nd"

    return Some()


@RULES.broken("docstring", "the class Some has no docstring", "in one sentence")
def undescribed() -> Any:
    @attrs.frozen(order=False)
    class Some(Base):
        pass

    return Some()


@RULES.broken("equal_settings", "is not equal to a copy", "@attrs.frozen")
def equal_to_none() -> Any:
    @attrs.frozen(order=False, eq=False)
    class Some(Base):
        """Some turns."""

        def __eq__(self, other: object) -> bool:
            return self is other

        def __hash__(self) -> int:
            return 0

    return Some()


@RULES.broken("immutable", "lets its setting 'least' be set", "@attrs.frozen")
def settable() -> Any:
    @attrs.define(order=False, unsafe_hash=True)
    class Some:
        """Some turns."""

        least: int = 0

        def selects(self, sample: Turn, /) -> bool:
            return sample.turn >= self.least

    return Some()


@RULES.broken("repr", "which does not say what it is", "let __repr__ name the class")
def unspoken() -> Any:
    @attrs.frozen(order=False, repr=False)
    class Some(Base):
        """Some turns."""

        def __repr__(self) -> str:
            return object.__repr__(self)

    return Some()


@RULES.broken("deterministic", "when asked again", "nothing but the sample")
def by_turns() -> Any:
    answers = itertools.cycle([True, True, False])

    @attrs.frozen(order=False)
    class Some(Base):
        """Every third."""

        def selects(self, sample: Any, /) -> Any:
            return next(answers)

    return Some()


@RULES.broken(
    "independent_of_identity",
    "as an equal copy",
    "never id(sample)",
    # So many that it can't be by chance that all copies are selected alike.
    [turn for _ in range(8) for turn in turns()],
)
def by_address() -> Any:
    @attrs.frozen(order=False)
    class Some(Base):
        """Those at every other address."""

        def selects(self, sample: Any, /) -> Any:
            return (id(sample) >> 4) % 2 == 0

    return Some()


@RULES.broken("independent_of_order", "when asked from the back", "keep no state")
def first_of_a_run() -> Any:
    @attrs.frozen(order=False)
    class Some(Base):
        """The first turn of each run that is met."""

        met: dict[int | None, int] = attrs.field(
            factory=dict[int | None, int], eq=False, repr=False
        )

        def selects(self, sample: Any, /) -> Any:
            return self.met.setdefault(sample.run, sample.turn) == sample.turn

    return Some()


@RULES.broken("sample_unchanged", "changes sample 0", "copy what you change")
def noting() -> Any:
    @attrs.frozen(order=False)
    class Some(Base):
        """Some turns."""

        def selects(self, sample: Any, /) -> Any:
            sample.notes.append("seen")
            return True

    return Some()


@RULES.broken("threads", "has the answer True, and False in another", "local variables")
def by_thread() -> Any:
    @attrs.frozen(order=False)
    class Some(Base):
        """All turns, in one thread."""

        def selects(self, sample: Any, /) -> Any:
            return threading.current_thread() is threading.main_thread()

    return Some()


@RULES.broken("mask_match", "True, and False by mask", "let mask say of each sample")
def the_other_way_round() -> Any:
    @attrs.frozen(order=False)
    class Some(Base):
        """Some turns."""

        def mask(self, samples: Sequence[Turn], /) -> list[bool]:
            return [sample.run is None for sample in samples]

    return Some()


@RULES.broken("mask_of_parts", "by mask on 1 of 10 samples", "some, one or none")
def all_of_one() -> Any:
    @attrs.frozen(order=False)
    class Some(Base):
        """Some turns."""

        def mask(self, samples: Sequence[Turn], /) -> list[bool] | None:
            if len(samples) == 1:
                return None
            return [sample.run is not None for sample in samples]

    return Some()


@RULES.broken("says_true_or_false", "says 0 of sample 0", "with a comparison")
def numbers() -> Any:
    @attrs.frozen(order=False)
    class Some(Base):
        """All but the first turns."""

        def selects(self, sample: Any, /) -> Any:
            return sample.turn

    return Some()


@RULES.broken("fields_are_enough", "the field 'run'", "name in `fields` every field")
def undeclared() -> Any:
    @attrs.frozen(order=False)
    class Some(Base):
        """Some turns."""

        fields: ClassVar[tuple[str, ...]] = ("turn",)

    return Some()


@RULES.broken("missing_field_is_told", "silently False", "without a default")
def silent() -> Any:
    @attrs.frozen(order=False)
    class Some(Base):
        """Some turns."""

        fields: ClassVar[tuple[str, ...]] = ("run",)

        def selects(self, sample: Any, /) -> Any:
            return getattr(sample, "run", None) is not None

    return Some()


@pytest.mark.parametrize("case", RULES.cases, ids=str)
def test_a_broken_rule_is_found_by_its_check_alone(case: Broken) -> None:
    found = caught(check_selection, case.make(), case.samples or turns())
    assert_told(found, case.check, case.message, case.hint)


def test_every_rule_is_broken_somewhere() -> None:
    assert RULES.names() | ELSEWHERE == names(selection_checks())
