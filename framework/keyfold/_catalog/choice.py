"""Which offers take part, and which one a name means."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import attrs

from keyfold._catalog import faults
from keyfold._catalog.offer import Offer, same_distribution, sort_key
from keyfold._config.wording import join, listed
from keyfold._nearest import did_you_mean
from keyfold.errors import ConfigProblem
from keyfold.kinds import Kind, OfferKind
from keyfold.settings import DISABLE_VARIABLE, Settings

__all__ = ["Choice", "block_on", "setting_problems"]

_EVERYTHING = "*"


def block_on(offer: Offer, settings: Settings) -> str | None:
    """Return why an offer is blocked, or None if it is not."""
    for name in settings.disabled:
        if name != _EVERYTHING and _names(name, offer):
            return f"{DISABLE_VARIABLE} names {name!r}"
    for name in settings.block:
        if _names(name, offer):
            return f"plugins.block names {name!r}"
    if offer.built_in:
        return None
    if _EVERYTHING in settings.disabled:
        return f"{DISABLE_VARIABLE} is '*', which leaves the built-in plugins"
    if not settings.autoload:
        return "plugins.autoload is false, which leaves the built-in plugins"
    return None


def _names(text: str, offer: Offer) -> bool:
    kind, colon, name = text.partition(":")
    if colon:
        return (kind, name) == (offer.kind, offer.name)
    return text == offer.name or same_distribution(text, offer.distribution)


@attrs.frozen(order=False, eq=False)
class Choice:
    """The offers that settings leave, by kind and name.

    Attributes:
        offers: Every offer, the blocked ones included, sorted.
        settings: What is blocked and preferred.
    """

    offers: Sequence[Offer]
    settings: Settings
    _open: Mapping[tuple[OfferKind, str], Sequence[Offer]]

    @classmethod
    def among(cls, offers: Iterable[Offer], settings: Settings) -> Choice:
        """Return the choice among some offers."""
        ordered = sorted(offers, key=sort_key)
        opened: dict[tuple[OfferKind, str], list[Offer]] = {}
        for offer in ordered:
            if block_on(offer, settings) is None:
                opened.setdefault((offer.kind, offer.name), []).append(offer)
        return cls(ordered, settings, opened)

    def names(self, kind: Kind) -> tuple[str, ...]:
        """Return the names of a kind that are not blocked, sorted."""
        return tuple(name for of_kind, name in self._open if of_kind == kind)

    def candidates(self, kind: OfferKind, name: str) -> Sequence[Offer]:
        """Return the offers that a name may mean: several where there is a conflict."""
        offers = self._open.get((kind, name), ())
        preferred = self._preferred(offers)
        return offers if preferred is None else (preferred,)

    def one(self, kind: Kind, name: str) -> Offer:
        """Return the offer that a name means.

        Raises:
            UnknownPluginError: Nothing provides the name.
            PluginBlockedError: What provides it is blocked.
            PluginConflictError: Several distributions provide it.
        """
        candidates = self.candidates(kind, name)
        if len(candidates) == 1:
            return candidates[0]
        if candidates:
            raise faults.conflict(candidates)
        for offer in self.offers:
            if (offer.kind, offer.name) == (kind, name):
                raise faults.blocked(offer, block_on(offer, self.settings) or "")
        others: list[str] = [kind for kind, known in self._open if known == name]
        raise faults.unknown(kind, name, self.names(kind), others)

    def _preferred(self, offers: Sequence[Offer]) -> Offer | None:
        for offer in offers:
            wanted = self.settings.prefer.get(
                f"{offer.kind}:{offer.name}", self.settings.prefer.get(offer.name)
            )
            if wanted is not None and same_distribution(wanted, offer.distribution):
                return offer
        return None


def setting_problems(choice: Choice) -> Iterator[ConfigProblem]:
    """Yield what in the settings matches no plugin."""
    settings, offers = choice.settings, choice.offers
    expected = "the name of a plugin, or of a distribution that provides one"
    blocks = [(DISABLE_VARIABLE, name) for name in settings.disabled]
    blocks += [
        (join("plugins.block", place), name)
        for place, name in enumerate(settings.block)
    ]
    for key, name in blocks:
        everything = name == _EVERYTHING and key == DISABLE_VARIABLE
        if not everything and not any(_names(name, offer) for offer in offers):
            hint = did_you_mean(name, _words(offers))
            yield ConfigProblem(key, expected=expected, found=repr(name), hint=hint)
    for name, distribution in settings.prefer.items():
        yield from _prefer_problems(choice, name, distribution)


def _prefer_problems(
    choice: Choice, name: str, distribution: str
) -> Iterator[ConfigProblem]:
    key = join("plugins.prefer", name)
    meant = [
        offer
        for offer in choice.offers
        if name in (offer.name, f"{offer.kind}:{offer.name}")
    ]
    if not meant:
        names = {offer.name for offer in choice.offers}
        names |= {f"{offer.kind}:{offer.name}" for offer in choice.offers}
        yield ConfigProblem(
            key,
            expected="the name of a plugin, or kind:name",
            found=repr(name),
            hint=did_you_mean(name, sorted(names)),
        )
        return
    left = {
        offer.distribution: offer
        for offer in meant
        if block_on(offer, choice.settings) is None
    }
    if not any(same_distribution(distribution, provider) for provider in left):
        yield ConfigProblem(
            key,
            expected=f"a distribution that provides it: {listed(left)}",
            found=repr(distribution),
            hint=did_you_mean(distribution, left),
        )


def _words(offers: Iterable[Offer]) -> Sequence[str]:
    names = dict.fromkeys(offer.name for offer in offers)
    distributions = dict.fromkeys(offer.distribution for offer in offers)
    qualified = dict.fromkeys(f"{offer.kind}:{offer.name}" for offer in offers)
    return tuple(names | distributions | qualified)
