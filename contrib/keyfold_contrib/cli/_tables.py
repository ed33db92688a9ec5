"""Tables and headings for people to read."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Final, Literal, TypeAlias

import attrs
from rich.cells import cell_len
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from keyfold_contrib.cli._text import printable

__all__ = ["Block", "Column", "Grid", "Heading", "number", "show"]

# Wider than anything that is printed into a pipe, where no line is broken.
_ENDLESS: Final = 1_000_000
# A column of text is not made narrower than this; its cells go on in the next line.
_NARROWEST: Final = 16
_GAP: Final = 2
_EXACT: Final = 10**15


@attrs.frozen(order=False)
class Column:
    """A column of a table: of numbers, which are never broken, or of text."""

    title: str
    kind: Literal["number", "text"] = "number"


@attrs.define(order=False, eq=False)
class Grid:
    """A table without lines.

    Attributes:
        columns: Its columns.
        rows: Its cells, row by row.
        styles: The style of the rows in which a text is a whole cell.
    """

    columns: Sequence[Column]
    rows: list[Sequence[str]] = attrs.field(factory=list[Sequence[str]])
    styles: Mapping[str, str] = attrs.field(factory=dict[str, str])

    def print(self, out: Console) -> None:
        """Print the table, wider than the console where its numbers need that."""
        rows = [[printable(cell) for cell in row] for row in self.rows]
        titles = [column.title for column in self.columns]
        widths = self._widths(
            [max(map(cell_len, cells)) for cells in zip(titles, *rows, strict=True)],
            out.width,
        )
        for line in self._lines(titles, widths, out):
            out.print(Text(line, style="bold"), soft_wrap=True)
        for row in rows:
            style = next((self.styles[cell] for cell in row if cell in self.styles), "")
            for line in self._lines(row, widths, out):
                if style:
                    out.print(Text(line, style=style), soft_wrap=True)
                else:
                    out.out(line, highlight=False)

    def _widths(self, natural: Sequence[int], width: int) -> Sequence[int]:
        # As wide as the cells, less what is too much for the console: columns of text
        # give it up, the last one first.
        widths = list(natural)
        excess = sum(widths) + _GAP * (len(widths) - 1) - width
        for place in reversed(range(len(widths))):
            if excess > 0 and self.columns[place].kind == "text":
                given_up = max(0, min(excess, widths[place] - _NARROWEST))
                widths[place] -= given_up
                excess -= given_up
        return widths

    def _lines(
        self, cells: Sequence[str], widths: Sequence[int], out: Console
    ) -> Iterator[str]:
        folded = [
            [cell] if cell_len(cell) <= width else _folded(cell, width, out)
            for cell, width in zip(cells, widths, strict=True)
        ]
        for parts in zip_longest(*folded, fillvalue=""):
            padded: list[str] = []
            for column, part, width in zip(self.columns, parts, widths, strict=True):
                blank = " " * (width - cell_len(part))
                padded.append(part + blank if column.kind == "text" else blank + part)
            yield (" " * _GAP).join(padded).rstrip(" ")


def _folded(cell: str, width: int, out: Console) -> list[str]:
    lines = Text(cell).wrap(out, width, overflow="fold")
    return [line.plain.rstrip(" ") for line in lines]


@attrs.frozen(order=False)
class Heading:
    """A bold line, and indented lines below it."""

    text: str
    below: Sequence[str] = ()

    def print(self, out: Console) -> None:
        """Print the lines; the indentation is kept where a terminal breaks one."""
        out.print(Text(printable(self.text), style="bold"))
        for line in self.below:
            out.print(Padding(Text(printable(line)), (0, 0, 0, 2), expand=False))


Block: TypeAlias = Heading | Grid


def number(value: object) -> str:
    """Return a value as text: six significant digits, or `absent`.

    Whole numbers have all their digits, since they are mostly counts.
    """
    if value is None:
        return "absent"
    if not isinstance(value, float):
        return printable(str(value))
    if value.is_integer() and abs(value) < _EXACT:
        return str(int(value))
    return f"{value:.6g}"


def show(blocks: Sequence[Block]) -> None:
    """Print blocks, one below the other.

    On a terminal the text of wide tables goes on in the next line, and numbers stay
    whole. In a pipe each row is one line, without blanks at its end.
    """
    terminal = sys.stdout.isatty()
    out = Console(width=None if terminal else _ENDLESS, highlight=False)
    with out.capture() as captured:
        for block in blocks:
            block.print(out)
    lines = captured.get().split("\n")
    sys.stdout.write("\n".join(line.rstrip(" ") for line in lines))
