"""The units of a metric while each of them has met one value only."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from itertools import compress, islice

from keyfold._keys import KeyTable
from keyfold._numbers import kept
from keyfold._units import GLANCE

__all__ = ["ConstantUnits"]


class ConstantUnits:
    """Each unit's one value, for reducers that give back a value met again and again.

    The samples of a rollout nearly always share its reward. Then the mean of a rollout
    is that reward, and neither the units need numbers nor their values lists.

    Attributes:
        hold: Whether every unit has met one value only. Once that fails, the metric is
            reduced like any other.
    """

    __slots__ = ("_first", "_valueless", "hold")

    def __init__(self) -> None:
        self.hold = True
        self._first: dict[tuple[Hashable, ...], float] = {}
        # The keys of samples that gave no number.
        self._valueless: set[tuple[Hashable, ...]] = set()

    def add(
        self, table: KeyTable, numbers: Sequence[float], dropped: Sequence[int]
    ) -> None:
        """Take in the batch that a table took in last.

        Args:
            table: The keys.
            numbers: The numbers of the samples that gave one.
            dropped: The rows of those that gave none.

        Raises:
            TypeError: A key can't be hashed.
        """
        keys = table.latest()
        if dropped:
            self._valueless.update(table.latest(dropped))
            keys = compress(keys, kept(dropped, len(numbers) + len(dropped)))
        if len(numbers) > GLANCE:
            keys = iter(keys)
            self._meet(islice(keys, GLANCE), numbers[:GLANCE])
            numbers = numbers[GLANCE:]
        if self.hold:
            self._meet(keys, numbers)
        if not self.hold:
            self._first.clear()
            self._valueless.clear()

    def _meet(
        self, keys: Iterable[tuple[Hashable, ...]], numbers: Sequence[float]
    ) -> None:
        self.hold = list(map(self._first.setdefault, keys, numbers)) == numbers

    def values(self) -> list[float]:
        """Return the value of each unit that has one, in order of appearance."""
        # Adding 0.0 makes -0.0 the 0.0 that a sum of it gives, and an int a float.
        return [value + 0.0 for value in self._first.values()]

    def without(self) -> int:
        """Return how many units have no value."""
        return len(self._valueless.difference(self._first))
