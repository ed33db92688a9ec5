"""A partial that was written once stays readable, and says what it said."""

from __future__ import annotations

from tests.partials.golden.write import CODE, FILE, MATH, METRICS, part

from keyfold import Partial, merge, partial
from keyfold_strategies import Sample

# How the samples of the file were counted: name, value, and all that was counted.
REPORTED = """\
reward nan 8 8 7 1 0 1 4 0 {'rollout': 6, 'sample_index': 1, 'position': 1} (5, 4)
reward/code nan 3 3 2 1 0 1 2 0 {'rollout': 1, 'sample_index': 1, 'position': 1} ()
reward/math 833333333333333.5 5 5 5 0 0 0 2 0 {'rollout': 5} ()
largest/code 1.0 3 3 1 1 0 1 1 2 {'rollout': 1, 'sample_index': 1, 'position': 1} ()
largest/math 1.0000000000000002e+16 4 4 4 0 0 0 2 0 {'rollout': 4} ()
"""


def reported(found: Partial) -> str:
    return "".join(
        f"{name} {it.value} {it.samples} {it.selected} {it.used} {it.missing} "
        f"{it.rejected} {it.nonfinite} {it.units} {it.units_without_value} "
        f"{dict(it.keyed_by)} {it.level_units}\n"
        for name, it in found.report().outcomes.items()
    )


def test_the_file_says_what_it_said() -> None:
    found = Partial.from_bytes(FILE.read_bytes())
    assert (found.shards, found.samples) == ((3,), 8)
    assert reported(found) == REPORTED


def test_the_same_samples_still_say_the_same() -> None:
    assert reported(part()) == REPORTED


def test_the_file_can_be_read_with_its_pipelines_given() -> None:
    found = Partial.from_bytes(FILE.read_bytes(), pipelines=METRICS)
    assert reported(found) == REPORTED


def test_the_file_merges_with_what_is_made_today() -> None:
    more = [
        # The units are those of the file, whose sums are still known to every digit.
        Sample(MATH, 0, "r-é", None, -1e16, status="completed"),
        Sample(CODE, 1, 7, None, 3, status="completed"),
    ]
    merged = merge([partial(more, METRICS), Partial.from_bytes(FILE.read_bytes())])
    report = merged.report()
    assert report["reward/math"] == ((1.0 + 0.1) / 4 / 2 + 0.25 / 2 + 0.0) / 2
    assert report["largest/math"] == 1.0 + 0.1
    assert report["largest/code"] == 4.0
    assert report.outcome("largest/math").units == 2
