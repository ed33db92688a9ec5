"""Each check of distributions finds the one that breaks its rule."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.testing.broken import names

from keyfold import UsageError
from keyfold.testing import CheckFailure, check_plugin, plugin_checks

KEY = '''
import attrs

@attrs.frozen
class Run:
    """Samples of one run form a unit."""

    def key(self, sample, position, /):
        return (sample.run,)
'''
GOOD: Mapping[str, Mapping[str, str]] = {"keyfold.keys": {"run": "acme:Run"}}

# What is wrong: entry points, the module's source, the version, the message, the hint.
RULES: dict[str, tuple[Mapping[str, Mapping[str, str]], str, str, str, str]] = {
    "has_version": (GOOD, KEY, "unknown", "has the version unknown", "pyproject.toml"),
    "loads": (
        {"keyfold.keys": {"run": "acme:Walk"}},
        KEY,
        "1.0",
        "the key 'run' failed to import: acme:Walk of acme 1.0 raised",
        "module:attribute",
    ),
    "of_its_kind": (
        {"keyfold.keys": {"run": "acme:SIZE"}},
        KEY + "SIZE = 3\n",
        "1.0",
        "acme:SIZE of acme 1.0 is no key",
        "stand for an object of its group",
    ),
    "hooks": (
        {"keyfold": {"acme": "acme"}},
        (
            "from keyfold.hooks import hookimpl\n@hookimpl\n"
            "def keyfold_reprot_made(report): ...\n"
        ),
        "1.0",
        "implements the hook 'keyfold_reprot_made', which keyfold does not have",
        "did you mean 'keyfold_report_made'?",
    ),
    "names": (
        {"keyfold.keys": {"a-run": "acme:Run"}},
        KEY,
        "1.0",
        "the key 'a-run' can't be spelt in a configuration",
        "use small letters, digits and _",
    ),
    "names_agree": (
        {"keyfold.keys": {"walk": "acme:Run"}},
        KEY,
        "1.0",
        "the key 'walk' calls itself 'run'",
        "write name: ClassVar[str]",
    ),
    "no_conflict": (
        {"keyfold.keys": {"rollout": "acme:Run"}},
        KEY,
        "1.0",
        "the key 'rollout' is also provided by keyfold",
        "give it a name of its own",
    ),
    "documented": (
        GOOD,
        KEY.replace('"""Samples of one run form a unit."""', "pass"),
        "1.0",
        "the class Run has no docstring",
        "say in one sentence",
    ),
    "light_import": (
        GOOD,
        "import ftplib\n" + KEY,
        "1.0",
        "ftplib",
        "",
    ),
    "pipelines": (
        {"keyfold.pipelines": {"runs": "acme:RUNS"}},
        (
            "from keyfold.pipeline import Pipeline\n"
            "RUNS = {'m': Pipeline(value='reward', across='mean')}\n"
        ),
        "1.0",
        "'m' of 'runs': 'reward' is no value",
        "let each level have a key and a reducer",
    ),
}


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on `sys.path`, into which distributions can be put."""
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.delitem(sys.modules, "acme", raising=False)
    return tmp_path


def install(
    site: Path,
    entry_points: Mapping[str, Mapping[str, str]],
    source: str,
    version: str = "1.0",
) -> None:
    info = site / "acme-1.0.dist-info"
    info.mkdir()
    info.joinpath("METADATA").write_text(
        f"Metadata-Version: 2.1\nName: acme\nVersion: {version}\n"
    )
    lines = [
        line
        for group, its in entry_points.items()
        for line in (f"[{group}]", *(f"{name} = {it}" for name, it in its.items()))
    ]
    info.joinpath("entry_points.txt").write_text("\n".join(lines))
    site.joinpath("acme.py").write_text(source)
    importlib.invalidate_caches()


def test_every_check_has_a_distribution_that_breaks_it() -> None:
    assert RULES.keys() == names(plugin_checks())


@pytest.mark.parametrize("name", RULES)
def test_a_broken_rule_is_found_by_its_check(installed: Path, name: str) -> None:
    entry_points, source, version, message, hint = RULES[name]
    install(installed, entry_points, source, version)
    with pytest.raises(ExceptionGroup) as caught:
        check_plugin("acme", heavy=("ftplib",))
    [found] = [
        it
        for it in caught.value.exceptions
        if isinstance(it, CheckFailure) and it.check == name
    ]
    assert message in found.message
    assert found.hint is not None
    assert hint in found.hint


def test_a_distribution_that_breaks_none_passes(installed: Path) -> None:
    install(installed, GOOD, KEY)
    states = {it.check: it.state for it in check_plugin("acme", heavy=("ftplib",))}
    assert set(states.values()) <= {"passed", "skipped"}
    assert states["loads"] == states["no_conflict"] == "passed"


def test_keyfold_itself_passes() -> None:
    assert {it.state for it in check_plugin("keyfold")} <= {"passed", "skipped"}


def test_a_distribution_that_is_not_there(installed: Path) -> None:
    install(installed, GOOD, KEY)
    with pytest.raises(UsageError) as caught:
        check_plugin("acne")
    assert caught.value.hint == "did you mean 'acme'?"
