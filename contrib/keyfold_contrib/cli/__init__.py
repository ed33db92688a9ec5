"""The command `keyfold`."""

from __future__ import annotations

from keyfold_contrib.cli._app import main

__all__ = ["main"]
