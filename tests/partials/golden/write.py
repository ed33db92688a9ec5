"""Writes the partial of schema version 1 that later versions must still read.

    python -m tests.partials.golden.write

It is written once for each schema version, and never again.
"""

from __future__ import annotations

from math import nan
from pathlib import Path

from keyfold import Partial, over, partial
from keyfold_strategies import (
    Adapter,
    AdapterRef,
    AdapterScoped,
    FieldTest,
    FirstOf,
    Group,
    Max,
    Mean,
    Position,
    RawReward,
    Reward,
    Rollout,
    Sample,
    SampleIndex,
    Sum,
)

FILE = Path(__file__).with_name("schema_1.partial")

MATH, CODE = AdapterRef("math", 0), AdapterRef("code", 1)
UNIT = AdapterScoped[Sample](FirstOf(Rollout(), SampleIndex(), Position()))
METRICS = {
    "reward": over(Sample)
    .value(RawReward())
    .within(UNIT, Mean())
    .within(AdapterScoped[Sample](Group()), Mean())
    .by(Adapter())
    .across(Mean()),
    "largest": over(Sample)
    .value(Reward(), nonfinite="skip")
    .where(FieldTest("status", "!=", "aborted"))
    .within(UNIT, Sum())
    .split_by(Adapter())
    .across(Max(), empty=0.0),
}
SAMPLES = [
    # A sum that no float holds: 1e16 + 1 + 0.1.
    Sample(MATH, 0, "r-é", None, 1e16, status="completed"),
    Sample(MATH, 0, "r-é", None, 1.0, status="completed"),
    Sample(MATH, 0, "r-é", None, 0.1, status="completed"),
    Sample(MATH, 0, 7, None, 0.25, status="completed"),
    Sample(MATH, 1, 2**70, None, -0.0, status="aborted"),
    Sample(CODE, 0, None, 7, nan, status="completed"),
    Sample(CODE, 0, None, None, None, status="truncated"),
    Sample(CODE, 1, 7, None, 1, status="completed"),
]


def part() -> Partial:
    """Return the partial that is written."""
    return partial(SAMPLES, METRICS, shard=3)


if __name__ == "__main__":
    FILE.write_bytes(part().to_bytes())
