"""What a distribution offers under a name, known before anything is imported."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

import attrs

from keyfold.kinds import KINDS, OfferKind

__all__ = ["BUILT_IN", "Offer", "normalised", "same_distribution", "sort_key"]

BUILT_IN: Final = "keyfold"
"""The distribution whose plugins are the built-in ones."""

_ORDER: Final = {kind: place for place, kind in enumerate((*KINDS, "module"))}


@attrs.frozen(order=False, eq=False)
class Offer:
    """One plugin that a distribution provides.

    Attributes:
        kind: What it is.
        name: The name that it is asked for by.
        target: Where it is, as `module:attribute`.
        distribution: The distribution that provides it.
        version: The distribution's version.
        read: Imports it and returns it.
    """

    kind: OfferKind
    name: str
    target: str
    distribution: str
    version: str
    read: Callable[[], object]

    @property
    def origin(self) -> str:
        """Where it comes from: target, distribution and version."""
        return f"{self.target} of {self.distribution} {self.version}"

    @property
    def provider(self) -> str:
        """The distribution and its version."""
        return f"{self.distribution} {self.version}"

    @property
    def built_in(self) -> bool:
        """Whether keyfold itself provides it."""
        return same_distribution(self.distribution, BUILT_IN)


def same_distribution(one: str, other: str) -> bool:
    """Return whether two names are those of one distribution: `A_b` is `a-b`."""
    return normalised(one) == normalised(other)


def normalised(name: str) -> str:
    """Return a distribution's name as all its spellings are compared."""
    return re.sub(r"[-_.]+", "-", name).lower()


def sort_key(offer: Offer) -> tuple[int, str, str, str]:
    """Return what offers are sorted by: kind, name, distribution, target."""
    return (_ORDER[offer.kind], offer.name, offer.distribution, offer.target)
