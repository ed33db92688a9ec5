"""`keyfold partial` and `keyfold merge`, and the report of what they write."""

from __future__ import annotations
