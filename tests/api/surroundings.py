"""What is public beside Python's names: entry points and commands."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from importlib.metadata import distribution
from itertools import groupby

from cyclopts import App
from cyclopts.argument import Argument

from keyfold_contrib.cli._app import app

__all__ = ["commands", "entry_points"]


def entry_points() -> Iterator[str]:
    """Yield the entry points of each group, by name."""
    found = distribution("keyfold").entry_points
    entries = sorted((it.group, it.name, it.value) for it in found)
    for group, each in groupby(entries, key=lambda entry: entry[0]):
        yield f"[{group}]"
        for _, name, value in each:
            yield f"    {name} = {value}"


def commands() -> Iterator[str]:
    """Yield the commands, each with its arguments and options."""
    yield "keyfold"
    own = {name for name in app if name.startswith("-")}
    for name in sorted(own.union(re.findall(r"--[a-z-]+", str(app.help_epilogue)))):
        yield f"    {name}"
    yield from _commands(app, "keyfold")


def _commands(parent: App, path: str) -> Iterator[str]:
    for name in sorted(name for name in parent if not name.startswith("-")):
        command = parent[name]
        yield f"{path} {name}"
        if command.default_command is not None:
            arguments = command.assemble_argument_collection()
            for argument in sorted(arguments, key=lambda it: it.names):
                yield f"    {', '.join(argument.names)}: {_taken(argument)}"
        yield from _commands(command, f"{path} {name}")


def _taken(argument: Argument) -> str:
    # Without modules: where pathlib keeps its Path depends on the version of Python.
    kind = re.sub(r"(\w+\.)+", "", inspect.formatannotation(argument.hint))
    return f"{kind}, required" if argument.required else kind
