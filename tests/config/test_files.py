"""Where configurations come from: a TOML file, a pyproject, or neither."""

from __future__ import annotations

from pathlib import Path

import pytest

from keyfold.catalog import Catalog
from keyfold.config import load, read_config
from keyfold.errors import ConfigError

METRIC = 'value = "reward"\nacross = "mean"\n'


def told(path: Path, catalog: Catalog) -> str:
    """Return the error of a file, without the file's path in front."""
    with pytest.raises(ConfigError) as caught:
        load(path, catalog=catalog)
    assert caught.value.source == str(path)
    return str(caught.value).removeprefix(f"{path} ")


def test_a_toml_file(tmp_path: Path, catalog: Catalog) -> None:
    path = tmp_path / "keyfold.toml"
    path.write_text(f'[metrics."pass@4"]\n{METRIC}')

    assert list(load(path, catalog=catalog)) == ["pass@4"]
    assert list(load(str(path), catalog=catalog)) == ["pass@4"]
    assert read_config(path, catalog=catalog).source == str(path)


def test_a_pyproject(tmp_path: Path, catalog: Catalog) -> None:
    path = tmp_path / "pyproject.toml"
    path.write_text(
        f'[project]\nname = "x"\n[tool.keyfold.metrics.m]\n{METRIC}'
        '[tool.keyfold.reader]\nstep = "epoch"\n'
    )

    assert list(load(path, catalog=catalog)) == ["m"]
    assert read_config(path, catalog=catalog).reader.step == "epoch"


def test_problems_of_a_pyproject_have_their_whole_key(
    tmp_path: Path, catalog: Catalog
) -> None:
    path = tmp_path / "pyproject.toml"
    path.write_text(
        "[tool.keyfold.metrics.m]\nvaule = 1\n"
        '[tool.keyfold.plugins]\nblock = ["nobody"]\nprefer = {clash = "nobody"}\n'
    )

    with pytest.raises(ConfigError) as caught:
        load(path, catalog=catalog)

    assert [problem.key for problem in caught.value.problems] == [
        "tool.keyfold.metrics.m.value",
        "tool.keyfold.metrics.m.across",
        "tool.keyfold.metrics.m.vaule",
        "tool.keyfold.plugins.block[0]",
        "tool.keyfold.plugins.prefer.clash",
    ]


def test_a_pyproject_without_the_table(tmp_path: Path, catalog: Catalog) -> None:
    path = tmp_path / "pyproject.toml"
    hint = "    Hint: write [tool.keyfold.metrics.my_metric], or name a keyfold.toml"
    for text in ("", "[tool.other]\n", "tool = 3\n"):
        path.write_text(text)

        assert told(path, catalog) == (
            "has 1 problem:\n  tool.keyfold: expected a table, found no such table\n"
            f"{hint}"
        )
    path.write_text("tool.keyfold = 3\n")
    assert told(path, catalog) == (
        "has 1 problem:\n  tool.keyfold: expected a table, found the integer 3"
    )


def test_a_missing_file(tmp_path: Path, catalog: Catalog) -> None:
    assert told(tmp_path / "no.toml", catalog) == (
        "has 1 problem:\n  file: expected a TOML file, found no such file"
    )


def test_a_directory(tmp_path: Path, catalog: Catalog) -> None:
    assert told(tmp_path, catalog) == (
        "has 1 problem:\n  file: expected a TOML file, found a directory\n"
        f"    Hint: name a file in it, such as {tmp_path / 'keyfold.toml'}"
    )


def test_a_file_that_cant_be_read(tmp_path: Path, catalog: Catalog) -> None:
    path = tmp_path / "loop.toml"
    path.symlink_to(path)

    assert told(path, catalog).startswith(
        "has 1 problem:\n  file: expected a TOML file, found a file that can't be read:"
    )


def test_a_path_that_is_none(catalog: Catalog) -> None:
    assert told(Path("a\0b"), catalog).startswith(
        "has 1 problem:\n  file: expected a TOML file, found a file that can't be read:"
    )


def test_a_file_in_another_encoding(tmp_path: Path, catalog: Catalog) -> None:
    path = tmp_path / "keyfold.toml"
    path.write_bytes("# first\n# naïve\n".encode("latin-1"))

    assert told(path, catalog) == (
        "has 1 problem:\n  line 2: expected text in UTF-8, found the byte 0xef"
    )


def test_a_byte_order_mark_is_no_matter(tmp_path: Path, catalog: Catalog) -> None:
    path = tmp_path / "keyfold.toml"
    path.write_bytes(f"\ufeff[metrics.m]\n{METRIC}".encode())

    assert list(load(path, catalog=catalog)) == ["m"]


@pytest.mark.parametrize(
    ("text", "told_of"),
    [
        ("[metrics.m\n", "line 1, column 11: expected valid TOML, found expected ']'"),
        ("a = \n", "line 1, column 5: expected valid TOML, found invalid value"),
        (
            "[metrics.m]\n[metrics.m]\n",
            (
                "line 2, column 11: expected valid TOML, found cannot declare "
                "('metrics', 'm') twice"
            ),
        ),
        ("a = 1\na = 2\n", "line 2, column 6: expected valid TOML, found cannot"),
        ('a = "x', "end of document: expected valid TOML, found unterminated string"),
        ("a = " + "[" * 100_000, "file: expected valid TOML, found "),
        ("a = " + "9" * 10_000, "file: expected valid TOML, found "),
    ],
)
def test_broken_toml(tmp_path: Path, catalog: Catalog, text: str, told_of: str) -> None:
    path = tmp_path / "keyfold.toml"
    path.write_text(text)

    assert told(path, catalog).startswith(f"has 1 problem:\n  {told_of}")


def test_something_that_is_no_configuration(catalog: Catalog) -> None:
    with pytest.raises(ConfigError) as caught:
        load(3, catalog=catalog)  # type: ignore[arg-type]

    assert str(caught.value) == (
        "the configuration has 1 problem:\n"
        "  configuration: expected a path or a mapping, found the integer 3"
    )
