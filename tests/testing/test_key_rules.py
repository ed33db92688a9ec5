"""Each rule of key strategies is broken by a plugin, and found by its check alone."""

from __future__ import annotations

import itertools
import math
import threading
from collections.abc import Sequence
from typing import Any, ClassVar

import attrs
import pytest
from tests.testing.broken import Broken, Rules, Turn, assert_told, caught, names, turns

from keyfold.contracts import KeyColumns
from keyfold.testing import check_key_strategy, key_strategy_checks

RULES = Rules()
# These need classes that another process can import.
ELSEWHERE = {"picklable", "toml_round_trip", "light_import", "hash_seed"}


@RULES.broken("contract", "can't be called with 2 arguments", "write key with")
def without_position() -> Any:
    @attrs.frozen(order=False)
    class Run:
        """Samples of one run."""

        def key(self, sample: Turn) -> tuple[str, int | None]:
            return ("run", sample.run)

    return Run()


@RULES.broken("name", "is called 'By-Run'", "write name: ClassVar[str]")
def misnamed() -> Any:
    @attrs.frozen(order=False)
    class Run:
        """Samples of one run."""

        name: ClassVar[str] = "By-Run"

        def key(self, sample: Turn, position: int, /) -> tuple[str, int | None]:
            return ("run", sample.run)

    return Run()


@RULES.broken("docstring", "the class Run has no docstring", "in one sentence")
def undescribed() -> Any:
    @attrs.frozen(order=False)
    class Run:
        def key(self, sample: Turn, position: int, /) -> tuple[str, int | None]:
            return ("run", sample.run)

    return Run()


@RULES.broken("equal_settings", "is not equal to a copy", "@attrs.frozen")
def equal_to_none() -> Any:
    @attrs.frozen(order=False, eq=False)
    class Run:
        """Samples of one run."""

        def key(self, sample: Turn, position: int, /) -> tuple[str, int | None]:
            return ("run", sample.run)

    return Run()


@RULES.broken("immutable", "lets its setting 'least' be set", "@attrs.frozen")
def settable() -> Any:
    @attrs.define(order=False, unsafe_hash=True)
    class Run:
        """Samples of one run."""

        least: int = 0

        def key(self, sample: Turn, position: int, /) -> tuple[str, int | None]:
            return ("run", sample.run)

    return Run()


@RULES.broken("repr", "which does not say what it is", "let __repr__ name the class")
def unspoken() -> Any:
    @attrs.frozen(order=False, repr=False)
    class Run:
        """Samples of one run."""

        def key(self, sample: Turn, position: int, /) -> tuple[str, int | None]:
            return ("run", sample.run)

    return Run()


@RULES.broken("hashable", "sample 0 has the key ('run', [0])", "strings, numbers and")
def lists() -> Any:
    @attrs.frozen(order=False)
    class Run:
        """Samples of one run."""

        def key(self, sample: Turn, position: int, /) -> Any:
            return ("run", [sample.run])

    return Run()


@RULES.broken("equal_to_itself", "in which nan is not equal to", "where an id is NaN")
def not_a_number() -> Any:
    @attrs.frozen(order=False)
    class Run:
        """Samples of one run."""

        def key(self, sample: Turn, position: int, /) -> tuple[str, float]:
            return ("run", math.nan if sample.run is None else sample.run)

    return Run()


@RULES.broken("deterministic", "when asked again", "nothing but the sample")
def counting() -> Any:
    counter = itertools.count()

    @attrs.frozen(order=False)
    class Run:
        """Each sample by itself."""

        def key(self, sample: Turn, position: int, /) -> tuple[str, int]:
            return ("run", next(counter))

    return Run()


@RULES.broken("independent_of_identity", "as an equal copy", "never id(sample)")
def by_identity() -> Any:
    @attrs.frozen(order=False)
    class Run:
        """Each sample by itself."""

        def key(self, sample: Turn, position: int, /) -> tuple[str, int]:
            return ("run", id(sample))

    return Run()


@RULES.broken("independent_of_order", "when asked from the back", "keep no state")
def by_first_met() -> Any:
    @attrs.frozen(order=False)
    class Run:
        """Samples of one run, by the first of them."""

        met: dict[int | None, int] = attrs.field(
            factory=dict[int | None, int], eq=False, repr=False
        )

        def key(self, sample: Turn, position: int, /) -> tuple[str, int]:
            return ("run", self.met.setdefault(sample.run, position))

    return Run()


@RULES.broken("sample_unchanged", "changes sample 0", "copy what you change")
def noting() -> Any:
    @attrs.frozen(order=False)
    class Run:
        """Samples of one run."""

        def key(self, sample: Turn, position: int, /) -> tuple[str, int | None]:
            sample.notes.append("seen")
            return ("run", sample.run)

    return Run()


@RULES.broken("threads", "in another thread", "local variables")
def by_thread() -> Any:
    @attrs.frozen(order=False)
    class Run:
        """Samples of one run, in one thread."""

        def key(self, sample: Turn, position: int, /) -> tuple[Any, ...]:
            own = threading.current_thread() is threading.main_thread()
            return ("run", sample.run, own)

    return Run()


