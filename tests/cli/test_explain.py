from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

A, B = {"name": "a", "slot": 0}, {"name": "b", "slot": 1}


@pytest.fixture
def dump(jsonl: Any) -> str:
    path: str = jsonl(
        "s.jsonl",
        {"adapter": A, "group_index": 0, "rollout_id": 1, "reward": 0.25},
        {"adapter": A, "group_index": 0, "rollout_id": 1, "reward": 0.75},
        {"adapter": A, "group_index": 0, "rollout_id": 1, "reward": None},
        {"adapter": B, "group_index": 0, "rollout_id": 1, "reward": 1},
        {"adapter": B, "group_index": 0, "index": 4, "reward": {"x": 1}},
    )
    return path


def test_where_a_number_comes_from(run: Any, dump: str) -> None:
    result = run("explain", dump, "--metric", "episode_raw_reward", "--top", 2)
    assert result.stdout == (
        "episode_raw_reward\n"
        "  value raw_reward\n"
        "  mean within adapter_scoped(first_of(rollout, sample_index, position))\n"
        "  mean across all, 0.0 if empty\n"
        "Numbers\n"
        "  episode_raw_reward = 0.75, from 3 of 5 samples in 2 units\n"
        "Units with most samples (2 of 3 units)\n"
        "samples  share  used  value  unit\n"
        "      3  60.0%     2    0.5  a/rollout/0/1\n"
        "      1  20.0%     1      1  b/rollout/0/1\n"
        "Keyed by\n"
        "  rollout: 4 samples\n"
        "  sample_index: 1 sample, at s.jsonl:5\n"
        "Skipped\n"
        "  missing: 1 sample, at s.jsonl:3\n"
        "  rejected: 1 sample, at s.jsonl:5\n"
    )
    assert (result.stderr, result.code) == ("", 0)


def test_all_units(run: Any, dump: str) -> None:
    result = run("explain", dump, "--metric", "episode_raw_reward")
    assert "Units with most samples (all 3 units)" in result.lines
    assert "      1  20.0%     0  absent  b/sample/0/4" in result.lines


def test_a_metric_without_units(run: Any, dump: str) -> None:
    result = run("explain", dump, "--metric", "num_training_samples")
    assert result.stdout == (
        "num_training_samples\n"
        "  value one\n"
        "  count across all\n"
        "Numbers\n"
        "  num_training_samples = 5, from 5 of 5 samples\n"
    )


def test_step_by_step_over_files(run: Any, jsonl: Any) -> None:
    jsonl("d/a.jsonl", *([{"step": 1, "reward": None}] * 4))
    jsonl("d/b.jsonl", {"step": 2, "reward": 1}, *([{"step": 1, "reward": None}] * 3))
    result = run("explain", "d", "--metric", "episode_raw_reward", "--top", 1)
    assert [line for line in result.lines if "episode" in line and "=" not in line] == [
        "episode_raw_reward, step 1",
        "episode_raw_reward, step 2",
    ]
    assert (
        "  missing: 7 samples, at d/a.jsonl:1, 2, 3, 4, d/b.jsonl:2 and 2 more"
        in result.lines
    )


def test_a_selection_and_values_that_are_not_finite(run: Any, here: Path) -> None:
    (here / "k.toml").write_text(
        "[metrics.m]\nvalue = 'reward'\nacross = 'mean'\nnonfinite = 'skip'\n"
        'where = \'field_test("status", "==", "ok")\'\n'
        "levels = [{ key = 'position', reduce = 'mean' }]\n"
    )
    (here / "s.jsonl").write_text(
        '{"reward": 1, "status": "cut"}\n{"reward": NaN, "status": "ok"}\n'
        '{"reward": 2, "status": "ok"}\n'
    )
    result = run("explain", "s.jsonl", "--metric", "m", "--config", "k.toml")
    assert result.lines[-3:] == [
        "Skipped",
        "  not selected: 1 sample, at s.jsonl:1",
        "  not finite: 1 sample, at s.jsonl:2",
    ]


