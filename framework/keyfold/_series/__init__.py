"""What a series over steps holds, and what it gives."""

from __future__ import annotations
