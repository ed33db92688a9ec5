"""A script with strategies of its own, whose shards are worked on by processes."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import attrs

from keyfold import compute, over
from keyfold_contrib.collectives import processes
from keyfold_strategies import Mean, Reward, Sample


@attrs.frozen
class Named:
    """Samples of one name are a unit; names hash differently in each process."""

    def key(self, sample: Sample, position: int, /) -> str:
        return f"unit {sample.rollout_id}"


def samples_of(folder: str) -> list[Sample]:
    """Make the samples of a shard, and leave word of who did."""
    path = Path(folder)
    (path / str(os.getpid())).write_text(str(hash("unit")), encoding="utf-8")
    start = int(path.name)
    return [
        Sample(rollout_id=place % 7, reward=0.1 * place)
        for place in range(start * 10, start * 20)
    ]


def main() -> None:
    folders = sys.argv[1:]
    metrics = {"m": over(Sample).value(Reward()).within(Named(), Mean()).across(Mean())}
    found = processes.report(folders, metrics, load=samples_of, workers=2)
    together = [sample for folder in folders for sample in samples_of(folder)]
    expected = compute(together, metrics)
    hashes = {
        path.name: path.read_text(encoding="utf-8")
        for folder in folders
        for path in Path(folder).iterdir()
    }
    print(json.dumps([repr(found.outcomes), repr(expected.outcomes), hashes]))


if __name__ == "__main__":
    main()
