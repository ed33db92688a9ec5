"""Every code block of the README and the docs does what it says.

What a block is, stands behind its opening fence:

- `python`: runs after the blocks above it, in the namespace of the page.
- `toml`: a configuration, which is read with all its names; `toml fragment` is part of
  another file, and only has to be TOML.
- `console`: a command after `$ `, run in this process, and below it all that it prints,
  where `...` stands for the rest of a line; `console fails 2` ends with that exit code.
- `toml rows.toml`, `jsonl evals.jsonl` and the like: a file, which stands in the
  current folder of every block of the page.
- `sh`: a command that is not run here, as it takes too long.
"""

from __future__ import annotations

import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest
from tests.typing.checkers import INSTALLED, complaints

import keyfold
from keyfold.config import read_config
from keyfold_contrib.cli import main

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(?:\]\(|^\[[^\]]+\]: )(?!https?:)([^)\s]+)", re.MULTILINE)
KINDS = re.compile(
    r"python|console( fails [0-9]+)?|sh|toml|toml fragment"
    r"|(toml|toml fragment|jsonl) [a-z]+\.(toml|jsonl)"
)
# As a user has them who wants all that a checker can say.
STRICT = {
    "mypy.ini": "[mypy]\nstrict = true\n",
    "pyrightconfig.json": '{"typeCheckingMode": "strict"}\n',
}


@attrs.frozen
class Block:
    """One fenced block of a page."""

    page: Path
    line: int
    kind: str
    code: str

    @property
    def name(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"

    @property
    def file(self) -> str | None:
        """The name of the file that the block is, if it is one."""
        name = self.kind.rpartition(" ")[2]
        return name if "." in name else None


def blocks(page: Path) -> Iterator[Block]:
    text = page.read_text(encoding="utf-8")
    for match in FENCE.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        yield Block(page, line, match[1].strip(), match[2])


def in_quick_start(block: Block) -> bool:
    """Whether the checks of the whole project run it, in fresh environments."""
    lines = block.page.read_text(encoding="utf-8").splitlines()[: block.line]
    headings = [line for line in lines if line.startswith("## ")]
    return headings[-1:] == ["## Quick start"]


BLOCKS = [
    block for page in PAGES for block in blocks(page) if not in_quick_start(block)
]


def of_kind(*kinds: str) -> list[object]:
    found = [block for block in BLOCKS if block.kind.split()[0] in kinds]
    return [pytest.param(block, id=block.name) for block in found]


def page_name(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that looks like a checkout to whoever runs the commands of a page."""
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_files(page: Path, folder: Path) -> None:
    for block in blocks(page):
        if block.file is not None:
            (folder / block.file).write_text(block.code, encoding="utf-8")


def test_every_block_is_of_a_kind_that_is_tested() -> None:
    assert [it.name for it in BLOCKS if KINDS.fullmatch(it.kind) is None] == []


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_the_python_of_a_page_runs(page: Path, here: Path) -> None:
    write_files(page, here)
    namespace: dict[str, object] = {"__name__": "page"}
    for block in blocks(page):
        if block.kind == "python":
            # So many empty lines that an error shows the line of the page.
            code = "\n" * block.line + block.code
            exec(compile(code, str(page), "exec", dont_inherit=True), namespace)


@pytest.mark.parametrize("checker", INSTALLED)
def test_the_python_of_all_pages_is_strictly_typed(
    checker: str, tmp_path: Path
) -> None:
    for name, text in STRICT.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    for number, page in enumerate(PAGES):
        code = [block.code for block in blocks(page) if block.kind == "python"]
        (tmp_path / f"page_{number}_{page.stem.replace('-', '_')}.py").write_text(
            "from __future__ import annotations\n\n" + "\n".join(code), encoding="utf-8"
        )
    assert complaints(checker, tmp_path, project=tmp_path) == ""


@pytest.mark.parametrize("block", of_kind("toml"))
def test_a_configuration_can_be_read(block: Block) -> None:
    document = tomllib.loads(block.code)
    assert document
    if block.kind.startswith("toml fragment"):
        return
    read = read_config(document)
    if "metrics" in document:
        assert set(document["metrics"]) <= set(keyfold.load(document))
    else:
        assert read.metrics or read.reader.fields


@pytest.mark.parametrize("block", of_kind("console"))
def test_a_command_prints_what_the_page_shows(
    block: Block, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(block.page, here)
    command, _, shown = block.code.partition("\n")
    program, *words = shlex.split(command.removeprefix("$ "))
    assert program == "keyfold"
    with pytest.raises(SystemExit) as ended:
        main(words)
    code = int(block.kind.rpartition(" ")[2]) if "fails" in block.kind else 0
    printed = capsys.readouterr()
    # As a terminal shows it: notes and errors are printed before what they are about.
    found, expected = lines_of(printed.err + printed.out), lines_of(shown)
    for line, other in zip(found, expected, strict=False):
        assert line == other or re.fullmatch(pattern_of(other), line), other
    assert len(found) == len(expected)
    assert ended.value.code == code


def lines_of(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


def pattern_of(line: str) -> str:
    return re.escape(line).replace(re.escape("..."), ".*")


def anchors(page: Path) -> set[str]:
    prose = FENCE.sub("", page.read_text("utf-8"))
    headings = re.findall(r"^#+ (.*)$", prose, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", it.lower()).replace(" ", "-") for it in headings}


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_links_lead_somewhere(page: Path) -> None:
    prose = FENCE.sub("", page.read_text("utf-8"))
    missing: list[str] = []
    for target in LINK.findall(prose):
        path, _, anchor = target.partition("#")
        file = (page.parent / path) if path else page
        if not file.exists() or (anchor and anchor not in anchors(file)):
            missing.append(target)
    assert missing == []
