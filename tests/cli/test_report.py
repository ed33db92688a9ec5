from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

A, B = {"name": "a", "slot": 0}, {"name": "b", "slot": 1}


def _row(**fields: Any) -> dict[str, Any]:
    return {"group_index": 0, "reward": 1.0, **fields}


def _values(result: Any) -> dict[Any, Any]:
    steps = json.loads(result.stdout)["steps"]
    return {
        it["step"]: {name: m["value"] for name, m in it["metrics"].items()}
        for it in steps
    }


def test_a_table_a_metric(run: Any, jsonl: Any) -> None:
    # C001, C003, C004: uneven fan-out, and adapters that number alike.
    rows = [_row(adapter=A, rollout_id=10)] * 3 + [
        _row(adapter=B, rollout_id=10, reward=0.0)
    ]
    result = run("report", jsonl("s.jsonl", *rows))
    assert result.stdout == (
        "num_training_samples\n"
        "  value one; count across all\n"
        "value  samples  used  missing  rejected  units\n"
        "    4        4     4        0         0      4\n"
        "\n"
        "episode_raw_reward\n"
        "  value raw_reward; mean within adapter_scoped(first_of(rollout, "
        "sample_index, position)); mean across all, 0.0 if empty\n"
        "value  samples  used  missing  rejected  units  keyed by\n"
        "  0.5        4     4        0         0      2  rollout 4\n"
    )
    assert (result.stderr, result.code) == ("", 0)


def test_a_row_a_step_with_a_breakdown(run: Any, jsonl: Any) -> None:
    path = jsonl(
        "s.jsonl",
        _row(step=10, adapter=B, rollout_id=1, reward=0.0),
        _row(step=2, adapter=A, rollout_id=1, reward=0.25),
        _row(step=10, adapter=A, rollout_id=1, reward=None),
        _row(step=10, adapter=A, index=7, reward={"x": 1}),
    )
    result = run("report", path, "--by", "adapter", "--metric", "episode_raw_reward")
    header = "step  entry  value  samples  used  missing  rejected  units  "
    assert result.lines[2] == f"{header}units without value  keyed by"
    assert result.lines[3] == (
        "   2  (all)   0.25        1     1        0         0      1"
        "                    0  rollout 1"
    )
    assert [line.split(maxsplit=9) for line in result.lines[4:]] == [
        ["2", "a", "0.25", "1", "1", "0", "0", "1", "0", "rollout 1"],
        ["10", "(all)", "0", "3", "1", "1", "1", "1", "2", "rollout 2, sample_index 1"],
        ["10", "a", "0", "2", "0", "1", "1", "0", "2", "rollout 1, sample_index 1"],
        ["10", "b", "0", "1", "1", "0", "0", "1", "0", "rollout 1"],
    ]


def test_by_replaces_a_breakdown(run: Any, jsonl: Any, here: Path) -> None:
    (here / "k.toml").write_text(
        '[metrics.m]\nvalue = "reward"\nacross = "mean"\nby = "group"\n'
    )
    path = jsonl("s.jsonl", _row(env="x"), _row(group_index=1, env="y", reward=0))
    with_config = ("report", path, "--config", "k.toml", "--json")
    assert _values(run(*with_config)) == {None: {"m": 0.5, "m/0": 1.0, "m/1": 0.0}}
    by_env = run(*with_config, "--by", "field('env')")
    assert _values(by_env) == {None: {"m": 0.5, "m/x": 1.0, "m/y": 0.0}}


def test_by_for_a_metric_without_levels(run: Any, jsonl: Any) -> None:
    path = jsonl("s.jsonl", _row(adapter=A), _row(adapter=A), _row(adapter=B))
    result = run(
        "report", path, "--by", "adapter", "--metric", "num_training_samples", "--json"
    )
    assert _values(result) == {
        None: {
            "num_training_samples": 3.0,
            "num_training_samples/a": 2.0,
            "num_training_samples/b": 1.0,
        }
    }


def test_an_entry_may_be_called_all(run: Any, jsonl: Any) -> None:
    # C023: the number over everything is no entry, whatever the entries are called.
    path = jsonl("s.jsonl", _row(adapter="all"), _row(adapter="x", reward=0.0))
    result = run("report", path, "--by", "adapter", "--metric", "episode_raw_reward")
    entries = [line.split()[:2] for line in result.lines[3:]]
    assert entries == [["(all)", "0.5"], ["all", "1"], ["x", "0"]]


