"""Ranks of torch.distributed, each a process of its own, report the same."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from keyfold import Pipeline, UsageError, compute, over
from keyfold_contrib.collectives.torch_distributed import all_report
from keyfold_strategies import Count, One, Sample

RANKS = range(4)
PROGRAM = Path(__file__).with_name("rank.py")
# A rank gives up by itself before that; this is for one that can't.
LIMIT = 300

Metrics = dict[str, Pipeline[Sample]]
Told = Mapping[str, list[dict[str, Any]]]


def calls_of(shards: list[list[Sample]], metrics: Metrics) -> dict[str, dict[str, Any]]:
    other = {**metrics, "samples": over(Sample).value(One()).across(Count())}
    bad = [*shards]
    bad[2] = [*shards[2], Sample(reward=1j)]
    no_metrics: Any = 3
    usual = {"function": "all_report", "shards": shards, "default_metrics": metrics}
    merging = {**usual, "function": "all_merge", "numbers": [7, 5, 3, 0]}
    one_rank = {**usual, "function": "report_on", "dst": 1}
    return {
        "report": usual,
        "defaults": {**usual, "default_metrics": None},
        "bad sample": {**usual, "shards": bad},
        "broken generators": {**usual, "breaking": [1, 3]},
        "bad metrics": {**usual, "metrics": {0: no_metrics}},
        "other metrics": {**usual, "metrics": {3: other}},
        "group": {**usual, "group": (2, 3)},
        "merge": merging,
        "same shard": {**merging, "numbers": [7, 5, 7, 0]},
        "no partial": {**merging, "numbers": [7, None, 3, 0]},
        "on one": one_rank,
        "on one, bad sample": {**one_rank, "shards": bad},
        "on one of a group": {**one_rank, "group": (2, 3), "dst": 3},
        "on none": {**one_rank, "dst": 4},
        # The ranks have to be in step still, after all that went wrong.
        "report again": usual,
    }


@pytest.fixture(scope="module")
def told(
    tmp_path_factory: pytest.TempPathFactory,
    shards: list[list[Sample]],
    metrics: Metrics,
) -> Told:
    """What each rank says of each call."""
    pytest.importorskip("torch", reason="torch is not installed")
    folder = tmp_path_factory.mktemp("ranks")
    calls = calls_of(shards, metrics)
    given = folder / "calls"
    given.write_bytes(pickle.dumps(list(calls.values())))
    words = [str(len(RANKS)), str(folder / "store"), str(given)]
    ranks = [
        subprocess.Popen(
            [sys.executable, str(PROGRAM), str(rank), *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONHASHSEED": str(rank + 1)},
        )
        for rank in RANKS
    ]
    try:
        printed = [rank.communicate(timeout=LIMIT) for rank in ranks]
    finally:
        for rank in ranks:
            rank.kill()
            rank.communicate()
    for rank, (_, errors) in zip(ranks, printed, strict=True):
        assert rank.returncode == 0, errors
    lines = [[json.loads(it) for it in out.splitlines()] for out, _ in printed]
    return {name: [its[place] for its in lines] for place, name in enumerate(calls)}


def outcomes_of(shards: list[list[Sample]], metrics: Metrics | None) -> str:
    samples = [sample for shard in shards for sample in shard]
    return repr(dict(compute(samples, metrics).outcomes))


@pytest.mark.parametrize("call", ["report", "report again"])
def test_every_rank_reports_what_compute_does_of_all_samples(
    told: Told, call: str, shards: list[list[Sample]], metrics: Metrics
) -> None:
    expected = {"outcomes": outcomes_of(shards, metrics)}
    assert told[call] == [expected] * len(RANKS)


def test_the_default_metrics_are_those_of_compute(
    told: Told, shards: list[list[Sample]]
) -> None:
    expected = {"outcomes": outcomes_of(shards, None)}
    assert told["defaults"] == [expected] * len(RANKS)


def test_every_rank_raises_if_one_has_a_bad_sample(told: Told) -> None:
    *others, last = told["bad sample"]
    failed = others.pop(2)
    assert failed["error"][0] == "SampleError"
    assert failed["message"].startswith("sample at position 3 of shard 2: ")
    for rank in [*others, last]:
        assert rank["error"][0] == "DataError"
        assert rank["message"] == (
            f"rank 2 has no partial of its samples: {failed['message']}"
        )
        assert rank["hint"] == failed["hint"] is not None


def test_an_error_that_is_not_of_keyfold_reaches_every_rank(told: Told) -> None:
    ranks = told["broken generators"]
    for number in (1, 3):
        own = {"error": ["ValueError"], "message": "the generator broke"}
        assert ranks[number] == own
    for number in (0, 2):
        assert ranks[number]["error"][0] == "KeyfoldError"
        assert ranks[number]["message"] == (
            "rank 1 has no partial of its samples: "
            "ValueError('the generator broke') (nor has rank 3)"
        )


def test_every_rank_raises_the_family_of_the_error_of_one(told: Told) -> None:
    first, *others = told["bad metrics"]
    assert "UsageError" in first["error"]
    for rank in others:
        assert rank["error"][0] == "UsageError"
        assert first["message"] in rank["message"]


def test_ranks_of_different_metrics_all_raise(told: Told) -> None:
    ranks = told["other metrics"]
    assert [rank["error"][0] for rank in ranks] == ["MergeError"] * len(RANKS)
    for rank in ranks[:3]:
        assert "the partial of rank 3: " in rank["message"]
        assert "the metric 'samples'" in rank["message"]
        assert rank["hint"] == "give every rank the same pipelines"
    assert "the partial of rank 0: " in ranks[3]["message"]


def test_only_the_ranks_of_a_group_take_part(
    told: Told, shards: list[list[Sample]], metrics: Metrics
) -> None:
    ranks = told["group"]
    for number in (0, 1):
        assert ranks[number]["error"][0] == "UsageError"
        assert f"rank {number}, is not in the process group" in ranks[number]["message"]
    expected = {"outcomes": outcomes_of(shards[2:], metrics)}
    assert ranks[2:] == [expected, expected]


def test_partials_that_a_rank_made_itself_are_merged(
    told: Told, shards: list[list[Sample]], metrics: Metrics
) -> None:
    outcomes = outcomes_of(shards, metrics)
    expected = {"shards": [0, 3, 5, 7], "outcomes": outcomes}
    assert told["merge"] == [expected] * len(RANKS)


def test_every_rank_raises_if_two_have_one_shard(told: Told) -> None:
    for rank in told["same shard"]:
        assert rank["error"][0] == "MergeError"
        assert "shard 7 would be counted twice" in rank["message"]


def test_every_rank_raises_if_one_has_no_partial(told: Told) -> None:
    for rank in told["no partial"]:
        assert rank["error"][0] == "UsageError"
        assert "expected a partial, found None" in rank["message"]


def test_one_rank_alone_can_have_the_report(
    told: Told, shards: list[list[Sample]], metrics: Metrics
) -> None:
    nothing = {"none": True}
    expected = {"outcomes": outcomes_of(shards, metrics)}
    assert told["on one"] == [nothing, expected, nothing, nothing]


def test_the_one_rank_and_the_failing_one_raise(told: Told) -> None:
    ranks = told["on one, bad sample"]
    assert ranks[0] == ranks[3] == {"none": True}
    assert ranks[1]["error"][0] == "DataError"
    assert "rank 2 has no partial of its samples: " in ranks[1]["message"]
    assert ranks[2]["error"][0] == "SampleError"


def test_the_one_rank_is_numbered_as_in_the_job(
    told: Told, shards: list[list[Sample]], metrics: Metrics
) -> None:
    expected = {"outcomes": outcomes_of(shards[2:], metrics)}
    assert told["on one of a group"][2:] == [{"none": True}, expected]


def test_the_one_rank_has_to_be_in_the_group(told: Told) -> None:
    for rank in told["on none"]:
        assert rank["error"][0] == "UsageError"
        assert rank["message"] == "expected dst to be a rank of the group, found 4"
        assert "(0, 1, 2, 3)" in rank["hint"]


def test_without_torch_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(UsageError, match="torch is not installed") as caught:
        all_report([])
    assert caught.value.hint == "pip install 'keyfold[torch]'"


def test_a_torch_that_is_broken_is_not_taken_for_absent(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    (tmp_path / "torch.py").write_text("import no_such_part_of_torch\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    with pytest.raises(ModuleNotFoundError, match="no_such_part_of_torch"):
        all_report([])


def test_without_a_process_group_it_says_what_to_call() -> None:
    pytest.importorskip("torch", reason="torch is not installed")
    distributed = import_module("torch.distributed")
    assert not distributed.is_initialized()
    with pytest.raises(UsageError, match="expected a process group") as caught:
        all_report([])
    assert "init_process_group()" in str(caught.value.hint)


def test_importing_it_imports_no_torch_and_no_ray() -> None:
    show = """
import sys
import keyfold_contrib.collectives.processes
import keyfold_contrib.collectives.ray_tasks
import keyfold_contrib.collectives.torch_distributed
print({"torch", "ray"} & set(sys.modules))
"""
    run = subprocess.run(
        [sys.executable, "-c", show], check=True, capture_output=True, text=True
    )
    assert run.stdout.strip() == "set()"
