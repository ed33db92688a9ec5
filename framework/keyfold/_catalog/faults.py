"""The errors of plugins, in the words that a user reads."""

from __future__ import annotations

from collections.abc import Sequence

from keyfold._catalog.offer import BUILT_IN, Offer
from keyfold._config.wording import listed
from keyfold._nearest import did_you_mean
from keyfold.errors import (
    PluginBlockedError,
    PluginConflictError,
    PluginError,
    PluginLoadError,
    UnknownPluginError,
)
from keyfold.kinds import OfferKind
from keyfold.settings import DISABLE_VARIABLE

__all__ = [
    "afresh",
    "blocked",
    "conflict",
    "load_failure",
    "settling_line",
    "unknown",
]


def load_failure(offer: Offer, error: BaseException, doing: str) -> PluginLoadError:
    """Return the error of a plugin that raised while it was loaded.

    Args:
        offer: The plugin.
        error: What it raised.
        doing: What it raised in, such as `failed to import`.
    """
    raised = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    hint = (
        "install keyfold again, with all that it needs"
        if offer.built_in
        else f"mend {offer.distribution}, or leave it out: "
        f"{DISABLE_VARIABLE}={offer.distribution}"
    )
    return PluginLoadError(
        f"the {offer.kind} {offer.name!r} {doing}: {offer.origin} raised {raised}",
        hint=hint,
    )


def afresh(error: PluginError) -> PluginError:
    """Return a copy of an error that is kept, with its own traceback to grow."""
    copy = type(error)(error.message, hint=error.hint)
    copy.__cause__ = error.__cause__
    return copy


def unknown(
    kind: OfferKind, name: str, names: Sequence[str], other_kinds: Sequence[str]
) -> UnknownPluginError:
    """Return the error of a name that nothing provides.

    Args:
        kind: What was asked for.
        name: The name.
        names: The names that there are.
        other_kinds: The kinds that do have the name.
    """
    hint = did_you_mean(name, names)
    if hint is None and other_kinds:
        hint = f"{name!r} is a {listed(other_kinds)}, not a {kind}"
    if not names:
        hint = f"is the distribution {BUILT_IN} installed? Its plugins are not found"
    return UnknownPluginError(
        f"no {kind} is named {name!r}; there is {listed(names)}", hint=hint
    )


def blocked(offer: Offer, reason: str) -> PluginBlockedError:
    """Return the error of asking for a plugin that the settings block."""
    return PluginBlockedError(
        f"the {offer.kind} {offer.name!r} of {offer.provider} is blocked: {reason}",
        hint="lift the block, or do without the plugin",
    )


def conflict(offers: Sequence[Offer]) -> PluginConflictError:
    """Return the error of a name that several distributions provide."""
    first = offers[0]
    providers = " and ".join(offer.provider for offer in offers)
    return PluginConflictError(
        f"the {first.kind} {first.name!r} is provided by {providers}",
        hint=settling_line(offers),
    )


def settling_line(offers: Sequence[Offer]) -> str:
    """Return the line of a configuration that settles a conflict."""
    first = offers[0]
    distributions = tuple(dict.fromkeys(offer.distribution for offer in offers))
    if len(distributions) == 1:
        targets = " and ".join(offer.target for offer in offers)
        return f"{first.distribution} provides it twice, as {targets}: remove one"
    others = " or ".join(f'"{name}"' for name in distributions[1:])
    return (
        f'write plugins.prefer."{first.kind}:{first.name}" = "{distributions[0]}" '
        f"(or {others})"
    )
