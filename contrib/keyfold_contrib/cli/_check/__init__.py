"""`keyfold check`: what is named, what it is checked with, and what came of it."""

from __future__ import annotations
