"""Which files a command reads."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

ONE, TWO, THREE = ({"reward": float(reward)} for reward in (1, 2, 3))


@pytest.fixture
def read(run: Any) -> Any:
    """Return the rewards that a command line read, in order."""

    def call(*words: str) -> list[float]:
        result = run("report", *words, "--by", "position", "--json")
        assert result.code == 0, result.stderr
        [step] = json.loads(result.stdout)["steps"]
        return [
            it["value"]
            for name, it in step["metrics"].items()
            if name.startswith("episode_raw_reward/")
        ]

    return call


def test_a_directory_in_natural_order(read: Any, jsonl: Any) -> None:
    jsonl("d/step_10.jsonl", THREE)
    jsonl("d/step_9.jsonl", TWO)
    jsonl("d/a/b.jsonl", ONE)
    assert read("d") == [1, 2, 3]


def test_hidden_files_are_left_out(read: Any, jsonl: Any) -> None:
    jsonl("d/.a.jsonl", THREE)
    jsonl("d/.git/b.jsonl", THREE)
    jsonl("d/c.jsonl", ONE)
    assert read("d") == [1]


def test_a_pattern(read: Any, jsonl: Any) -> None:
    jsonl("d/x/10.jsonl", THREE)
    jsonl("d/x/9.jsonl", TWO)
    jsonl("d/1.jsonl", ONE)
    assert read("d/x/*.jsonl") == [2, 3]
    assert read("d/**/*.jsonl") == [1, 2, 3]
    assert read("d/[!1]") == [2, 3]  # a directory


def test_a_path_that_looks_like_a_pattern(read: Any, jsonl: Any) -> None:
    jsonl("d[1].jsonl", ONE)
    jsonl("d1.jsonl", TWO)
    assert read("d[1].jsonl") == [1]


def test_a_file_is_read_once(read: Any, jsonl: Any, here: Path) -> None:
    jsonl("d/a.jsonl", ONE)
    (here / "link.jsonl").symlink_to(here / "d" / "a.jsonl")
    assert read("d/a.jsonl", "./d/a.jsonl", "d", "d/*", "link.jsonl") == [1]


def test_files_in_the_order_of_the_command(read: Any, jsonl: Any) -> None:
    jsonl("b.jsonl", TWO)
    jsonl("a.jsonl", ONE)
    assert read("b.jsonl", "a.jsonl") == [2, 1]


def test_files_of_other_kinds_are_passed_over_and_named(
    run: Any, jsonl: Any, here: Path
) -> None:
    jsonl("d/a.jsonl", ONE)
    (here / "d" / "metadata.json").write_text("{}")
    (here / "d" / "gone").symlink_to(here / "nowhere")
    for words in ((), ("--format", "jsonl")):
        result = run("report", "d", "d/.", *words)
        assert result.stderr == (
            "keyfold: note: passed over 1 file of no known format:\n  d/metadata.json\n"
        )
        assert result.code == 0


def test_a_named_file_is_read_with_the_chosen_reader(read: Any, here: Path) -> None:
    (here / "samples").write_text('\n{"reward": 1.0\n{"reward": 2.0}\n')
    words = ("samples", "--format", "jsonl", "--skip-bad")
    assert read(*words) == [2]


def test_formats_may_be_mixed(read: Any, jsonl: Any, here: Path, install: Any) -> None:
    source = """
        from types import SimpleNamespace
        from keyfold.contracts import DumpPart

        class Reader:
            def recognises(self, path, head):
                return head.startswith(b"ACME")

            def read(self, path, request):
                sample = SimpleNamespace(
                    adapter=None, group_index=0, rollout_id=1, index=None, reward=5.0,
                    metadata=None)
                yield DumpPart(None, [sample])
    """
    install("acme", {"keyfold.readers": {"acme": "acme:Reader"}}, source)
    jsonl("d/a.jsonl", ONE)
    (here / "d" / "b").write_text("ACME")
    result = read("d")
    assert result == [1, 5]
