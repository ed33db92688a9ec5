"""Reads files with one sample, a JSON object, a line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import attrs

from keyfold.contracts import DumpPart, ReadRequest
from keyfold.errors import ReadError
from keyfold_contrib.readers._checks import MisfitError, step_of
from keyfold_contrib.readers._json import line_reader, load_object
from keyfold_contrib.readers._lines import BOM, numbered_lines
from keyfold_contrib.readers._plan import Mapped, Plan, plan_for
from keyfold_contrib.readers._unseen import check_sources, still_unseen

__all__ = ["JsonlReader"]

_SUFFIXES: Final = frozenset({".jsonl", ".ndjson", ".jsonlines"})
_MOST_SAMPLES: Final = 8192
_MOST_BYTES: Final = 1 << 26
_SKIP: Final = "--skip-bad (skip_bad=True) passes over such lines and counts them"


@attrs.frozen(order=False)
class JsonlReader:
    """Reads JSON Lines: one sample a line.

    Fields are read from the top-level key of their own name, unless the request maps
    them elsewhere. Only the keys that are needed are built.
    """

    def recognises(self, path: Path, head: bytes, /) -> bool:
        """Return whether a file holds JSON objects, one a line."""
        if path.suffix.lower() in _SUFFIXES:
            # Even with a broken or no first line: the error is then about that line.
            return b"\0" not in head
        first, end, rest = head.removeprefix(BOM).lstrip().partition(b"\n")
        if not first.startswith(b"{"):
            return False
        if path.suffix.lower() == ".json":
            # One document by convention; it takes a second line to tell otherwise.
            return first.rstrip().endswith(b"}") and rest.lstrip().startswith(b"{")
        return not end or first.rstrip().endswith(b"}")

    def read(self, path: Path, request: ReadRequest, /) -> Iterator[DumpPart]:
        """Yield the file's samples in its order, consecutive ones of a step together.

        Raises:
            ReadError: The file can't be read, or a line is not a sample.
            UsageError: The request's mapping names a source that can't exist.
        """
        plan = plan_for(request.fields, request.mapping)
        return _parts(path, request, plan)


def _parts(path: Path, request: ReadRequest, plan: Plan) -> Iterator[DumpPart]:
    read = line_reader(plan, path.stem)
    unseen: Sequence[Mapped] = plan.mapped
    step: int | str | None = None
    samples: list[Any] = []
    bad: list[str] = []
    size = 0
    any_sample = False
    for number, line in numbered_lines(path, request.advance):
        try:
            sample = read(line, number)
        except MisfitError as error:
            problem = _located(error, path, number, line)
            if not request.skip_bad:
                raise problem from error
            bad.append(problem.message)
            if len(bad) >= _MOST_SAMPLES:
                yield DumpPart(step, samples, bad)
                samples, bad, size = [], [], 0
            continue
        here = step_of(sample.step)
        full = len(samples) >= _MOST_SAMPLES or size >= _MOST_BYTES
        if samples and (full or here != step):
            unseen = still_unseen(unseen, samples)
            yield DumpPart(step, samples, bad)
            samples, bad, size = [], [], 0
        any_sample = True
        step = here
        samples.append(sample)
        size += len(line)
    if not any_sample:
        raise _no_samples(path, bad)
    unseen = still_unseen(unseen, samples)
    yield DumpPart(step, samples, bad)
    if unseen:
        # Rare, so a second look at the file costs less than remembering its keys.
        check_sources(path, unseen, _records(path))


def _located(error: MisfitError, path: Path, number: int, line: bytes) -> ReadError:
    message, hint = error.message, _SKIP
    if error.broken and not line.endswith(b"\n"):
        message += (
            "; it is the last line and has no line end, so the file may still be "
            "being written"
        )
        hint = f"wait until the file is complete; {_SKIP}"
    return ReadError(message, path=path, line=number, column=error.column, hint=hint)


def _no_samples(path: Path, bad: Sequence[str]) -> ReadError:
    if not bad:
        return ReadError(
            "the file holds no samples; expected one JSON object a line", path=path
        )
    return ReadError(
        f"the file holds no samples: every line is broken ({len(bad)} passed over). "
        f"The first: {bad[0]}",
        path=path,
    )


def _records(path: Path) -> Iterator[dict[str, Any]]:
    quiet: Callable[[int], None] = lambda _bytes: None  # noqa: E731
    for _, line in numbered_lines(path, quiet):
        try:
            yield load_object(line)
        except MisfitError:
            continue
