"""`keyfold plugins`: what is installed, and in what state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Annotated, Final

from cyclopts import Parameter

from keyfold.catalog import State, default_catalog
from keyfold.config import read_config
from keyfold_contrib.cli._options import ConfigOption
from keyfold_contrib.cli._tables import Column, Grid, Heading, show
from keyfold_contrib.cli._text import count_of

__all__ = ["PLUGINS_EXAMPLES", "plugins_command"]

PLUGINS_EXAMPLES: Final = ("  keyfold plugins --check",)

_STYLES: Final[Mapping[State, str]] = {
    "blocked": "yellow",
    "conflict": "bold red",
    "broken": "bold red",
}


def plugins_command(
    *,
    check: Annotated[
        bool,
        Parameter(
            negative=(),
            show_default=False,
            help="Import every plugin that is not blocked, to find broken ones.",
        ),
    ] = False,
    config: ConfigOption = None,
) -> None:
    """Print the plugins: name, kind, distribution, version, state and conflicts.

    A plugin is available until it is used and then loaded. One that is blocked, in
    conflict with another of its name, or broken has a reason beside it.
    """
    catalog = default_catalog() if config is None else read_config(config).catalog
    records = catalog.check() if check else catalog.plugins()
    columns = ["kind", "name", "state", "distribution", "version", "target"]
    if any(record.detail for record in records):
        columns.append("detail")
    styles: dict[str, str] = dict(_STYLES.items())
    grid = Grid([Column(name, "text") for name in columns], styles=styles)
    for record in records:
        grid.rows.append([getattr(record, name) for name in columns])
    states = Counter(record.state for record in records)
    counts = [f"{states[state]} {state}" for state in _STYLES if states[state]]
    show([Heading(", ".join([count_of(len(records), "plugin"), *counts])), grid])
