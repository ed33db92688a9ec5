"""How a partial is written in bytes, and read from bytes that nobody vouches for."""

from __future__ import annotations
