"""`keyfold new` writes a project of plugins that is sound as it is."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from importlib.metadata import distribution
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from hatchling.builders.wheel import WheelBuilder
from tests.plugins.environments import Environment, made
from tests.plugins.projects import built

import keyfold
from keyfold_contrib.cli import main

ROOT = Path(__file__).resolve().parents[2]

FILES = [
    ".gitignore",
    "README.md",
    "pyproject.toml",
    "src/keyfold_acme/__init__.py",
    "src/keyfold_acme/length_band.py",
    "src/keyfold_acme/pass_rate.py",
    "src/keyfold_acme/py.typed",
    "tests/test_length_band.py",
    "tests/test_pass_rate.py",
    "tests/test_plugin.py",
]

# .ci/run has pyright look at such a project where it runs these tests without it.
CHECKERS = [name for name in ("mypy", "pyright") if find_spec(name)]
COMMANDS = {"mypy": "--python-executable", "pyright": "--pythonpath"}


def texts(folder: Path) -> Mapping[str, str]:
    return {
        str(path.relative_to(folder)): path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def plugin_names(folder: Path) -> list[str]:
    project = tomllib.loads((folder / "pyproject.toml").read_text())["project"]
    return [name for names in project["entry-points"].values() for name in names]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """A new project, and an environment in which its wheel is installed."""
    folder = tmp_path_factory.mktemp("new")
    project = folder / "keyfold-acme"
    with pytest.raises(SystemExit) as ended:
        main(["new", "keyfold-acme", "--directory", str(project)])
    assert ended.value.code == 0
    environment = made(folder)
    environment.install(built(project, folder / "wheels"))
    return Environment(environment.python, project)


def test_it_prints_what_it_wrote_and_what_to_do_next(run: Any, here: Path) -> None:
    result = run("new", "keyfold-acme")

    assert (result.stderr, result.code) == ("", 0)
    assert result.lines == [
        "keyfold-acme: wrote 10 files",
        *(f"  {file}" for file in FILES),
        "",
        "Next:",
        "  cd keyfold-acme",
        "  pip install -e '.[dev]'",
        "  pytest",
        "  mypy",
        "  pyright",
        "  keyfold check keyfold-acme",
    ]
    assert sorted(texts(here / "keyfold-acme")) == FILES


def test_it_writes_where_it_is_told_to(run: Any, here: Path) -> None:
    (here / "my plugins").mkdir()

    result = run("new", "keyfold-acme", "--directory", "my plugins")

    assert result.code == 0
    assert "  cd 'my plugins'" in result.lines
    assert sorted(texts(here)) == [f"my plugins/{file}" for file in FILES]


def test_the_project_needs_at_least_this_keyfold(run: Any, here: Path) -> None:
    run("new", "keyfold-acme")

    text = (here / "keyfold-acme" / "pyproject.toml").read_text()
    project = tomllib.loads(text)["project"]
    assert f"keyfold>={keyfold.__version__}" in project["dependencies"]
    assert project["name"] == "keyfold-acme"
    assert project["entry-points"] == {
        "keyfold.keys": {"acme_length_band": "keyfold_acme.length_band:LengthBand"},
        "keyfold.reducers": {"acme_pass_rate": "keyfold_acme.pass_rate:PassRate"},
    }


@pytest.mark.parametrize(
    ("name", "package", "prefix"),
    [
        ("keyfold-acme", "keyfold_acme", "acme"),
        ("acme-metrics", "acme_metrics", "acme_metrics"),
        ("keyfold-2x", "keyfold_2x", "keyfold_2x"),
        ("keyfold-class", "keyfold_class", "class"),
    ],
)
def test_all_names_follow_from_one(
    run: Any, here: Path, name: str, package: str, prefix: str
) -> None:
    assert run("new", name).code == 0

    found = texts(here / name)
    assert f"src/{package}/__init__.py" in found
    assert plugin_names(here / name) == [f"{prefix}_length_band", f"{prefix}_pass_rate"]
    for path, text in found.items():
        left = re.findall(r"\$\w+|\$\{\w+\}", text)
        assert set(left) <= {"$MYPY_CONFIG_FILE_DIR"}, path
        if path.endswith(".py"):
            ast.parse(text)


def test_two_projects_give_different_names(run: Any, here: Path) -> None:
    run("new", "keyfold-acme")
    run("new", "keyfold-other")

    ours, theirs = (
        plugin_names(here / "keyfold-acme"),
        plugin_names(here / "keyfold-other"),
    )
    assert set(ours).isdisjoint(theirs)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("Keyfold Acme", "did you mean 'keyfold-acme'?"),
        ("keyfold_acme", "did you mean 'keyfold-acme'?"),
        ("keyfold--acme", "did you mean 'keyfold-acme'?"),
        ("keyfold-acme/..", "did you mean 'keyfold-acme'?"),
        ("2x", "did you mean 'keyfold-2x'?"),
        ("", "such as keyfold-acme"),
    ],
)
def test_a_name_that_is_none_is_refused(
    run: Any, here: Path, name: str, hint: str
) -> None:
    result = run("new", name)

    assert result.stderr == (
        "keyfold: expected a name of lower-case letters, digits and single hyphens "
        f"that begins with a letter, found {name!r}\nHint: {hint}\n"
    )
    assert (result.code, texts(here)) == (2, {})


@pytest.mark.parametrize(
    ("name", "package", "what", "free"),
    [
        ("json", "json", "a module of Python's own", "keyfold-json"),
        ("class", "class", "a word of Python's own", "keyfold-class"),
        (
            "pytest",
            "pytest",
            "a package that plugins need themselves",
            "keyfold-pytest",
        ),
        (
            *("keyfold-contrib", "keyfold_contrib"),
            *("a package that plugins need themselves", "keyfold-contrib-plugins"),
        ),
    ],
)
def test_a_name_that_hides_another_package_is_refused(
    run: Any, here: Path, name: str, package: str, what: str, free: str
) -> None:
    result = run("new", name)

    assert result.stderr == (
        f"keyfold: the name {name!r} can't be used: {package!r} is {what}\n"
        f"Hint: did you mean {free!r}?\n"
    )
    assert (result.code, texts(here)) == (2, {})
    assert run("new", free).code == 0


def occupied_by_a_file(path: Path) -> str:
    path.write_text("mine")
    return "a file"


def occupied_by_files(path: Path) -> str:
    path.mkdir()
    (path / "notes.txt").write_text("mine")
    return "a directory that is not empty"


def occupied_by_a_link(path: Path) -> str:
    path.symlink_to("nowhere")
    return "a link that leads nowhere"


@pytest.mark.parametrize(
    "occupied", [occupied_by_a_file, occupied_by_files, occupied_by_a_link]
)
def test_nothing_that_is_there_is_written_over(
    run: Any, here: Path, occupied: Any
) -> None:
    what = occupied(here / "keyfold-acme")
    before = texts(here)

    result = run("new", "keyfold-acme")

    assert result.stderr == (
        "keyfold: keyfold-acme: expected nothing or an empty directory, found "
        f"{what}\nHint: --directory DIR writes the project elsewhere\n"
    )
    assert (result.code, texts(here)) == (2, before)


def test_the_tests_of_a_new_project_pass(installed: Environment) -> None:
    words = ("-m", "pytest", "-q", "-p", "no:cacheprovider")

    done = installed.run([str(installed.python), *words])

    assert done.code == 0, done.stdout
    assert re.search(r"^\d+ passed in ", done.stdout, re.MULTILINE), done.stdout


@pytest.mark.parametrize("checker", CHECKERS)
def test_the_types_of_a_new_project_are_strict_and_right(
    installed: Environment, checker: str
) -> None:
    done = installed.run(
        [sys.executable, "-m", checker, COMMANDS[checker], str(installed.python)]
    )

    assert done.code == 0, done.stdout
    assert re.search(r"Success: no issues|^0 errors, 0 warnings", done.stdout)


def test_a_new_project_passes_keyfold_check(installed: Environment) -> None:
    done = installed.keyfold("check", "keyfold-acme")

    assert (done.code, done.stderr) == (0, ""), done.stdout
    headings = [line for line in done.stdout.splitlines() if "passed" in line]
    assert [line.split(":")[0] for line in headings if ":" in line] == [
        "distribution keyfold-acme",
        "key acme_length_band",
        "reducer acme_pass_rate",
    ]


def test_the_readme_of_a_new_project_is_right(installed: Environment) -> None:
    readme = (installed.folder / "README.md").read_text()
    fences = re.findall(r"^```(\w+)\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL)
    blocks = {kind: code for kind, code in fences if kind in {"python", "toml"}}

    code = f"import keyfold, tomllib\nconfig = {blocks['toml']!r}\n{blocks['python']}"
    done = installed.python_code(f"{code}\nkeyfold.load(tomllib.loads(config))\n")

    assert (done.code, done.stderr) == (0, "")
    for name in plugin_names(installed.folder):
        assert f"| `{name}` |" in readme


def shipped() -> Iterator[str]:
    # Where the tests run against the wheel there are no sources, and it says itself.
    if (ROOT / "contrib").is_dir():
        for file in WheelBuilder(str(ROOT)).recurse_included_files():
            yield file.distribution_path
    else:
        for path in distribution("keyfold").files or ():
            yield str(path)


def test_the_templates_are_in_the_wheel() -> None:
    under = "keyfold_contrib/templates/plugin/"
    found = [path for path in shipped() if path.startswith(under)]

    assert len(found) == len(FILES)
    assert all(path.endswith(".tmpl") for path in found)
