"""Files that real runs and real writers made."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable
from contextlib import AbstractContextManager
from fractions import Fraction
from numbers import Number
from pathlib import Path
from statistics import fmean
from typing import Any, TypeAlias

import pytest

from keyfold.contracts import ReadRequest
from keyfold.errors import ReadError
from keyfold_contrib.readers import JsonlReader, MilesPtReader
from keyfold_strategies import AdapterRef

Trainer: TypeAlias = Callable[..., AbstractContextManager[Any]]

NEMO = {"group_index": "_ng_task_index", "rollout_id": "_ng_rollout_index"}
ITEMS = {"group_index": "item_id", "rollout_id": "@file"}
TEXTCRAFT = "agentgym_eval/textcraft-sft80-3evals"
BAD_LINES = "verifiers_legacy/reward-bench-broken-lines"
FILES = [
    *((f"{TEXTCRAFT}/eval{n}__eval_20251217_110922_results", ITEMS) for n in (1, 2, 3)),
    *(
        (f"nemo_gym/{name}", NEMO)
        for name in (
            "anyswe_pi/example_rollouts_pi",
            "blackjack/example_rollouts",
            "example_tool_call_multireward/example_rollouts",
            "graphwalks/example_rollouts",
            "viewer-fixtures/sample_rollouts",
        )
    ),
    *(
        (f"verifiers_legacy/{name}/results", {"group_index": key})
        for name, key in (
            ("gsm8k-all-zero", "id"),
            ("legalbench-gpt4omini-r5", "id"),
            ("math-python-negative-reward", "id"),
            ("mcp-env-one-row", "id"),
            ("mmmu-placeholder-images", "id"),
            ("prml-gpt41mini", "example_id"),
            ("reward-bench-broken-lines", "id"),
            ("wiki-search-qwen3-4b-tools", "example_id"),
            ("wordle-gpt41mini-multiturn", "example_id"),
        )
    ),
]


def facts_of(shared: Path, name: str) -> dict[str, Any]:
    facts = json.loads((shared / "dumps/facts.json").read_bytes())
    found: dict[str, Any] = facts.get(f"{name}.jsonl") or facts[str(Path(name).parent)]
    return found


@pytest.mark.parametrize(("name", "mapping"), FILES)
@pytest.mark.parametrize("known", [True, False])
def test_real_json_lines_give_their_figures(
    shared: Path, name: str, mapping: dict[str, str], known: bool
) -> None:
    facts = facts_of(shared, name)
    path = shared / "dumps" / f"{name}.jsonl"
    reader = JsonlReader()
    assert reader.recognises(path, path.read_bytes()[:4096])
    fields = frozenset({"group_index", "rollout_id", "reward"}) if known else None
    found = list(reader.read(path, ReadRequest(fields, mapping, skip_bad=True)))
    rows = [sample for part in found for sample in part.samples]
    groups: defaultdict[Any, list[float]] = defaultdict(list)
    for row in rows:
        if row.reward is not None:
            groups[row.group_index].append(row.reward)
    rewards = [reward for group in groups.values() for reward in group]
    assert len(rows) == facts["rows"]
    assert len(rows) - len(rewards) == facts["missing"]
    assert fmean(rewards) == pytest.approx(facts["mean_row"], abs=1e-12)
    assert fmean(map(fmean, groups.values())) == pytest.approx(
        facts["mean_groups"], abs=1e-12
    )
    if facts["missing"] == 0:
        sizes = Counter(str(len(group)) for group in groups.values())
        assert sizes == facts["group_sizes"]
    assert sum(len(part.bad) for part in found) == (2 if BAD_LINES in name else 0)


def test_real_broken_lines_are_named(shared: Path) -> None:
    path = shared / "dumps" / BAD_LINES / "results.jsonl"
    with pytest.raises(ReadError, match="ruff check") as caught:
        list(JsonlReader().read(path, ReadRequest(frozenset({"reward"}))))
    assert (caught.value.line, caught.value.column) == (1, 1)


def test_the_metadata_of_a_real_run_is_no_dump(shared: Path) -> None:
    files = sorted((shared / "dumps").glob("**/*.json"))
    assert files
    reader = JsonlReader()
    assert not [f for f in files if reader.recognises(f, f.read_bytes()[:4096])]


def test_infinity_in_a_real_file(shared: Path) -> None:
    (path,) = (shared / "dumps/lm_eval_samples/polymer_tg_prediction").glob("*.jsonl")
    (part,) = JsonlReader().read(path, ReadRequest(None))
    assert len(part.samples) == 24


def test_what_torch_itself_wrote(tmp_path: Path, fake_trainer: Trainer) -> None:
    torch = pytest.importorskip(
        "torch", reason="torch is not installed; other tests imitate its files"
    )
    path = tmp_path / "4.pt"
    with fake_trainer() as types:
        sample = {
            "adapter": types.AdapterRef("math", 1),
            "rollout_id": 7,
            "reward": torch.tensor(0.5),
            "tokens": torch.arange(5),
            "parameter": torch.nn.Parameter(torch.ones(2)),
            "dtype": torch.bfloat16,
            "device": torch.device("cpu"),
            "size": torch.Size([1, 2]),
            "metadata": {"raw_reward": 0.25, "half": torch.ones(2).half()},
        }
        torch.save({"rollout_id": 4, "metadata": {}, "samples": [sample]}, path)
    assert MilesPtReader().recognises(path, path.read_bytes()[:4096])
    (part,) = MilesPtReader().read(path, ReadRequest(None))
    (read,) = part.samples
    assert (part.step, read.rollout_id) == (4, 7)
    assert read.adapter == AdapterRef("math", 1)
    assert not isinstance(read.reward, Number)
    assert repr(read.reward) == "<torch.Tensor, not read>"
    assert read.metadata["raw_reward"] == 0.25
    assert repr(read.dtype) == "<torch.bfloat16, not read>"


@pytest.mark.parametrize("value", [Fraction(1, 2), Path("a")])
def test_what_torch_refuses_by_default_is_refused(tmp_path: Path, value: Any) -> None:
    torch = pytest.importorskip(
        "torch", reason="torch is not installed; other tests imitate its files"
    )
    path = tmp_path / "4.pt"
    torch.save({"samples": [{"reward": value}]}, path)
    with pytest.raises(ReadError, match="nothing in the file was run"):
        list(MilesPtReader().read(path, ReadRequest()))
    torch.save({"samples": []}, path, _use_new_zipfile_serialization=False)
    with pytest.raises(ReadError, match="before torch"):
        list(MilesPtReader().read(path, ReadRequest()))
