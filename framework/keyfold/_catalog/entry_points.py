"""Offers from the metadata of installed distributions; nothing is imported."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import Distribution, EntryPoint, distributions
from typing import Final

from keyfold._catalog.offer import Offer, normalised, sort_key
from keyfold.kinds import GROUPS, MODULE_GROUP, OfferKind

__all__ = ["installed", "offers_from"]

_UNKNOWN: Final = "(unknown)"
_KINDS: Final[dict[str, OfferKind]] = {
    MODULE_GROUP: "module",
    **{group: kind for kind, group in GROUPS.items()},
}


def installed(path: Sequence[str] | None = None) -> tuple[Offer, ...]:
    """Return what the installed distributions offer, sorted.

    Args:
        path: Where distributions are looked for; None means `sys.path`. Where two
            places hold a distribution of one name, the first counts, as for an import.
    """
    found: dict[str, Distribution] = {}
    for distribution in _search(None, path):
        # A name costs a file to read, so it is asked of those alone that matter here.
        if any(_offers_of(distribution)):
            name = _name(distribution)
            found.setdefault(normalised(name), _first(name, path) or distribution)
    offers = (offer for one in found.values() for offer in _offers_of(one))
    return tuple(sorted(offers, key=sort_key))


def offers_from(entry_points: Iterable[EntryPoint]) -> tuple[Offer, ...]:
    """Return what entry points offer, sorted; those of other groups are passed over."""
    unique = {
        (entry.group, entry.name, entry.value, _name(entry.dist)): entry
        for entry in entry_points
        if entry.group in _KINDS
    }
    return tuple(sorted(map(_offer, unique.values()), key=sort_key))


def _search(name: str | None, path: Sequence[str] | None) -> Iterable[Distribution]:
    if path is None:
        return distributions(name=name)
    return distributions(name=name, path=list(path))


def _first(name: str, path: Sequence[str] | None) -> Distribution | None:
    return None if name == _UNKNOWN else next(iter(_search(name, path)), None)


def _offers_of(distribution: Distribution) -> Iterator[Offer]:
    try:
        entry_points = list(distribution.entry_points)
    except Exception as error:  # noqa: BLE001 - a file on disk can be wrong in any way
        # A broken file of others is not ours to report, and must not stop us.
        text = distribution.read_text("entry_points.txt") or ""
        if f"[{MODULE_GROUP}" in text:
            yield _unreadable(distribution, error)
        return
    yield from offers_from(entry_points)


def _unreadable(distribution: Distribution, error: Exception) -> Offer:
    def read() -> object:
        raise error

    name = _name(distribution)
    version = _metadata(distribution, "Version")
    return Offer("module", name, "entry_points.txt", name, version, read)


def _offer(entry: EntryPoint) -> Offer:
    return Offer(
        kind=_KINDS[entry.group],
        name=entry.name,
        target=entry.value,
        distribution=_name(entry.dist),
        version=_metadata(entry.dist, "Version"),
        read=entry.load,
    )


def _name(distribution: Distribution | None) -> str:
    return _metadata(distribution, "Name")


def _metadata(distribution: Distribution | None, field: str) -> str:
    if distribution is None:
        return _UNKNOWN
    try:
        return str(distribution.metadata[field] or _UNKNOWN)
    except Exception:  # noqa: BLE001 - a file on disk can be wrong in any way
        return _UNKNOWN
