"""What a partial holds, and how partials are made, merged, written and read."""

from __future__ import annotations
