"""`keyfold partial`: what it reads, what it writes, and over what it does not."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from keyfold_contrib.partial_files import read_partials

EXAMPLE = Path(__file__).resolve().parents[2] / "docs" / "examples" / "multi-lora"
ROW = {"step": 1, "rollout_id": 5, "reward": 1}


def test_one_line_says_what_was_written(run: Any, here: Path) -> None:
    result = run("partial", EXAMPLE, "-o", "a.partials", "--shard", 3)
    size = (here / "a.partials").stat().st_size
    assert result.stdout == (
        f"a.partials: wrote 4 steps, 337 samples, shard 3, {size} bytes\n"
    )
    assert (result.stderr, result.code) == ("", 0)
    found = read_partials(here / "a.partials")
    assert list(found) == [0, 1, 2, 3]
    assert {it.shards for it in found.values()} == {(3,)}
    assert sum(it.samples for it in found.values()) == 337


def test_the_shard_is_0_where_none_is_given(partial_of: Any, jsonl: Any) -> None:
    found = read_partials(Path(partial_of("a.p", jsonl("a.jsonl", ROW))))
    assert found[1].shards == (0,)


def test_dumps_are_read_as_by_report(run: Any, jsonl: Any, here: Path) -> None:
    (here / "k.toml").write_text(
        '[reader]\nskip_bad = true\n[metrics.m]\nvalue = "reward"\nacross = "mean"\n'
        '[metrics.n]\nvalue = "reward"\nacross = "max"\n'
    )
    path = jsonl("d/7.jsonl", {"score": 1, "env": "x"}, {"score": 0, "env": "y"})
    with (here / path).open("a") as file:
        file.write("broken\n")
    common = ("--config", "k.toml", "--metric", "n", "--field", "reward=score")
    words = ("d", *common, "--step", "@file", "--by", "field('env')", "--format")
    made = run("partial", *words, "jsonl", "-o", "a.p")
    expected = run("report", *words, "jsonl")
    assert made.code == expected.code == 0
    assert "passed over 1 broken record" in made.stderr
    assert made.stderr == expected.stderr
    assert run("report", "a.p").stdout == expected.stdout


def test_a_reward_key(run: Any, jsonl: Any, partial_of: Any) -> None:
    words = (jsonl("s.jsonl", {"reward": {"a": 1, "b": 0}}), "--reward-key", "a")
    path = partial_of("a.p", *words)
    assert run("report", path, "--json") == run("report", *words, "--json")


def test_steps_are_numbers_texts_or_none(partial_of: Any, jsonl: Any) -> None:
    steps = [10, "final", 9, None, "9", -3]
    rows = [{**ROW, "step": step} for step in steps]
    found = read_partials(Path(partial_of("a.p", jsonl("s.jsonl", *rows))))
    assert list(found) == [-3, 9, 10, "final", None, "9"]


def test_a_dump_without_samples_has_no_step(run: Any, install: Any, here: Path) -> None:
    reader = """
        class Reader:
            def recognises(self, path, head):
                return path.suffix == ".odd"

            def read(self, path, request):
                return iter(())
        """
    install("acme", {"keyfold.readers": {"odd": "acme:Reader"}}, reader)
    (here / "s.odd").write_text("nothing")
    result = run("partial", "s.odd", "-o", "a.p")
    assert result.code == 0
    assert result.stdout.startswith("a.p: wrote 0 steps, 0 samples, 0 shards, ")
    assert read_partials(here / "a.p") == {}


def test_another_partial_file_is_replaced(
    run: Any, jsonl: Any, partial_of: Any, here: Path
) -> None:
    partial_of("a.p", jsonl("s.jsonl", ROW))
    (here / "link.p").symlink_to("a.p")
    partial_of("link.p", jsonl("t.jsonl", {**ROW, "step": 2}))
    assert list(read_partials(here / "a.p")) == [2]
    assert (here / "link.p").is_symlink()
    assert sorted(path.name for path in here.iterdir()) == [
        "a.p",
        "link.p",
        "s.jsonl",
        "t.jsonl",
    ]


@pytest.mark.parametrize("command", ["partial", "merge"])
@pytest.mark.parametrize("content", ["", '{"reward": 1}\n', "keyfold partial file"])
def test_nothing_else_is_overwritten(
    run: Any, jsonl: Any, partial_of: Any, here: Path, command: str, content: str
) -> None:
    dump = jsonl("s.jsonl", ROW)
    source = partial_of("a.p", dump) if command == "merge" else dump
    (here / "notes.txt").write_text(content)
    result = run(command, source, "-o", "notes.txt")
    assert (result.stdout, result.code) == ("", 2)
    assert result.stderr == (
        "keyfold: notes.txt is not overwritten, since it is no partial file\n"
        "Hint: choose another name, or remove the file first\n"
    )
    assert (here / "notes.txt").read_text() == content


def test_a_target_is_refused_before_anything_is_read(run: Any, here: Path) -> None:
    (here / "s.jsonl").write_text("broken\n")
    (here / "d").mkdir()
    os.mkfifo(here / "pipe")
    for target, message in (
        ("d", "d can't be written: expected a file or nothing there, found a dir"),
        ("pipe", "pipe can't be written: expected a file or nothing there, found a p"),
        ("no/a.p", "no/a.p can't be written: there is no directory 'no'"),
        ("s.jsonl", "s.jsonl is not overwritten"),
    ):
        result = run("partial", "s.jsonl", "-o", target)
        assert result.code == 2
        assert result.stderr.startswith(f"keyfold: {message}")
        assert "\nHint: " in result.stderr


def test_a_target_that_may_not_be_written(
    run: Any, jsonl: Any, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_path: Path, _target: Path) -> None:
        raise PermissionError(13, "Permission denied")

    dump = jsonl("s.jsonl", ROW)
    monkeypatch.setattr(Path, "replace", refuse)
    result = run("partial", dump, "-o", "a.p")
    assert (result.stdout, result.code) == ("", 1)
    assert result.stderr == (
        "keyfold: a.p: the file can't be written: Permission denied\n"
        "Hint: the directory must be yours to write, and have room\n"
    )
    # What was written under another name is gone too.
    assert [path.name for path in here.iterdir()] == ["s.jsonl"]


def test_an_interrupted_write_leaves_the_old_file(
    run: Any, jsonl: Any, partial_of: Any, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(_file: int) -> None:
        raise KeyboardInterrupt

    path = here / partial_of("a.p", jsonl("s.jsonl", ROW))
    before = path.read_bytes()
    monkeypatch.setattr(os, "fsync", interrupt)
    assert run("partial", "s.jsonl", "-o", "a.p", "--shard", 1).code == 130
    assert path.read_bytes() == before
    assert sorted(each.name for each in here.iterdir()) == ["a.p", "s.jsonl"]


@pytest.mark.parametrize("shard", [-1, 1 << 22])
def test_no_number_of_a_shard(run: Any, here: Path, shard: int) -> None:
    # It is said before the dump is read, which is broken.
    (here / "s.jsonl").write_text("broken\n")
    result = run("partial", "s.jsonl", "-o", "a.p", "--shard", shard)
    assert result.code == 2
    assert result.stderr.startswith("keyfold: expected the number of a shard, from 0")
    assert not (here / "a.p").exists()


def test_metrics_that_no_file_can_spell(run: Any, install: Any, here: Path) -> None:
    source = """
        class Odd:
            def __init__(self):
                self.held = object()

            def key(self, sample, position):
                return (1,)
        """
    install("acme", {"keyfold.keys": {"odd": "acme:Odd"}}, source)
    (here / "s.jsonl").write_text("broken\n")
    result = run("partial", "s.jsonl", "-o", "a.p", "--by", "odd")
    assert result.code == 2
    assert "can't be told from others of its name" in result.stderr


def test_an_error_in_the_data_names_file_line_and_step(
    run: Any, jsonl: Any, install: Any, here: Path
) -> None:
    hooks = """
        from keyfold.hooks import hookimpl

        @hookimpl
        def keyfold_error(error):
            print("error", error.message)
        """
    install("acme", {"keyfold": {"acme": "acme"}}, hooks)
    path = jsonl("s.jsonl", {**ROW, "reward": {"a": 1}}, {**ROW, "step": 2})
    words = ("--reward-key", "b", "-o", "a.p", "--shard", 2)
    result = run("partial", path, *words)
    assert result.code == 1
    assert result.stderr.startswith(
        "keyfold: s.jsonl:1, step 1: sample at position 0 of shard 2: "
    )
    assert result.stdout.startswith("error s.jsonl:1, step 1: ")
    assert not (here / "a.p").exists()


def test_partial_needs_paths_and_an_output(run: Any, jsonl: Any) -> None:
    assert "needs at least one file" in run("partial", "-o", "a.p").stderr
    result = run("partial", jsonl("s.jsonl", ROW))
    assert result.code == 2
    assert "--output" in result.stderr


def test_the_same_dump_gives_the_same_bytes(partial_of: Any, jsonl: Any) -> None:
    dump = jsonl("s.jsonl", ROW)
    files = [Path(partial_of(name, dump)).read_bytes() for name in ("a.p", "b.p")]
    assert files[0] == files[1]
