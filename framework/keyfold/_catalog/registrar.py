"""What a plugin module adds by code becomes offers of its distribution."""

from __future__ import annotations

import keyword
from collections.abc import Sequence
from typing import Any

from keyfold._catalog.offer import Offer
from keyfold._config.wording import listed
from keyfold._nearest import did_you_mean
from keyfold.errors import ContractError
from keyfold.kinds import KINDS

__all__ = ["OfferRegistrar"]


class OfferRegistrar:
    """Takes the names that one plugin module adds; a `keyfold.hooks.Registrar`."""

    def __init__(self, module: Offer) -> None:
        self._module = module
        self._offers: dict[tuple[str, str], Offer] = {}
        self._closed = False

    def close(self) -> Sequence[Offer]:
        """Take nothing more, and return what was added."""
        self._closed = True
        return tuple(self._offers.values())

    def add(self, kind: Any, name: Any, plugin: Any, /) -> None:
        """Add a plugin."""
        if self._closed:
            raise self._refusal("adds", name, "after keyfold_register has returned")
        if kind not in KINDS:
            raise self._refusal(
                "adds",
                name,
                f"to the kind {kind!r}, which is none of {listed(KINDS)}",
                hint=did_you_mean(str(kind), KINDS),
            )
        if not _is_name(name):
            raise self._refusal(
                "adds", name, f"as a {kind}, which no configuration can spell"
            )
        if (kind, name) in self._offers:
            raise self._refusal("adds", name, f"as a {kind} twice")
        self._offers[kind, name] = Offer(
            kind=kind,
            name=name,
            target=_target(plugin),
            distribution=self._module.distribution,
            version=self._module.version,
            read=lambda: plugin,
        )

    def _refusal(
        self, verb: str, name: object, rest: str, *, hint: str | None = None
    ) -> ContractError:
        return ContractError(f"{self._module.origin} {verb} {name!r} {rest}", hint=hint)


def _is_name(name: object) -> bool:
    return isinstance(name, str) and name.isidentifier() and not keyword.iskeyword(name)


def _target(plugin: object) -> str:
    # An object has no name of its own, so its class stands for it.
    named = plugin if hasattr(plugin, "__qualname__") else type(plugin)
    module = getattr(named, "__module__", "?")
    return f"{module}:{getattr(named, '__qualname__', '?')}"
