"""The nearest of some words, for hints."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["did_you_mean", "nearest"]


def nearest(name: str, names: Iterable[str]) -> str | None:
    """Return the name that was probably meant."""
    lower = {known.lower(): known for known in names}
    # Only errors need it, and it would add to what importing keyfold costs.
    from difflib import get_close_matches  # noqa: PLC0415

    close = get_close_matches(name.lower(), lower, n=1)
    return lower[close[0]] if close else None


def did_you_mean(name: str, names: Iterable[str]) -> str | None:
    """Return the hint with the name that was probably meant, or None."""
    close = nearest(name, names)
    return None if close is None else f"did you mean {close!r}?"
