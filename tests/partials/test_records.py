"""Records stand for objects: one for all that are equal, in every thread."""

from __future__ import annotations

import copy
import gc
import pickle
from threading import Barrier, Thread
from typing import Any

import pytest

from keyfold._partial.record import Record, record

FIELDS = (("name", "a"), ("slot", 0))


def test_equal_records_are_one_object_with_the_text_of_the_first() -> None:
    first = record("K", FIELDS, "text")
    assert record("K", (("name", "a"), ("slot", 0)), "another") is first
    assert (first.record_text, repr(first)) == ("text", "text")
    others = [
        record("L", FIELDS, "text"),
        record("K", FIELDS[:1], "text"),
        record("K", FIELDS[::-1], "text"),
        record("K", (("name", "a"), ("slot", 1)), "text"),
    ]
    assert len({first, *others}) == 5


def test_fields_are_attributes() -> None:
    found: Any = record("K", (*FIELDS, ("inner", record("I", FIELDS, "i"))), "k")
    assert (found.name, found.slot, found.inner.name) == ("a", 0, "a")
    with pytest.raises(AttributeError) as caught:
        _ = found.rank
    assert str(caught.value) == "a K has no field 'rank'"
    assert (caught.value.name, caught.value.obj) == ("rank", found)
    assert not hasattr(found, "__len__")


def test_a_field_can_not_stand_in_for_a_records_own() -> None:
    found = record("K", (("record_kind", "x"), ("__class__", "y")), "k")
    assert (found.record_kind, type(found)) == ("K", Record)


def test_pickled_and_copied_records_are_the_same_object() -> None:
    inner = record("I", FIELDS, "i")
    found = record("K", (("inner", inner), ("more", (1, inner))), "k")
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(found, protocol)) is found
    assert copy.copy(found) is found
    assert copy.deepcopy([found]) == [found]


def test_a_pickled_record_that_nobody_kept_comes_back_whole() -> None:
    data = pickle.dumps(record("Gone", FIELDS, "text of the gone"))
    gc.collect()
    found = pickle.loads(data)
    assert (found.record_kind, found.record_fields) == ("Gone", FIELDS)
    assert found.record_text == "text of the gone"


def test_threads_that_make_equal_records_get_one_object() -> None:
    threads, rounds, distinct = 8, 200, 10
    together = Barrier(threads)
    made: list[list[Record]] = [[] for _ in range(threads)]

    def make(place: int) -> None:
        together.wait()
        for number in range(rounds):
            # Some are dropped at once, so that others are made as they go.
            record("Dropped", (("number", number % 3),), "d")
            fields = (("number", number % distinct),)
            made[place].append(record("Kept", fields, f"k{place}"))

    running = [Thread(target=make, args=(place,)) for place in range(threads)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    for its in made:
        assert list(map(id, its)) == list(map(id, made[0]))
    assert len(set(made[0])) == distinct
