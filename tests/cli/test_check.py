"""`keyfold check` makes the checks of `keyfold.testing` on what a target names."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from keyfold.testing import (
    key_strategy_checks,
    pipeline_checks,
    plugin_checks,
    reducer_checks,
    selection_checks,
    value_checks,
)

OWN = """
    import attrs

    @attrs.frozen
    class ByStatus:
        "Samples of one status form a unit."

        fields = ("status",)

        def key(self, sample, position, /):
            return None if sample.status is None else ("status", sample.status)

    @attrs.frozen
    class ByTurn:
        "Samples of one turn form a unit."

        fields = ("turn",)

        def key(self, sample, position, /):
            return ("turn", sample.turn)

    @attrs.frozen
    class Undeclared:
        "Samples of one turn form a unit."

        def key(self, sample, position, /):
            return ("turn", sample.turn)

    @attrs.frozen
    class Needy:
        "Samples of one status form a unit."

        status: str

        def key(self, sample, position, /):
            return ("status", self.status == sample.status)

    READY = Needy("completed")

    class Both:
        "Two things at once."

        def key(self, sample, position, /):
            return ("one",)

        def value(self, sample, /):
            return 1.0

    @attrs.frozen
    class NaiveSum:
        "The sum, rounded again and again."

        def init(self):
            return 0.0

        def fold(self, state, values, /):
            for value in values:
                state += value
            return state

        def merge(self, left, right, /):
            return left + right

        def finish(self, state, /):
            return state

    class Fails:
        def __init__(self):
            raise OSError("no disk")

    class Nothing:
        pass
    """


@pytest.fixture
def own(here: Path) -> Iterator[Path]:
    """A module `own` in the current folder, as whoever writes a plugin has it."""
    (here / "own.py").write_text(dedent(OWN))
    yield here
    sys.modules.pop("own", None)


def rows(lines: list[str]) -> dict[str, str]:
    """The state of each check of the only table."""
    return {name: state for name, state, *_ in map(str.split, lines[2:])}


def headings(lines: list[str]) -> dict[str, str]:
    """What stands behind the name of each thing that was checked."""
    found = [lines[0], *(after for it, after in pairwise(lines) if not it)]
    return {name: said for name, _, said in (it.partition(": ") for it in found)}


def test_a_class_that_keeps_the_rules(run: Any, own: Path) -> None:
    result = run("check", "own:ByStatus")

    assert (result.stderr, result.code) == ("", 0)
    assert result.lines[0].startswith("key own:ByStatus: ")
    assert result.lines[1].split() == ["check", "state", "message"]
    found = rows(result.lines)
    assert list(found) == [check.name for check in key_strategy_checks()]
    assert set(found.values()) == {"passed", "skipped"}
    assert found["hash_seed"] == found["light_import"] == "passed"


def test_what_is_wrong_stands_beside_the_check(run: Any, own: Path) -> None:
    result = run("check", "own:NaiveSum")

    assert (result.stderr, result.code) == ("", 1)
    assert result.lines[1].split() == ["check", "state", "message", "hint"]
    found = rows(result.lines)
    assert (found["associative"], found["init_is_identity"]) == ("failed", "passed")
    [line] = [it for it in result.lines if it.startswith("associative ")]
    assert "merge is not associative for values cut at " in line
    assert line.endswith(
        "keep floats in a keyfold.exact.Total, and round in finish alone"
    )


def test_an_object_is_checked_as_it_is(run: Any, own: Path) -> None:
    result = run("check", "own:READY")

    assert result.lines[0].startswith("key own:READY: ")
    assert result.code == 0


@pytest.mark.parametrize(
    ("target", "heading", "checks"),
    [
        ("keyfold_strategies:Rollout", "key", key_strategy_checks),
        ("keyfold_strategies:Mean", "reducer", reducer_checks),
        ("keyfold_strategies:RawReward", "value", value_checks),
        ("keyfold_strategies:All", "selection", selection_checks),
        ("keyfold_strategies.pipelines:REWARD", "pipeline", pipeline_checks),
        ("adapter_scoped(first_of(rollout, position))", "key", key_strategy_checks),
        ("sum", "reducer", reducer_checks),
    ],
)
def test_the_kind_is_found(
    run: Any, here: Path, target: str, heading: str, checks: Callable[[], Any]
) -> None:
    result = run("check", target, "--json")

    document = json.loads(result.stdout)
    assert (document["target"], document["failed"]) == (target, 0)
    assert {it["kind"] for it in document["checked"]} == {heading}
    for section in document["checked"]:
        assert section["name"].startswith(target)
        made = [row["check"] for row in section["rows"]]
        assert made == [check.name for check in checks()]
        assert {row["state"] for row in section["rows"]} <= {"passed", "skipped"}
    assert (result.stderr, result.code) == ("", 0)


def test_the_kind_can_be_said(run: Any, own: Path) -> None:
    refused = run("check", "own:Both")
    assert refused.stderr == (
        "keyfold: own:Both has the methods of several kinds: key, value\n"
        "Hint: say which is meant, as in --kind key\n"
    )
    assert refused.code == 2
    assert run("check", "own:Both", "--kind", "value").lines[0].startswith("value own:")
    named = run("check", "field")
    assert named.stderr == (
        "keyfold: 'field' is the name of plugins of several kinds: key, value\n"
        "Hint: say which is meant, as in --kind key\n"
    )
    assert named.code == 2
    spelt = run("check", 'field("status")', "--kind", "key")
    assert spelt.lines[0].startswith('key field("status"): ')
    assert spelt.code == 0


def test_each_pipeline_of_a_set(run: Any, own: Path) -> None:
    with (own / "own.py").open("a") as file:
        file.write("from keyfold_strategies.pipelines import reward_pipelines\n")
        file.write("SET = reward_pipelines()\n")

    result = run("check", "own:SET")

    assert headings(result.lines) == {
        f"pipeline own:SET['{name}']": f"{len(pipeline_checks())} passed"
        for name in ("num_training_samples", "episode_raw_reward")
    }
    assert result.code == 0


def test_a_kind_that_is_said_is_not_looked_for(run: Any, own: Path) -> None:
    result = run("check", "own:Nothing", "--kind", "key")

    assert rows(result.lines)["contract"] == "failed"
    assert result.code == 1


def test_a_reducer_of_equal_values_is_given_such(run: Any, here: Path) -> None:
    result = run("check", "same")

    assert "failed" not in result.stdout
    assert (result.stderr, result.code) == ("", 0)


PLUGINS = {
    "keyfold.keys": {"by_status": "acme:ByStatus", "by_turn": "acme:ByTurn"},
    "keyfold.reducers": {"naive_sum": "acme:NaiveSum"},
    "keyfold.values": {"missing": "no_such_module:Value"},
    "keyfold.selections": {"needy": "acme:needy"},
}
NEEDY = """
    def needy(status):
        return None
    """


def test_of_a_distribution_the_entry_points_and_each_plugin(
    run: Any, here: Path, install: Any
) -> None:
    install("acme", PLUGINS, dedent(OWN) + dedent(NEEDY))

    result = run("check", "Acme", "--json")

    document = json.loads(result.stdout)
    sections = {(it["kind"], it["name"]): it for it in document["checked"]}
    assert list(sections) == [
        ("distribution", "acme"),
        ("key", "by_status"),
        ("key", "by_turn"),
        ("reducer", "naive_sum"),
        ("value", "missing"),
        ("selection", "needy"),
    ]
    first = sections["distribution", "acme"]
    assert [it["check"] for it in first["rows"]] == [it.name for it in plugin_checks()]
    states = {it["check"]: it["state"] for it in first["rows"]}
    assert (states["has_version"], states["loads"]) == ("passed", "failed")
    assert sections["key", "by_status"]["unchecked"] == ""
    by_status = sections["key", "by_status"]["rows"]
    assert {it["state"] for it in by_status} == {"passed", "skipped"}
    assert sections["key", "by_turn"]["unchecked"] == (
        "it reads turn, which the samples that keyfold makes do not have; "
        "--samples FILE takes yours"
    )
    assert any(it["hint"] for it in sections["reducer", "naive_sum"]["rows"])
    assert "no_such_module" in sections["value", "missing"]["unchecked"]
    assert sections["selection", "needy"]["unchecked"] == (
        "it needs arguments: check 'needy(...)' by itself"
    )
    assert document["failed"] == sum(
        row["state"] == "failed" for it in document["checked"] for row in it["rows"]
    )
    assert (result.stderr, result.code) == ("", 1)


def test_what_is_not_checked_of_a_distribution_has_a_reason(
    run: Any, here: Path, install: Any
) -> None:
    install("acme", {"keyfold.keys": {"by_turn": "acme:ByTurn"}}, dedent(OWN))

    result = run("check", "acme")

    found = headings(result.lines)
    assert list(found) == ["distribution acme", "key by_turn"]
    assert re.fullmatch(r"\d+ passed, \d+ skipped", found["distribution acme"])
    assert found["key by_turn"] == (
        "it reads turn, which the samples that keyfold makes do not have; "
        "--samples FILE takes yours"
    )
    assert (result.stderr, result.code) == ("", 0)


NOT_FOUND = (
    "expected an installed distribution with plugins, module:object, or the name of a "
    "plugin, found "
)


@pytest.mark.parametrize(
    ("target", "message", "hint"),
    [
        ("keyfoldd", f"{NOT_FOUND}'keyfoldd'", "did you mean 'keyfold'?"),
        ("rollot", f"{NOT_FOUND}'rollot'", "did you mean 'rollout'?"),
        ("", f"{NOT_FOUND}''", "'keyfold plugins' lists them"),
        (
            "attrs",
            "the distribution 'attrs' provides no plugin of keyfold",
            "a plugin is an entry point in a group such as keyfold.keys",
        ),
        (
            "gone:Key",
            (
                "gone:Key: importing gone raised ModuleNotFoundError: No module named "
                "'gone'"
            ),
            "is it installed, or in the current folder?",
        ),
        (
            "own:ByStatu",
            "own:ByStatu: own has no attribute 'ByStatu'",
            "did you mean 'ByStatus'?",
        ),
        (
            "own:Nothing",
            (
                "own:Nothing is no plugin: an object of the type Nothing has the "
                "methods of no kind that can be checked"
            ),
            (
                "keyfold.contracts says what each kind must have; --kind NAME checks "
                "it as one all the same, to find what is missing"
            ),
        ),
        (
            "own:Needy",
            (
                "own:Needy is a class that needs arguments: missing a required "
                "argument: 'status'"
            ),
            (
                "name a ready object, or a name with its arguments, as in "
                "'scoped(adapter, rollout)'"
            ),
        ),
        ("own:Fails", "own:Fails: making one raised OSError: no disk", None),
        (
            "own:ByTurn",
            (
                "own:ByTurn can't be checked: it reads turn, which the samples that "
                "keyfold makes do not have"
            ),
            "--samples FILE takes samples of yours, from any dump",
        ),
    ],
)
def test_a_target_that_is_not_there_or_can_not_be_checked(
    run: Any, own: Path, target: str, message: str, hint: str | None
) -> None:
    result = run("check", target)

    after = "" if hint is None else f"Hint: {hint}\n"
    assert (result.stdout, result.stderr) == ("", f"keyfold: {message}\n{after}")
    assert result.code == 2


def test_a_module_that_fails_to_import(run: Any, own: Path) -> None:
    (own / "own.py").write_text("import sys\nsys.exit('not today')\n")

    result = run("check", "own:Key")

    assert result.stderr == (
        "keyfold: own:Key: importing own raised SystemExit: not today\n"
    )
    assert result.code == 2


def test_the_current_folder_is_looked_into_only_meanwhile(run: Any, own: Path) -> None:
    before = list(sys.path)

    assert run("check", "own:Nothing").code == 2

    assert sys.path == before


def test_samples_of_a_dump(run: Any, own: Path, jsonl: Any) -> None:
    path = jsonl("turns.jsonl", *({"turn": turn % 3} for turn in range(6)))

    result = run("check", "own:ByTurn", "--samples", path, "--format", "jsonl")

    assert result.lines[0].startswith("key own:ByTurn: ")
    assert (result.stderr, result.code) == ("", 0)


def test_of_a_long_dump_the_first_samples(run: Any, own: Path, jsonl: Any) -> None:
    one = jsonl("one.jsonl", *({"turn": turn} for turn in range(40)))
    two = jsonl("two.jsonl", *({"turn": turn} for turn in range(9)))

    result = run("check", "own:ByTurn", "--samples", one, "--samples", two)

    assert result.stderr == "keyfold: note: checked on the first 48 samples\n"
    assert result.code == 0


def test_reducers_take_the_rewards_of_a_dump(run: Any, own: Path, jsonl: Any) -> None:
    whole = jsonl("whole.jsonl", *({"reward": it} for it in (1, 2, None, "x", 3)))
    tenths = jsonl("tenths.jsonl", *({"reward": it} for it in (0.1, 0.2, 0.3)))

    assert rows(run("check", "own:NaiveSum", "--samples", whole).lines)[
        "associative"
    ] == ("passed")
    found = run("check", "own:NaiveSum", "--samples", tenths)
    assert rows(found.lines)["associative"] == "failed"
    assert found.code == 1


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (
            ("--format", "jsonl"),
            2,
            "--format says how --samples are read, and there are none",
        ),
        (
            ("--samples", "gone.jsonl"),
            1,
            "gone.jsonl: there is no such file or directory",
        ),
    ],
)
def test_samples_that_are_not_there(
    run: Any, own: Path, words: tuple[str, ...], code: int, message: str
) -> None:
    result = run("check", "own:ByTurn", *words)

    assert result.stderr.splitlines()[0] == f"keyfold: {message}"
    assert (result.stdout, result.code) == ("", code)


def test_a_dump_without_samples(run: Any, own: Path, install: Any) -> None:
    reader = """
        class Empty:
            def recognises(self, path, head, /):
                return path.suffix == ".empty"

            def read(self, path, request, /):
                return iter(())
        """
    install("acme", {"keyfold.readers": {"empty": "acme:Empty"}}, reader)
    (own / "a.empty").touch()

    result = run("check", "own:ByTurn", "--samples", "a.empty")

    assert result.stderr == "keyfold: there is no sample in a.empty\n"
    assert (result.stdout, result.code) == ("", 1)


def test_a_failure_without_declared_fields_may_be_for_want_of_one(
    run: Any, own: Path
) -> None:
    result = run("check", "own:Undeclared")

    assert result.stderr == (
        "keyfold: note: own:Undeclared was checked on samples that keyfold made, and "
        "does not say which fields it reads; --samples FILE takes samples of yours\n"
    )
    assert result.code == 1


def failing(run: Any) -> list[str]:
    found = rows(run("check", "own:NaiveSum").lines)
    return [name for name, state in found.items() if state == "failed"]


def test_an_expected_failure_is_none(run: Any, own: Path) -> None:
    names = failing(run)
    words = [word for name in names for word in ("-X", f"{name}=floats = rounding")]

    result = run("check", "own:NaiveSum", *words)

    assert (result.stderr, result.code) == ("", 0)
    found = rows(result.lines)
    assert {found[name] for name in names} == {"expected"}
    [line] = [it for it in result.lines if it.startswith("associative ")]
    assert "floats = rounding: merge is not associative" in line


def test_an_expected_failure_that_passes_has_failed(run: Any, own: Path) -> None:
    result = run("check", "own:ByStatus", "--expect-failure", "hashable=it never was")

    assert rows(result.lines)["hashable"] == "failed"
    [line] = [it for it in result.lines if it.startswith("hashable ")]
    assert "an unexpected pass: it was expected to fail (it never was)" in line
    assert result.code == 1


def test_an_expected_failure_of_one_plugin(run: Any, here: Path, install: Any) -> None:
    plain = OWN.replace('"The sum, rounded again and again."', "")
    entries = {"by_status": "acme:ByStatus", "both": "acme:Both"}
    install("acme", {"keyfold.keys": entries}, plain)
    before = json.loads(run("check", "acme", "--json").stdout)
    names = [
        row["check"]
        for section in before["checked"]
        for row in section["rows"]
        if section["name"] == "both" and row["state"] == "failed"
    ]
    assert names
    words = [word for name in names for word in ("-X", f"both:{name}=a sketch")]

    result = run("check", "acme", "--json", *words)

    document = json.loads(result.stdout)
    states = {
        (section["name"], row["check"]): row["state"]
        for section in document["checked"]
        for row in section["rows"]
    }
    assert {states["both", name] for name in names} == {"expected"}
    assert {states["by_status", name] for name in names} == {"passed"}
    assert (document["failed"], result.code) == (0, 0)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("-X", "hashabel=no"),
            (
                "--expect-failure names 'hashabel', which is no check that was made\n"
                "Hint: did you mean 'hashable'?"
            ),
        ),
        (
            ("-X", "hashable"),
            (
                "--expect-failure expects NAME=REASON, found 'hashable'\n"
                "Hint: the reason is for those who wonder whether it can be mended"
            ),
        ),
        (
            ("-X", "hashable=no", "-X", "hashable=never"),
            "--expect-failure names 'hashable' twice",
        ),
    ],
)
def test_an_expected_failure_that_is_none(
    run: Any, own: Path, words: tuple[str, ...], message: str
) -> None:
    result = run("check", "own:ByStatus", *words)

    assert (result.stdout, result.stderr) == ("", f"keyfold: {message}\n")
    assert result.code == 2


def test_all_that_is_built_in_passes(run: Any, here: Path) -> None:
    result = run("check", "keyfold", "--json")

    document = json.loads(result.stdout)
    assert document["failed"] == 0
    assert len(document["checked"]) > 20
    assert (result.stderr, result.code) == ("", 0)


def test_a_plugin_that_can_not_be_made_is_told(
    run: Any, here: Path, install: Any
) -> None:
    source = """
        def fails():
            raise OSError("no disk")
        """
    install("acme", {"keyfold.keys": {"fails": "acme:fails"}}, source)

    result = run("check", "acme")

    assert headings(result.lines)["key fails"] == "making one raised OSError: no disk"


def test_a_pipeline_is_named_by_its_set(run: Any, here: Path) -> None:
    result = run("check", "rewardd", "--kind", "pipeline")

    assert result.stderr.startswith("keyfold: no pipeline is named 'rewardd'; there is")
    assert (result.stdout, result.code) == ("", 2)


@pytest.mark.parametrize("command", ["check", "new"])
def test_its_help_fits_and_has_examples(
    run: Any, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")

    result = run(command, "--help")

    assert max(map(len, result.lines)) <= 80
    assert f"\nExamples:\n  keyfold {command} " in result.stdout
    assert "a check failed" in " ".join(result.stdout.split())
    assert (result.stderr, result.code) == ("", 0)


def test_what_is_wrong_with_a_key_of_the_dump_is_found(
    run: Any, own: Path, jsonl: Any
) -> None:
    path = jsonl("odd.jsonl", {"turn": [1, 2]}, {"turn": 3})

    result = run("check", "own:ByTurn", "--samples", path)

    [line] = [it for it in result.lines if it.startswith("hashable ")]
    assert "failed" in line
    assert result.code == 1
