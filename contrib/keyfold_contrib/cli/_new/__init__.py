"""`keyfold new`: the project, its name, and the templates of its files."""

from __future__ import annotations
