"""Everything that is deprecated: since when, until when, and what takes its place.

What is to go gets an entry here and a line in the changelog, and calls `warn_of` where
it is used. A test fails once the release is reached that an entry names.
"""

from __future__ import annotations

import warnings
from typing import Final

import attrs

__all__ = ["DEPRECATIONS", "Deprecation", "KeyfoldDeprecationWarning", "warn_of"]


class KeyfoldDeprecationWarning(DeprecationWarning):
    """Something is used that a later release of keyfold does not have."""


@attrs.frozen(order=False)
class Deprecation:
    """One thing that is deprecated.

    Attributes:
        name: Its public name, such as `keyfold.compute` or `keyfold report --by`.
        since: The first release that warns.
        removed_in: The first release without it.
        instead: What to do, such as `use keyfold.partial`.
    """

    name: str
    since: str
    removed_in: str
    instead: str

    def __str__(self) -> str:
        return (
            f"{self.name} is deprecated since keyfold {self.since}, and keyfold "
            f"{self.removed_in} does not have it: {self.instead}"
        )


DEPRECATIONS: Final[tuple[Deprecation, ...]] = ()
"""All that is deprecated; nothing so far."""


def warn_of(deprecation: Deprecation) -> None:
    """Warn whoever uses what calls this: a function, or a module's `__getattr__`."""
    warnings.warn(str(deprecation), KeyfoldDeprecationWarning, stacklevel=3)
