"""`python -m keyfold` runs the command that the distribution installs."""

from __future__ import annotations

from importlib.metadata import EntryPoint, entry_points


def _command() -> EntryPoint:
    # The command stands in a package that the framework must not import.
    (command,) = entry_points(group="console_scripts", name="keyfold")
    return command


if __name__ == "__main__":
    _command().load()()
