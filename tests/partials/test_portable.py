"""Components of keys as plain data, which is equal where they are."""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable
from enum import Enum, IntEnum
from fractions import Fraction
from itertools import product
from math import inf
from typing import Any, NamedTuple

import attrs
import numpy as np
import pytest

from keyfold._partial.portable import portable, portable_column
from keyfold._partial.record import Record, record
from keyfold.contracts import PAD
from keyfold.errors import PortabilityError
from keyfold_strategies import AdapterRef


@dataclasses.dataclass(frozen=True)
class Lora:
    name: str
    slot: int
    loaded: object = dataclasses.field(default=None, compare=False)


@attrs.frozen
class Nested:
    """An adapter within another, and what is no part of its identity."""

    inner: Lora
    tags: tuple[str, ...] = ()
    cache: Any = attrs.field(default=None, eq=False)

    def __str__(self) -> str:
        return f"nested {self.inner.name}"


class Pair(NamedTuple):
    name: str
    slot: int


class Color(Enum):
    RED = "r"


class Level(IntEnum):
    LOW = 1


class Word(str):
    """A string that knows more."""

    __slots__ = ()


class Blob(bytes):
    """Bytes that know more."""


@pytest.mark.parametrize(
    "plain", [None, True, 0, -(2**80), "", "é", b"\0", PAD, record("K", (), "k")]
)
def test_plain_data_is_itself(plain: Hashable) -> None:
    assert portable(plain) is plain


@pytest.mark.parametrize(
    ("component", "plain"),
    [
        (np.int64(7), 7),
        (np.uint8(255), 255),
        (np.float64(0.1), 0.1),
        (np.float32(0.1), 0.10000000149011612),
        (0.5, 0.5),
        (inf, inf),
        (Fraction(1, 2), 0.5),
        (np.str_("word"), "word"),
        (Word("word"), "word"),
        (Blob(b"blob"), b"blob"),
        ((1, np.int32(2), (Word("x"), None)), (1, 2, ("x", None))),
    ],
)
def test_numbers_and_texts_become_plain_ones_that_are_equal(
    component: Hashable, plain: Hashable
) -> None:
    found = portable(component)
    assert found == plain == component
    assert repr(found) == repr(plain)
    assert portable(found) == plain


@pytest.mark.parametrize(
    ("component", "kind", "fields", "text"),
    [
        (
            AdapterRef("a", 1),
            "AdapterRef",
            (("name", "a"), ("slot", 1)),
            "AdapterRef(name='a', slot=1)",
        ),
        (
            Lora("a", 1, loaded=object),
            "Lora",
            (("name", "a"), ("slot", 1)),
            f"Lora(name='a', slot=1, loaded={object})",
        ),
        (Pair("a", 1), "Pair", (("name", "a"), ("slot", 1)), "Pair(name='a', slot=1)"),
        (Color.RED, "Color", (("name", "RED"),), "Color.RED"),
        (Level.LOW, "Level", (("name", "LOW"),), "1"),
        (
            Nested(Lora("a", 1), ("x",)),
            "Nested",
            (
                (
                    "inner",
                    record(
                        "Lora",
                        (("name", "a"), ("slot", 1)),
                        "Lora(name='a', slot=1, loaded=None)",
                    ),
                ),
                ("tags", ("x",)),
            ),
            "nested a",
        ),
    ],
)
def test_objects_become_records_of_the_fields_that_make_them_equal(
    component: Hashable, kind: str, fields: Any, text: str
) -> None:
    found = portable(component)
    assert isinstance(found, Record)
    assert (found.record_kind, found.record_fields) == (kind, fields)
    # Records that are equal share the text of the first.
    assert found.record_text == text or isinstance(component, Lora)
    assert portable(component) is found


def test_equal_objects_are_one_record_and_others_are_not() -> None:
    components: list[Hashable] = [
        AdapterRef("a", 0),
        AdapterRef("a", 1),
        Lora("a", 0),
        Lora("a", 0, loaded=1),
        Lora("b", 0),
        Pair("a", 0),
        Nested(Lora("a", 0)),
        Nested(Lora("a", 0, loaded=2), cache=[]),
        Nested(Lora("a", 0), ("x",)),
        Color.RED,
        "a",
        None,
        0,
        0.0,
        False,
        ("a",),
        (Lora("a", 0),),
        (Lora("a", 0, loaded=3),),
    ]
    found = [(it, portable(it)) for it in components]
    for (one, its), (other, others) in product(found, repeat=2):
        assert (its == others) == (one == other)
        assert (hash(its) == hash(others)) or one != other


def test_a_column_of_plain_data_is_not_copied() -> None:
    column = [None, "a", 1, b"x", PAD, True]
    assert portable_column(column) is column


def test_the_objects_of_a_column_are_replaced_in_place() -> None:
    ref = AdapterRef("a", 0)
    column = [ref, "b", AdapterRef("a", 0), None, AdapterRef("c", 0)]
    found = portable_column(column)
    assert list(found) == [portable(it) for it in column]
    assert found[0] is found[2]
    assert portable_column([]) == []


def test_objects_of_different_classes_that_look_alike_are_refused() -> None:
    def made() -> Any:
        @attrs.frozen
        class Local:
            name: str

        return Local("a")

    with pytest.raises(PortabilityError) as caught:
        portable_column([made(), made()])
    name = made.__qualname__ + ".<locals>.Local"
    assert caught.value.message.endswith(
        ", some are equal and look different as plain data, or the other way round"
    )
    assert name.rpartition(".")[2] in caught.value.message
    assert caught.value.hint == "let equal objects have equal fields and one class"


def test_objects_that_are_equal_and_look_different_are_refused() -> None:
    with pytest.raises(PortabilityError) as caught:
        portable_column([Pair("a", 0), ("a", 0)])
    assert caught.value.message == (
        "of the key components [Pair(name='a', slot=0), ('a', 0)], some are equal and "
        "look different as plain data, or the other way round"
    )


def test_what_is_nested_at_the_limit_is_plain_and_deeper_is_refused() -> None:
    nested: Any = 1
    for _ in range(8):
        nested = (nested,)
    assert portable(nested) == nested
    with pytest.raises(PortabilityError) as caught:
        portable((nested,))
    assert caught.value.message == (
        "the key component 1 is nested more than 8 deep, expected a string, a number, "
        "or an object with fields"
    )
