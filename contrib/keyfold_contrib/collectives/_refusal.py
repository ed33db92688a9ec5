"""Telling the other ranks why one has no partial."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import attrs

from keyfold.authoring import shown
from keyfold.errors import DataError, KeyfoldError, UsageError

__all__ = ["Refusal", "error_of", "refusal_of"]

_FAMILIES: Final[Mapping[str, type[KeyfoldError]]] = {
    "data": DataError,
    "usage": UsageError,
    "other": KeyfoldError,
}
_MOST_SHOWN: Final = 1000


@attrs.frozen(order=False)
class Refusal:
    """Why a rank has no partial: texts alone, since those can be sent in any case.

    Attributes:
        family: The family of its error.
        message: The error's message.
        hint: The error's hint, or None.
    """

    family: str
    message: str
    hint: str | None = None


def refusal_of(error: Exception) -> Refusal:
    """Return what the other ranks are to know of an error."""
    if not isinstance(error, KeyfoldError):
        return Refusal("other", shown(error, _MOST_SHOWN))
    return Refusal(_family(error), error.message, error.hint)


def _family(error: KeyfoldError) -> str:
    # A trainer may catch one family and go on, so all ranks get the same.
    if isinstance(error, DataError):
        return "data"
    return "usage" if isinstance(error, UsageError) else "other"


def error_of(refusals: Mapping[int, Refusal]) -> KeyfoldError:
    """Return the error of the ranks that did not fail themselves.

    Args:
        refusals: What the ranks that failed say, at least one.
    """
    (rank, first), *others = refusals.items()
    message = f"rank {rank} has no partial of its samples: {first.message}"
    if others:
        also = ", ".join(str(number) for number, _ in others)
        message += f" (nor has rank {also})"
    return _FAMILIES[first.family](message, hint=first.hint)
