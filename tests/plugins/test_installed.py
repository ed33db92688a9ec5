"""A distribution of plugins, installed beside keyfold, works by its names."""

from __future__ import annotations

import json
from textwrap import dedent

from tests.plugins.environments import Done, Environment
from tests.plugins.projects import EXAMPLE


def values(done: Done) -> dict[str, float]:
    """The metrics of the only step of a report in JSON."""
    assert (done.code, done.stderr) == (0, "")
    (step,) = json.loads(done.stdout)["steps"]
    return {name: it["value"] for name, it in step["metrics"].items()}


def test_a_configuration_uses_its_names(environment: Environment) -> None:
    done = environment.keyfold(
        "report", "turns.jsonl", "--config", "keyfold.toml", "--json"
    )

    assert values(done) == {"moves": 0.5}
    metric = json.loads(done.stdout)["steps"][0]["metrics"]["moves"]
    counts = (metric["used"], metric["missing"], metric["units_without_value"])
    assert counts == (3, 1, 1)
    assert metric["keyed_by"] == {"turn": 4}


def test_its_pipeline_set_gives_ready_metrics(environment: Environment) -> None:
    done = environment.keyfold(
        "report", "turns.jsonl", "--config", "turns.toml", "--json"
    )

    assert values(done) == {
        "reward_spread_over_turns": 0.375,
        "tool_calls_per_turn": 0.75,
    }


def test_the_configuration_of_its_readme_works(environment: Environment) -> None:
    readme = (EXAMPLE / "README.md").read_text(encoding="utf-8")
    _, _, rest = readme.partition("```toml\n")
    environment.write("keyfold.toml", rest.partition("```")[0])

    done = environment.keyfold(
        "report", "turns.jsonl", "--config", "keyfold.toml", "--json"
    )

    assert values(done) == {
        "reward_spread_over_turns": 0.375,
        "tool_calls_per_turn": 0.75,
        "reward_of_turns": 0.375,
    }


def test_its_key_breaks_a_metric_down(environment: Environment) -> None:
    environment.write(
        "keyfold.toml",
        '[metrics.reward]\nvalue = "reward"\nby = "turn"\nacross = "spread"\n',
    )

    done = environment.keyfold(
        "report", "turns.jsonl", "--config", "keyfold.toml", "--json"
    )

    assert values(done) == {
        "reward": 1.0,
        "reward/turn/0/0/0": 0.75,
        "reward/turn/0/0/1": 0.0,
    }


def test_it_is_listed_with_its_distribution_and_version(
    environment: Environment,
) -> None:
    done = environment.keyfold("plugins", "--check")

    rows = [line.split() for line in done.stdout.splitlines()]
    assert [row for row in rows if "keyfold-example" in row] == [
        [kind, name, "loaded", "keyfold-example", "0.1", f"keyfold_example.{target}"]
        for kind, name, target in (
            ("key", "turn", "turn:Turn"),
            ("reducer", "spread", "spread:Spread"),
            ("value", "tool_calls", "tool_calls:ToolCalls"),
            ("pipeline", "turns", "pipelines:TURNS"),
            ("module", "example_log", "hooks"),
        )
    ]
    assert (done.code, done.stderr) == (0, "")


def test_its_hooks_are_called(environment: Environment) -> None:
    log = environment.folder / "log"
    words = ("report", "turns.jsonl", "--config", "keyfold.toml")

    done = environment.keyfold(*words, KEYFOLD_EXAMPLE_LOG=str(log))

    assert (done.code, done.stderr) == (0, "")
    assert log.read_text() == "report moves=0.5\n"
    text = (environment.folder / "keyfold.toml").read_text()
    environment.write("keyfold.toml", f'{text}missing = "error"\n')
    failed = environment.keyfold(*words, KEYFOLD_EXAMPLE_LOG=str(log))
    assert failed.code == 1
    _, error = log.read_text().splitlines()
    shown = failed.stderr.splitlines()[0].removeprefix("keyfold: ")
    assert error == f"error {shown}"
    assert shown.startswith("turns.jsonl:4, step 0: sample at position 3: ")


def test_partials_of_its_metrics_merge_to_the_same_bits(
    environment: Environment,
) -> None:
    lines = (environment.folder / "turns.jsonl").read_text().splitlines(True)
    files: list[str] = []
    for shard, part in enumerate((lines[:1], lines[1:])):
        environment.write(f"{shard}.jsonl", "".join(part))
        files.append(f"{shard}.partials")
        made = environment.keyfold(
            *("partial", f"{shard}.jsonl", "--config", "turns.toml"),
            *("--shard", str(shard), "-o", files[-1]),
        )
        assert (made.code, made.stderr) == (0, "")

    # A partial holds the names of what it was made with, and needs no configuration.
    merged = environment.keyfold("report", *files, "--json")

    assert values(merged) == {
        "reward_spread_over_turns": 0.375,
        "tool_calls_per_turn": 0.75,
    }


def test_its_reducer_keeps_the_laws(environment: Environment) -> None:
    done = environment.python_code(
        dedent("""\
        from itertools import permutations
        from math import inf, nan

        from keyfold_example import Spread

        spread = Spread()
        start = spread.init()
        assert spread.finish(start) is None
        for values in permutations([0.0, -0.0, 2.5, -1.0, nan, inf], 4):
            whole = spread.fold(start, values)
            for cut in range(5):
                left = spread.fold(start, values[:cut])
                right = spread.fold(start, values[cut:])
                assert repr(spread.fold(left, values[cut:])) == repr(whole)
                assert repr(spread.merge(left, right)) == repr(whole)
                assert repr(spread.merge(right, left)) == repr(whole)
            assert repr(spread.fold(start, sorted(values))) == repr(whole)
        print("kept")
        """)
    )

    assert done == Done(0, "kept\n", "")
