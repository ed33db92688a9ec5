"""Stand-ins, cheap to hash, for the few distinct objects that recur in a key column."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from types import NoneType
from typing import Any, Final, cast

__all__ = ["Categories"]

# Up to so many new objects in a batch are looked for one by one.
_FEW: Final = 16
# These stand for themselves; none of their values equals an int, as the ids are.
_QUICK: Final = frozenset({str, NoneType})
# Beyond so many objects the memory of them is worth more than the time they save.
_MOST_KNOWN: Final = 65_536


class Categories:
    """Stands the `id` of one object in for all that are equal to it.

    Hashing an adapter may run Python code, once a sample; its id is a plain int. An id
    is good for as long as its object lives, so every object that is known is kept.
    Strings and None, which are quick to hash, stand for themselves.
    """

    __slots__ = ("_kept", "_stand_ins", "_synonyms")

    def __init__(self) -> None:
        # From each distinct value to its stand-in, which is the id of this very object.
        self._stand_ins: dict[Hashable, int] = {}
        # Every object that is known, by its id; and the stand-in for those that another
        # equal object, or the object itself, stands in for.
        self._kept: dict[int, Hashable] = {}
        self._synonyms: dict[int, Hashable] = {}

    def encode(self, objects: Sequence[Hashable]) -> Sequence[Hashable]:
        """Return the stand-in for each object: equal ones for equal objects.

        Raises:
            TypeError: An object can't be hashed.
        """
        if type(objects[0]) in _QUICK and _QUICK.issuperset(map(type, objects)):
            return objects
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

    def original(self, stand_in: Any) -> Hashable:
        """Return the object that a stand-in stands for."""
        return self._kept.get(stand_in, cast("Hashable", stand_in))

    def originals(
        self,
        stand_ins: Sequence[Hashable],
        plain: Callable[[Sequence[Hashable]], Sequence[Hashable]],
    ) -> Sequence[Hashable]:
        """Return what each stand-in stands for.

        Args:
            stand_ins: The stand-ins.
            plain: Makes the objects into what is wanted of them.
        """
        distinct = set(stand_ins)
        wanted = plain([self.original(one) for one in distinct])
        meant = dict(zip(distinct, wanted, strict=True))
        return list(map(meant.__getitem__, stand_ins))

    def _learn(self, objects: dict[int, Hashable]) -> None:
        if len(self._kept) > _MOST_KNOWN:
            self._kept = {own: value for value, own in self._stand_ins.items()}
            self._synonyms.clear()
        for identity, value in objects.items():
            if type(value) in _QUICK:
                self._synonyms[identity] = value
                continue
            stand_in = self._stand_ins.setdefault(value, identity)
            if stand_in != identity:
                self._synonyms[identity] = stand_in
        self._kept.update(objects)
