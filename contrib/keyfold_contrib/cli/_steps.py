"""From dumps to the samples of each step."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import Any, Final, TypeVar

import attrs

from keyfold import DataError, KeyfoldError
from keyfold.contracts import DumpPart, ReadRequest
from keyfold.errors import ContractError
from keyfold_contrib.cli._checks import check_names, note_absent
from keyfold_contrib.cli._files import Dump, dumps_of
from keyfold_contrib.cli._metrics import Job
from keyfold_contrib.cli._notes import note_bad
from keyfold_contrib.partial_files import Step

__all__ = ["Steps", "in_order", "size_of", "steps_of"]

ThingT = TypeVar("ThingT")

# Below so many bytes a progress bar would only flicker.
_LONG_WORK: Final = 8_000_000
_LINE: Final = "keyfold_line"


@attrs.frozen(order=False)
class _Run:
    """Samples of one step that stand one after the other in one file."""

    dump: Dump
    start: int
    length: int


@attrs.frozen(order=False, eq=False)
class Steps:
    """The samples of some dumps.

    Attributes:
        samples: The samples of each step. Steps with a number come in its order, then
            the others as they came; samples in the order of the files, of which several
            may hold samples of one step.
        bad: The records that were passed over.
    """

    samples: Mapping[Step, Sequence[Any]]
    bad: Sequence[str]
    _runs: Mapping[Step, Sequence[_Run]]
    _request: ReadRequest
    _lines: dict[Path, Sequence[int]] = attrs.field(factory=dict[Path, Sequence[int]])

    def places(self, step: Step, positions: Sequence[int]) -> str:
        """Return where samples stand, such as `a.jsonl:3, 7, b.jsonl:1`.

        The files are read once more for that; where that does not tell the line, the
        file stands alone.
        """
        texts: list[str] = []
        before: Path | None = None
        for position in positions:
            path, line = self._place(step, position)
            if line is None:
                texts += [] if path == before else [str(path)]
            else:
                texts.append(f"{line}" if path == before else f"{path}:{line}")
            before = path
        return ", ".join(texts)

    def located(self, error: DataError, step: Step) -> DataError:
        """Return an error about the samples of a step with the place that it means."""
        position: int | None = getattr(error, "position", None)
        if position is None:
            where = list(dict.fromkeys(str(run.dump.path) for run in self._runs[step]))
        else:
            where = [self.places(step, [position])]
        place = where[0] if len(where) == 1 else f"{where[0]} and {len(where) - 1} more"
        if step is not None:
            place = f"{place}, step {step}"
        return DataError(f"{place}: {error.message}", hint=error.hint)

    def _place(self, step: Step, position: int) -> tuple[Path, int | None]:
        ends = accumulate(run.length for run in self._runs[step])
        run, end = next(
            (run, end)
            for run, end in zip(self._runs[step], ends, strict=True)
            if position < end
        )
        lines = self._lines_of(run.dump)
        number = run.start + run.length - end + position
        return run.dump.path, lines[number] if number < len(lines) else None

    def _lines_of(self, dump: Dump) -> Sequence[int]:
        if dump.path not in self._lines:
            self._lines[dump.path] = _numbers(dump, self._request)
        return self._lines[dump.path]


def steps_of(job: Job, paths: Sequence[str]) -> Steps:
    """Read what a job reads, and put the samples of each step together.

    People are told of the records that were passed over.

    Args:
        job: The metrics, and how files are read for them.
        paths: Files, directories and patterns.

    Raises:
        DataError: A path names no dump, or a file is not what it should be.
        UsageError: The job's mapping does not go with the files, or a reader failed.
    """
    dumps = dumps_of(paths, job.catalog, job.format)
    check_names([dump.path for dump in dumps], job.mapping)
    samples: dict[Step, list[Any]] = {}
    runs: dict[Step, list[_Run]] = {}
    bad: list[str] = []
    request = ReadRequest(fields=job.fields, mapping=job.mapping, skip_bad=job.skip_bad)
    with _progress([dump.path for dump in dumps]) as advance:
        watched = attrs.evolve(request, advance=advance)
        for dump in dumps:
            start = 0
            for part in _parts(dump, watched):
                if part.samples:
                    samples.setdefault(part.step, []).extend(part.samples)
                    run = _Run(dump, start, len(part.samples))
                    runs.setdefault(part.step, []).append(run)
                    start += run.length
                bad += part.bad
    note_absent(job.fields, samples.values())
    note_bad(bad)
    return Steps(in_order(samples), bad, runs, request)


def _parts(dump: Dump, request: ReadRequest) -> Iterator[DumpPart]:
    try:
        yield from dump.reader.read(dump.path, request)
    except KeyfoldError:
        raise
    except Exception as error:
        kind = type(dump.reader)
        raise ContractError(
            f"{dump.path}: the reader {kind.__module__}.{kind.__qualname__} raised "
            f"{type(error).__name__}: {error}",
            hint="a reader says what is wrong with a file by a ReadError",
        ) from error


def in_order(things: Mapping[Step, ThingT]) -> dict[Step, ThingT]:
    """Return the things of some steps: numbered ones in order, others as they came."""
    numbered = sorted(step for step in things if isinstance(step, int))
    others = [step for step in things if not isinstance(step, int)]
    return {step: things[step] for step in (*numbered, *others)}


def _numbers(dump: Dump, request: ReadRequest) -> Sequence[int]:
    # The line of each sample. The same fields are read, so that the same are broken.
    numbered = attrs.evolve(
        request,
        fields=None if request.fields is None else request.fields | {_LINE},
        mapping={**request.mapping, _LINE: "@line"},
    )
    try:
        return [
            getattr(sample, _LINE)
            for part in dump.reader.read(dump.path, numbered)
            for sample in part.samples
        ]
    except (KeyfoldError, AttributeError):
        # The file changed meanwhile, or its reader numbers no records.
        return ()


@contextmanager
def _progress(paths: Sequence[Path]) -> Generator[Callable[[int], None]]:
    size = sum(map(size_of, paths))
    terminal = sys.stdout.isatty() and sys.stderr.isatty()
    if not terminal or size < _LONG_WORK:
        yield _nothing
        return
    # Slow to import, and of no use in a pipe.
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import (  # noqa: PLC0415
        BarColumn,
        DownloadColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    with Progress(
        TextColumn("reading"),
        BarColumn(),
        DownloadColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    ) as bar:
        task = bar.add_task("reading", total=size)
        yield partial(bar.advance, task)


def _nothing(_count: int) -> None:
    """Advance no bar."""


def size_of(path: Path) -> int:
    """Return how many bytes a file has, or 0 where that is not known."""
    try:
        return path.stat().st_size
    except OSError:
        return 0  # The reader says what is wrong with it.
