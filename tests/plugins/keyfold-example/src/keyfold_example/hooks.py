"""A log of what the command line reported, for those who ask for it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from keyfold import KeyfoldError, Report
from keyfold.hooks import hookimpl

__all__ = ["LOG_VARIABLE", "keyfold_error", "keyfold_report_made"]

LOG_VARIABLE: Final = "KEYFOLD_EXAMPLE_LOG"
"""The environment variable with the file to which lines are added."""


@hookimpl
def keyfold_report_made(report: Report) -> None:
    """Log each number of a report, on one line."""
    _log("report " + " ".join(f"{name}={value!r}" for name, value in report.items()))


@hookimpl
def keyfold_error(error: KeyfoldError) -> None:
    """Log the error that ends a command."""
    _log(f"error {error.message}")


def _log(line: str) -> None:
    path = os.environ.get(LOG_VARIABLE)
    if path is None:
        return
    with Path(path).open("a", encoding="utf-8") as log:
        log.write(f"{line}\n")
