"""What is deprecated warns whoever uses it, and is gone when it was said to be."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import attrs
import pytest

from keyfold import __version__
from keyfold._deprecations import (
    DEPRECATIONS,
    Deprecation,
    KeyfoldDeprecationWarning,
    warn_of,
)

CHANGELOG = Path(__file__).parents[2] / "CHANGELOG.md"
TALLY = Deprecation("keyfold.tally", "0.3", "0.5", "use keyfold.compute")
TEXT = (
    "keyfold.tally is deprecated since keyfold 0.3, and keyfold 0.5 does not have it: "
    "use keyfold.compute"
)


def release(version: str) -> tuple[int, int]:
    major, minor = re.findall(r"\d+", version)[:2]
    return int(major), int(minor)


def faults(it: Deprecation, version: str, changelog: str) -> Iterator[str]:
    if release(it.removed_in) <= release(version):
        yield f"keyfold is {version}, so {it.name} has to be removed"
    if release(it.removed_in) <= release(it.since):
        yield f"no release warns of {it.name}"
    if f"`{it.name}`" not in changelog:
        yield f"CHANGELOG.md does not have `{it.name}`"


def test_nothing_is_left_that_should_be_gone() -> None:
    changelog = CHANGELOG.read_text(encoding="utf-8")
    found = [
        fault for it in DEPRECATIONS for fault in faults(it, __version__, changelog)
    ]
    assert found == []


def test_an_entry_is_at_fault_from_the_release_on_that_it_names() -> None:
    changelog = "### Deprecated\n\n- `keyfold.tally`: use `keyfold.compute`."
    assert list(faults(TALLY, "0.4.9", changelog)) == []
    gone = ["keyfold is 0.5.0, so keyfold.tally has to be removed"]
    assert list(faults(TALLY, "0.5.0", changelog)) == gone
    assert list(faults(TALLY, "0.4.0", "")) == [
        "CHANGELOG.md does not have `keyfold.tally`"
    ]
    unannounced = attrs.evolve(TALLY, since="0.5")
    assert list(faults(unannounced, "0.4.0", changelog)) == [
        "no release warns of keyfold.tally"
    ]


def tally() -> int:
    warn_of(TALLY)
    return 3


def test_the_caller_is_warned_with_the_release_that_removes_it() -> None:
    with pytest.warns(KeyfoldDeprecationWarning) as caught:
        assert tally() == 3
    [warning] = caught
    assert str(warning.message) == TEXT
    assert warning.filename == __file__
    assert Path(__file__).read_text("utf-8").splitlines()[warning.lineno - 1] == (
        "        assert tally() == 3"
    )


def test_whoever_imports_a_name_of_a_module_is_warned(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    module = ModuleType("acme")

    def get(name: str) -> int:
        if name != "tally":
            raise AttributeError(name)
        warn_of(TALLY)
        return 3

    module.__dict__["__getattr__"] = get
    monkeypatch.setitem(sys.modules, "acme", module)
    with pytest.warns(KeyfoldDeprecationWarning, match="keyfold 0.5") as caught:
        exec(compile("from acme import tally", "user.py", "exec"), {})
    assert {it.filename for it in caught} == {"user.py"}


def test_a_program_can_turn_it_into_an_error() -> None:
    with pytest.raises(KeyfoldDeprecationWarning, match=re.escape("keyfold 0.5")):
        tally()
