"""The public API as text, so that a reviewer sees what a change does to it.

python -m tests.api.listing > docs/reference/api.txt
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

from tests.api.declarations import declaration_of
from tests.api.names import definition_of, homes, modules, names_of
from tests.api.surroundings import commands, entry_points

__all__ = ["COMMAND", "listing"]

COMMAND: Final = "python -m tests.api.listing > docs/reference/api.txt"

_HEAD: Final = f"""\
# The public API. A test compares this file with the code; after a change that is meant:
#
#     {COMMAND}
"""


@cache
def listing() -> str:
    """Return every public name with what it is, and the entry points and commands."""
    return "\n".join(
        [
            _HEAD,
            *(line for module in modules() for line in _section(module, _in(module))),
            *_section("Commands", commands()),
            *_section("Entry points", entry_points()),
        ]
    )


def _section(heading: str, lines: Iterator[str]) -> Iterator[str]:
    yield f"## {heading}\n"
    yield from lines
    yield ""


def _in(module: str) -> Iterator[str]:
    for name in names_of(module):
        yield from _declaration(module, name)


def _declaration(module: str, name: str) -> Iterator[str]:
    definition = definition_of(module, name)
    home = homes()[definition]
    if home != module:
        yield f"{name} = {home}.{definition[1]}"
        return
    yield from declaration_of(definition)


if __name__ == "__main__":
    print(listing(), end="")
