"""Every code block of the README and the docs does what it says."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest

import keyfold
from keyfold.config import read_config
from keyfold_contrib.cli import main

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@attrs.frozen
class Block:
    """One fenced block of a page."""

    page: Path
    line: int
    language: str
    code: str

    @property
    def name(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def blocks(page: Path) -> Iterator[Block]:
    text = page.read_text(encoding="utf-8")
    for match in FENCE.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        yield Block(page, line, match[1].strip(), match[2])


BLOCKS = [block for page in PAGES for block in blocks(page)]
# The quick start is run by the checks of the whole project, in fresh environments.
SHELL = [
    block
    for block in BLOCKS
    if block.language == "console" and block.page.name != "README.md"
]


def named(found: list[Block]) -> list[object]:
    return [pytest.param(block, id=block.name) for block in found]


def test_every_block_is_of_a_kind_that_is_tested_or_known() -> None:
    kinds = {block.language for block in BLOCKS}
    assert kinds == {"console", "python", "sh", "toml", "toml fragment"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_python_of_a_page_runs(page: Path) -> None:
    namespace: dict[str, object] = {"__name__": "page"}
    ran = 0
    for block in blocks(page):
        if block.language == "python":
            # So many empty lines that an error shows the line of the page.
            code = "\n" * block.line + block.code
            exec(compile(code, str(page), "exec", dont_inherit=True), namespace)
            ran += 1
    assert ran == sum(block.language == "python" for block in blocks(page))


def test_the_python_of_all_pages_is_strictly_typed(tmp_path: Path) -> None:
    for number, page in enumerate(PAGES):
        code = [block.code for block in blocks(page) if block.language == "python"]
        (tmp_path / f"page_{number}_{page.stem.replace('-', '_')}.py").write_text(
            "from __future__ import annotations\n\n" + "\n".join(code), encoding="utf-8"
        )
    run = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file=", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert run.stdout.startswith("Success"), run.stdout + run.stderr


@pytest.mark.parametrize(
    "block", named([block for block in BLOCKS if block.language == "toml"])
)
def test_a_configuration_can_be_read(block: Block) -> None:
    document = tomllib.loads(block.code)
    read = read_config(document)
    if "metrics" in document:
        assert set(document["metrics"]) <= set(keyfold.load(document))
    else:
        assert read.reader.fields


@pytest.mark.parametrize("block", named(SHELL))
def test_a_command_prints_what_the_page_shows(
    block: Block, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    command, _, shown = block.code.partition("\n")
    program, *words = command.removeprefix("$ ").split()
    assert program == "keyfold"
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 0
    printed = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [line.split() for line in shown.splitlines()] == [
        line for line in printed if line
    ]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    prose = FENCE.sub("", page.read_text("utf-8"))
    targets = re.findall(r"\]\((?!https?:)([^)#]+)[^)]*\)", prose)
    missing = [target for target in targets if not (page.parent / target).exists()]
    assert missing == []