def test_entries_are_not_told_from_metrics_by_their_spelling(
    run: Any, jsonl: Any, here: Path
) -> None:
    # C026
    metric = 'value = "reward"\nacross = "mean"\nby = "field(\'env\')"\n'
    (here / "k.toml").write_text(f'[metrics.m]\n{metric}[metrics."m/x"]\n{metric}')
    path = jsonl("s.jsonl", _row(env="y"), _row(env="y/z"))
    result = run("report", path, "--config", "k.toml")
    tables = [table.splitlines() for table in result.stdout.split("\n\n")]
    assert [table[0] for table in tables] == ["m", "m/x"]
    for table in tables:
        assert [line.split()[0] for line in table[3:]] == ["(all)", "y", "y/z"]


def test_only_a_breakdown(run: Any, jsonl: Any, here: Path) -> None:
    metric = 'value = "reward"\nacross = "mean"\n'
    (here / "k.toml").write_text(
        f'[metrics.m]\n{metric}split_by = "field(\'env\')"\n[metrics."m/n"]\n{metric}'
    )
    path = jsonl("s.jsonl", _row(env="y"), _row(env="z"))
    result = run("report", path, "--config", "k.toml")
    assert [line.split()[0] for line in result.lines[3:5]] == ["y", "z"]
    assert result.lines[6] == "m/n"


def test_absent_values(run: Any, jsonl: Any, here: Path) -> None:
    (here / "k.toml").write_text(
        '[metrics.m]\nvalue = "reward"\nacross = "mean"\nby = "group"\n'
    )
    path = jsonl("s.jsonl", _row(group_index=1, reward=None), _row(group_index=2))
    table = run("report", path, "--config", "k.toml")
    assert [line.split()[:2] for line in table.lines[3:]] == [
        ["(all)", "1"],
        ["1", "absent"],
        ["2", "1"],
    ]
    assert _values(run("report", path, "--config", "k.toml", "--json")) == {
        None: {"m": 1.0, "m/1": None, "m/2": 1.0}
    }
    as_csv = run("report", path, "--config", "k.toml", "--csv")
    assert [row["value"] for row in csv.DictReader(as_csv.lines)] == ["1.0", "", "1.0"]


def test_nan_and_infinities(run: Any, here: Path) -> None:
    (here / "s.jsonl").write_text(
        '{"step": 1, "reward": NaN}\n{"step": 2, "reward": Infinity}\n'
        '{"step": 3, "reward": -Infinity}\n'
    )
    words = ("report", "s.jsonl", "--metric", "episode_raw_reward")
    table = run(*words)
    assert "not finite" in table.lines[2]
    assert [line.split()[1] for line in table.lines[3:]] == ["nan", "inf", "-inf"]
    found = _values(run(*words, "--json"))
    values = [metrics["episode_raw_reward"] for metrics in found.values()]
    assert values == ["NaN", "Infinity", "-Infinity"]
    rows = csv.DictReader(run(*words, "--csv").lines)
    assert [row["value"] for row in rows] == ["nan", "inf", "-inf"]


def test_counts_keep_all_their_digits(run: Any, jsonl: Any) -> None:
    path = jsonl("s.jsonl", _row(reward=1234567), _row(reward=0.1 + 0.2))
    result = run("report", path, "--by", "position", "--metric", "episode_raw_reward")
    values = [line.split()[1] for line in result.lines[3:]]
    assert values == ["617284", "1234567", "0.3"]


def test_json(run: Any, here: Path) -> None:
    (here / "s.jsonl").write_text('{"step": 4, "reward": 0.1}\nbroken\n')
    result = run("report", "s.jsonl", "--json", "--skip-bad")
    read = json.loads(result.stdout)
    assert read["bad_records"] == [
        "s.jsonl:2:1: broken JSON: expecting value, found a text ('broken')"
    ]
    [step] = read["steps"]
    assert step["step"] == 4
    assert step["metrics"]["episode_raw_reward"] == {
        "value": 0.1,
        "samples": 1,
        "selected": 1,
        "used": 1,
        "missing": 0,
        "rejected": 0,
        "nonfinite": 0,
        "units": 1,
        "units_without_value": 0,
        "keyed_by": {"position": 1},
        "level_units": [1],
    }


def test_csv(run: Any, jsonl: Any) -> None:
    path = jsonl("s.jsonl", _row(step="warm, up", index=1), _row(step="warm, up"))
    assert run("report", path, "--csv").stdout == (
        "step,metric,value,samples,selected,used,missing,rejected,nonfinite,units,"
        "units_without_value,keyed_by,level_units\n"
        '"warm, up",num_training_samples,2.0,2,2,2,0,0,0,2,0,,\n'
        '"warm, up",episode_raw_reward,1.0,2,2,2,0,0,0,2,0,'
        "sample_index:1 position:1,2\n"
    )


