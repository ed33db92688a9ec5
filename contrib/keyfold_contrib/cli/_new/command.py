"""`keyfold new`: a plugin project to begin with."""

from __future__ import annotations

import sys
from pathlib import Path
from shlex import quote
from typing import Annotated, Final

from cyclopts import Parameter

from keyfold import UsageError
from keyfold_contrib.cli._new.project_name import ProjectName
from keyfold_contrib.cli._new.template import rendered
from keyfold_contrib.cli._text import printable

__all__ = ["NEW_EXAMPLES", "new_command"]

NEW_EXAMPLES: Final = (
    "  keyfold new keyfold-acme",
    "  keyfold new keyfold-acme --directory plugins/acme",
)

# For the environment that has this command; .ci/run does as they say.
_NEXT: Final = (
    "pip install -e '.[dev]'",
    "pytest",
    "mypy",
    "pyright",
    "keyfold check {name}",
)


def new_command(
    name: Annotated[
        str, Parameter(help="The distribution's name, such as keyfold-acme.")
    ],
    /,
    *,
    directory: Annotated[
        Path | None,
        Parameter(
            name="--directory",
            help="The folder to write the project into, which must be empty if it is "
            "there; otherwise one of the project's name is made.",
        ),
    ] = None,
) -> None:
    """Write a plugin project: a key strategy, a reducer, tests, and all around them.

    It has entry points for both, is typed, and its tests and type checks pass as it is.
    """
    project = ProjectName.of(name)
    folder = Path(name) if directory is None else directory
    files = rendered(project)
    _refuse_occupied(folder)
    for path, text in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        # Line ends as in the templates, whatever the platform's are.
        file.write_text(text, encoding="utf-8", newline="\n")
    lines = [
        f"{folder}: wrote {len(files)} files",
        *(f"  {path}" for path in files),
        "",
        "Next:",
        f"  cd {quote(str(folder))}",
        *(f"  {command.format(name=name)}" for command in _NEXT),
    ]
    sys.stdout.write("".join(f"{printable(line)}\n" for line in lines))


def _refuse_occupied(folder: Path) -> None:
    if folder.is_symlink() and not folder.exists():
        found = "a link that leads nowhere"
    elif not folder.exists():
        return
    elif not folder.is_dir():
        found = "a file"
    elif any(folder.iterdir()):
        found = "a directory that is not empty"
    else:
        return
    raise UsageError(
        f"{folder}: expected nothing or an empty directory, found {found}",
        hint="--directory DIR writes the project elsewhere",
    )
