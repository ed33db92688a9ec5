"""How plugins are found, chosen, imported and checked."""

from __future__ import annotations
