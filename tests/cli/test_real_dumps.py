"""`keyfold report` on real files gives the figures that were worked out by others.

The files live in ../shared and are read in place. Each case says where its file has the
group and the rollout; the figures are those of facts.json, which groups rows.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import attrs
import pytest

UNITS = Path(__file__).resolve().parents[2] / "docs" / "examples" / "units.toml"
NAMES = ("by_row", "by_rollout", "by_group")

# A row of these formats that has no number for its rollout is a rollout by itself.
ROW = "@line"


@attrs.frozen(order=False)
class Case:
    """One file, or several together.

    Attributes:
        fact: The entry of facts.json.
        paths: The files or folders below the folder of dumps.
        group: The source of the group.
        rollout: The source of the rollout.
        by_prompt: Whether the figures are those of facts.json by prompt.
        bad: How many lines are broken.
    """

    fact: str
    paths: tuple[str, ...]
    group: str
    rollout: str
    by_prompt: bool = False
    bad: int = 0


def _textcraft(*names: str) -> Case:
    folder = "agentgym_eval/textcraft-sft80-3evals"
    paths = tuple(f"{folder}/{name}" for name in names) or (folder,)
    fact = paths[0] if names else f"{folder} (all files together)"
    # Which of three attempts a row is, only its file's name says.
    return Case(fact, paths, "item_id", "@file")


def _nemo(path: str, group: str, rollout: str) -> Case:
    return Case(f"nemo_gym/{path}", (f"nemo_gym/{path}",), group, rollout)


def _verifiers(name: str, group: str, *, by_prompt: bool = False, bad: int = 0) -> Case:
    path = f"verifiers_legacy/{name}"
    files = (f"{path}/results.jsonl",)
    return Case(path, files, group, ROW, by_prompt=by_prompt, bad=bad)


TASK, TRY = "_ng_task_index", "_ng_rollout_index"
# The prompt as a text, by the plugin below: in these files it is a list of messages,
# which no built-in key takes, and no other field tells the prompts apart.
PROMPT = "prompt"

CASES = (
    _textcraft("eval1__eval_20251217_110922_results.jsonl"),
    _textcraft("eval2__eval_20251217_110922_results.jsonl"),
    _textcraft("eval3__eval_20251217_110922_results.jsonl"),
    _textcraft(),
    _nemo("anyswe_pi/example_rollouts_pi.jsonl", TASK, TRY),
    _nemo("blackjack/example_rollouts.jsonl", TASK, TRY),
    _nemo("example_tool_call_multireward/example_rollouts.jsonl", TASK, TRY),
    _nemo("graphwalks/example_rollouts.jsonl", TASK, TRY),
    _nemo("viewer-fixtures/sample_rollouts.jsonl", TASK, TRY),
    _nemo("viewer-fixtures/sample_rollouts_failures.jsonl", TASK, TRY),
    # The figures of the next three are by the text of the prompt, which these fields
    # stand for: they tell the same rows apart.
    _nemo("multichallenge/example_rollouts.jsonl", "context", ROW),
    _nemo("newton_bench/example_rollouts.jsonl", "system", ROW),
    _nemo("polymath/example_rollouts.jsonl", "question", ROW),
    _verifiers("gsm8k-all-zero", "id"),
    _verifiers("legalbench-gpt4omini-r5", "id"),
    _verifiers("math-python-negative-reward", "id"),
    _verifiers("mcp-env-one-row", "id"),
    _verifiers("mmmu-placeholder-images", "id"),
    _verifiers("prml-gpt41mini", "example_id"),
    _verifiers("reward-bench-broken-lines", "id", bad=2),
    # It has no id at all, and its figures have the whole file as one group.
    _verifiers("root-results-no-id", "@file"),
    _verifiers("wiki-search-qwen3-4b-tools", "example_id"),
    _verifiers("wordle-gpt41mini-multiturn", "example_id"),
    # The same files by prompt. Where `id` numbers tiled rows wrongly, this tells
    # (legalbench: 10 groups by each, but not the same ones).
    _verifiers("gsm8k-all-zero", "id", by_prompt=True),
    _verifiers("legalbench-gpt4omini-r5", PROMPT, by_prompt=True),
    _verifiers("math-python-negative-reward", "answer", by_prompt=True),
    _verifiers("mcp-env-one-row", "answer", by_prompt=True),
    _verifiers("mmmu-placeholder-images", "answer", by_prompt=True),
    _verifiers("prml-gpt41mini", "answer", by_prompt=True),
    _verifiers("reward-bench-broken-lines", "answer", by_prompt=True, bad=2),
    _verifiers("root-results-no-id", PROMPT, by_prompt=True),
    _verifiers("wiki-search-qwen3-4b-tools", "example_id", by_prompt=True),
    _verifiers("wordle-gpt41mini-multiturn", "answer", by_prompt=True),
)

PROMPT_KEY = """
    import json

    class Prompt:
        fields = ("prompt", "answer", "info")

        def key(self, sample, position):
            return json.dumps([sample.prompt, sample.answer, sample.info])
