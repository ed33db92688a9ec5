"""Stand-ins, cheap to hash, for the few distinct objects that recur in a key column."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Final

__all__ = ["Categories"]

# Up to so many new objects in a batch are looked for one by one.
_FEW: Final = 16
# Beyond so many objects the memory of them is worth more than the time they save.
_MOST_KNOWN: Final = 65_536


class Categories:
    """Stands the `id` of one object in for all that are equal to it.

    Hashing an adapter may run Python code, once a sample; its id is a plain int. An id
    is good for as long as its object lives, so every object that is known is kept.
    """

    __slots__ = ("_kept", "_originals", "_stand_ins", "_synonyms")

    def __init__(self) -> None:
        # From each distinct value to its stand-in, and back.
        self._stand_ins: dict[Hashable, int] = {}
        self._originals: dict[int, Hashable] = {}
        # From the id of every object that is known to the stand-in for its value, and
        # whether any of these differ: only equal objects that are not one make them.
        self._kept: dict[int, Hashable] = {}
        self._synonyms: dict[int, int] = {}

    def encode(self, objects: Sequence[Hashable]) -> Sequence[int]:
        """Return the stand-in for each object: equal ones for equal objects.

        Raises:
            TypeError: An object can't be hashed.
        """
        ids = list(map(id, objects))
        new = set(ids).difference(self._kept)
        if len(new) > _FEW or (new and len(self._kept) > _MOST_KNOWN):
            # What is about to be forgotten may be in this batch, so all of it is shown.
            self._learn(dict(zip(ids, objects, strict=True)))
        elif new:
            self._learn({identity: objects[ids.index(identity)] for identity in new})
        if not self._synonyms:
            return ids
        return [self._synonyms.get(identity, identity) for identity in ids]

    def original(self, stand_in: int) -> Hashable:
        """Return the object that a stand-in stands for."""
        return self._originals[stand_in]

    def _learn(self, objects: dict[int, Hashable]) -> None:
        if len(self._kept) > _MOST_KNOWN:
            self._kept = dict(self._originals)
            self._synonyms.clear()
        for identity, value in objects.items():
            stand_in = self._stand_ins.setdefault(value, identity)
            if stand_in == identity:
                self._originals[identity] = value
            else:
                self._synonyms[identity] = stand_in
        self._kept.update(objects)