def test_a_breakdown(run: Any, here: Path, dump: str) -> None:
    (here / "k.toml").write_text(
        "[metrics.m]\nvalue = 'reward'\nacross = 'mean'\nby = 'adapter'\n"
    )
    result = run("explain", dump, "--metric", "m", "--config", "k.toml")
    assert result.lines[3:8] == [
        "  also by adapter",
        "Numbers",
        "  m = 0.666667, from 3 of 5 samples",
        "  m/a = 0.5, from 2 of 3 samples",
        "  m/b = 1, from 1 of 2 samples",
    ]


def test_units_whose_labels_clash(
    run: Any, jsonl: Any, here: Path, install: Any
) -> None:
    # Nothing is stored under a label here, so it is no error.
    source = """
        class Task:
            def key(self, sample, position):
                return sample.task

            def labels(self, keys):
                return ["task" for key in keys]
    """
    install("acme", {"keyfold.keys": {"task": "acme:Task"}}, source)
    (here / "k.toml").write_text(
        "[metrics.m]\nvalue = 'reward'\nacross = 'mean'\n"
        "levels = [{ key = 'task', reduce = 'mean' }]\n"
    )
    path = jsonl("s.jsonl", {"reward": 1, "task": 1}, {"reward": 0, "task": "1"})
    result = run("explain", path, "--metric", "m", "--config", "k.toml")
    assert result.code == 0
    assert [line.split()[-1] for line in result.lines[8:10]] == ["1", "'1'"]


def test_broken_records_are_noted(run: Any, here: Path) -> None:
    (here / "s.jsonl").write_text('{"reward": 1}\nbroken\n')
    result = run("explain", "s.jsonl", "--metric", "episode_raw_reward", "--skip-bad")
    assert result.stderr.startswith("keyfold: note: passed over 1 broken record:\n")
    assert result.code == 0


def test_a_selection_that_takes_nothing(run: Any, jsonl: Any, here: Path) -> None:
    (here / "k.toml").write_text(
        "[metrics.m]\nvalue = 'reward'\nacross = 'mean'\n"
        'where = \'field_test("status", "==", "ok")\'\n'
        "levels = [{ key = 'position', reduce = 'mean' }]\n"
    )
    path = jsonl("s.jsonl", {"reward": 1, "status": "cut"})
    result = run("explain", path, "--metric", "m", "--config", "k.toml")
    assert result.lines[5:] == [
        "Numbers",
        "  m = absent, from 0 of 1 sample",
        "Skipped",
        "  not selected: 1 sample, at s.jsonl:1",
    ]


def test_a_selection_that_takes_everything(run: Any, jsonl: Any, here: Path) -> None:
    (here / "k.toml").write_text(
        "[metrics.m]\nvalue = 'reward'\nacross = 'mean'\nwhere = 'all'\n"
    )
    path = jsonl("s.jsonl", {"reward": 1}, {"reward": None})
    result = run("explain", path, "--metric", "m", "--config", "k.toml")
    assert result.lines[-2:] == ["Skipped", "  missing: 1 sample, at s.jsonl:2"]


def test_a_unit_may_have_any_value(
    run: Any, jsonl: Any, here: Path, install: Any
) -> None:
    source = """
        class Pairs:
            def init(self):
                return ()
            def fold(self, state, values):
                return (*state, *values)
            def merge(self, left, right):
                return left + right
            def finish(self, state):
                return state

        class Longest(Pairs):
            def finish(self, state):
                return float(max(map(len, state)))
    """
    reducers = {"pairs": "acme:Pairs", "longest": "acme:Longest"}
    install("acme", {"keyfold.reducers": reducers}, source)
    (here / "k.toml").write_text(
        "[metrics.m]\nvalue = 'reward'\nacross = 'longest'\n"
        "levels = [{ key = 'rollout', reduce = 'pairs' }]\n"
    )
    path = jsonl("s.jsonl", *[{"rollout_id": 1, "reward": 1}] * 2)
    result = run("explain", path, "--metric", "m", "--config", "k.toml")
    assert "      2  100.0%     2  (1.0, 1.0)  None/1" in result.lines
