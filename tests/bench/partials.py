"""What partials take, beside gathering all samples and running a loop over them.

    python -m tests.bench.partials
    python -m tests.bench.partials --samples 10000 --shards 4 --runs 21

A step's samples lie on uneven shards. keyfold makes a partial of each, sends its bytes,
reads and merges them, and reports. By hand, each shard pickles its samples, and one
process reads all of them and runs the loop. Everything runs in this process, in turn;
ratios are medians over the runs. Rollouts are *spread* where samples are dealt to the
shards in turn, so that hardly one is in one shard alone. Prints Markdown.
"""

from __future__ import annotations

import argparse
import pickle
import platform
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tests.bench.measure import REFERENCE, Quartiles, module_from, seconds

import keyfold
from keyfold import Partial, compute, merge, partial


def uneven(samples: Sequence[Any], shards: int) -> list[Sequence[Any]]:
    """Cut samples into shards of one part, two parts, three parts and so on."""
    parts = shards * (shards + 1) // 2
    ends = [
        len(samples) * place * (place + 1) // 2 // parts for place in range(shards + 1)
    ]
    return [samples[ends[place] : ends[place + 1]] for place in range(shards)]


def same(shards: Sequence[Sequence[Any]], samples: Sequence[Any]) -> None:
    """Raise unless the merged partials report what all samples together do."""
    merged = merge(partial(its, shard=rank) for rank, its in enumerate(shards))
    if repr(merged.report().outcomes) != repr(compute(samples).outcomes):
        message = "the merged partials report other numbers"
        raise AssertionError(message)


class Taken:
    """The times of some calls, run by run."""

    def __init__(self) -> None:
        self.times: dict[str, list[float]] = {}

    def time(self, name: str, call: Callable[[], Any]) -> Any:
        """Time a call, and return what it returns."""
        result: list[Any] = []
        self.times.setdefault(name, []).append(
            seconds(lambda: result.append(call()), 1)
        )
        return result[0]

    def ratio(self, one: str, other: str) -> Quartiles:
        """Compare two calls run by run."""
        pairs = zip(self.times[one], self.times[other], strict=True)
        return Quartiles.of([ours / theirs for ours, theirs in pairs])

    def each(self, name: str, of: int) -> Quartiles:
        """Return what a call takes for one of so many, in microseconds."""
        return Quartiles.of([time / of * 1e6 for time in self.times[name]])


def gathered(pickled: Sequence[bytes]) -> list[Any]:
    """Read the samples of all shards."""
    return [sample for data in pickled for sample in pickle.loads(data)]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Compare partials with gathering.")
    parser.add_argument("--samples", type=int, default=100_000)
    parser.add_argument("--shards", type=int, default=8)
    parser.add_argument("--runs", type=int, default=15, help="two or more")
    parser.add_argument("--reference", type=Path, default=REFERENCE)
    arguments = parser.parse_args()
    reference = module_from(arguments.reference / "reference_metric.py").reference
    rollouts = module_from(arguments.reference / "workload.py").rollouts
    samples = rollouts(arguments.samples)
    shards = uneven(samples, arguments.shards)
    same(shards, samples)
    sizes = one_run(Taken(), samples, shards, reference)  # warms up
    taken = Taken()
    for _ in range(arguments.runs):
        one_run(taken, samples, shards, reference)
    print(f"CPython {platform.python_version()}, keyfold {keyfold.__version__}\n")
    print(
        f"{len(samples):,} samples on {len(shards)} uneven shards; {sizes['units']:,} "
        f"units in the partials, {sizes['merged units']:,} when merged\n"
    )
    print("| what | median | quartiles | at most |")
    print("| --- | ---: | ---: | ---: |")
    row("`partial` of all, to `compute`", taken.ratio("partial", "compute"), 1.3)
    row("`merge`, us a unit", taken.each("merge", sizes["units"]), 1.5)
    row("the same, rollouts spread", taken.each("spread", sizes["spread units"]), 1.5)
    row("`to_bytes`, us a unit", taken.each("to_bytes", sizes["units"]))
    row("`from_bytes`, us a unit", taken.each("from_bytes", sizes["units"]))
    row("a shard's work, to pickling its samples", taken.ratio("send", "pickle"))
    row("the rest, to reading them and the loop", taken.ratio("receive", "gather"))
    print("\n| bytes moved | partials | pickled samples |")
    print("| --- | ---: | ---: |")
    moved, pickled = sizes["moved"], sizes["pickled"]
    print(f"| all | {moved:,} | {pickled:,} |")
    print(f"| a unit | {moved / sizes['units']:.1f} | {pickled / sizes['units']:.1f} |")


def one_run(
    taken: Taken,
    samples: Sequence[Any],
    shards: Sequence[Sequence[Any]],
    reference: Callable[..., Any],
) -> dict[str, int]:
    """Time every step once, and return what was counted."""
    taken.time("compute", lambda: compute(samples))
    taken.time("partial", lambda: partial(samples))
    parts = [partial(its, shard=rank) for rank, its in enumerate(shards)]
    sent = taken.time("to_bytes", lambda: [part.to_bytes() for part in parts])
    read = taken.time("from_bytes", lambda: list(map(Partial.from_bytes, sent)))
    merged = taken.time("merge", lambda: merge(read))
    taken.time(
        "send",
        lambda: [
            partial(its, shard=rank).to_bytes() for rank, its in enumerate(shards)
        ],
    )
    taken.time("receive", lambda: merge(map(Partial.from_bytes, sent)).report())
    count = len(shards)
    spread = [partial(samples[rank::count], shard=rank) for rank in range(count)]
    taken.time("spread", lambda: merge(spread))
    pickled = taken.time("pickle", lambda: list(map(pickle.dumps, shards)))
    taken.time("gather", lambda: reference(gathered(pickled)))
    return {
        "units": sum(units_of(part) for part in parts),
        "merged units": units_of(merged),
        "spread units": sum(units_of(part) for part in spread),
        "moved": sum(map(len, sent)),
        "pickled": sum(map(len, pickled)),
    }


def units_of(part: Partial) -> int:
    """Count the units of the default metric."""
    outcome = part.report().outcome("episode_raw_reward")
    return outcome.units + outcome.units_without_value


def row(what: str, measured: Quartiles, limit: float | None = None) -> None:
    """Print one line of the table."""
    print(
        f"| {what} | {measured.middle:.2f} "
        f"| {measured.low:.2f} to {measured.high:.2f} | {limit or ''} |"
    )


if __name__ == "__main__":
    main()