"""


@pytest.fixture(scope="session")
def facts(shared: Path) -> dict[str, Any]:
    text = (shared / "dumps" / "facts.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def _id(case: Case) -> str:
    return f"{case.fact}{' by prompt' if case.by_prompt else ''}"


@pytest.mark.parametrize("case", CASES, ids=_id)
def test_the_figures(
    run: Any, install: Any, shared: Path, facts: dict[str, Any], case: Case
) -> None:
    words: list[object] = [shared / "dumps" / path for path in case.paths]
    words += ["--config", UNITS, "--field", f"rollout_id={case.rollout}"]
    if case.group == PROMPT:
        install("acme", {"keyfold.keys": {"prompt": "acme:Prompt"}}, PROMPT_KEY)
        words += ["--by", "prompt", "--metric", "by_row"]
    else:
        words += ["--field", f"group_index={case.group}"]
    if case.bad:
        assert run("report", *words, "--json").code == 1
        words.append("--skip-bad")
    result = run("report", *words, "--json")
    assert result.code == 0, result.stderr
    read = json.loads(result.stdout)
    [step] = read["steps"]
    wanted = facts[case.fact] | (
        facts[case.fact]["by_prompt"] if case.by_prompt else {}
    )
    assert len(read["bad_records"]) == case.bad
    assert case.bad == len(wanted.get("bad", wanted.get("bad_lines", ())))
    if case.group == PROMPT:
        _check_entries(step["metrics"], wanted)
    else:
        _check(step["metrics"], wanted)


def _check(metrics: dict[str, Any], wanted: dict[str, Any]) -> None:
    row, rollout, group = (metrics[name] for name in NAMES)
    for outcome in (row, rollout, group):
        assert outcome["samples"] == wanted["rows"]
        assert outcome["missing"] == wanted["missing"]
        assert outcome["used"] == wanted["rows"] - wanted["missing"]
        assert outcome["rejected"] == 0
    assert rollout["units"] + rollout["units_without_value"] == wanted["rollouts"]
    assert group["units"] + group["units_without_value"] == wanted["groups"]
    # facts.json has a mean by rollout only where a rollout has several rows.
    by_rollout = wanted.get("mean_rollout", wanted.get("mean_row"))
    for outcome, value in (
        (row, wanted.get("mean_row")),
        (rollout, by_rollout),
        (group, wanted.get("mean_groups")),
    ):
        assert outcome["value"] == (
            None if value is None else pytest.approx(value, rel=1e-12, abs=1e-15)
        )


def _check_entries(metrics: dict[str, Any], wanted: dict[str, Any]) -> None:
    # A breakdown by prompt has an entry a group; its mean is the mean by group.
    assert metrics["by_row"]["value"] == pytest.approx(wanted["mean_row"], rel=1e-12)
    groups = [it for name, it in metrics.items() if name.startswith("by_row/")]
    assert len(groups) == wanted["groups"]
    sizes: dict[str, int] = {}
    for group in groups:
        size = str(group["samples"])
        sizes[size] = sizes.get(size, 0) + 1
    assert sizes == wanted["group_sizes"]
    mean = sum(group["value"] for group in groups) / len(groups)
    assert mean == pytest.approx(wanted["mean_groups"], rel=1e-12)


def test_every_file_of_these_formats_has_a_case(
    shared: Path, facts: dict[str, Any]
) -> None:
    formats = ("agentgym_eval/", "nemo_gym/", "verifiers_legacy/")
    # Parquet comes with frames.
    wanted = {
        fact
        for fact in facts
        if fact.startswith(formats) and "prefix-candidates-fanout" not in fact
    }
    assert {case.fact for case in CASES if not case.by_prompt} == wanted
    by_prompt = {fact for fact in wanted if "by_prompt" in facts[fact]}
    assert {case.fact for case in CASES if case.by_prompt} == by_prompt


def test_a_folder_of_results_as_it_stands(run: Any, shared: Path) -> None:
    # With its metadata.json, which is no dump of samples and is named.
    folder = shared / "dumps" / "verifiers_legacy" / "gsm8k-all-zero"
    result = run("report", folder)
    assert result.code == 0
    assert result.stderr == (
        "keyfold: note: passed over 1 file of no known format:\n"
        f"  {folder / 'metadata.json'}\n"
    )
    assert "episode_raw_reward" in result.lines


def test_broken_lines_are_named(run: Any, shared: Path) -> None:
    path = shared / "dumps/verifiers_legacy/reward-bench-broken-lines/results.jsonl"
    result = run("report", path)
    assert result.code == 1
    assert result.stderr.startswith(f"keyfold: {path}:1:1: broken JSON: ")


def test_a_pickle_from_elsewhere_is_refused_by_name(run: Any, shared: Path) -> None:
    result = run("report", shared / "dumps" / "pickle_pt")
    assert result.code == 1
    assert "nothing in the file was run" in result.stderr
