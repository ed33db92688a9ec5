"""Partials of processes that share nothing: not the hashes, not even the classes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from random import Random

from tests.partials.own_adapters import METRICS, SHARDS, batch
from tests.partials.splitting import Split, series_of

from keyfold import Partial, compute, merge, partial

SCRIPT = Path(__file__).with_name("own_adapters.py")


def written(shard: int, out: Path, seed: int) -> str:
    """Run the script under a hash seed; returns the hash of a text there."""
    done = subprocess.run(
        [sys.executable, str(SCRIPT), str(shard), str(out)],
        env={**os.environ, "PYTHONHASHSEED": str(seed)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_shards_of_processes_with_other_hashes_merge_to_the_whole(
    tmp_path: Path,
) -> None:
    files = [tmp_path / str(shard) for shard in range(SHARDS)]
    hashes = {written(shard, file, seed=shard + 1) for shard, file in enumerate(files)}
    assert len(hashes) == SHARDS
    parts = [Partial.from_bytes(file.read_bytes()) for file in files]
    samples = batch()
    places = {shard: range(len(samples))[shard::SHARDS] for shard in range(SHARDS)}
    expected = series_of(compute(samples, METRICS), METRICS)
    for seed in range(5):
        Random(seed).shuffle(parts)
        report = merge([merge(parts[:2]), merge(parts[2:])]).report()
        found = series_of(report, METRICS, Split(samples, places))
        assert repr(found) == repr(expected)


def test_the_same_samples_are_the_same_bytes_under_every_hash_seed(
    tmp_path: Path,
) -> None:
    out = tmp_path / "part"
    hashes, found = set[str](), set[bytes]()
    for seed in range(4):
        hashes.add(written(1, out, seed))
        found.add(out.read_bytes())
    assert len(hashes) == 4
    assert len(found) == 1


def test_a_class_of_the_main_module_meets_itself_under_its_other_name(
    tmp_path: Path,
) -> None:
    written(0, tmp_path / "part", 1)
    there = Partial.from_bytes((tmp_path / "part").read_bytes())
    here = partial(batch()[1::SHARDS], METRICS, shard=1)
    both = batch()[0::SHARDS] + batch()[1::SHARDS]
    merged = merge([there, here]).report().outcome("m")
    assert (merged.units, merged.value) == (
        compute(both, METRICS).outcome("m").units,
        compute(both, METRICS)["m"],
    )
