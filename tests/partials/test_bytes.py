"""Bytes that are no partial: refused with an error for people, whatever they hold."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.partials.sample_partials import other, small, varied
from tests.partials.sealing import (
    changed,
    paths_of,
    payload_of,
    resealed,
    tree_of,
)

from keyfold import Partial, merge
from keyfold.errors import KeyfoldError, MergeError, PartialFormatError

SMALL, OTHER = small(), other()
SMALL_BYTES, VARIED_BYTES = SMALL.to_bytes(), varied().to_bytes()
HEAD = b"keyfold partial\n"

# Whatever may stand where something else is expected.
STRANGERS: st.SearchStrategy[Any] = st.one_of(
    st.none() | st.booleans() | st.integers(-3, 4),
    st.sampled_from([255, 2**31, 2**62, 2**63, 2**64 - 1, -(2**63)]),
    st.floats(),
    st.sampled_from(["", "a", "x", "reward", "mean", "selected", "field('status')"]),
    st.sampled_from([b"", b"\0", b"\1", b"\0" * 8, b"\xff" * 8, b"\xff" * 2000]),
    st.builds(list[Any]) | st.builds(dict[str, Any]),
    st.sampled_from(
        [
            ["t", [1]],
            ["i", b"\xff" * 9],
            ["i", b"\xff" * 2000],
            ["b", b"x"],
            ["p"],
            ["r", "K", [["name", 1], ["slot", ["p"]]], "text"],
            ["s", 1, [0.1], 0, 0, 0, 0],
            ["s", 1, [], 0, 1, 0, 0],
            ["s", 2, [1e308, 1e290], 3, 0, 0, 0],
            ["s", 2**64 - 1, [0.5], ["i", b"\x7f" * 1000], 0, 0, 0],
            ["a", ["12", None]],
            ["f", b"\0" * 8],
            ["i", 1, b"\0"],
            ["c", ["x"], ["i", 1, b"\0"]],
            ["totals", ["f", b"\0" * 8], ["i", 1, b"\1"], ["i", 1, b""], []],
            ["plain", ["a", [["t", []]]]],
            ["plain", ["a", ["12"]]],
        ]
    ),
)
CHANGES = st.lists(
    st.tuples(
        st.integers(0, 10_000),
        st.sampled_from(["replace", "drop", "double", "insert", "flip", "count"]),
        STRANGERS,
    ),
    min_size=1,
    max_size=4,
)


def reading_fails_well(data: bytes) -> bool:
    """Read and use bytes; whatever fails raises a KeyfoldError, and nothing else."""
    try:
        part = Partial.from_bytes(data)
    except KeyfoldError:
        return True
    assert repr(part)
    for parts in ([part], [part, OTHER], [OTHER, part], [part, SMALL]):
        try:
            merged = merge(parts)
            merged.report()
            Partial.from_bytes(merged.to_bytes())
        except KeyfoldError:
            continue
    return False


def refusal(data: bytes) -> str:
    with pytest.raises(PartialFormatError) as caught:
        Partial.from_bytes(data)
    return caught.value.message


@given(st.binary(max_size=300), st.sampled_from([b"", HEAD, HEAD + b"\1\0"]))
@example(b"", b"")
@settings(deadline=None)
def test_random_bytes_are_refused(data: bytes, head: bytes) -> None:
    assert reading_fails_well(head + data)


@given(st.binary(max_size=300))
@settings(deadline=None)
def test_random_bytes_under_a_digest_that_is_right_are_refused(payload: bytes) -> None:
    assert reading_fails_well(resealed(payload))


def test_a_partial_that_was_cut_short_is_refused_at_every_length() -> None:
    for size in range(len(SMALL_BYTES)):
        message = refusal(SMALL_BYTES[:size])
        if size < len(HEAD):
            assert message == (
                f"expected a partial, found {size} bytes of something else"
            )
        elif size < len(HEAD) + 18:
            assert message == f"the partial ends after {size} bytes"
        else:
            assert "is damaged" in message


def test_a_payload_that_was_cut_short_is_refused_at_every_length() -> None:
    for data in (SMALL_BYTES, VARIED_BYTES):
        payload = payload_of(data)
        for size in range(len(payload)):
            assert "can't be read" in refusal(resealed(payload[:size]))
    assert "can't be read" in refusal(resealed(payload_of(SMALL_BYTES) + b"\0"))


def test_a_single_bit_that_flipped_is_noticed() -> None:
    for place in range(len(SMALL_BYTES) * 8):
        flipped = bytearray(SMALL_BYTES)
        flipped[place // 8] ^= 1 << place % 8
        error = MergeError if place // 8 in (16, 17) else PartialFormatError
        with pytest.raises(error):
            Partial.from_bytes(bytes(flipped))


@pytest.mark.parametrize(
    # Of the large one every seventh bit, which is every bit of a byte by turns.
    ("data", "stride"),
    [(SMALL_BYTES, 1), (VARIED_BYTES, 7)],
)
def test_a_flipped_bit_under_a_digest_that_is_right_breaks_nothing(
    data: bytes, stride: int
) -> None:
    payload = payload_of(data)
    places = range(0, len(payload) * 8, stride)
    refused = 0
    for place in places:
        flipped = bytearray(payload)
        flipped[place // 8] ^= 1 << place % 8
        refused += reading_fails_well(resealed(bytes(flipped)))
    # What is left changed a number, a text or the version: nothing that can be checked.
    assert len(places) // 2 < refused < len(places)


@given(CHANGES, st.booleans())
@settings(max_examples=1500, deadline=None)
def test_a_tree_of_other_parts_breaks_nothing(
    changes: list[tuple[int, str, Any]], fingerprinted: bool
) -> None:
    tree = tree_of(VARIED_BYTES)
    for number, what, stranger in changes:
        paths = list(paths_of(tree))
        if not paths:
            break
        path = paths[number % len(paths)]
        found: Any = tree
        for place in path:
            found = found[place]
        match what:
            case "replace":
                parts = [stranger]
            case "drop":
                parts = []
            case "double":
                parts = [found, found]
            case "insert":
                parts = [stranger, found]
            case "flip" if isinstance(found, bytes) and found:
                bits = bytearray(found)
                bits[number % len(bits)] ^= 1 << number % 8
                parts = [bytes(bits)]
            case "count" if type(found) is int and 0 < found < 1 << 60:
                parts = [found + 1 - number % 3]
            case _:
                parts = [stranger]
        tree = changed(tree, path, parts)
    if fingerprinted and len(tree) > 2:
        # So that what is wrong with the pipelines is met behind the fingerprint.
        pipelines = msgspec.msgpack.encode(tree[2])
        tree = changed(tree, (1,), [blake2b(pipelines, digest_size=16).digest()])
    reading_fails_well(resealed(msgspec.msgpack.encode(tree)))


@pytest.mark.parametrize("data", [None, "keyfold partial\n", 3, [b""]])
def test_what_is_no_bytes_is_refused(data: Any) -> None:
    with pytest.raises(PartialFormatError) as caught:
        Partial.from_bytes(data)
    assert caught.value.message == f"expected the bytes of a partial, found {data!r}"
    assert caught.value.hint == "Partial.to_bytes and `keyfold partial` write partials"


def test_bytes_that_can_change_are_read_as_well() -> None:
    read = Partial.from_bytes(bytearray(SMALL_BYTES))  # type: ignore[arg-type, unused-ignore]
    assert read.report().outcomes == SMALL.report().outcomes


def test_what_was_read_is_written_as_the_same_bytes() -> None:
    for data in (SMALL_BYTES, VARIED_BYTES):
        assert Partial.from_bytes(data).to_bytes() == data
