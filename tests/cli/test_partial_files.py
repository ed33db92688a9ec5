"""Partial files from Python, and those that somebody else made or broke."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from random import Random
from typing import Any

import attrs
import msgspec
import pytest

from keyfold import KeyfoldError, Partial, load, partial
from keyfold.catalog import default_catalog
from keyfold.errors import (
    MergeError,
    PartialFormatError,
    PortabilityError,
    ReadError,
    UsageError,
)
from keyfold_contrib.partial_files import (
    is_partial_file,
    looks_like_partials,
    read_partials,
    write_partials,
)
from keyfold_strategies import Sample

MAGIC = b"keyfold partial file\n"
PART = partial([Sample(rollout_id=1, reward=0.5)], shard=4)


def made(payload: bytes, *, version: int = 1) -> bytes:
    """A file with a digest that is right, whatever the payload is."""
    digest = blake2b(payload, digest_size=16).digest()
    return MAGIC + version.to_bytes(2, "little") + digest + payload


def message(*entries: object, version: object = "0") -> bytes:
    return made(msgspec.msgpack.encode([version, list(entries)]))


@pytest.fixture
def refused(tmp_path: Path) -> Callable[[bytes], str]:
    """Write some bytes, and return why they are refused."""

    def read(data: bytes) -> str:
        path = tmp_path / "bad.partials"
        path.write_bytes(data)
        with pytest.raises(PartialFormatError) as caught:
            read_partials(path)
        where, _, why = caught.value.message.partition("bad.partials")
        assert Path(where) == tmp_path
        return why

    return read


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a"
    other = partial([Sample(reward=1.0)])
    size = write_partials(path, {7: PART, "final": other, None: PART, "7": other})
    assert path.stat().st_size == size
    assert is_partial_file(path)
    found = read_partials(path)
    assert list(found) == [7, "final", None, "7"]
    for step, part in ((7, PART), ("final", other), (None, PART), ("7", other)):
        assert found[step].to_bytes() == part.to_bytes()


def test_no_step_at_all(tmp_path: Path) -> None:
    write_partials(tmp_path / "a", {})
    assert read_partials(tmp_path / "a") == {}


def test_the_pipelines_and_the_catalog_may_be_given(tmp_path: Path) -> None:
    path = tmp_path / "a"
    pipelines = load({"metrics": {"m": {"value": "reward", "across": "mean"}}})
    write_partials(path, {3: partial([Sample(reward=0.5)], pipelines)})
    [part] = read_partials(path, pipelines=pipelines).values()
    assert part.pipelines == dict(pipelines)
    [part] = read_partials(path, catalog=default_catalog()).values()
    assert part.report() == {"m": 0.5}
    others = load({"metrics": {"m": {"value": "reward", "across": "max"}}})
    with pytest.raises(MergeError, match=r"a, step 3: .* other pipelines"):
        read_partials(path, pipelines=others)


@pytest.mark.parametrize("step", [1 << 64, -(1 << 63) - 1, "\ud800"])
def test_a_step_that_can_not_be_written(tmp_path: Path, step: Any) -> None:
    with pytest.raises(PortabilityError, match=r"step .* can't be written"):
        write_partials(tmp_path / "a", {0: PART, step: PART})
    assert list(tmp_path.iterdir()) == []


def test_a_state_that_can_not_be_written_names_the_step(tmp_path: Path) -> None:
    class Odd:
        def init(self) -> object:
            return 1j

        def fold(self, state: object, values: object, /) -> object:
            return state

        def merge(self, left: object, right: object, /) -> object:
            return left

        def finish(self, state: object, /) -> float:
            return 0.0

    [reward] = load({"metrics": {"m": {"value": "reward", "across": "mean"}}}).values()
    odd = partial([Sample(reward=1.0)], {"m": attrs.evolve(reward, across=Odd())})
    with pytest.raises(PortabilityError, match="step 2: a state of the reducer"):
        write_partials(tmp_path / "a", {1: PART, 2: odd})
    assert list(tmp_path.iterdir()) == []


def test_nothing_but_a_partial_file_is_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "notes"
    path.write_text("notes")
    with pytest.raises(UsageError, match="no partial file"):
        write_partials(path, {0: PART})
    assert path.read_text() == "notes"
    path.write_bytes(PART.to_bytes())
    write_partials(path, {0: PART})
    assert list(read_partials(path)) == [0]


def test_bytes_of_one_partial_are_a_step_without_a_name(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(PART.to_bytes())
    assert is_partial_file(path)
    assert list(read_partials(path)) == [None]


def test_a_file_is_known_by_its_first_line() -> None:
    assert looks_like_partials(message())
    for data in (b"", b"{}", MAGIC[:-1], b"keyfold ema\n", b"\n" + MAGIC):
        assert not looks_like_partials(data)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    for read in (is_partial_file, read_partials):
        with pytest.raises(ReadError, match="gone: the file can't be read"):
            read(tmp_path / "gone")


def test_something_else(refused: Any) -> None:
    assert refused(b"{}") == ": this is no partial file: its 2 bytes begin otherwise"
    assert refused(b"") == ": this is no partial file: its 0 bytes begin otherwise"


def test_a_file_that_was_cut_short(refused: Any) -> None:
    data = message([1, PART.to_bytes()])
    for length in range(len(data)):
        why = refused(data[:length])
        if length >= len(MAGIC) + 18:
            assert ": the partial file is damaged: its " in why
        elif length >= len(MAGIC):
            assert why == f": the partial file ends after {length} bytes, in its header"


def test_a_file_in_which_one_bit_changed(refused: Any) -> None:
    data = message([1, PART.to_bytes()])
    for place in range(0, 8 * len(data), 7):
        changed = bytearray(data)
        changed[place // 8] ^= 1 << place % 8
        assert refused(bytes(changed))
    assert "damaged" in refused(data + b"\0")


def test_another_version_of_the_format(refused: Any) -> None:
    why = refused(made(b"", version=2))
    assert why.startswith(": the partial file is of format version 2, and this keyfold")


def test_a_step_twice(refused: Any) -> None:
    data = PART.to_bytes()
    why = refused(message([3, data], ["3", data], [3, data]))
    assert why == ": expected each step once, found step 3 twice"
    why = refused(message([None, data], [None, data]))
    assert why == ": expected each step once, found the step without a name twice"


@pytest.mark.parametrize(
    "data",
    [
        made(b""),
        made(b"\xc1"),
        made(msgspec.msgpack.encode(["0", []]) + b"\0"),
        made(msgspec.msgpack.encode({"version": "0", "entries": []})),
        made(b"\x92\xa1\xff\x90"),
        message(version=None),
        message([1]),
        message([1, b"", 2]),
        message([1.0, b""]),
        message([True, b""]),
        message([[1], b""]),
        message([1, "text"]),
        message([1, None]),
        # Sizes of which nothing is there, and lists in lists without an end.
        made(b"\x92\xa10\xdd\xff\xff\xff\xff"),
        made(b"\x92\xa10\x91\x92\x01\xc6\xff\xff\xff\xff"),
        made(b"\x92\xdb\xff\xff\xff\xff"),
        made(b"\x92\xa10\x91\x92" + b"\x91" * 100_000),
    ],
)
def test_a_message_of_another_shape(refused: Any, data: bytes) -> None:
    assert refused(data).startswith(": the partial file can't be read: ")


def test_a_broken_partial_in_a_sound_file_names_the_step(refused: Any) -> None:
    data = PART.to_bytes()
    assert refused(message([1, data], [5, data[:-1]])).startswith(
        ", step 5: the partial is damaged"
    )
    assert refused(message(["x", b""])).startswith(", step x: expected a partial")
    nested = message([None, message([1, data])])
    assert refused(nested).startswith(", the step without a name: expected a partial")


def test_a_partial_of_another_schema_names_the_step(tmp_path: Path) -> None:
    data = bytearray(PART.to_bytes())
    data[len(b"keyfold partial\n")] += 1
    path = tmp_path / "a"
    path.write_bytes(message([2, bytes(data)]))
    with pytest.raises(MergeError, match="a, step 2: the partial is of schema"):
        read_partials(path)


def test_random_bytes_behind_a_right_digest_do_no_harm(tmp_path: Path) -> None:
    random, path = Random(7), tmp_path / "a"
    payload = msgspec.msgpack.encode(["0", [[1, PART.to_bytes()], ["x", b"y"]]])
    for _ in range(2000):
        changed = bytearray(payload)
        for _ in range(random.randint(1, 4)):
            changed[random.randrange(len(changed))] = random.randrange(256)
        path.write_bytes(made(bytes(changed[: random.randint(0, len(changed))])))
        with pytest.raises(KeyfoldError):
            read_partials(path)


def test_it_is_no_partial_of_itself() -> None:
    with pytest.raises(PartialFormatError):
        Partial.from_bytes(message([1, PART.to_bytes()]))
