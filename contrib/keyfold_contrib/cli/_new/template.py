"""The files of a new project, from the templates that are installed with keyfold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from string import Template
from typing import Final

from keyfold import __version__
from keyfold_contrib.cli._new.project_name import ProjectName

__all__ = ["rendered"]

# So ending, a template is not taken for a module, a test or a configuration of ours.
_ENDING: Final = ".tmpl"
_HIDDEN: Final = {"gitignore": ".gitignore"}


def rendered(project: ProjectName) -> Mapping[str, str]:
    """Return the text of each file of a project, by its path in the project.

    Args:
        project: What it is called.
    """
    words = {
        "name": project.distribution,
        "package": project.package,
        "prefix": project.prefix,
        "keyfold_version": __version__,
    }
    found: dict[str, str] = {}
    for path, file in _templates(files("keyfold_contrib") / "templates" / "plugin"):
        name = Template(path.removesuffix(_ENDING)).substitute(words)
        text = file.read_text(encoding="utf-8")
        found[_HIDDEN.get(name, name)] = Template(text).substitute(words)
    return dict(sorted(found.items()))


def _templates(
    folder: Traversable, under: str = ""
) -> Iterator[tuple[str, Traversable]]:
    for entry in folder.iterdir():
        path = f"{under}{entry.name}"
        if entry.is_dir():
            yield from _templates(entry, f"{path}/")
        elif path.endswith(_ENDING):
            yield path, entry
