"""The dump that ships in docs/examples, and the figures it must give."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import keyfold
from keyfold.contracts import ReadRequest
from keyfold_contrib.readers import JsonlReader

EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples"
DUMP = EXAMPLES / "multi-lora"
FILES = tuple(f"step_{step:03}.jsonl" for step in range(4))


def _rows(name: str) -> list[dict[str, Any]]:
    lines = (DUMP / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def _samples(name: str) -> Sequence[Any]:
    reader = JsonlReader()
    [part] = reader.read(DUMP / name, ReadRequest())
    return part.samples


def _row_mean(rows: Sequence[dict[str, Any]]) -> float:
    rewards = [Fraction(it["reward"]) for it in rows if isinstance(it["reward"], float)]
    return float(sum(rewards) / len(rewards))


def _rollout_mean(rows: Sequence[dict[str, Any]], *, adapters: bool = True) -> float:
    """Work out by hand what the default pipeline must say."""
    units: dict[object, list[Fraction]] = defaultdict(list)
    for position, row in enumerate(rows):
        if not isinstance(row["reward"], float):
            continue
        unit: tuple[object, ...] = ("position", position)
        for field in ("index", "rollout_id"):
            if row[field] is not None:
                unit = (field, row[field])
        scope = (row["adapter"]["name"], row["adapter"]["slot"]) if adapters else None
        units[scope, row["group_index"], unit].append(Fraction(row["reward"]))
    means = [sum(rewards) / len(rewards) for rewards in units.values()]
    return float(sum(means) / len(means))


def test_the_script_makes_what_ships(tmp_path: Path) -> None:
    script = EXAMPLES / "make_multi_lora.py"
    subprocess.run([sys.executable, script, tmp_path], check=True)
    assert sorted(it.name for it in tmp_path.iterdir()) == list(FILES)
    assert sorted(it.name for it in DUMP.iterdir()) == list(FILES)
    for name in FILES:
        assert (tmp_path / name).read_bytes() == (DUMP / name).read_bytes()


@pytest.mark.parametrize("name", FILES)
def test_a_step_gives_the_figures_worked_out_by_hand(name: str) -> None:
    rows = _rows(name)
    report = keyfold.compute(_samples(name))
    assert report["episode_raw_reward"] == pytest.approx(_rollout_mean(rows), rel=1e-15)
    outcome = report.outcome("episode_raw_reward")
    assert report["num_training_samples"] == outcome.samples == len(rows)
    assert outcome.missing == sum(row["reward"] is None for row in rows)
    assert outcome.rejected == sum(isinstance(row["reward"], dict) for row in rows)


@pytest.mark.parametrize("name", FILES)
def test_a_step_shows_what_the_unit_is_worth(name: str) -> None:
    rows = _rows(name)
    right = _rollout_mean(rows)
    assert _row_mean(rows) < 0.75 * right
    assert abs(_rollout_mean(rows, adapters=False) - right) > 0.02


def test_the_dump_has_the_oddities_of_real_ones() -> None:
    rows = [row for name in FILES for row in _rows(name)]
    keyed = {(row["rollout_id"] is None, row["index"] is None) for row in rows}
    assert keyed == {(False, False), (True, False), (True, True)}
    assert {type(row["reward"]) for row in rows} == {float, dict, type(None)}
    numbers = {
        name: {
            (row["group_index"], row["rollout_id"])
            for row in rows
            if row["adapter"]["name"] == name
        }
        for name in ("math-lora", "code-lora")
    }
    assert (0, 0) in numbers["math-lora"] & numbers["code-lora"]


def test_the_configuration_beside_it_loads() -> None:
    pipelines = keyfold.load(EXAMPLES / "keyfold.toml")
    report = keyfold.compute(_samples(FILES[3]), pipelines)
    by_default = keyfold.compute(_samples(FILES[3]))
    assert report["episode_raw_reward"] == by_default["episode_raw_reward"]
    assert {
        "best_of_group",
        "best_of_group/math-lora",
        "best_of_group/code-lora",
    } <= set(report)
