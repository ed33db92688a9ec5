"""What is most likely not meant is told, or refused where it would mix strangers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest


def test_a_field_of_a_selection_that_no_sample_has(
    run: Any, jsonl: Any, here: Path
) -> None:
    (here / "k.toml").write_text(
        '[metrics.m]\nvalue = "reward"\nacross = "mean"\n'
        'where = \'field_test("statu", "!=", "aborted")\'\n'
    )
    result = run("report", jsonl("s.jsonl", {"reward": 1}), "--config", "k.toml")
    assert result.code == 0
    assert result.stderr == (
        "keyfold: note: a metric reads 'statu', which no sample has; did you mean "
        "'status'?\n"
    )
    quiet = run(
        "report", jsonl("t.jsonl", {"reward": 1, "statu": "x"}), "--config", "k.toml"
    )
    assert (quiet.code, quiet.stderr) == (0, "")


@pytest.mark.parametrize(
    "option", [("--step", "@file"), ("--field", "rollout_id=@file")]
)
def test_files_of_one_name_whose_name_is_a_field(
    run: Any, jsonl: Any, option: tuple[str, str]
) -> None:
    paths = [jsonl(f"{folder}/results.jsonl", {"reward": 1}) for folder in "ab"]
    field = "step" if option[0] == "--step" else "rollout_id"
    result = run("report", *paths, *option)
    assert result.code == 2
    assert result.stderr == (
        f"keyfold: {field!r} is read from the file's name, and a/results.jsonl and "
        "b/results.jsonl share theirs, 'results'\n"
        "Hint: report on them one by one, or give the files names of their own\n"
    )
    assert run("report", paths[0], *option).code == 0


def test_a_reader_that_fails_is_named_with_the_file(
    run: Any, install: Any, jsonl: Any
) -> None:
    reader = """
        class Reader:
            def recognises(self, path, head):
                return path.suffix == ".odd"

            def read(self, path, request):
                yield from ()
                raise ValueError("could not convert")
        """
    install("acme", {"keyfold.readers": {"odd": "acme:Reader"}}, reader)
    result = run("report", jsonl("a.odd", {"reward": 1}), "--format", "odd")
    assert result.code == 2
    assert result.stderr == (
        "keyfold: a.odd: the reader acme.Reader raised ValueError: could not convert\n"
        "Hint: a reader says what is wrong with a file by a ReadError\n"
    )
