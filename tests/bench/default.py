"""How long the default pipelines take, as a ratio to a loop written by hand.

    python -m tests.bench.default
    python -m tests.bench.default --sizes 64 1000 --runs 41

Both run in this process, on the same batches, in turn; a row's ratio is the median over
the runs of keyfold's time divided by the loop's. keyfold's time includes its counts.
The loop and the batches come from a folder beside the checkout (`--reference`). What it
costs to import keyfold is measured in fresh processes, against Python alone. Prints
Markdown.
"""

from __future__ import annotations

import argparse
import math
import platform
import random
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import attrs
from tests.bench.measure import REFERENCE, Quartiles, module_from, seconds

import keyfold

SIZES: Final = (64, 1_000, 10_000, 100_000, 1_000_000)
# A run repeats a small batch until it has seen so many samples.
_SAMPLES_A_RUN: Final = 20_000
_IMPORTS: Final = 41


@attrs.frozen
class Row:
    """One line of the table: seconds a batch, and ratios run by run."""

    samples: int
    order: str
    batch: str
    ratio: Quartiles
    keyfold: float
    reference: float

    def __str__(self) -> str:
        ratio = self.ratio
        return (
            f"| {self.samples:,} | {self.order} | {self.batch} "
            f"| {ratio.middle:.2f} | {ratio.low:.2f} to {ratio.high:.2f} "
            f"| {self.keyfold * 1e3:.3g} ms | {self.reference * 1e3:.3g} ms |"
        )


def same(samples: Sequence[Any], reference: Callable[..., Any]) -> None:
    """Raise unless both give the same numbers."""
    ours, theirs = keyfold.compute(samples), reference(samples)
    for name, value in theirs.items():
        if not math.isclose(ours[name], value, rel_tol=1e-12):
            message = f"{name}: keyfold gives {ours[name]!r}, the reference {value!r}"
            raise AssertionError(message)


def compare(
    samples: Sequence[Any], reference: Callable[..., Any], runs: int
) -> tuple[Quartiles, float, float]:
    """Time both in turn, changing who goes first, after a run that is not counted."""
    times = max(1, _SAMPLES_A_RUN // len(samples))
    sides = (lambda: keyfold.compute(samples), lambda: reference(samples))
    taken: tuple[list[float], list[float]] = ([], [])
    for run in range(-1, runs):
        for side in (0, 1) if run % 2 else (1, 0):
            time = seconds(sides[side], times)
            if run >= 0:
                taken[side].append(time)
    ratios = [ours / theirs for ours, theirs in zip(*taken, strict=True)]
    return (
        Quartiles.of(ratios),
        statistics.median(taken[0]),
        statistics.median(taken[1]),
    )


def batches(
    rollouts: Callable[..., list[Any]], size: int
) -> Iterator[tuple[str, list[Any]]]:
    """Make the batches of one size: as planned, with gaps, with a reward a sample."""
    yield "plain", rollouts(size)
    yield "ragged", rollouts(size, ragged=True)
    varied = rollouts(size)
    chance = random.Random(size)
    for sample in varied:
        sample.reward = chance.random()
    yield "varied", varied


def rows(folder: Path, sizes: Sequence[int], runs: int | None) -> Iterator[Row]:
    """Measure batch by batch."""
    reference = module_from(folder / "reference_metric.py").reference
    rollouts = module_from(folder / "workload.py").rollouts
    for size in sizes:
        enough = runs or (31 if size < 100_000 else 15 if size < 1_000_000 else 7)
        for batch, samples in batches(rollouts, size):
            for order in ("trainer's", "shuffled"):
                if order == "shuffled":
                    random.Random(size).shuffle(samples)
                same(samples, reference)
                yield Row(size, order, batch, *compare(samples, reference, enough))


def import_costs() -> tuple[Quartiles, Quartiles]:
    """Measure `import keyfold`, and attrs alone, in seconds over Python alone."""

    def start(code: str) -> float:
        command = [sys.executable, "-c", code]
        return seconds(lambda: subprocess.run(command, check=True), 1)

    start("import keyfold")  # so that its byte code is cached
    taken = [
        (start("import keyfold"), start("import attrs"), start("pass"))
        for _ in range(_IMPORTS)
    ]
    return (
        Quartiles.of([ours - bare for ours, _, bare in taken]),
        Quartiles.of([attrs - bare for _, attrs, bare in taken]),
    )


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description="Compare keyfold with a plain loop.")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--runs", type=int, help="runs a row, two or more")
    parser.add_argument("--reference", type=Path, default=REFERENCE)
    arguments = parser.parse_args()
    if not (arguments.reference / "reference_metric.py").is_file():
        parser.error(f"{arguments.reference} has no reference_metric.py")
    print(f"CPython {platform.python_version()}, keyfold {keyfold.__version__}\n")
    print("| samples | order | batch | ratio | quartiles | keyfold | plain loop |")
    print("| ---: | --- | --- | ---: | ---: | ---: | ---: |")
    for row in rows(arguments.reference, arguments.sizes, arguments.runs):
        print(row, flush=True)
    ours, alone = import_costs()
    print(
        f"\n`import keyfold` takes {ours.middle * 1e3:.0f} ms more than Python alone "
        f"(quartiles {ours.low * 1e3:.0f} to {ours.high * 1e3:.0f} ms), of which attrs "
        f"alone takes {alone.middle * 1e3:.0f} ms."
    )


if __name__ == "__main__":
    main()
