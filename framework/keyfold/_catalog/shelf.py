"""What was loaded, and what failed: each plugin is imported once."""

from __future__ import annotations

from keyfold._catalog import faults
from keyfold._catalog.fit import check_fit
from keyfold._catalog.offer import Offer
from keyfold.errors import PluginError

__all__ = ["Shelf"]


class Shelf:
    """Keeps what each offer loaded, or the error that it failed with.

    No lock is held while a plugin is imported: an import takes locks of its own, and
    the two would wait for each other. Two threads that come at once may both import,
    which Python does once, and both keep the same object.
    """

    def __init__(self) -> None:
        self._loaded: dict[Offer, object] = {}
        self._failed: dict[Offer, PluginError] = {}

    def take(self, offer: Offer) -> object:
        """Return what an offer loads, importing it on first use.

        Raises:
            PluginLoadError: It failed to import.
            ContractError: It is not of its kind.
        """
        failure = self._failed.get(offer)
        if failure is not None:
            raise faults.afresh(failure)
        if offer not in self._loaded:
            try:
                self._loaded.setdefault(offer, _load(offer))
            except PluginError as error:
                self._failed[offer] = error
                raise
        return self._loaded[offer]

    def failure(self, offer: Offer) -> PluginError | None:
        """Return the error that an offer failed with, or None."""
        return self._failed.get(offer)

    def has(self, offer: Offer) -> bool:
        """Return whether an offer was loaded."""
        return offer in self._loaded


def _load(offer: Offer) -> object:
    try:
        loaded = offer.read()
    # A module that ends the process on import must not end the one that lists it.
    except (Exception, SystemExit) as error:
        raise faults.load_failure(offer, error, "failed to import") from error
    check_fit(offer, loaded)
    return loaded
