"""What somebody who names files and fields most likely did not mean."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import attrs

from keyfold import Report, UsageError
from keyfold_contrib.cli._notes import note
from keyfold_contrib.cli._text import count_of
from keyfold_strategies import Sample

__all__ = ["check_names", "note_absent", "note_unusable"]


def check_names(paths: Sequence[Path], mapping: Mapping[str, str]) -> None:
    """Refuse files that share the name from which a field is read.

    Strangers of two files would share what is read from it.

    Raises:
        UsageError: Two files share their name.
    """
    fields = [field for field, source in mapping.items() if source == "@file"]
    by_name: dict[str, Path] = {}
    for path in paths if fields else ():
        other = by_name.setdefault(path.stem, path)
        if other != path:
            raise UsageError(
                f"{fields[0]!r} is read from the file's name, and {other} and {path} "
                f"share theirs, {path.stem!r}",
                hint="report on them one by one, or give the files names of their own",
            )


def note_absent(fields: Collection[str] | None, steps: Iterable[Sequence[Any]]) -> None:
    """Tell of fields that a metric reads and no sample has: most likely a slip.

    The canonical fields may well be absent, and then count as missing.

    Args:
        fields: What the metrics read; None where one does not say.
        steps: The samples of each step.
    """
    canonical = [field.name for field in attrs.fields(Sample)]
    roots = {field.partition(".")[0] for field in fields or ()}
    steps = list(steps)
    for root in sorted(roots.difference(canonical)):
        found = (getattr(sample, root, None) for some in steps for sample in some)
        if all(value is None for value in found):
            close = get_close_matches(root, canonical, n=1)
            hint = f"; did you mean {close[0]!r}?" if close else ""
            note(f"a metric reads {root!r}, which no sample has{hint}")


def note_unusable(reports: Collection[Report], metrics: Iterable[str]) -> None:
    """Tell of metrics that nothing went into: most likely not what was meant.

    The value that a pipeline declares for that case looks like any other.
    """
    for name in metrics:
        found = [it.outcomes[name] for it in reports if name in it.outcomes]
        missing = sum(outcome.missing for outcome in found)
        rejected = sum(outcome.rejected for outcome in found)
        if any(outcome.used for outcome in found):
            continue
        if rejected:
            note(
                f"{name} used no sample at all: the value of "
                f"{count_of(rejected, 'sample')} is no number; if rewards are "
                "mappings, --reward-key KEY takes one entry of them"
            )
        elif missing:
            note(
                f"{name} used no sample at all: {count_of(missing, 'sample')} without "
                "a value; --field FIELD=SOURCE says where the file has a field"
            )
