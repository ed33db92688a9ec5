"""Each rule of reducers is broken by a plugin, and found by its check alone."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

import attrs
import pytest
from tests.testing.broken import Broken, Rules, assert_told, caught, names

from keyfold.testing import check_reducer, reducer_checks

RULES = Rules()
ELSEWHERE = {"picklable", "toml_round_trip", "light_import"}
VALUES = [3, 1, 2, 5, 1]


@attrs.frozen(order=False)
class Base:
    """An exact sum of ints."""

    def init(self) -> Any:
        return 0

    def fold(self, state: Any, values: Iterable[Any], /) -> Any:
        return state + sum(values)

    def merge(self, left: Any, right: Any, /) -> Any:
        return left + right

    def finish(self, state: Any, /) -> Any:
        return float(state)


def test_the_base_of_the_broken_ones_is_sound() -> None:
    states = {record.state for record in check_reducer(Base(), VALUES)}
    assert states == {"passed", "skipped"}


@RULES.broken("contract", "has a method 'fold' that can't be called", "write fold with")
def one_argument() -> Any:
    @attrs.frozen(order=False)
    class Total:
        """A sum."""

        def init(self) -> int:
            return 0

        def fold(self, state: int) -> int:
            return state

        def merge(self, left: int, right: int, /) -> int:
            return left + right

        def finish(self, state: int, /) -> float:
            return float(state)

    return Total()


@RULES.broken("name", "is called 'Sum'", "write name: ClassVar[str]")
def misnamed() -> Any:
    @attrs.frozen(order=False)
    class Total(Base):
        """A sum."""

        name: ClassVar[str] = "Sum"

    return Total()


@RULES.broken("docstring", "the class Total has no docstring", "in one sentence")
def undescribed() -> Any:
    @attrs.frozen(order=False)
    class Total(Base):
        pass

    return Total()


@RULES.broken("equal_settings", "is not hashable", "hold tuples in place of lists")
def with_a_list() -> Any:
    @attrs.frozen(order=False)
    class Total(Base):
        """A sum."""

        weights: list[int] = attrs.field(factory=list[int])

    return Total()


@RULES.broken("immutable", "lets its setting 'scale' be set", "@attrs.frozen")
def settable() -> Any:
    @attrs.define(order=False, unsafe_hash=True)
    class Total:
        """A sum."""

        scale: int = 1

        def init(self) -> int:
            return 0

        def fold(self, state: int, values: Iterable[int], /) -> int:
            return state + sum(values)

        def merge(self, left: int, right: int, /) -> int:
            return left + right

        def finish(self, state: int, /) -> float:
            return float(state)

    return Total()


@RULES.broken("repr", "which does not say what it is", "let __repr__ name the class")
def unspoken() -> Any:
    @attrs.frozen(order=False, repr=False)
    class Total(Base):
        """A sum."""

        def __repr__(self) -> str:
            return object.__repr__(self)

    return Total()


@RULES.broken("empty_finish", "has no result for no values (ZeroDivisionError", "None")
def divides() -> Any:
    @attrs.frozen(order=False)
    class Harmonic(Base):
        """One over a sum."""

        def finish(self, state: Any, /) -> Any:
            return 1 / state

    return Harmonic()


@RULES.broken("states_unchanged", "fold changes a state", "return a new state")
def appends() -> Any:
    @attrs.frozen(order=False)
    class Middle(Base):
        """The value in the middle."""

        def init(self) -> Any:
            return []

        def fold(self, state: Any, values: Iterable[Any], /) -> Any:
            state.extend(values)
            state.sort()
            return state

        def merge(self, left: Any, right: Any, /) -> Any:
            return sorted([*left, *right])

        def finish(self, state: Any, /) -> Any:
            return float(state[len(state) // 2]) if state else None

    return Middle()


@RULES.broken("finish_repeatable", "when called again", "depend on the state alone")
def counts_calls() -> Any:
    counter = itertools.count()

    @attrs.frozen(order=False)
    class Total(Base):
        """A sum."""

        def finish(self, state: Any, /) -> Any:
            return state and float(state + next(counter))

    return Total()


@RULES.broken("inputs_unchanged", "fold changes the values", "sorted(values)")
def sorts() -> Any:
    @attrs.frozen(order=False)
    class Total(Base):
        """A sum."""

        def fold(self, state: Any, values: Iterable[Any], /) -> Any:
            if isinstance(values, list):
                values.sort()
            return state + sum(values)

    return Total()


@RULES.broken(
    "any_iterable", "can't fold an iterator (TypeError", "for value in values"
)
def slices() -> Any:
    @attrs.frozen(order=False)
    class Total(Base):
        """A sum."""

        def fold(self, state: Any, values: Any, /) -> Any:
            return state + sum(values[:])

    return Total()


@RULES.broken("state_portable", "can't be written in a partial", "tuples")
def keeps_a_set() -> Any:
    @attrs.frozen(order=False)
    class Kinds(Base):
        """How many values differ."""

        def init(self) -> Any:
            return frozenset[int]()

        def fold(self, state: Any, values: Iterable[Any], /) -> Any:
            return state | set(values)

        def merge(self, left: Any, right: Any, /) -> Any:
            return left | right

        def finish(self, state: Any, /) -> Any:
            return float(len(state))

    return Kinds()


@RULES.broken("idempotent", "and gives 6.0 for 3, 2 times", "take `idempotent` out")
def falsely_idempotent() -> Any:
    @attrs.frozen(order=False)
    class Total(Base):
        """A sum."""

        idempotent: ClassVar[bool] = True

    return Total()


@RULES.broken("init_is_identity", "merge(init(), s) is not the state s", "adds nothing")
def begins_with_one() -> Any:
    @attrs.frozen(order=False)
    class Total(Base):
        """A sum and one."""

        def init(self) -> Any:
            return 1

    return Total()


@RULES.broken(
    "associative", "merge is not associative", "exact.Total", [0.1, 0.2, 0.3, 1e9]
)
def rounds() -> Any:
    @attrs.frozen(order=False)
    class Total(Base):
        """A sum that rounds at each step."""

    return Total()


@RULES.broken("fold_splits", "fold of all is not merge of folds", "let merge do")
def counts_folds() -> Any:
    @attrs.frozen(order=False)
    class Total(Base):
        """A sum, and one for each fold."""

        def fold(self, state: Any, values: Iterable[Any], /) -> Any:
            found = list(values)
            return state + sum(found) + 1 if found else state

    return Total()


@RULES.broken("commutative", "merge is not commutative", "ordered: ClassVar[bool]")
def last() -> Any:
    @attrs.frozen(order=False)
    class Last(Base):
        """The last value."""

        def init(self) -> Any:
            return None

        def fold(self, state: Any, values: Iterable[Any], /) -> Any:
            return [state, *values][-1]

        def merge(self, left: Any, right: Any, /) -> Any:
            return left if right is None else right

        def finish(self, state: Any, /) -> Any:
            return state

    return Last()


@RULES.broken("any_sharding", "gives 12 for all values, and 12.0", "equal states")
def floats_when_merged() -> Any:
    @attrs.frozen(order=False)
    class Total(Base):
        """A sum."""

        def merge(self, left: Any, right: Any, /) -> Any:
            return float(left + right)

        def finish(self, state: Any, /) -> Any:
            return state

    return Total()


@RULES.broken(
    "any_order", "gives 0.0 for the values", "0.0 and -0.0", [-1.0, 0.0, -0.0]
)
def first_of_ties() -> Any:
    @attrs.frozen(order=False)
    class Largest(Base):
        """The largest value."""

        def init(self) -> Any:
            return None

        def fold(self, state: Any, values: Iterable[Any], /) -> Any:
            known = [it for it in (state, *values) if it is not None]
            return max(known, default=None)

        def merge(self, left: Any, right: Any, /) -> Any:
            return self.fold(left, () if right is None else (right,))

        def finish(self, state: Any, /) -> Any:
            return state

    return Largest()


@RULES.broken("reduce_units_match", "by reduce_units", "let reduce_units give")
def counts_units() -> Any:
    @attrs.frozen(order=False)
    class Total(Base):
        """A sum."""

        def reduce_units(
            self, codes: Sequence[int], values: Sequence[Any], units: int, /
        ) -> list[float]:
            return [float(codes.count(unit)) for unit in range(units)]

    return Total()


@RULES.broken("fold_units_match", "has the state 0, and None by fold", "let fold_units")
def empty_states() -> Any:
    @attrs.frozen(order=False)
    class Total(Base):
        """A sum."""

        def fold_units(
            self, codes: Sequence[int], values: Sequence[Any], units: int, /
        ) -> list[Any]:
            sums: list[Any] = [None] * units
            for code, value in zip(codes, values, strict=True):
                sums[code] = (sums[code] or 0) + value
            return sums

    return Total()


@RULES.broken("merge_units_match", "by merge_units", "in the order of the parts")
def by_place() -> Any:
    @attrs.frozen(order=False)
    class Total(Base):
        """A sum."""

        def merge_units(self, parts: Sequence[Any], units: int, /) -> list[Any]:
            sums = [0] * units
            for _codes, states in parts:
                for place, state in enumerate(states):
                    sums[place] += state
            return sums

    return Total()


@RULES.broken("finish_units_match", "by finish_units", "let finish_units give")
def unfinished() -> Any:
    @attrs.frozen(order=False)
    class Total(Base):
        """A sum."""

        def finish_units(self, states: Sequence[Any], /) -> list[Any]:
            return list(states)

    return Total()


@pytest.mark.parametrize("case", RULES.cases, ids=str)
def test_a_broken_rule_is_found_by_its_check_alone(case: Broken) -> None:
    found = caught(check_reducer, case.make(), case.samples or VALUES)
    assert_told(found, case.check, case.message, case.hint)


def test_every_rule_is_broken_somewhere() -> None:
    assert RULES.names() | ELSEWHERE == names(reducer_checks())


def test_an_ordered_reducer_need_not_be_commutative() -> None:
    @attrs.frozen(order=False)
    class Last(Base):
        """The last value."""

        ordered: ClassVar[bool] = True

        def init(self) -> Any:
            return None

        def fold(self, state: Any, values: Iterable[Any], /) -> Any:
            return [state, *values][-1]

        def merge(self, left: Any, right: Any, /) -> Any:
            return left if right is None else right

        def finish(self, state: Any, /) -> Any:
            return state

    records = {it.check: it for it in check_reducer(Last(), VALUES)}
    for check in ("commutative", "any_order"):
        assert records[check].state == "skipped"
        assert records[check].message == "declares itself ordered"


def test_a_flag_that_is_no_bool_is_told() -> None:
    @attrs.frozen(order=False)
    class Total(Base):
        """A sum."""

        ordered: ClassVar[Any] = "yes"

    found = caught(check_reducer, Total(), VALUES)
    assert_told(found, "contract", "has ordered = 'yes'", "ClassVar[bool] = True")


def test_too_few_entries_of_a_fast_path_are_told() -> None:
    @attrs.frozen(order=False)
    class Total(Base):
        """A sum."""

        def reduce_units(
            self, codes: Sequence[int], values: Sequence[Any], units: int, /
        ) -> list[float]:
            return []

    found = caught(check_reducer, Total(), VALUES)
    assert_told(
        found, "reduce_units_match", "0 entries for 2 units", "let reduce_units"
    )
