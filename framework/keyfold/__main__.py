"""`python -m keyfold` runs the command that the distribution installs."""

from __future__ import annotations

from importlib.metadata import entry_points

if __name__ == "__main__":
    (command,) = entry_points(group="console_scripts", name="keyfold")
    command.load()()