@RULES.broken(
    "columns_match", "('run', 0), and ('run', 1) by columns", "let columns say"
)
def off_by_one() -> Any:
    @attrs.frozen(order=False)
    class Run:
        """Samples of one run."""

        def key(self, sample: Turn, position: int, /) -> tuple[str, int]:
            return ("run", sample.run or 0)

        def columns(
            self, samples: Sequence[Turn], positions: Sequence[int], /
        ) -> KeyColumns:
            runs = [(sample.run or 0) + 1 for sample in samples]
            return KeyColumns((["run"] * len(samples), runs))

    return Run()


@RULES.broken(
    "columns_of_parts", "by columns on 5 of 10 samples", "let columns take any"
)
def from_the_first_position() -> Any:
    @attrs.frozen(order=False)
    class Place:
        """Each sample by itself."""

        def key(self, sample: Turn, position: int, /) -> tuple[str, int]:
            return ("place", position)

        def columns(
            self, samples: Sequence[Turn], positions: Sequence[int], /
        ) -> KeyColumns:
            start = positions[0] if positions else 0
            places = range(start, start + len(samples))
            return KeyColumns((["place"] * len(samples), places))

    return Place()


@RULES.broken("positions_as_given", "where positions count from", "as they are given")
def short_positions() -> Any:
    @attrs.frozen(order=False)
    class Place:
        """Each sample by itself."""

        def key(self, sample: Turn, position: int, /) -> tuple[str, int]:
            return ("place", position)

        def columns(
            self, samples: Sequence[Turn], positions: Sequence[int], /
        ) -> KeyColumns:
            places = [position & 0xFFFF for position in positions]
            return KeyColumns((["place"] * len(samples), places))

    return Place()


@RULES.broken("labels_distinct", "would both be called 'a run'", "a labels method")
def one_label() -> Any:
    @attrs.frozen(order=False)
    class Run:
        """Samples of one run."""

        def key(self, sample: Turn, position: int, /) -> tuple[str, int | None]:
            return ("run", sample.run)

        def labels(self, keys: Sequence[Any], /) -> list[str]:
            return ["a run"] * len(keys)

    return Run()


@RULES.broken("fields_are_enough", "the field 'turn'", "name in `fields` every field")
def undeclared() -> Any:
    @attrs.frozen(order=False)
    class OneTurn:
        """Samples of one turn."""

        fields: ClassVar[tuple[str, ...]] = ("run",)

        def key(self, sample: Turn, position: int, /) -> tuple[Any, ...]:
            return ("turn", sample.run, sample.turn)

    return OneTurn()


@RULES.broken("missing_field_is_told", "silently None", "without a default")
def silent() -> Any:
    @attrs.frozen(order=False)
    class Run:
        """Samples of one run."""

        fields: ClassVar[tuple[str, ...]] = ("run",)

        def key(self, sample: Turn, position: int, /) -> tuple[str, int] | None:
            run = getattr(sample, "run", None)
            return None if run is None else ("run", run)

    return Run()


@RULES.broken("portable", "is a frozenset, expected a string", "strings, numbers")
def sets() -> Any:
    @attrs.frozen(order=False)
    class Run:
        """Samples of one run."""

        def key(self, sample: Turn, position: int, /) -> tuple[Any, ...]:
            return ("run", frozenset({sample.run}))

    return Run()


@pytest.mark.parametrize("case", RULES.cases, ids=str)
def test_a_broken_rule_is_found_by_its_check_alone(case: Broken) -> None:
    found = caught(check_key_strategy, case.make(), turns())
    assert_told(found, case.check, case.message, case.hint)


def test_every_rule_is_broken_somewhere() -> None:
    assert RULES.names() | ELSEWHERE == names(key_strategy_checks())


def test_columns_of_another_length_are_told() -> None:
    @attrs.frozen(order=False)
    class Short:
        """One unit."""

        def key(self, sample: Turn, position: int, /) -> tuple[str]:
            return ("all",)

        def columns(
            self, samples: Sequence[Turn], positions: Sequence[int], /
        ) -> KeyColumns:
            return KeyColumns((["all"],))

    found = caught(check_key_strategy, Short(), turns())
    assert_told(
        found, "columns_match", "column 0 has 1 entries for 10 samples", "one entry"
    )


def test_a_class_in_the_place_of_an_object_is_told() -> None:
    @attrs.frozen(order=False)
    class Run:
        """Samples of one run."""

        def key(self, sample: Turn, position: int, /) -> tuple[str, int | None]:
            return ("run", sample.run)

    found = caught(check_key_strategy, Run, turns())
    assert_told(found, "contract", "is a class", "give an object of it: Run()")
    assert found.subject == "the class Run"


@pytest.mark.parametrize("fields", ["run", ("run", 1), 5])
def test_fields_that_are_no_names_are_told(fields: object) -> None:
    @attrs.frozen(order=False)
    class Run:
        """Samples of one run."""

        def key(self, sample: Turn, position: int, /) -> tuple[str, int | None]:
            return ("run", sample.run)

        @property
        def fields(self) -> Any:
            return fields

    found = caught(check_key_strategy, Run(), turns())
    assert_told(found, "contract", "declares the fields", "ClassVar[tuple[str, ...]]")


def test_a_strategy_for_another_version_of_the_contracts_is_told() -> None:
    @attrs.frozen(order=False)
    class Run:
        """Samples of one run."""

        api_version: ClassVar[int] = 9

        def key(self, sample: Turn, position: int, /) -> tuple[str, int | None]:
            return ("run", sample.run)

    found = caught(check_key_strategy, Run(), turns())
    assert_told(found, "contract", "version 9 of the contracts", "bring the plugin")
