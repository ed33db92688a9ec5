"""What `import keyfold` brings along; tests/bench measures how long that takes."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

SHOW = """
import sys
before = set(sys.modules)
import keyfold
after = set(sys.modules) - before
import json
print(json.dumps(sorted(after)))
"""

# Other distributions: small ones that plugins and pipelines are made of.
ALLOWED = {"attr", "attrs", "keyfold", "pluggy"}
# Parts of the standard library that take long, or that nothing here should need.
SLOW = {
    "asyncio",
    "concurrent",
    "ctypes",
    "email",
    "http",
    "logging",
    "multiprocessing",
    "socket",
    "sqlite3",
    "ssl",
    "subprocess",
    "unittest",
    "xml",
    "zipfile",
}


@pytest.fixture(scope="module")
def imported() -> set[str]:
    shown = subprocess.run(
        [sys.executable, "-c", SHOW], check=True, capture_output=True, text=True
    )
    return set(json.loads(shown.stdout))


def test_no_other_distribution_is_imported(imported: set[str]) -> None:
    top = {name.partition(".")[0] for name in imported}
    assert top - set(sys.stdlib_module_names) <= ALLOWED


def test_no_slow_part_of_the_standard_library_is_imported(imported: set[str]) -> None:
    assert {name.partition(".")[0] for name in imported} & SLOW == set()


def test_the_modules_are_few(imported: set[str]) -> None:
    # Each costs a look-up in the file system and the run of its body.
    assert len(imported) < 200


def test_the_layers_above_are_not_imported(imported: set[str]) -> None:
    assert not [it for it in imported if it.startswith("keyfold_")]
