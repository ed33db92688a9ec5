"""Processes of one machine report what one process does, and raise what it raises."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from keyfold import DataError, Pipeline, UsageError, compute
from keyfold.errors import (
    ConfigError,
    ConfigProblem,
    DisagreementError,
    ReadError,
    SampleError,
)
from keyfold_contrib.collectives import processes
from keyfold_strategies import Sample
from keyfold_strategies.pipelines import REWARD

HERE = Path(__file__).parent

Metrics = dict[str, Pipeline[Sample]]


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module of functions that other processes import as well."""
    monkeypatch.setattr(sys, "path", [str(HERE), *sys.path])
    return import_module("shard_files")


def test_shards_of_samples_report_what_compute_does(
    shards: list[list[Sample]], metrics: Metrics
) -> None:
    together = [sample for shard in shards for sample in shard]
    found = processes.report(shards, metrics, workers=2)
    assert repr(found.outcomes) == repr(compute(together, metrics).outcomes)


def test_the_default_metrics_are_those_of_compute(shards: list[list[Sample]]) -> None:
    together = [sample for shard in shards for sample in shard]
    found = processes.report(shards, workers=1)
    assert repr(found.outcomes) == repr(compute(together).outcomes)


def test_the_processes_read_the_shards_themselves(tmp_path: Path, load: Any) -> None:
    rows: list[list[tuple[int, float | None]]]
    rows = [[(0, 0.1), (0, 0.2)], [(1, 0.7)], [(0, 0.6), (2, None)]]
    paths = [tmp_path / f"{number}.jsonl" for number in range(len(rows))]
    for path, its in zip(paths, rows, strict=True):
        lines = (json.dumps({"rollout_id": id_, "reward": it}) for id_, it in its)
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    found = processes.report(paths, REWARD, load=load.rewards_in, workers=2)
    together = [Sample(rollout_id=id_, reward=it) for its in rows for id_, it in its]
    assert repr(found.outcomes) == repr(compute(together, REWARD).outcomes)


def test_a_script_may_bring_its_own_strategies_whatever_the_hash_seeds(
    tmp_path: Path,
) -> None:
    folders = [tmp_path / str(number) for number in range(4)]
    for folder in folders:
        folder.mkdir()
    # Each process then has a seed of its own.
    env = {key: it for key, it in os.environ.items() if key != "PYTHONHASHSEED"}
    run = subprocess.run(
        [sys.executable, HERE / "own_strategy.py", *folders],
        check=True,
        capture_output=True,
        text=True,
        env=env,
    )
    found, expected, hashes = json.loads(run.stdout)
    assert found == expected
    # Those of this script and of one or two that it started.
    assert len(set(hashes.values())) == len(hashes) >= 2


def test_the_error_of_a_sample_names_the_place_and_the_shard() -> None:
    shards = [[Sample(reward=1.0)], [Sample(reward=1.0), Sample(reward=1j)]]
    with pytest.raises(SampleError, match="position 1 of shard 1") as caught:
        processes.report(shards, workers=1)
    error = caught.value
    assert (error.field, error.position, error.shard) == ("reward", 1, 1)
    assert error.hint == "aggregate its real part or its modulus"


def test_of_several_errors_that_of_the_first_shard_is_raised() -> None:
    bad = [Sample(reward=1j)]
    with pytest.raises(SampleError) as caught:
        processes.report([[], bad, bad, bad], workers=2)
    assert caught.value.shard == 1


def test_errors_arrive_with_all_their_attributes(tmp_path: Path, load: Any) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"rollout_id": 0, "reward": 1.0}\n{"rollout_id"\n', "utf-8")
    with pytest.raises(ReadError) as read:
        processes.report([path], REWARD, load=load.rewards_in)
    assert (read.value.path, read.value.line) == (path, 2)
    assert read.value.message.startswith(f"{path}:2")
    with pytest.raises(DisagreementError) as disagreement:
        processes.report([0], REWARD, load=load.disagreeing)
    assert disagreement.value.values == (1.0, "x")
    assert str(disagreement.value) == "shard 0\nHint: agree"
    with pytest.raises(ConfigError) as configuration:
        processes.report([0], REWARD, load=load.misconfigured)
    assert configuration.value.source == "file 0"
    assert configuration.value.problems == (
        ConfigProblem("a.b", expected="one thing", found="another", hint="mend"),
    )


def test_an_error_has_a_note_on_where_it_was_raised(load: Any) -> None:
    with pytest.raises(DataError) as caught:
        processes.report([5], REWARD, load=load.caused)
    [note] = caught.value.__notes__
    assert note.startswith("In another process:\n")
    assert "KeyError: 5" in note
    assert str(caught.value) == "no such shard"


def test_errors_that_are_not_of_keyfold_arrive_too(load: Any) -> None:
    with pytest.raises(ZeroDivisionError, match="in shard 3"):
        processes.report([3], REWARD, load=load.broken)


def test_a_process_that_ends_early_is_an_error_and_no_wait(load: Any) -> None:
    with pytest.raises(UsageError, match="ended before it gave its partial") as caught:
        processes.report([0, 1, 2], REWARD, load=load.ended, workers=1)
    assert "__main__" in str(caught.value.hint)


@pytest.mark.parametrize("kind", ["shard", "pipelines", "load"])
def test_what_cannot_be_sent_is_an_error_that_says_so(kind: str) -> None:
    generator: Any = (sample for sample in [Sample(reward=1.0)])
    same: Callable[[Any], Any] = lambda shard: shard  # noqa: E731
    given: dict[str, Any] = {
        "shards": [[], generator if kind == "shard" else []],
        "pipelines": {"m": lambda: None} if kind == "pipelines" else REWARD,
        "load": same if kind == "load" else None,
    }
    with pytest.raises(UsageError, match="can't be sent to another process") as caught:
        processes.report(**given)
    assert f"shard {1 if kind == 'shard' else 0}" in caught.value.message
    assert "a lambda or a generator" in str(caught.value.hint)


def test_what_a_process_cannot_read_is_an_error_that_says_so(load: Any) -> None:
    with pytest.raises(UsageError, match="can't read what it was sent") as caught:
        processes.report([[load.Unreadable()]], REWARD)
    assert "invalid literal for int()" in caught.value.message


@pytest.mark.parametrize("workers", [0, -1, 1.5, True, "2"])
def test_workers_are_counted(workers: Any) -> None:
    with pytest.raises(UsageError, match="expected workers to be") as caught:
        processes.report([[Sample(reward=1.0)]], workers=workers)
    assert repr(workers) in caught.value.message


def test_there_is_at_least_one_shard() -> None:
    none: list[list[Sample]] = []
    with pytest.raises(UsageError, match="at least one shard, found none"):
        processes.report(none)