def test_steps_come_in_order(run: Any, jsonl: Any) -> None:
    # Numbers by size, then the texts, then what has no step, as they came.
    steps = [10, "final", 9, None, "eval_9"]
    path = jsonl("s.jsonl", *(_row(step=step) for step in steps))
    result = run("report", path, "--metric", "num_training_samples")
    assert [line.split()[0] for line in result.lines[3:]] == [
        "9",
        "10",
        "final",
        "-",
        "eval_9",
    ]


def test_a_step_that_is_spread_over_files(run: Any, jsonl: Any) -> None:
    # One rollout in two files is one unit; positions go on.
    jsonl("d/a.jsonl", _row(step=1, rollout_id=5), _row(step=2, rollout_id=5))
    jsonl("d/b.jsonl", _row(step=1, rollout_id=5, reward=0.0), _row(step=1))
    values = _values(run("report", "d", "--json"))
    assert values[1] == {"num_training_samples": 3.0, "episode_raw_reward": 0.75}
    assert values[2] == {"num_training_samples": 1.0, "episode_raw_reward": 1.0}


def test_each_file_a_step(run: Any, jsonl: Any) -> None:
    for name in ("10.jsonl", "9.jsonl", "x.jsonl"):
        jsonl(f"d/{name}", _row())
    words = ("report", "d", "--metric", "num_training_samples")
    result = run(*words, "--step", "@file")
    assert [line.split()[0] for line in result.lines[3:]] == ["9", "10", "x"]
    assert "step" not in run(*words).stdout


def test_many_steps(run: Any, jsonl: Any) -> None:
    path = jsonl("s.jsonl", *(_row(step=step) for step in range(300)))
    result = run("report", path, "--metric", "num_training_samples")
    assert [line.split()[0] for line in result.lines[3:]] == list(map(str, range(300)))


def test_chosen_metrics_come_once_and_as_chosen(run: Any, jsonl: Any) -> None:
    path = jsonl("s.jsonl", _row())
    names = ["episode_raw_reward", "num_training_samples", "episode_raw_reward"]
    words = [word for name in names for word in ("--metric", name)]
    found = _values(run("report", path, "--json", *words))
    assert list(found[None]) == ["episode_raw_reward", "num_training_samples"]


def test_a_reward_key(run: Any, jsonl: Any) -> None:
    path = jsonl("s.jsonl", _row(reward={"a": 1, "b": 0.5}), _row(reward={"a": 0}))
    found = _values(run("report", path, "--json", "--reward-key", "a"))
    assert found[None]["episode_raw_reward"] == 0.5


def test_metadata_may_be_null(run: Any, jsonl: Any) -> None:
    path = jsonl("s.jsonl", _row(metadata=None, reward=0.5), _row(metadata={}))
    found = _values(run("report", path, "--json"))
    assert found[None]["episode_raw_reward"] == 0.75


def test_the_options_win_over_the_file(run: Any, jsonl: Any, here: Path) -> None:
    (here / "k.toml").write_text(
        '[reader]\nformat = "jsonl"\nstep = "epoch"\nskip_bad = true\n'
        '[reader.fields]\nreward = "score"\nrollout_id = "uid"\n'
    )
    rows = [
        {"score": 1, "other": 0, "uid": 1, "epoch": 4, "t": 5},
        {"score": 0, "other": 1, "uid": 2, "epoch": 4, "t": 5},
        {"score": 1, "other": 1, "uid": 2, "epoch": 4, "t": 5},
    ]
    path = jsonl("s.jsonl", *rows)
    with (here / path).open("a") as file:
        file.write("broken\n")
    words = ("report", path, "--config", "k.toml", "--json")
    assert _values(run(*words))[4]["episode_raw_reward"] == 0.75
    found = _values(run(*words, "--field", "reward=other", "--step", "t"))
    assert found[5]["episode_raw_reward"] == 0.5


def test_no_configuration_is_looked_for(run: Any, jsonl: Any, here: Path) -> None:
    (here / "keyfold.toml").write_text("not even TOML")
    assert run("report", jsonl("s.jsonl", _row())).code == 0


def test_the_shipped_example(run: Callable[..., Any]) -> None:
    examples = Path(__file__).resolve().parents[2] / "docs" / "examples"
    result = run("report", examples / "multi-lora", "--by", "adapter")
    assert result.code == 0
    rows = [line.split()[:2] for line in result.stdout.split("\n\n")[1].splitlines()]
    entries = ("(all)", "code-lora", "math-lora")
    assert rows[3:] == [[str(step), entry] for step in range(4) for entry in entries]
    config = examples / "keyfold.toml"
    both = run("report", examples / "multi-lora", "--config", config)
    assert both.code == 0
    assert "best_of_group" in both.lines
