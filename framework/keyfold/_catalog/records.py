"""Plugins as they are listed."""

from __future__ import annotations

from typing import Literal, TypeAlias

import attrs

from keyfold._catalog.choice import Choice, block_on
from keyfold._catalog.faults import settling_line
from keyfold._catalog.modules import Modules
from keyfold._catalog.offer import Offer
from keyfold._catalog.shelf import Shelf
from keyfold._config.wording import listed
from keyfold.kinds import OfferKind

__all__ = ["PluginRecord", "State", "record_of"]

State: TypeAlias = Literal["available", "loaded", "blocked", "conflict", "broken"]
"""How a plugin stands; `broken` is known once it was tried."""


@attrs.frozen(order=False)
class PluginRecord:
    """One plugin, as it is listed.

    Attributes:
        name: The name that it is asked for by.
        kind: What it is; `module` for a module with hooks.
        distribution: The distribution that provides it.
        version: The distribution's version.
        target: Where it is, as `module:attribute`.
        state: How it stands.
        detail: Why, where the state needs a reason; empty otherwise.
    """

    name: str
    kind: OfferKind
    distribution: str
    version: str
    target: str
    state: State
    detail: str = ""


def record_of(
    offer: Offer, choice: Choice, modules: Modules, shelf: Shelf
) -> PluginRecord:
    """Return an offer as it is listed."""
    state, detail = _state(offer, choice, modules, shelf)
    return PluginRecord(
        name=offer.name,
        kind=offer.kind,
        distribution=offer.distribution,
        version=offer.version,
        target=offer.target,
        state=state,
        detail=detail,
    )


def _state(
    offer: Offer, choice: Choice, modules: Modules, shelf: Shelf
) -> tuple[State, str]:
    reason = block_on(offer, choice.settings)
    if reason is not None:
        return "blocked", reason
    failure = modules.failures.get(offer) or shelf.failure(offer)
    if failure is not None:
        return "broken", failure.message
    if offer.kind != "module":
        candidates = choice.candidates(offer.kind, offer.name)
        if offer not in candidates:
            return "blocked", f"plugins.prefer takes that of {candidates[0].provider}"
        if len(candidates) > 1:
            others = (it.provider for it in candidates if it is not offer)
            return (
                "conflict",
                f"also provided by {listed(others)}; {settling_line(candidates)}",
            )
    return ("loaded" if shelf.has(offer) else "available"), ""
