"""Where keyfold meets the outside world: dumps, the command line, trainers."""

from __future__ import annotations
