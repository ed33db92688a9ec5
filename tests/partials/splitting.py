"""A batch over shards: how it is split, in what tree it is merged, what is reported."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import attrs

from keyfold import Partial, Pipeline, Report, merge, partial
from keyfold.errors import KeyfoldError
from keyfold.report import Outcome
from keyfold_strategies import Position, Sample

Metrics = Mapping[str, Pipeline[Sample]]
Series = Mapping[str, tuple[Any, ...]]


@attrs.frozen
class Split:
    """A batch over shards.

    Attributes:
        samples: The whole batch.
        places: For each shard, where its samples stand in the batch.
    """

    samples: Sequence[Sample]
    places: Mapping[int, Sequence[int]]

    def shard(self, number: int) -> list[Sample]:
        """Return the samples of a shard."""
        return [self.samples[place] for place in self.places[number]]

    def place(self, label: str) -> str:
        """Return where the sample of a position's label stands in the batch."""
        shard, _, within = label.rpartition(":")
        return str(self.places[int(shard or 0)][int(within)])


def split_of(samples: Sequence[Sample], random: Random) -> Split:
    """Return a split at random, in which shards may have nothing."""
    numbers = random.sample([0, 1, 2, 3, 70_000, (1 << 22) - 1], random.randint(1, 5))
    places: dict[int, list[int]] = {number: [] for number in numbers}
    for place in range(len(samples)):
        places[random.choice(numbers)].append(place)
    return Split(samples, places)


def parts_of(split: Split, metrics: Metrics) -> tuple[list[Partial], set[type]]:
    """Return the partials of the shards, and the classes of errors instead of some."""
    parts: list[Partial] = []
    errors: set[type] = set()
    for number in split.places:
        try:
            parts.append(partial(split.shard(number), metrics, shard=number))
        except KeyfoldError as error:
            errors.add(type(error))
    return parts, errors


def merged_somehow(
    parts: Sequence[Partial], metrics: Metrics, random: Random
) -> Partial:
    """Return all partials merged: in any order, in any tree, some sent as bytes."""

    def sent(part: Partial) -> Partial:
        match random.randrange(4):
            case 0:
                return Partial.from_bytes(part.to_bytes())
            case 1:
                return Partial.from_bytes(part.to_bytes(), pipelines=metrics)
            case _:
                return part

    waiting = [sent(part) for part in parts]
    while len(waiting) > 1:
        random.shuffle(waiting)
        size = random.randint(1, len(waiting))
        waiting = [*waiting[size:], sent(merge(waiting[:size]))]
    return waiting[0]


def series_of(report: Report, metrics: Metrics, split: Split | None = None) -> Series:
    """Return all that a report says, in a form whose text compares to the bit.

    Args:
        report: The report.
        metrics: Its pipelines.
        split: How its batch was split, so that positions are those of the batch.
    """
    found = {name: _told(it) for name, it in report.outcomes.items()}
    for name, entries in report.breakdowns.items():
        if split is not None and metrics[name].by == Position():
            renamed = {split.place(label): it for label, it in entries.items()}
            for label in entries:
                del found[f"{name}/{label}"]
            found |= {f"{name}/{label}": _told(it) for label, it in renamed.items()}
        else:
            renamed = dict(entries)
        found[f"entries of {name}"] = tuple(
            (label, _told(it)) for label, it in sorted(renamed.items())
        )
    return dict(sorted(found.items()))


def _told(outcome: Outcome) -> tuple[Any, ...]:
    fields = attrs.asdict(outcome, recurse=False)
    # Which strategy keyed a sample first says nothing.
    return (*(fields | {"keyed_by": sorted(outcome.keyed_by.items())}).items(),)
