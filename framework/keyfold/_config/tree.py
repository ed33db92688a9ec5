"""What an expression is made of.

Each part knows how it is written (`source`) and where it stands in its expression
(`at`), so that whatever is found wrong with it later can say so.
"""

from __future__ import annotations

from typing import TypeAlias

import attrs

__all__ = ["Call", "Items", "Literal", "Name", "Node"]


@attrs.frozen(order=False)
class Literal:
    """A string, a number, a boolean or None."""

    value: str | float | bool | None
    source: str
    at: str


@attrs.frozen(order=False)
class Items:
    """A list or a tuple of nodes."""

    items: tuple[Node, ...]
    source: str
    at: str


@attrs.frozen(order=False)
class Name:
    """The name of a plugin, by itself."""

    name: str
    source: str
    at: str


@attrs.frozen(order=False)
class Call:
    """A plugin called with arguments."""

    name: str
    arguments: tuple[Node, ...]
    keywords: tuple[tuple[str, Node], ...]
    source: str
    at: str


Node: TypeAlias = Literal | Items | Name | Call
