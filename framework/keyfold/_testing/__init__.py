"""What is behind `keyfold.testing`: one small file a theme."""

from __future__ import annotations
