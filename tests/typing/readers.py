"""Readers, and files of partials."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn, assert_type

import attrs

from keyfold import Partial, Reader
from keyfold.catalog import Catalog
from keyfold.contracts import DumpPart, ReadRequest
from keyfold_contrib.cli import main
from keyfold_contrib.partial_files import (
    Step,
    check_target,
    is_partial_file,
    looks_like_partials,
    read_partials,
    write_partials,
)
from keyfold_contrib.readers import JsonlReader, MilesPtReader

jsonl: Reader = JsonlReader()
miles: Reader = MilesPtReader()
request = ReadRequest(frozenset({"reward"}), {"reward": "info.score"}, skip_bad=True)
assert_type(request.fields, frozenset[str] | None)
assert_type(request.mapping, Mapping[str, str])
part = DumpPart(3, [object()], bad=["a.jsonl:3: no sample"])
assert_type(part.step, int | str | None)
assert_type(part.samples, Sequence[Any])


def read(path: Path, reader: Reader) -> None:
    assert_type(JsonlReader().recognises(path, b"{}"), bool)
    assert_type(MilesPtReader().read(path, request), Iterator[DumpPart])
    for each in reader.read(path, ReadRequest()):
        assert_type(each, DumpPart)
    reader.read(str(path), request)  # type: ignore[arg-type]
    reader.read(path)  # type: ignore[call-arg]
    reader.recognises(path, "{}")  # type: ignore[arg-type]


# A user's own.
@attrs.frozen
class Lines:
    def recognises(self, path: Path, head: bytes, /) -> bool:
        return path.suffix == ".txt"

    def read(self, path: Path, request: ReadRequest, /) -> Iterator[DumpPart]:
        yield DumpPart(None, path.read_text(encoding="utf-8").splitlines())


@attrs.frozen
class Whole:
    """Gives samples instead of parts."""

    def recognises(self, path: Path, head: bytes, /) -> bool:
        return True

    def read(self, path: Path, request: ReadRequest, /) -> list[object]:
        return []


lines: Reader = Lines()
whole: Reader = Whole()  # type: ignore[assignment]
ReadRequest(fields={"reward"})  # type: ignore[arg-type]
ReadRequest(advance=print)
ReadRequest(advance=3)  # type: ignore[arg-type]
DumpPart(1.5, [])  # type: ignore[arg-type]
part.step = 4  # type: ignore[misc]
JsonlReader("reward")  # type: ignore[call-arg]
MilesPtReader().read(request)  # type: ignore[call-arg, arg-type]


step: Step = "eval_3"
no_step: Step = 1.5  # type: ignore[assignment]


def partial_files(path: Path, partial: Partial, catalog: Catalog) -> None:
    assert_type(write_partials(path, {step: partial, None: partial}), int)
    assert_type(read_partials(path, catalog=catalog), dict[Step, Partial])
    assert_type(is_partial_file(path), bool)
    assert_type(looks_like_partials(b"keyfold"), bool)
    check_target(path)
    write_partials(path, [partial])  # type: ignore[arg-type]
    write_partials(path, {1: partial.to_bytes()})  # type: ignore[dict-item]
    read_partials(path, catalog)  # type: ignore[call-arg, arg-type]
    is_partial_file(b"keyfold")  # type: ignore[arg-type]
    looks_like_partials(path)  # type: ignore[arg-type]
    check_target("a.partials")  # type: ignore[arg-type]


def command() -> None:
    assert_type(main(["report"]), NoReturn)


main("report", "--json")  # type: ignore[call-arg]
