"""The states of units while more samples come in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from keyfold._states import States
from keyfold.totals import Totals, packed

__all__ = ["StateStore", "store_of"]


class StateStore(Protocol):
    """Holds one state a unit; what it gives never changes afterwards."""

    def take(self, units: Sequence[int], /) -> States:
        """Return the states of some units."""
        ...

    def put(self, units: Sequence[int], states: States, /) -> None:
        """Take the states of some units, those of new ones in the order of units."""
        ...

    def all(self) -> States:
        """Return the states of all units."""
        ...


def store_of(states: States) -> StateStore:
    """Return an empty store for states like these."""
    return _Packed() if isinstance(states, Totals) else _Plain()


class _Plain:
    def __init__(self) -> None:
        self._states: list[Any] = []

    def take(self, units: Sequence[int], /) -> States:
        return list(map(self._states.__getitem__, units))

    def put(self, units: Sequence[int], states: States, /) -> None:
        for unit, state in zip(units, states, strict=True):
            self._states[unit : unit + 1] = [state]

    def all(self) -> States:
        return list(self._states)


class _Packed:
    def __init__(self) -> None:
        self._values: list[float] = []
        self._counts: list[int] = []
        self._others: dict[int, Any] = {}

    def take(self, units: Sequence[int], /) -> Totals:
        others = {
            place: self._others[unit]
            for place, unit in enumerate(units)
            if unit in self._others
        }
        return Totals(
            list(map(self._values.__getitem__, units)),
            list(map(self._counts.__getitem__, units)),
            others,
        )

    def put(self, units: Sequence[int], states: States, /) -> None:
        totals = packed(states)
        for unit, value, count in zip(units, totals.values, totals.counts, strict=True):
            self._values[unit : unit + 1] = [value]
            self._counts[unit : unit + 1] = [count]
        for place, total in totals.others.items():
            self._others[units[place]] = total

    def all(self) -> Totals:
        return Totals(list(self._values), list(self._counts), dict(self._others))
