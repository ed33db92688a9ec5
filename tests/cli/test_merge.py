"""`keyfold merge`, and `keyfold report` on partial files: as if all were one dump."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from keyfold import Partial, partial
from keyfold_contrib.partial_files import read_partials, write_partials
from keyfold_strategies import Sample

EXAMPLE = Path(__file__).resolve().parents[2] / "docs" / "examples" / "multi-lora"
CONFIG = EXAMPLE.parent / "keyfold.toml"


@pytest.fixture
def two(jsonl: Any, partial_of: Any) -> tuple[str, str]:
    """Two shards of two steps; the second step is only in the second one."""
    left = jsonl("l.jsonl", {"step": 1, "rollout_id": 5, "reward": 1})
    right = jsonl(
        "r.jsonl",
        {"step": 1, "rollout_id": 5, "reward": 0.5},
        {"step": 1, "rollout_id": 6, "reward": 0},
        {"step": 2, "rollout_id": 6, "reward": 0},
    )
    return partial_of("0.p", left), partial_of("1.p", right, "--shard", 1)


@pytest.mark.parametrize("words", [(), ("--by", "adapter"), ("--config", CONFIG)])
def test_shards_of_the_shipped_example_give_the_rows_of_the_whole(
    run: Any, shards: Any, partial_of: Any, words: tuple[object, ...]
) -> None:
    whole = run("report", EXAMPLE, "--json", *words)
    assert len(json.loads(whole.stdout)["steps"]) == 4
    left, right = (
        partial_of(f"{name}.partials", name, "--shard", shard, *words)
        for shard, name in enumerate(shards)
    )
    printed: list[Any] = []
    for files in ((left, right), (right, left)):
        printed += [
            run("merge", *files, "--json"),
            run("report", *files, "--json"),
        ]
        run("merge", *files, "-o", "all.partials")
        printed.append(run("report", "all.partials", "--json"))
    for result in printed:
        assert json.loads(result.stdout) == json.loads(whole.stdout)
        # Not even the order of the files shows.
        assert result == printed[0]
        assert (result.stderr, result.code) == ("", 0)


def test_one_partial_file_prints_what_its_dump_does(run: Any, partial_of: Any) -> None:
    words = (EXAMPLE, "--by", "adapter")
    path = partial_of("a.p", *words)
    for form in ([], ["--json"], ["--csv"]):
        assert run("report", path, *form) == run("report", *words, *form)
        assert run("merge", path, *form) == run("report", *words, *form)


def test_a_step_that_only_some_files_have(run: Any, two: Any) -> None:
    merged = run("merge", *two, "-o", "all.p")
    assert merged.stdout.startswith("all.p: wrote 2 steps, 4 samples, shards 0 1, ")
    result = run("report", "all.p", "--metric", "episode_raw_reward", "--csv")
    cells = [line.split(",")[:3] for line in result.lines[1:]]
    assert cells == [
        ["1", "episode_raw_reward", "0.375"],
        ["2", "episode_raw_reward", "0.0"],
    ]


def test_a_merged_file_is_merged_further(
    run: Any, two: Any, jsonl: Any, partial_of: Any
) -> None:
    third = jsonl("t.jsonl", {"step": 1, "rollout_id": 6, "reward": 1})
    partial_of("2.p", third, "--shard", 2)
    assert run("merge", *two, "-o", "all.p").code == 0
    at_once = run("merge", *two, "2.p", "--json")
    assert at_once.code == 0
    assert run("merge", "2.p", "all.p", "--json") == at_once
    # The target may be one of the files.
    assert run("merge", "all.p", "2.p", "-o", "all.p").code == 0
    assert run("report", "all.p", "--json") == at_once


def test_a_folder_and_a_pattern(run: Any, two: Any, here: Path) -> None:
    (here / "parts").mkdir()
    for name in two:
        (here / name).rename(here / "parts" / name)
    at_once = run("merge", "parts", "--json")
    assert at_once.code == 0
    assert run("report", "parts/*.p", "parts/0.p", "--json") == at_once
    (here / "parts" / "notes.md").write_text("# notes\n")
    noted = run("report", "parts", "--json")
    assert noted.stdout == at_once.stdout
    assert noted.stderr == (
        "keyfold: note: passed over 1 file of no known format:\n  parts/notes.md\n"
    )


def test_the_same_shard_twice(run: Any, two: Any, partial_of: Any) -> None:
    # Somebody forgot --shard.
    partial_of("again.p", "r.jsonl")
    for words in (["merge"], ["report"], ["merge", "-o", "all.p"]):
        result = run(*words, "again.p", "0.p")
        assert (result.stdout, result.code) == ("", 1)
        assert result.stderr == (
            "keyfold: again.p and 0.p, step 1: shard 0 is in again.p and in 0.p, and "
            "would be counted twice\n"
            "Hint: give each dump a number of its own, as in keyfold partial --shard "
            "1, and merge each shard once\n"
        )
    assert not Path("all.p").exists()


def test_one_file_named_twice_is_read_once(run: Any, two: Any) -> None:
    once = run("merge", *two, "--json")
    assert run("merge", *two, *two, "--json") == once


def test_other_metrics(run: Any, two: Any, partial_of: Any) -> None:
    partial_of("by.p", "r.jsonl", "--shard", 2, "--by", "position")
    result = run("merge", "0.p", "by.p")
    assert result.code == 1
    assert result.stderr == (
        "keyfold: the metric 'num_training_samples' differs: 0.p, step 1 has 'value "
        "one; count across all', and by.p, step 1 has 'value one; count across all; "
        "also by position'\n"
        "Hint: make all partial files with one configuration and the same --metric, "
        "--by and --reward-key\n"
    )
    names = ("episode_raw_reward", "num_training_samples")
    partial_of("one.p", "r.jsonl", "--shard", 2, "--metric", names[1])
    result = run("merge", "one.p", "1.p")
    assert result.code == 1
    assert (
        "1.p, step 1 has the metric 'episode_raw_reward', and one.p, step 1 has not"
    ) in result.stderr
    words = [word for name in names for word in ("--metric", name)]
    partial_of("turned.p", "r.jsonl", "--shard", 2, *words)
    result = run("merge", "0.p", "turned.p")
    assert result.code == 1
    assert "in the order episode_raw_reward, num_training_samples" in result.stderr


def test_an_empty_value_that_does_not_equal_itself(
    run: Any, jsonl: Any, partial_of: Any, here: Path
) -> None:
    (here / "k.toml").write_text(
        '[metrics.m]\nvalue = "reward"\nacross = "mean"\nempty = nan\n'
    )
    for shard in (0, 1):
        words = ("--config", "k.toml", "--shard", shard)
        partial_of(f"{shard}.p", jsonl(f"{shard}.jsonl", {"reward": shard}), *words)
    for config in ((), ("--config", "k.toml")):
        result = run("merge", "0.p", "1.p", "--csv", *config)
        assert (result.stderr, result.code) == ("", 0)
        assert result.lines[1].startswith(",m,0.5,2,")


def test_other_empty_values(run: Any, jsonl: Any, partial_of: Any, here: Path) -> None:
    dump = jsonl("s.jsonl", {"reward": 1})
    for shard, empty in enumerate(("0.0", "-0.0")):
        (here / "k.toml").write_text(
            f'[metrics.m]\nvalue = "reward"\nacross = "mean"\nempty = {empty}\n'
        )
        partial_of(f"{shard}.p", dump, "--config", "k.toml", "--shard", shard)
    result = run("merge", "0.p", "1.p")
    assert result.code == 1
    assert "1.p has 'value reward; mean across all, -0.0 if empty'" in result.stderr


def test_other_metrics_in_another_step(run: Any, jsonl: Any, partial_of: Any) -> None:
    # They are in no step together, and a report has one table a metric.
    row = {"rollout_id": 1, "reward": 1}
    partial_of("a.p", jsonl("a.jsonl", {**row, "step": 1}))
    partial_of("b.p", jsonl("b.jsonl", {**row, "step": 2}), "--by", "position")
    result = run("merge", "a.p", "b.p")
    assert result.code == 1
    assert "a.p, step 1 has" in result.stderr
    assert "b.p, step 2 has" in result.stderr


def test_samples_that_contradict_each_other(
    run: Any, jsonl: Any, partial_of: Any, here: Path
) -> None:
    (here / "k.toml").write_text(
        '[metrics.m]\nvalue = "reward"\nacross = "mean"\nlevels = [\n'
        '  { key = "field(\\"uid\\")", reduce = "mean" },\n'
        '  { key = "group", reduce = "mean" },\n]'
    )
    for shard, name in enumerate("abcd"):
        row = {"step": 3, "uid": 1, "group_index": shard, "reward": 1}
        words = ("--config", "k.toml", "--shard", shard)
        partial_of(f"{name}.p", jsonl(f"{name}.jsonl", row), *words)
    result = run("merge", "a.p", "b.p")
    assert result.code == 1
    assert result.stderr.startswith("keyfold: a.p and b.p, step 3: ")
    assert "shard 0" in result.stderr
    assert "shard 1" in result.stderr
    result = run("merge", "a.p", "b.p", "c.p", "d.p")
    assert result.stderr.startswith("keyfold: a.p, b.p and 2 more, step 3: ")


def test_dumps_and_partial_files_are_not_mixed(run: Any, two: Any, here: Path) -> None:
    for words in (["report", "0.p", "l.jsonl"], ["merge", "l.jsonl", "0.p"]):
        result = run(*words)
        assert (result.stdout, result.code) == ("", 2)
        assert "0.p is a partial file and l.jsonl is none" in result.stderr
    in_a_folder = run("report", ".")
    assert in_a_folder.code == 2
    assert "is a partial file and l.jsonl is none" in in_a_folder.stderr


def test_merge_takes_partial_files_only(run: Any, two: Any, here: Path) -> None:
    result = run("merge", "l.jsonl")
    assert result.code == 1
    assert result.stderr == (
        "keyfold: l.jsonl: this is no partial file\n"
        "Hint: keyfold partial DUMPS -o FILE makes a partial file of dumps\n"
    )
    (here / "empty").mkdir()
    result = run("merge", "0.p", "empty")
    assert result.code == 1
    assert result.stderr.startswith("keyfold: no partial file in 'empty'\n")


@pytest.mark.parametrize("command", ["explain", "partial"])
def test_commands_for_dumps_say_what_a_partial_file_is(
    run: Any, two: Any, command: str
) -> None:
    more = ["--metric", "episode_raw_reward"]
    more += ["-o", "x.p"] if command == "partial" else []
    result = run(command, "0.p", *more)
    assert result.code == 1
    assert result.stderr == (
        "keyfold: 0.p: this is a partial file, and no dump\n"
        "Hint: keyfold report and keyfold merge read partial files\n"
    )
    among_dumps = run(command, ".", *more)
    assert among_dumps.code == 0
    assert "passed over 2 files of no known format" in among_dumps.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("--by", "adapter"),
        ("--reward-key", "a"),
        ("--field", "reward=score"),
        ("--step", "@file"),
        ("--format", "jsonl"),
        ("--skip-bad",),
        ("--step", ""),
    ],
)
def test_options_that_a_partial_file_settles(
    run: Any, two: Any, words: tuple[str, ...]
) -> None:
    result = run("report", *two, *words)
    assert (result.stdout, result.code) == ("", 2)
    assert result.stderr == (
        f"keyfold: {words[0]} can't be applied to 0.p: it is a partial file, whose "
        "samples were read and whose metrics were chosen when it was made\n"
        "Hint: give the option to keyfold partial\n"
    )


def test_chosen_metrics_of_partial_files(run: Any, partial_of: Any) -> None:
    path = partial_of("a.p", EXAMPLE, "--by", "adapter")
    names = ["episode_raw_reward", "num_training_samples", "episode_raw_reward"]
    chosen = [word for name in names for word in ("--metric", name)]
    for words in (chosen[:2], chosen):
        for form in ([], ["--json"]):
            expected = run("report", EXAMPLE, "--by", "adapter", *words, *form)
            assert run("report", path, *words, *form) == expected
    result = run("report", path, "--metric", "episode_raw_rewards")
    assert result.code == 2
    assert "did you mean 'episode_raw_reward'?" in result.stderr


def test_a_breakdown_only(run: Any, jsonl: Any, partial_of: Any, here: Path) -> None:
    (here / "k.toml").write_text(
        '[metrics.m]\nvalue = "reward"\nacross = "mean"\nsplit_by = "group"\n'
        '[metrics.n]\nvalue = "reward"\nacross = "mean"\n'
    )
    dump = jsonl("s.jsonl", {"group_index": 4, "reward": 1})
    path = partial_of("a.p", dump, "--config", "k.toml")
    chosen = run("report", path, "--metric", "m", "--json")
    assert chosen == run(
        "report", dump, "--config", "k.toml", "--metric", "m", "--json"
    )
    assert '"m/4"' in chosen.stdout


def test_a_configuration_that_has_the_metrics(
    run: Any, jsonl: Any, install: Any, here: Path
) -> None:
    # The class calls itself otherwise than the name under which it is installed.
    source = """
        import attrs

        @attrs.frozen
        class Kind:
            fields = ("group_index",)

            def key(self, sample, position):
                return (sample.group_index,)
        """
    install("acme", {"keyfold.keys": {"acme_kind": "acme:Kind"}}, source)
    metric = '[metrics.m]\nvalue = "reward"\nacross = "mean"\n'
    (here / "k.toml").write_text(f'{metric}by = "acme_kind"\n')
    (here / "other.toml").write_text(metric)
    dump = jsonl("s.jsonl", {"group_index": 4, "reward": 1})
    for shard in (0, 1):
        words = ("--config", "k.toml", "--shard", shard, "-o", f"{shard}.p")
        assert run("partial", dump, *words).code == 0
    without = run("merge", "0.p", "1.p")
    assert without.code == 1
    assert without.stderr.startswith("keyfold: 0.p, the step without a name: ")
    assert "give the configuration that has its metrics by --config" in without.stderr
    merged = run("merge", "0.p", "1.p", "--config", "k.toml", "-o", "all.p")
    assert (merged.stderr, merged.code) == ("", 0)
    result = run("report", "all.p", "--config", "k.toml", "--json")
    [step] = json.loads(result.stdout)["steps"]
    assert step["metrics"]["m/4"]["samples"] == 2
    other = run("report", "all.p", "--config", "other.toml")
    assert other.code == 1
    assert other.stderr.startswith("keyfold: all.p, the step without a name: ")
    assert "by of the metric 'm'" in other.stderr
    assert "without --config the metrics are those" in other.stderr


def test_the_settings_of_a_configuration_apply(run: Any, two: Any, here: Path) -> None:
    (here / "k.toml").write_text('[plugins]\nblock = ["reducer:mean"]\n')
    result = run("merge", *two, "--config", "k.toml")
    assert result.code == 1
    assert "mean" in result.stderr
    assert run("merge", *two).code == 0


def test_bytes_of_one_partial_are_a_file_of_one_step(
    run: Any, here: Path, partial_of: Any, jsonl: Any
) -> None:
    samples = [Sample(rollout_id=1, reward=1.0)]
    (here / "trainer.p").write_bytes(partial(samples, shard=7).to_bytes())
    dump = jsonl("s.jsonl", {"rollout_id": 1, "reward": 0.0})
    result = run("merge", "trainer.p", partial_of("a.p", dump), "--json")
    [step] = json.loads(result.stdout)["steps"]
    assert step["step"] is None
    assert step["metrics"]["episode_raw_reward"]["value"] == 0.5


def test_files_without_steps(run: Any, here: Path, two: Any) -> None:
    write_partials(here / "none.p", {})
    result = run("report", "none.p", "--json")
    assert json.loads(result.stdout) == {"steps": [], "bad_records": []}
    assert result.stderr == (
        "keyfold: note: the files have no step, and so no metric\n"
    )
    with_others = run("merge", "none.p", *two, "--json")
    assert with_others == run("merge", *two, "--json")


def test_metrics_that_nothing_went_into_are_noted(
    run: Any, jsonl: Any, partial_of: Any
) -> None:
    path = partial_of("a.p", jsonl("s.jsonl", {"reward": {"a": 1}}))
    result = run("report", path)
    assert result.code == 0
    assert "episode_raw_reward used no sample at all" in result.stderr


def test_a_merged_file_and_a_report_exclude_each_other(run: Any, two: Any) -> None:
    for option in ("--json", "--csv"):
        result = run("merge", *two, "-o", "all.p", option)
        assert result.code == 2
        assert f"--output and {option} exclude each other" in result.stderr
        assert not Path("all.p").exists()
    result = run("merge", *two, "--json", "--csv")
    assert result.code == 2
    assert "--json and --csv exclude each other" in result.stderr


def test_merge_needs_files(run: Any, here: Path) -> None:
    result = run("merge")
    assert result.code == 2
    assert "needs at least one partial file" in result.stderr
    assert run("merge", "nowhere.p").code == 1


def test_hooks_see_each_merged_partial(
    run: Any, install: Any, two: Any, partial_of: Any
) -> None:
    partial_of("again.p", "r.jsonl")
    hooks = """
        from keyfold.hooks import hookimpl

        @hookimpl
        def keyfold_partial_merged(partial, pipelines):
            print("merged", partial.shards, partial.samples, list(pipelines))

        @hookimpl
        def keyfold_report_made(report):
            print("made", report["num_training_samples"])

        @hookimpl
        def keyfold_error(error):
            print("error", error.message)
        """
    install("acme", {"keyfold": {"acme": "acme"}}, hooks)
    names = "['num_training_samples', 'episode_raw_reward']"
    merged = [f"merged (0, 1) 3 {names}", f"merged (1,) 1 {names}"]
    made = ["made 3.0", "made 1.0"]
    assert run("merge", *two, "-o", "all.p").lines[:-1] == merged
    assert run("merge", *two, "--csv").lines[:4] == [*merged, *made]
    assert run("report", *two, "--csv").lines[:4] == [*merged, *made]
    # Nothing is merged where there is one file.
    assert run("report", "all.p", "--csv").lines[:2] == made
    failed = run("merge", "0.p", "again.p")
    assert failed.stdout == (
        "error 0.p and again.p, step 1: shard 0 is in 0.p and in again.p, and would be "
        "counted twice\n"
    )
    assert failed.code == 1


def test_an_error_of_a_merged_report_names_the_files(
    run: Any, jsonl: Any, partial_of: Any
) -> None:
    # Two adapters of one name are told apart by their slots, which the third has too.
    rows = [
        {"adapter": {"name": "a", "slot": 0}, "reward": 1},
        {"adapter": {"name": "a", "slot": 1}, "reward": 1},
    ]
    clash = {"adapter": "a@0", "reward": 1}
    left = partial_of("0.p", jsonl("l.jsonl", *rows), "--by", "adapter")
    right = partial_of("1.p", jsonl("r.jsonl", clash), "--by", "adapter", "--shard", 1)
    whole = run("report", "l.jsonl", "r.jsonl", "--by", "adapter")
    result = run("report", left, right)
    assert (whole.code, result.code) == (1, 1)
    assert result.stderr.startswith("keyfold: 0.p and 1.p: ")


def test_what_was_merged_is_read_in_python(run: Any, two: Any, here: Path) -> None:
    assert run("merge", *two, "-o", "all.p").code == 0
    found = read_partials(here / "all.p")
    assert list(found) == [1, 2]
    assert all(isinstance(it, Partial) for it in found.values())
    assert found[1].report()["episode_raw_reward"] == 0.375
