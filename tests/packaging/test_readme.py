from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# As .ci/run finds them.
SECTION = re.compile(r"^## Quick start$(.*?)^## ", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"^```console$(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_the_quick_start_has_two_commands() -> None:
    section = SECTION.search((ROOT / "README.md").read_text(encoding="utf-8"))
    assert section is not None
    report, tests = [
        [line for line in block.splitlines() if line.startswith("$ ")]
        for block in BLOCK.findall(section[1])
    ]
    assert len(report) == len(tests) == 1
    assert "keyfold report docs/examples/multi-lora" in report[0]
    assert tests[0].endswith("pytest")


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_links_into_the_project_lead_somewhere(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", prose)
    assert [it for it in links if not (ROOT / it).exists()] == []
