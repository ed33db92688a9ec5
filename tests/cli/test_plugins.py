from __future__ import annotations

from pathlib import Path
from typing import Any


def test_the_built_in_ones(run: Any) -> None:
    result = run("plugins")
    assert result.lines[0].endswith(" plugins")
    assert result.lines[1].split() == [
        "kind",
        "name",
        "state",
        "distribution",
        "version",
        "target",
    ]
    rows = [line.split() for line in result.lines[2:]]
    kinds = {row[0] for row in rows}
    assert kinds == {"key", "reducer", "value", "selection", "pipeline", "reader"}
    assert {row[3] for row in rows} == {"keyfold"}
    assert (result.stderr, result.code) == ("", 0)


def test_conflicts_and_broken_ones_are_shown(run: Any, install: Any) -> None:
    install("acme", {"keyfold.keys": {"rollout": "acme:Key", "bad": "no_module:X"}})
    listed = run("plugins")
    assert listed.lines[0].endswith(" plugins, 2 conflict")
    [ours, theirs] = [line for line in listed.lines if " rollout " in line]
    assert "acme 1.0" in theirs
    assert "prefer" in ours
    [bad] = [line for line in listed.lines if " bad " in line]
    assert "available" in bad
    checked = run("plugins", "--check")
    assert checked.lines[0].endswith(" plugins, 2 conflict, 2 broken") or (
        checked.lines[0].endswith(" plugins, 1 conflict, 2 broken")
    )
    [bad] = [line for line in checked.lines if " bad " in line]
    assert "broken" in bad
    assert "no_module" in bad
    assert (listed.code, checked.code) == (0, 0)


def test_blocked_ones(run: Any, here: Path) -> None:
    (here / "k.toml").write_text('[plugins]\nblock = ["reducer:sum"]\n')
    result = run("plugins", "--config", "k.toml")
    assert result.lines[0].endswith(" plugins, 1 blocked")
    [line] = [line for line in result.lines if "blocked" in line][1:]
    assert line.split()[:3] == ["reducer", "sum", "blocked"]


def test_a_block_that_matches_nothing(run: Any, here: Path) -> None:
    (here / "k.toml").write_text('[plugins]\nblock = ["reducer:summ"]\n')
    result = run("plugins", "--config", "k.toml")
    assert result.code == 2
    assert "reducer:summ" in result.stderr


def test_a_name_in_conflict_is_an_error_when_it_is_used(
    run: Any, jsonl: Any, install: Any
) -> None:
    install("acme", {"keyfold.keys": {"adapter": "acme:Key"}})
    path = jsonl("s.jsonl", {"reward": 1})
    assert run("report", path).code == 0
    used = run("report", path, "--by", "adapter")
    assert used.code == 2
    assert "acme 1.0" in used.stderr


def test_a_broken_plugin_is_an_error_when_it_is_used(
    run: Any, jsonl: Any, install: Any
) -> None:
    install("acme", {"keyfold.keys": {"bad": "acme:Key"}}, "import no_such_module\n")
    path = jsonl("s.jsonl", {"reward": 1})
    result = run("report", path, "--by", "bad")
    assert result.code == 2
    assert "acme:Key" in result.stderr
    assert "no_such_module" in result.stderr


def test_hooks_see_each_report_and_the_error_that_ends_them(
    run: Any, install: Any, here: Path
) -> None:
    hooks = """
        from keyfold.hooks import hookimpl

        @hookimpl
        def keyfold_report_made(report, pipelines):
            print("made", dict(report), list(pipelines))

        @hookimpl
        def keyfold_error(error):
            print("error", error.message)
        """
    install("acme", {"keyfold": {"acme": "acme"}}, hooks)
    (here / "s.jsonl").write_text(
        '{"step": 1, "reward": 1}\n{"step": 2, "reward": 0}\n'
    )
    made = run("report", "s.jsonl", "--metric", "episode_raw_reward", "--csv")
    assert made.lines[:2] == [
        "made {'episode_raw_reward': 1.0} ['episode_raw_reward']",
        "made {'episode_raw_reward': 0.0} ['episode_raw_reward']",
    ]
    failed = run("report", "s.jsonl", "--reward-key", "score")
    assert failed.stdout.startswith("error s.jsonl:1, step 1: sample at position 0: ")
    assert failed.code == 1


def test_hooks_see_the_life_of_a_report_and_add_to_it(
    run: Any, install: Any, here: Path
) -> None:
    hooks = """
        from keyfold.hooks import hookimpl

        @hookimpl
        def keyfold_report_starting(pipelines, step):
            print("starting", list(pipelines), step)

        @hookimpl
        def keyfold_values_rejected(metric, outcome, step):
            print("rejected", metric, outcome.rejected, step)

        @hookimpl
        def keyfold_report_made(report, step):
            print("made", dict(report), step)

        @hookimpl
        def keyfold_report_text(reports, pipelines):
            return f"added: steps {list(reports)} of {list(pipelines)}"
        """
    install("acme", {"keyfold": {"acme": "acme"}}, hooks)
    (here / "s.jsonl").write_text(
        '{"step": 1, "reward": "high"}\n{"step": 2, "reward": 0.5}\n'
    )
    only = ("--metric", "episode_raw_reward")
    tables = run("report", "s.jsonl", *only)
    assert tables.lines[:5] == [
        "starting ['episode_raw_reward'] 1",
        "rejected episode_raw_reward 1 1",
        "made {'episode_raw_reward': 0.0} 1",
        "starting ['episode_raw_reward'] 2",
        "made {'episode_raw_reward': 0.5} 2",
    ]
    assert tables.lines[-1] == "added: steps [1, 2] of ['episode_raw_reward']"
    assert "added" not in run("report", "s.jsonl", *only, "--csv").stdout
    assert run("partial", "s.jsonl", *only, "-o", "s.partials").code == 0
    merged = run("merge", "s.partials")
    assert merged.lines[:5] == tables.lines[:5]
    assert merged.lines[-1] == tables.lines[-1]
