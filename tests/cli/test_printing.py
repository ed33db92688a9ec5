"""What stands on terminals and in pipes, whatever the labels are."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from typing import Any

import pytest

from keyfold_contrib.cli import main

LONG = "x" * 300


class _Stream(io.TextIOWrapper):
    """A standard output that may be a terminal."""

    def __init__(self, *, terminal: bool, encoding: str = "utf-8") -> None:
        super().__init__(io.BytesIO(), encoding=encoding, newline="\n")
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal

    def text(self) -> str:
        self.flush()
        buffer = self.buffer
        assert isinstance(buffer, io.BytesIO)
        return buffer.getvalue().decode(self.encoding)


@pytest.fixture
def output(monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Run a command line, and return its output on a stream of some kind."""

    def call(
        *words: str, terminal: bool = True, columns: int = 80, encoding: str = "utf-8"
    ) -> str:
        stream = _Stream(terminal=terminal, encoding=encoding)
        monkeypatch.setattr(sys, "stdout", stream)
        monkeypatch.setenv("COLUMNS", str(columns))
        monkeypatch.setenv("TERM", "xterm-256color")
        with pytest.raises(SystemExit):
            main(words)
        return stream.text()

    return call


@pytest.fixture(autouse=True)
def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)


def _entries(text: str) -> list[str]:
    return [line.split("  ")[0] for line in text.splitlines()[3:]]


def _labelled(jsonl: Any, *labels: str) -> tuple[str, ...]:
    path = jsonl("s.jsonl", *({"reward": 1, "adapter": it} for it in labels))
    return ("report", path, "--by", "adapter", "--metric", "num_training_samples")


def test_a_terminal_has_colours_unless_it_wants_none(
    output: Any, jsonl: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("report", jsonl("s.jsonl", {"reward": 1}))
    assert output(*words).startswith("\x1b[1mnum_training_samples\x1b[0m\n")
    assert "\x1b[" not in output(*words, terminal=False)
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[3" not in output(*words)


def test_markup_is_not_interpreted(output: Any, jsonl: Any) -> None:
    labels = ["[red]x[/red]", "[/]", "[bold]", ":smile:", "a[0]", "\\[b]"]
    text = output(*_labelled(jsonl, *labels), terminal=False)
    assert sorted(_entries(text)) == sorted(["(all)", *labels])


def test_markup_in_paths_is_not_interpreted(run: Any, jsonl: Any) -> None:
    path = jsonl("[red]s[/red].jsonl", "no object")
    assert run("report", path).stderr.startswith("keyfold: [red]s[/red].jsonl:1: ")
    metric = run(
        "explain",
        jsonl("[b].jsonl", {"reward": None}),
        "--metric",
        "episode_raw_reward",
    )
    assert "at [b].jsonl:1" in metric.stdout


def test_nothing_moves_the_cursor(output: Any, run: Any, jsonl: Any) -> None:
    labels = ["a\nb", "c\td", "\x1b[31me", "f\r", "\x9bg", "\u202eh", "\u2028i"]
    text = output(*_labelled(jsonl, *labels), terminal=False)
    escaped = [
        "a\\nb",
        "c\\td",
        "\\x1b[31me",
        "f\\r",
        "\\x9bg",
        "\\u202eh",
        "\\u2028i",
    ]
    assert sorted(_entries(text)) == sorted(["(all)", *escaped])
    error = run("report", "\x1b(2J").stderr
    assert error == "keyfold: \\x1b(2J: there is no such file or directory\n"


def test_long_labels_are_whole(output: Any, jsonl: Any) -> None:
    words = _labelled(jsonl, LONG)
    assert f"\n{LONG}  " in output(*words, terminal=False)
    folded = output(*words)
    assert folded.count("x") == len(LONG)
    assert max(map(len, folded.splitlines())) <= 80 + len("\x1b[1m\x1b[0m") * 20


def test_numbers_are_whole_on_narrow_terminals(output: Any, jsonl: Any) -> None:
    words = _labelled(jsonl, "an-adapter-with-a-name")
    for columns in (20, 40, 80, 200):
        rows = output(*words, columns=columns).splitlines()
        total = next(row for row in rows if row.startswith("(all)"))
        assert total.split()[1:] == ["1", "1", "1", "0", "0", "1"]


def test_a_pipe_has_one_line_a_row(output: Any, jsonl: Any) -> None:
    path = jsonl("s.jsonl", {"reward": 1, "rollout_id": 1}, {"reward": 1})
    text = output("report", path, "--by", "adapter", terminal=False, columns=30)
    assert len(text.splitlines()) == 2 * 5 + 1
    assert all(line == line.rstrip() for line in text.splitlines())


def test_wide_characters(output: Any, jsonl: Any) -> None:
    text = output(*_labelled(jsonl, "日本語", "é"), terminal=False)
    assert text.splitlines()[-2:] == [
        "é           1        1     1        0         0      1",
        "日本語      1        1     1        0         0      1",
    ]


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_labels_that_the_encoding_lacks(output: Any, jsonl: Any, encoding: str) -> None:
    words = _labelled(jsonl, "日本", "\ud83d")
    for more in ((), ("--csv",)):
        text = output(*words, *more, terminal=False, encoding=encoding)
        assert ("日本" if encoding == "utf-8" else "\\u65e5\\u672c") in text
        assert "\\ud83d" in text
    text = output(*words, "--json", terminal=False, encoding=encoding)
    names = json.loads(text)["steps"][0]["metrics"]
    assert "num_training_samples/日本" in names


def test_states_have_colours(output: Any, here: Any) -> None:
    (here / "k.toml").write_text('[plugins]\nblock = ["reducer:sum"]\n')
    text = output("plugins", "--config", "k.toml", columns=200)
    [row] = [line for line in text.splitlines() if line.startswith("\x1b[33m")]
    assert row.removeprefix("\x1b[33m").split()[:3] == ["reducer", "sum", "blocked"]


def test_explain_on_a_narrow_terminal(output: Any, jsonl: Any) -> None:
    path = jsonl("s.jsonl", {"reward": None, "adapter": "a" * 50, "rollout_id": 1})
    words = ("explain", path, "--metric", "episode_raw_reward")
    lines = output(*words, columns=40).splitlines()
    # The declaration goes on with its indentation.
    assert lines[2:4] == [
        "  mean within",
        "  adapter_scoped(first_of(rollout,",
    ]


def test_what_is_no_stream_of_python_is_left_alone(
    jsonl: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stdout", stream)
    with pytest.raises(SystemExit) as caught:
        main(["report", jsonl("s.jsonl", {"reward": 1})])
    assert caught.value.code == 0
    assert "episode_raw_reward" in stream.getvalue()
