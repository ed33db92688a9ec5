"""The keys of units, as parallel columns of plain data."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Sequence
from itertools import count

import attrs

from keyfold._columns import as_columns
from keyfold.contracts import PAD

__all__ = ["Key", "Units", "numbered", "units_of"]

Key = tuple[Hashable, ...]


@attrs.frozen(order=False, eq=False)
class Units:
    """The keys of some units, each once.

    Attributes:
        size: How many there are.
        columns: The components of their keys, one entry a unit.
        ragged: Whether `PAD` fills up the keys that are shorter than others.
    """

    size: int
    columns: tuple[Sequence[Hashable], ...]
    ragged: bool = False

    def __len__(self) -> int:
        return self.size

    def keys(self) -> list[Key]:
        """Return the key of each unit."""
        return list(self.each_key())

    def each_key(self) -> Iterable[Key]:
        """Return the key of each unit, made as it is asked for."""
        if not self.columns:
            return [()] * self.size
        keys = zip(*self.columns, strict=True)
        return map(_stripped, keys) if self.ragged else keys

    def key(self, unit: int) -> Key:
        """Return the key of one unit."""
        return _stripped(tuple(column[unit] for column in self.columns))


def numbered(parts: Sequence[Units]) -> tuple[Units, list[list[int]]]:
    """Return the units of all parts, and for each part which of them its units are."""
    numbers: dict[Key, int] = defaultdict(count().__next__)
    codes = [list(map(numbers.__getitem__, part.each_key())) for part in parts]
    return units_of(numbers), codes


def units_of(keys: Collection[Key]) -> Units:
    """Return the units of some keys, all of which differ."""
    columns, ragged = as_columns(keys)
    return Units(len(keys), tuple(columns), ragged)


def _stripped(key: Key) -> Key:
    return tuple(part for part in key if part is not PAD)
