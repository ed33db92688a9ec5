"""Reads the rollout dumps of miles and slime without running anything in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import attrs

from keyfold.contracts import DumpPart, ReadRequest
from keyfold.errors import ReadError
from keyfold_contrib.readers._build import sample_maker
from keyfold_contrib.readers._checks import (
    MisfitError,
    checked,
    shown,
    step_of,
)
from keyfold_contrib.readers._guards import is_dict, is_list
from keyfold_contrib.readers._plan import CANONICAL, Plan, plan_for
from keyfold_contrib.readers._stand_ins import RefusedError
from keyfold_contrib.readers._torch_zip import LEGACY, ZIP, first_member, read_pickle
from keyfold_contrib.readers._unpickle import unpickle
from keyfold_contrib.readers._unseen import check_sources, still_unseen
from keyfold_strategies import Sample

__all__ = ["MilesPtReader"]

_SUFFIXES: Final = frozenset({".pt", ".pth"})
_MOST_SAMPLES: Final = 8192
_TRAIN_KEYS: Final = frozenset({"rollout_data", "dp_shards", "rank"})


@attrs.frozen(order=False)
class MilesPtReader:
    """Reads `torch.save(dict(rollout_id=step, samples=[dict, ...]))`.

    The pickle inside is read as data: only plain types are built, tensors and arrays
    are passed over, and anything else is refused by name. Nothing in it is run.

    The file's `rollout_id` is the training step, a sample's is the rollout. An eval
    dump (`eval_*.pt`) has steps of its own: `eval_3` beside the training step 3.
    """

    def recognises(self, path: Path, head: bytes, /) -> bool:
        """Return whether a file is one that `torch.save` wrote."""
        if head.startswith(ZIP):
            suited = path.suffix.lower() in _SUFFIXES
            return suited or first_member(head).endswith("/data.pkl")
        return head.startswith(LEGACY[:-1])

    def read(self, path: Path, request: ReadRequest, /) -> Iterator[DumpPart]:
        """Yield the file's samples, which are of one step unless that is mapped.

        Raises:
            ReadError: The file is damaged, is no such dump, or its pickle names
                something that is not on the list of plain types.
            UsageError: The request's mapping names a source that can't exist.
        """
        # A sample's dict is whole by now, so every canonical field comes for free.
        plan = plan_for(request.fields, request.mapping, always=CANONICAL)
        return _parts(path, request, plan)


def _parts(path: Path, request: ReadRequest, plan: Plan) -> Iterator[DumpPart]:
    data, size = read_pickle(path)
    try:
        dump = unpickle(data)
    except RefusedError as error:
        raise ReadError(
            f"{error}; nothing in the file was run",
            path=path,
            hint="expected a rollout dump of miles or slime, whose samples are dicts "
            "of plain values",
        ) from error
    del data
    step, records = _opened(path, dump)
    request.advance(size)
    yield from _built(path, request, plan, step, records)


def _opened(path: Path, dump: object) -> tuple[Any, Sequence[Any]]:
    """Return the step and the samples of a dump."""
    if not is_dict(dump):
        raise _misshapen(path, shown(dump))
    if "samples" not in dump:
        keys = ", ".join(repr(key)[:60] for key in list(dump)[:20])
        raise _misshapen(path, f"a dict with the keys {keys}")
    if train := [key for key in dump if key in _TRAIN_KEYS]:
        raise _misshapen(
            path, f"a dump of training data, one for each rank (it has {train[0]!r})"
        )
    records = dump["samples"]
    if not is_list(records):
        raise _misshapen(path, f"`samples` that are {shown(records)}")
    if not records:
        raise ReadError("the file holds no samples", path=path)
    try:
        step = step_of(checked("step", dump.get("rollout_id")))
    except MisfitError:
        found = shown(dump["rollout_id"])
        raise _misshapen(path, f"the step `rollout_id` that is {found}") from None
    if path.stem.startswith("eval_"):
        # It has the number of the training step after which the eval was run.
        step = path.stem if step is None else f"eval_{step}"
    return step, records


def _misshapen(path: Path, found: str) -> ReadError:
    return ReadError(
        f"the file holds {found}; expected a rollout dump: a dict of `rollout_id` (the "
        "step) and `samples` (a list of dicts); nothing in the file was run",
        path=path,
        hint="miles and slime write such dumps with --save-debug-rollout-data or "
        "--dump-details (in its folder rollout_data)",
    )


def _built(
    path: Path, request: ReadRequest, plan: Plan, step: Any, records: Sequence[Any]
) -> Iterator[DumpPart]:
    names = tuple(field.name for field in plan.fields)
    build = sample_maker(plan, path.stem, Sample if names == CANONICAL else None)
    own_step = "step" not in request.mapping
    samples: list[Any] = []
    bad: list[str] = []
    for number, record in enumerate(records, start=1):
        try:
            sample = build(_record(record, step, own_step=own_step), number)
        except MisfitError as error:
            problem = ReadError(
                f"sample {number} of {len(records)}: {error.message}",
                path=path,
                hint="--skip-bad (skip_bad=True) passes over such samples and counts "
                "them",
            )
            if not request.skip_bad:
                raise problem from error
            bad.append(problem.message)
            continue
        samples.append(sample)
    if not samples:
        raise ReadError(
            f"the file holds no samples: all {len(bad)} are broken. The first: "
            f"{bad[0]}",
            path=path,
        )
    if unseen := still_unseen(plan.mapped, samples):
        check_sources(path, unseen, filter(is_dict, records))
    yield from _by_step(samples, bad)


def _record(record: Any, step: Any, *, own_step: bool) -> dict[str, Any]:
    if not is_dict(record):
        raise MisfitError(f"it is {shown(record)}; expected a dict")
    named = {key: value for key, value in record.items() if type(key) is str}
    if own_step:
        named["step"] = step
    return named


def _by_step(samples: Sequence[Any], bad: Sequence[str]) -> Iterator[DumpPart]:
    start = 0
    for end in range(1, len(samples) + 1):
        step = step_of(samples[start].step)
        if (
            end < len(samples)
            and end - start < _MOST_SAMPLES
            and step_of(samples[end].step) == step
        ):
            continue
        yield DumpPart(step, samples[start:end], bad if start == 0 else ())
        start = end
