"""What only a process of its own can show."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from keyfold_contrib.cli import _app, _output, main

EXAMPLE = Path(__file__).resolve().parents[2] / "docs" / "examples" / "multi-lora"
KEYFOLD = [sys.executable, "-m", "keyfold"]
SCRIPT = Path(sys.executable).parent / "keyfold"


def _run(*words: str, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*KEYFOLD, *words], capture_output=True, text=True, check=False, **options
    )


@pytest.mark.parametrize("command", [KEYFOLD, [str(SCRIPT)]])
def test_both_ways_to_start_it(command: list[str], jsonl: Any) -> None:
    path = jsonl("s.jsonl", {"reward": 0.5})
    done = subprocess.run(
        [*command, "report", path, "--json"], capture_output=True, check=True
    )
    [step] = json.loads(done.stdout)["steps"]
    assert step["metrics"]["episode_raw_reward"]["value"] == 0.5
    assert done.stderr == b""


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["report", "s.jsonl"], 0),
        (["report", "nowhere"], 1),
        (["report", "s.jsonl", "--metric", "m"], 2),
        (["reprt"], 2),
    ],
)
def test_exit_codes(jsonl: Any, words: list[str], code: int) -> None:
    jsonl("s.jsonl", {"reward": 0.5})
    done = _run(*words)
    assert done.returncode == code
    assert "Traceback" not in done.stderr
    # Asked for, a traceback comes first, and changes nothing else.
    traced = _run(*words, "--traceback")
    assert (traced.returncode, traced.stdout) == (code, done.stdout)
    assert ("Traceback" in traced.stderr) == (code != 0)
    assert traced.stderr.endswith(done.stderr)


def test_a_broken_pipe(jsonl: Any) -> None:
    path = jsonl("s.jsonl", *({"step": step, "reward": 1} for step in range(2000)))
    for words in (["--csv"], ["--json"], []):
        with subprocess.Popen(
            [*KEYFOLD, "report", path, *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as process:
            assert process.stdout is not None
            assert process.stderr is not None
            process.stdout.read(10)
            process.stdout.close()
            assert process.stderr.read() == b""
        assert process.returncode == 0


def test_an_output_that_is_full(jsonl: Any) -> None:
    full = Path("/dev/full")
    assert full.exists(), "a device of Linux, on which the tests run"
    with full.open("w") as output:
        done = subprocess.run(
            [*KEYFOLD, "report", jsonl("s.jsonl", {"reward": 1})],
            stdout=output,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr == "keyfold: No space left on device\n"


def test_ctrl_c(here: Path) -> None:
    # The reader waits for a plugin's sample when the signal comes.
    (here / "slow.py").write_text(
        "import signal\n"
        "class Slow:\n"
        "    def key(self, sample, position):\n"
        "        print('started', flush=True)\n"
        "        signal.pause()\n"
    )
    info = here / "slow-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: slow\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[keyfold.keys]\nslow = slow:Slow\n")
    (here / "s.jsonl").write_text('{"reward": 1}\n')
    path = os.pathsep.join([str(here), os.environ.get("PYTHONPATH", "")])
    with subprocess.Popen(
        [*KEYFOLD, "report", "s.jsonl", "--by", "slow"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": path},
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"started\n"
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate()
    assert (process.returncode, output, errors) == (130, b"", b"")


def test_an_encoding_that_lacks_a_label(jsonl: Any) -> None:
    path = jsonl("s.jsonl", {"reward": 1, "adapter": "é"})
    ascii_only = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = _run("report", path, "--by", "adapter", env=ascii_only)
    assert done.returncode == 0
    assert "\\xe9" in done.stdout


def test_a_path_that_is_no_utf_8(here: Path) -> None:
    name = b"\xff.jsonl"
    (here / os.fsdecode(name)).write_text('{"reward": null}\n')
    done = subprocess.run(
        [*KEYFOLD, "explain", name, "--metric", "episode_raw_reward"],
        capture_output=True,
        check=True,
    )
    assert b"at \\udcff.jsonl:1" in done.stdout


def test_a_defect_is_told_from_an_error_of_the_user(
    run: Any, jsonl: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_arguments: object) -> None:
        raise RuntimeError("oh no")

    monkeypatch.setattr(_output, "print_tables", fail)
    result = run("report", jsonl("s.jsonl", {"reward": 1}))
    assert result.code == _app.DEFECT == 70
    assert result.stderr == (
        "keyfold: a defect of keyfold or of a plugin: RuntimeError: oh no\n"
        "Hint: --traceback shows where in the code it arose\n"
    )
    assert "in fail" in run("report", "s.jsonl", "--traceback").stderr


def test_the_system_may_refuse(run: Any, here: Path) -> None:
    result = run("report", "x" * 5000)
    assert result.code == 1
    assert result.stderr.endswith("x: File name too long\n")


def _terminal(monkeypatch: pytest.MonkeyPatch, *, terminal: bool) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)


@pytest.mark.parametrize("terminal", [True, False])
def test_a_progress_bar_on_long_work(
    capsys: pytest.CaptureFixture[str],
    jsonl: Any,
    monkeypatch: pytest.MonkeyPatch,
    *,
    terminal: bool,
) -> None:
    from keyfold_contrib.cli import _steps

    path = jsonl("s.jsonl", *([{"reward": 1}] * 100))
    _terminal(monkeypatch, terminal=terminal)
    with pytest.raises(SystemExit):
        main(["report", path])
    assert "reading" not in capsys.readouterr().err  # short work
    monkeypatch.setattr(_steps, "_LONG_WORK", 10)
    _terminal(monkeypatch, terminal=terminal)
    with pytest.raises(SystemExit):
        main(["report", path])
    assert ("reading" in capsys.readouterr().err) == terminal


def test_the_size_of_a_file_that_is_gone_is_no_error(here: Path) -> None:
    from keyfold_contrib.cli._steps import size_of

    assert size_of(here / "gone") == 0


def test_from_dumps_over_partial_files_to_a_report(shards: Any, here: Path) -> None:
    for shard, folder in enumerate(shards):
        words = ("-o", f"{folder}.partials", "--shard", str(shard), "--by", "adapter")
        made = _run("partial", folder, *words)
        assert (made.stderr, made.returncode) == ("", 0)
    files = sorted(path.name for path in here.glob("*.partials"))
    merged = _run("merge", *reversed(files), "-o", "all.partials")
    assert (merged.stderr, merged.returncode) == ("", 0)
    assert merged.stdout.startswith(
        "all.partials: wrote 4 steps, 337 samples, shards 0 1, "
    )
    reported = _run("report", "all.partials", "--json")
    whole = _run("report", str(EXAMPLE), "--by", "adapter", "--json")
    assert (reported.stderr, reported.returncode) == ("", 0)
    assert json.loads(reported.stdout) == json.loads(whole.stdout)
    twice = _run("merge", "all.partials", files[0])
    assert (twice.stdout, twice.returncode) == ("", 1)
    assert "--shard" in twice.stderr
