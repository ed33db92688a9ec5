"""What came of checks, for people and for other programs to read."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

import attrs

from keyfold.testing import CheckState
from keyfold_contrib.cli._check.run import Row, Section
from keyfold_contrib.cli._tables import Block, Column, Grid, Heading, show

__all__ = ["failed", "print_json", "print_tables"]

_STYLES: Final[Mapping[CheckState, str]] = {
    "failed": "bold red",
    "expected": "yellow",
    "skipped": "yellow",
}
_STATES: Final[tuple[CheckState, ...]] = ("passed", "failed", "skipped", "expected")


def failed(sections: Sequence[Section]) -> int:
    """Return how many checks failed that may not."""
    return sum(section.failed for section in sections)


def print_tables(sections: Sequence[Section]) -> None:
    """Print a table a component: a row a check, and what is wrong beside it."""
    blocks: list[Block] = []
    for section in sections:
        if blocks:
            blocks.append(Heading(""))
        said = section.unchecked or _counts(section.rows)
        blocks.append(Heading(f"{section.kind} {section.name}: {_line(said)}"))
        if section.rows:
            blocks.append(_grid(section.rows))
    show(blocks)


def print_json(target: str, sections: Sequence[Section]) -> None:
    """Print everything as one JSON object."""
    found = {
        "target": target,
        "failed": failed(sections),
        "checked": [attrs.asdict(section) for section in sections],
    }
    sys.stdout.write(json.dumps(found, indent=2) + "\n")


def _counts(rows: Sequence[Row]) -> str:
    counts = Counter(row.state for row in rows)
    return ", ".join(f"{counts[state]} {state}" for state in _STATES if counts[state])


def _grid(rows: Sequence[Row]) -> Grid:
    columns = ["check", "state"]
    columns += [
        name for name in ("message", "hint") if any(getattr(it, name) for it in rows)
    ]
    styles: dict[str, str] = dict(_STYLES.items())
    grid = Grid([Column(name, "text") for name in columns], styles=styles)
    for row in rows:
        grid.rows.append([_line(getattr(row, name)) for name in columns])
    return grid


def _line(text: str) -> str:
    return " ".join(text.split())
