"""How a configuration is read: tables, problems and expressions."""

from __future__ import annotations
