"""What is wrong with the data (exit code 1) or with the command (2), in full."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

DATA, USAGE = 1, 2
ROW = {"reward": 1.0}
SKIP = "--skip-bad (skip_bad=True) passes over such lines and counts them"


def _fails(result: Any, code: int, message: str) -> None:
    assert result.stderr == f"keyfold: {message}\n"
    assert (result.stdout, result.code) == ("", code)


# The files


def test_nothing_to_read(run: Any) -> None:
    _fails(
        run("report"),
        USAGE,
        "report needs at least one file, directory or pattern\n"
        "Hint: keyfold report rollouts.jsonl",
    )
    _fails(
        run("explain", "--metric", "m"),
        USAGE,
        "explain needs at least one file, directory or pattern\n"
        "Hint: keyfold explain rollouts.jsonl --metric episode_raw_reward",
    )


def test_an_empty_path(run: Any, here: Path) -> None:
    # As in `keyfold report "$DUMP"`: it must not mean the current folder.
    _fails(
        run("report", ""),
        USAGE,
        "expected a file, directory or pattern, found an empty text\n"
        "Hint: a variable of the shell may not be set; . is the current directory",
    )


def test_a_path_that_does_not_exist(run: Any, jsonl: Any) -> None:
    _fails(
        run("report", "nowhere"),
        DATA,
        "nowhere: there is no such file or directory",
    )
    jsonl("d/samples.jsonl", ROW)
    _fails(
        run("report", "d/sample.jsonl"),
        DATA,
        "d/sample.jsonl: there is no such file or directory\n"
        "Hint: did you mean 'd/samples.jsonl'?",
    )
    _fails(
        run("report", "no/where"), DATA, "no/where: there is no such file or directory"
    )


def test_a_pattern_that_matches_nothing(run: Any, here: Path) -> None:
    _fails(run("report", "*.jsonl"), DATA, "no file matches the pattern '*.jsonl'")


def test_a_directory_without_a_known_file(run: Any, here: Path) -> None:
    (here / "d").mkdir()
    message = (
        "no file of a known format in 'd'; the formats are jsonl, miles_pt\n"
        "Hint: --format NAME reads a file that you name with a reader of your choice"
    )
    _fails(run("report", "d"), DATA, message)
    (here / "d" / "notes.md").write_text("# Notes")
    _fails(run("report", "d"), DATA, message)


def test_each_path_must_give_something(run: Any, jsonl: Any, here: Path) -> None:
    (here / "empty").mkdir()
    result = run("report", jsonl("s.jsonl", ROW), "empty")
    assert result.code == DATA
    assert "no file of a known format in 'empty'" in result.stderr


def test_a_file_of_no_known_format(run: Any, here: Path) -> None:
    (here / "notes.md").write_text("# Notes")
    _fails(
        run("report", "notes.md"),
        DATA,
        "notes.md: no reader knows this file's format; the formats are jsonl, "
        "miles_pt\n"
        "Hint: --format NAME reads a file that you name with a reader of your choice",
    )


def test_a_file_that_two_readers_know(run: Any, jsonl: Any, install: Any) -> None:
    readers = {"zz_lines": "keyfold_contrib.readers:JsonlReader"}
    install("acme", {"keyfold.readers": readers})
    path = jsonl("s.jsonl", ROW)
    _fails(
        run("report", path),
        DATA,
        "s.jsonl: several readers know this file's format: jsonl, zz_lines\n"
        "Hint: choose one, as in --format jsonl",
    )
    assert run("report", path, "--format", "zz_lines").code == 0


def test_a_pipe(run: Any, here: Path) -> None:
    # Looking at its first bytes would take them away from the reader.
    os.mkfifo(here / "pipe.jsonl")
    message = (
        "this is no regular file but a pipe or a device\n"
        "Hint: write it to a file first: keyfold looks at a file before it reads it"
    )
    _fails(run("report", "pipe.jsonl"), DATA, f"pipe.jsonl: {message}")
    _fails(run("report", os.devnull), DATA, f"{os.devnull}: {message}")


def test_a_file_that_vanishes(
    run: Any, jsonl: Any, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # It is there when the folder is listed, and gone when it is read.
    from keyfold_contrib.cli import _steps

    jsonl("d/a.jsonl", ROW)

    def vanish(path: Path) -> int:
        path.unlink()
        return 0

    monkeypatch.setattr(_steps, "size_of", vanish)
    _fails(
        run("report", "d"),
        DATA,
        "d/a.jsonl: the file can't be read: No such file or directory\n"
        "Hint: check that it exists, is a file, and may be read by you",
    )


def test_a_file_that_vanishes_before_it_is_recognised(
    run: Any, jsonl: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = jsonl("a.jsonl", ROW)
    monkeypatch.setattr(Path, "open", _no_such_file)
    _fails(
        run("report", path),
        DATA,
        "a.jsonl: the file can't be read: No such file or directory\n"
        "Hint: check that it exists, is a file, and may be read by you",
    )


def _no_such_file(path: Path, *_arguments: object, **_named: object) -> None:
    raise FileNotFoundError(2, "No such file or directory", str(path))


def test_a_file_that_may_not_be_read(
    run: Any, jsonl: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, *arguments: object, **named: object) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    path = jsonl("a.jsonl", ROW)
    monkeypatch.setattr(Path, "open", refuse)
    message = (
        "a.jsonl: the file can't be read: Permission denied\n"
        "Hint: check that it exists, is a file, and may be read by you"
    )
    _fails(run("report", path), DATA, message)
    _fails(run("report", path, "--format", "jsonl"), DATA, message)
    _fails(run("explain", path, "--metric", "episode_raw_reward"), DATA, message)


def test_a_folder_that_may_not_be_read(
    run: Any, jsonl: Any, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Passing over it would change the numbers without a word.
    jsonl("d/a.jsonl", ROW)
    scandir = os.scandir

    def refuse(path: Any) -> Any:
        if str(path) == "d":
            raise PermissionError(13, "Permission denied", "d")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    _fails(
        run("report", "d"),
        DATA,
        "d: the directory can't be read: Permission denied",
    )


# What is in them


def test_an_empty_file(run: Any, here: Path) -> None:
    for content in ("", "\n \n"):
        (here / "s.jsonl").write_text(content)
        _fails(
            run("report", "s.jsonl"),
            DATA,
            "s.jsonl: the file holds no samples; expected one JSON object a line",
        )


def test_a_broken_line(run: Any, here: Path) -> None:
    (here / "s.jsonl").write_text('{"reward": 1}\n{"reward": 1,, }\n{"reward": 0}\n')
    broken = "s.jsonl:2:14: broken JSON: expecting property name enclosed in "
    broken += "double quotes, found a text (', }')"
    _fails(run("report", "s.jsonl"), DATA, f"{broken}\nHint: {SKIP}")
    result = run("report", "s.jsonl", "--skip-bad", "--csv")
    assert result.stderr == f"keyfold: note: passed over 1 broken record:\n  {broken}\n"
    assert result.code == 0
    assert [line.split(",")[2] for line in result.lines[1:]] == ["2.0", "0.5"]


def test_many_broken_lines(run: Any, here: Path) -> None:
    (here / "s.jsonl").write_text('{"reward": 1}\n' + "x\n" * 7)
    result = run("report", "s.jsonl", "--skip-bad")
    lines = result.stderr.splitlines()
    assert lines[0] == "keyfold: note: passed over 7 broken records:"
    assert len(lines) == 7
    assert lines[-1] == "  ... and 2 more"


def test_only_broken_lines(run: Any, here: Path) -> None:
    (here / "s.jsonl").write_text("x\ny\n")
    _fails(
        run("report", "s.jsonl", "--skip-bad"),
        DATA,
        "s.jsonl: the file holds no samples: every line is broken (2 passed over). The "
        "first: s.jsonl:1:1: broken JSON: expecting value, found a text ('x')",
    )


def test_a_half_written_last_line(run: Any, here: Path) -> None:
    (here / "s.jsonl").write_text('{"reward": 1}\n{"rew')
    message = (
        "s.jsonl:2:2: broken JSON: unterminated string starting at, found a text "
        "('\"rew'); it is the last line and has no line end, so the file may still be "
        "being written"
    )
    _fails(
        run("report", "s.jsonl"),
        DATA,
        f"{message}\nHint: wait until the file is complete; {SKIP}",
    )
    assert run("report", "s.jsonl", "--skip-bad").code == 0


def test_a_last_line_without_an_end(run: Any, here: Path) -> None:
    (here / "s.jsonl").write_text('{"reward": 1}\n{"reward": 0}')
    assert run("report", "s.jsonl").code == 0


def test_a_metric_that_reads_a_field_which_no_sample_has(
    run: Any, jsonl: Any, here: Path
) -> None:
    (here / "k.toml").write_text(
        '[metrics.m]\nvalue = "reward"\nacross = "mean"\n'
        "levels = [{ key = \"field('task')\", reduce = 'mean' }]\n"
    )
    jsonl("d/a.jsonl", {"reward": 1, "step": 3, "task": 1})
    jsonl("d/b.jsonl", {"reward": 1, "step": 3, "task": 1}, {"reward": 0, "step": 3})
    _fails(
        run("report", "d", "--config", "k.toml"),
        DATA,
        'd/b.jsonl:2, step 3: sample at position 2: key strategy field("task") does '
        "not apply to it\n"
        "Hint: wrap it in first_of(...) with a strategy that applies to the rest",
    )


def test_a_reward_key_that_some_samples_lack(run: Any, jsonl: Any) -> None:
    rows = [{"reward": {"a": 1}}, {"reward": {"a": 1}}, {"reward": {"b": 1}}]
    message = (
        "sample at position 2: the field 'reward' holds a mapping with 'b', expected a "
        "mapping with 'a'\n"
        'Hint: the value reward(key="a") counts a sample without the key as missing'
    )
    path = jsonl("s.jsonl", *rows)
    for command in (["report"], ["explain", "--metric", "episode_raw_reward"]):
        _fails(run(*command, path, "--reward-key", "a"), DATA, f"s.jsonl:3: {message}")


def test_the_line_is_that_of_the_file_and_not_of_the_samples(
    run: Any, here: Path
) -> None:
    lines = ["", "broken", '{"reward": {"a": 1}}', "", "[]", '{"reward": 2}', ""]
    (here / "s.jsonl").write_text("\n".join(lines))
    result = run("report", "s.jsonl", "--skip-bad", "--reward-key", "a")
    note, error = result.stderr.split("keyfold: ")[1:]
    assert note.startswith("note: passed over 2 broken records")
    assert error.startswith("s.jsonl:6: sample at position 1: the field 'reward'")


def test_the_file_alone_where_its_reader_numbers_no_records(
    run: Any, here: Path, install: Any
) -> None:
    source = """
        import json
        import types
        from keyfold.contracts import DumpPart

        class Reader:
            def recognises(self, path, head):
                return path.suffix == ".acme"

            def read(self, path, request):
                rows = map(json.loads, path.read_text().splitlines()[1:])
                make = dict(adapter=None, group_index=0, rollout_id=1, index=None,
                            metadata=None, step=None)
                yield DumpPart(None, [
                    types.SimpleNamespace(**{**make, **row}) for row in rows
                ])
    """
    install("acme", {"keyfold.readers": {"acme": "acme:Reader"}}, source)
    path = here / "s.acme"
    path.write_text('acme\n{"reward": {"a": 1}}\n{"reward": 1}\n')
    result = run("report", "s.acme", "--reward-key", "a")
    assert result.stderr.startswith("keyfold: s.acme: sample at position 1: the field")
    other = run("explain", "s.acme", "--metric", "episode_raw_reward")
    assert "  rejected: 1 sample, at s.acme\n" in other.stdout


def test_an_error_over_a_whole_step_names_its_files(
    run: Any, jsonl: Any, here: Path
) -> None:
    (here / "k.toml").write_text(
        '[metrics.m]\nvalue = "reward"\nacross = "mean"\n'
        "levels = [{ key = 'rollout', reduce = 'same' }]\n"
    )
    jsonl("d/a.jsonl", {"rollout_id": 1, "reward": 1})
    jsonl("d/b.jsonl", {"rollout_id": 1, "reward": 0})
    result = run("report", "d", "--config", "k.toml")
    assert result.code == DATA
    assert result.stderr.startswith("keyfold: d/a.jsonl and 1 more: unit ('rollout',")


def test_rewards_that_are_mappings_are_rejected_and_shown(run: Any, jsonl: Any) -> None:
    path = jsonl("s.jsonl", {"reward": {"a": 1}}, {"reward": {"a": 0}})
    result = run("report", path, "--metric", "episode_raw_reward")
    assert [line.split() for line in result.lines[3:]] == [
        ["0", "2", "0", "0", "2", "0", "2", "position", "2"]
    ]
    assert result.stderr == (
        "keyfold: note: episode_raw_reward used no sample at all: the value of 2 "
        "samples is no number; if rewards are mappings, --reward-key KEY takes one "
        "entry of them\n"
    )
    assert result.code == 0


def test_a_field_that_every_sample_lacks_is_told(run: Any, jsonl: Any) -> None:
    # C069, C082: the 0.0 of an empty metric must not pass for a measured one.
    path = jsonl("s.jsonl", {"score": 1}, {"score": 0})
    result = run("report", path, "--metric", "episode_raw_reward")
    assert result.stderr == (
        "keyfold: note: episode_raw_reward used no sample at all: 2 samples without a "
        "value; --field FIELD=SOURCE says where the file has a field\n"
    )
    assert result.code == 0
    assert run("report", path, "--field", "reward=score").stderr == ""


def test_a_breakdown_that_splits_units(run: Any, jsonl: Any) -> None:
    rows = [{"rollout_id": 1, "reward": 1, "turn": turn} for turn in range(2)]
    result = run("report", jsonl("s.jsonl", *rows), "--by", "field('turn')")
    assert result.code == DATA
    assert result.stderr.startswith("keyfold: s.jsonl:2: sample at position 1: ")
    assert "its unit (None, 'rollout', None, 1) by" in result.stderr


# The command


def test_an_unknown_format(run: Any, jsonl: Any) -> None:
    _fails(
        run("report", jsonl("s.jsonl", ROW), "--format", "json"),
        USAGE,
        "no reader is named 'json'; there is jsonl, miles_pt\n"
        "Hint: did you mean 'jsonl'?",
    )


def test_a_source_that_no_sample_has(run: Any, jsonl: Any) -> None:
    path = jsonl("s.jsonl", {"reward": 1, "sample_uid": 4})
    _fails(
        run("report", path, "--field", "rollout_id=sample_id"),
        DATA,
        "s.jsonl: `rollout_id` is mapped to `sample_id`, which no sample of this file "
        "has\n"
        "Hint: did you mean `sample_uid` instead of `sample_id`? the keys of this file "
        "are reward, sample_uid",
    )
    assert run("report", path, "--step", "epoch").code == DATA


@pytest.mark.parametrize("target", ["rolout_id", "metadata_raw"])
def test_a_field_that_no_metric_reads(run: Any, jsonl: Any, target: str) -> None:
    # It would do nothing, without a word.
    result = run("report", jsonl("s.jsonl", ROW), "--field", f"{target}=reward")
    near = {"rolout_id": "rollout_id", "metadata_raw": "metadata"}[target]
    assert result.stderr == (
        f"keyfold: note: '{target}' is mapped to 'reward', but no metric reads it; did "
        f"you mean '{near}'?\n"
    )
    assert result.code == 0


def test_a_field_that_is_read(run: Any, jsonl: Any, here: Path) -> None:
    path = jsonl("s.jsonl", {"reward": 1, "env": 1, "x": {"y": 1}})
    for words in (
        ["--field", "step=env"],
        ["--field", "metadata.raw_reward=env"],
        ["--field", "metadata=x"],
        ["--by", "field('environment')", "--field", "environment=env"],
        ["--by", "field('a.b')", "--field", "a=x", "--field", "a.b=env"],
    ):
        result = run("report", path, *words)
        assert (result.stderr, result.code) == ("", 0)


def test_nobody_knows_what_a_plain_plugin_reads(
    run: Any, jsonl: Any, install: Any
) -> None:
    source = """
        class Env:
            def key(self, sample, position):
                return sample.env
    """
    install("acme", {"keyfold.keys": {"env": "acme:Env"}}, source)
    path = jsonl("s.jsonl", {"reward": 1, "e": 1})
    result = run("report", path, "--by", "env", "--field", "env=e")
    assert (result.stderr, result.code) == ("", 0)


@pytest.mark.parametrize("option", ["reward", "=x", "reward=", "="])
def test_a_field_without_a_source(run: Any, jsonl: Any, option: str) -> None:
    _fails(
        run("report", jsonl("s.jsonl", ROW), f"--field={option}"),
        USAGE,
        f"--field expects FIELD=SOURCE, found {option!r}\n"
        "Hint: --field rollout_id=sample_uid reads rollout_id from sample_uid",
    )


def test_a_field_that_is_mapped_twice(run: Any, jsonl: Any) -> None:
    _fails(
        run("report", jsonl("s.jsonl", ROW), "--field", "index=a", "--field=index=b"),
        USAGE,
        "--field maps 'index' twice, to 'a' and to 'b'",
    )


def test_a_special_source_that_there_is_not(run: Any, jsonl: Any) -> None:
    result = run("report", jsonl("s.jsonl", ROW), "--step", "@files")
    assert result.code == USAGE
    assert result.stderr.endswith("Hint: did you mean `@file`?\n")


def test_a_metric_that_does_not_exist(run: Any, jsonl: Any) -> None:
    message = (
        "there is no metric 'episode_reward'; the metrics are 'num_training_samples', "
        "'episode_raw_reward'\n"
        "Hint: did you mean 'episode_raw_reward'?"
    )
    path = jsonl("s.jsonl", ROW)
    for command in ("report", "explain"):
        _fails(run(command, path, "--metric", "episode_reward"), USAGE, message)


def test_two_metrics_of_one_name(
    run: Any, jsonl: Any, here: Path, install: Any
) -> None:
    # A table of TOML can't have one key twice; two sets of pipelines can.
    install(
        "acme",
        {"keyfold.pipelines": {"acme": "acme:METRICS"}},
        "from keyfold_strategies.pipelines import REWARD as METRICS\n",
    )
    (here / "k.toml").write_text('pipelines = ["reward", "acme"]\n')
    result = run("report", jsonl("s.jsonl", ROW), "--config", "k.toml")
    assert result.code == USAGE
    assert "num_training_samples" in result.stderr
    assert "acme" in result.stderr
    (here / "k.toml").write_text("[metrics.m]\n[metrics.m]\n")
    twice = run("report", "s.jsonl", "--config", "k.toml")
    assert twice.code == USAGE
    assert twice.stderr.startswith("keyfold: k.toml has 1 problem:")


def test_a_configuration_that_is_missing_or_broken(
    run: Any, jsonl: Any, here: Path
) -> None:
    path = jsonl("s.jsonl", ROW)
    _fails(
        run("report", path, "--config", "k.toml"),
        USAGE,
        "k.toml has 1 problem:\n  file: expected a TOML file, found no such file",
    )
    (here / "k.toml").write_text('[metrics.m]\nvalue = "rewrd"\n[reader]\nstp = 1\n')
    broken = run("report", path, "--config", "k.toml")
    assert broken.code == USAGE
    assert "did you mean 'reward'?" in broken.stderr
    for command in ("explain", "report"):
        assert run(command, path, "--config", "k.toml", "--metric", "m").code == USAGE
    assert run("plugins", "--config", "k.toml").code == USAGE


def test_a_reader_table_that_is_wrong(run: Any, jsonl: Any, here: Path) -> None:
    (here / "k.toml").write_text(
        '[reader]\nskip_bad = "yes"\nstep = 1\nformt = "jsonl"\nother = 1\n'
    )
    _fails(
        run("report", jsonl("s.jsonl", ROW), "--config", "k.toml"),
        USAGE,
        "k.toml has 4 problems:\n"
        '  reader.skip_bad: expected true or false, found the string "yes"\n'
        "  reader.step: expected a string, found the integer 1\n"
        "  reader.formt: expected one of the keys format, fields, skip_bad, step, "
        "found the unknown key 'formt'\n"
        "    Hint: did you mean 'format'?\n"
        "  reader.other: expected one of the keys format, fields, skip_bad, step, "
        "found the unknown key 'other'",
    )


def test_a_key_that_can_not_be_read(run: Any, jsonl: Any) -> None:
    path = jsonl("s.jsonl", ROW)
    unknown = run("report", path, "--by", "adaptr")
    assert unknown.code == USAGE
    assert unknown.stderr.endswith("    Hint: did you mean 'adapter'?\n")
    assert run("report", path, "--by", "adapter(").code == USAGE


def test_options_that_exclude_each_other(run: Any, jsonl: Any, here: Path) -> None:
    path = jsonl("s.jsonl", ROW)
    _fails(
        run("report", path, "--json", "--csv"),
        USAGE,
        "--json and --csv exclude each other",
    )
    (here / "k.toml").write_text('[metrics.m]\nvalue = "reward"\nacross = "mean"\n')
    _fails(
        run("report", path, "--config", "k.toml", "--reward-key", "a"),
        USAGE,
        "--reward-key goes with the default metrics, and k.toml has its own\n"
        'Hint: name the key in the file, as in value = "reward(key=…)"',
    )


def test_readers_may_all_be_blocked(run: Any, jsonl: Any, here: Path) -> None:
    (here / "k.toml").write_text(
        '[plugins]\nblock = ["reader:jsonl", "reader:miles_pt"]\n'
    )
    _fails(
        run("report", jsonl("s.jsonl", ROW), "--config", "k.toml"),
        USAGE,
        "no reader is installed, or all are blocked",
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["reprt"], 'Unknown command "reprt". Did you mean "report"?'),
        (["report", "--jsn"], "Unknown option: --jsn. Did you mean --json?"),
        (["report", "x", "--by"], "parameter --by requires an argument"),
        (["explain", "x"], "parameter --metric requires an argument"),
        (["explain", "x", "--metric", "m", "--top", "few"], "Invalid value for --top"),
        (["explain", "x", "--metric", "m", "--top", "0"], "--top expects at least 1"),
        (["plugins", "x"], "x"),
    ],
)
def test_a_command_line_that_is_wrong(run: Any, words: list[str], message: str) -> None:
    result = run(*words)
    assert message in result.stderr
    assert (result.stdout, result.code) == ("", USAGE)


def test_a_great_many_broken_lines(run: Any, here: Path) -> None:
    (here / "s.jsonl").write_text("x\n" * 9000 + '{"reward": 1}\n')
    result = run("report", "s.jsonl", "--skip-bad", "--csv")
    assert result.lines[1] == ",num_training_samples,1.0,1,1,1,0,0,0,1,0,,"
    assert "passed over 9000 broken records" in result.stderr
