"""Partials that somebody made to do harm, under a digest that is right."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.partials.forging import (
    KEY_COLUMN,
    KEYED_BY,
    STATES,
    TREE,
    Changes,
    forged,
    refusal,
    spec,
)
from tests.partials.sample_partials import small

from keyfold import Partial, merge
from keyfold.errors import PortabilityError

SAMPLES, ROWS = (4,), (5, 0, 0)


def test_the_forger_knows_the_format() -> None:
    assert forged() == small().to_bytes()
    assert TREE[2] == [spec()]


def test_sizes_that_are_lies_take_no_memory() -> None:
    done = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("hostile_sizes.py"))],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    count, *surprises = done.stdout.splitlines()
    assert int(count) > 1000
    assert surprises == []


def nested(depth: int, form: str) -> bytes:
    """An array of data nested so deep: tuples, or the fields of records."""
    opening, closing = {
        "tuple": (b"\x92\xa1t\x91", b""),
        "record": (b"\x94\xa1r\xa1K\x91\x92\xa1f", b"\xa1t"),
    }[form]
    return b"\x92\xa1a\x91" + opening * depth + b"\x01" + closing * depth


@pytest.mark.parametrize("form", ["tuple", "record"])
@pytest.mark.parametrize("place", [KEY_COLUMN, (*STATES, 1)])
def test_data_that_is_nested_without_end_is_refused(
    form: str, place: tuple[int, ...]
) -> None:
    plain = (
        (STATES, ["plain", None]) if place != KEY_COLUMN else (STATES, TREE[5][0][4][0])
    )
    for depth in (17, 100, 500, 5_000, 100_000):
        message = refusal(forged(plain, (place, msgspec.Raw(nested(depth, form)))))
        assert "nested at most 16 deep" in message or "recursion depth" in message


@pytest.mark.parametrize("form", ["tuple", "record"])
def test_data_that_is_nested_as_deep_as_is_written_is_read(form: str) -> None:
    part = Partial.from_bytes(forged((KEY_COLUMN, msgspec.Raw(nested(16, form)))))
    assert Partial.from_bytes(part.to_bytes()).report()["m"] == 0.5


@pytest.mark.parametrize(
    ("shards", "message"),
    [
        ([], "expected distinct shards in order, found ()"),
        ([1, 0], "expected distinct shards in order, found (1, 0)"),
        ([0, 0], "expected distinct shards in order, found (0, 0)"),
        ([-1], "expected shards below 4194304, found (-1,)"),
        ([1 << 22], "expected shards below 4194304, found (4194304,)"),
    ],
)
def test_shards_that_can_not_be_are_refused(shards: list[int], message: str) -> None:
    assert refusal(forged(((3,), shards))) == message


MISFITS: list[tuple[Changes, str]] = [
    ([((5,), [])], "expected 1 populations, as its pipelines have, found 0"),
    (
        [((5, 0, 1), [None, None])],
        "expected 1 values, as its pipelines have, found 2",
    ),
    ([(SAMPLES, -1)], "expected a count, found -1 samples"),
    ([(SAMPLES, 0)], "expected at most 0 selected samples, found 1"),
    (
        [(ROWS, 0)],
        "expected at most as many units as selected samples, 0, found 1",
    ),
    (
        [(KEY_COLUMN, ["a", ["x", "y"]])],
        "expected 1 entries in a column, found 2",
    ),
    (
        [(KEY_COLUMN, ["f", b"\0" * 9])],
        "expected entries of 8 bytes, found 9 bytes",
    ),
    (
        [(KEY_COLUMN, ["c", ["x"], ["i", 1, b"\1"]])],
        "expected numbers from 0 to 0, found 1 to 1",
    ),
    (
        [(KEY_COLUMN, ["f", b"\0" * 6 + b"\xf8\x7f"])],
        "expected distinct units, found some of them twice",
    ),
    (
        [(KEY_COLUMN, ["a", [["i", b"\1" * 1025]]])],
        "expected an int, found one of 1025 bytes",
    ),
    (
        [((*STATES, 2), ["i", 1, b"\2"])],
        "expected numbers from 0 to 1, found 2 to 2",
    ),
    (
        [
            ((*STATES, 3), ["i", 1, b"\0"]),
            ((*STATES, 4), [["s", 1, [0.5], 0, 0, 0, 0]]),
        ],
        "expected one exact sum a unit, found two",
    ),
    (
        [((*KEYED_BY, 0), ["adapter", "adapter"])],
        (
            "expected counts of ('adapter', 'adapter'), found ('adapter', 'adapter') "
            "and 1"
        ),
    ),
    (
        [((5, 0, 5, 0, 0), ["chosen"])],
        "expected counts of ('selected',), found ('chosen',) and 1",
    ),
]


@pytest.mark.parametrize(("changes", "message"), MISFITS)
def test_parts_that_do_not_fit_together_are_refused(
    changes: Changes, message: str
) -> None:
    assert refusal(forged(*changes)) == message


@pytest.mark.parametrize(
    "total",
    [
        ["s", 1, [0.1, 0.2], 0, 0, 0, 0],
        ["s", 1, [0.0], 0, 0, 0, 0],
        ["s", 0, [0.5], 0, 0, 0, 0],
        ["s", 1, [0.5], 0, 1, 0, 0],
        ["s", 0, [], 1, 0, 0, 0],
        ["s", -1, [], 0, 0, 0, 0],
        ["s", 1, [0.5], "carry", 0, 0, 0],
        ["s", 1, [float("nan")], 0, 0, 0, 0],
        ["s", 1, [float("inf")], 0, 0, 0, 0],
    ],
)
def test_a_sum_that_is_none_is_refused(total: list[Any]) -> None:
    states = ["totals", ["f", b"\0" * 8], ["i", 1, b"\0"], ["i", 1, b"\0"], [total]]
    assert "expected " in refusal(forged((STATES, states)))


@pytest.mark.parametrize("state", [None, "12", 7, 0.5, ["t", [1, 2]], ["b", b"x"]])
def test_states_of_another_kind_are_refused(state: Any) -> None:
    data = forged((STATES, ["plain", ["a", [state]]]))
    assert refusal(data).startswith("expected a state of the reducer mean, found ")


def test_counts_beyond_what_is_read_are_not_written() -> None:
    parts = [
        Partial.from_bytes(forged(((3,), [shard]), (SAMPLES, 1 << 62)))
        for shard in range(2)
    ]
    with pytest.raises(PortabilityError) as caught:
        merge(parts).to_bytes()
    assert caught.value.message == (
        f"the partial can't be written: it is of {1 << 63} samples, expected at most "
        f"{1 << 62}"
    )


def test_a_sum_of_too_many_numbers_is_not_written() -> None:
    count = (1 << 64) - 1
    states = [
        "totals",
        ["f", b"\0" * 8],
        ["i", 1, b"\0"],
        ["i", 1, b"\0"],
        [["s", count, [0.5], 0, 0, 0, 0]],
    ]
    parts = [
        Partial.from_bytes(forged(((3,), [shard]), (STATES, states)))
        for shard in range(2)
    ]
    with pytest.raises(PortabilityError, match="the partial can't be written: "):
        merge(parts).to_bytes()
