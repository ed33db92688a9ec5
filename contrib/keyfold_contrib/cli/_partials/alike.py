"""Whether partials of several files and steps are of the same metrics."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import attrs

from keyfold import Partial, Pipeline
from keyfold.errors import MergeError
from keyfold.explain import declaration_of
from keyfold_contrib.partial_files import Step

__all__ = ["Part", "check_alike"]


@attrs.frozen(order=False, eq=False)
class Part:
    """One step's partial, and the file that has it."""

    path: Path
    step: Step
    partial: Partial

    @property
    def where(self) -> str:
        """The file and the step."""
        step = "" if self.step is None else f", step {self.step}"
        return f"{self.path}{step}"


def check_alike(first: Part, other: Part) -> None:
    """Refuse partials of different metrics, also of different steps.

    Raises:
        MergeError: Names the files, the steps and the first metric that differs.
    """
    found = _difference(first, other)
    if found is not None:
        raise MergeError(
            found,
            hint="make all partial files with one configuration and the same --metric, "
            "--by and --reward-key",
        )


def _difference(first: Part, other: Part) -> str | None:
    ours, theirs = first.partial.pipelines, other.partial.pipelines
    for name in [*ours, *theirs]:
        if name not in theirs or name not in ours:
            has, lacks = (first, other) if name in ours else (other, first)
            return f"{has.where} has the metric {name!r}, and {lacks.where} has not"
        if not _same(ours[name], theirs[name]):
            mine, other_one = (
                "; ".join(declaration_of(it[name])) for it in (ours, theirs)
            )
            return (
                f"the metric {name!r} differs: {first.where} has {mine!r}, and "
                f"{other.where} has {other_one!r}"
            )
    if list(ours) != list(theirs):
        return (
            f"{first.where} has the metrics in the order {', '.join(ours)}, and "
            f"{other.where} in the order {', '.join(theirs)}"
        )
    return None


def _same(one: Pipeline[Any], other: Pipeline[Any]) -> bool:
    # The empty value by its text: NaN does not equal itself, and 0.0 equals -0.0.
    if repr(one.empty) != repr(other.empty):
        return False
    return attrs.evolve(one, empty=None) == attrs.evolve(other, empty=None)
