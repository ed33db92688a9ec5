"""Selections: which samples take part."""

from __future__ import annotations

from keyfold_strategies.selections.all import All
from keyfold_strategies.selections.field_test import FieldTest

__all__ = ["All", "FieldTest"]
