"""Readers: they turn the files that trainers and evals write into samples."""

from __future__ import annotations

from keyfold_contrib.readers.jsonl import JsonlReader
from keyfold_contrib.readers.miles_pt import MilesPtReader

__all__ = ["JsonlReader", "MilesPtReader"]
