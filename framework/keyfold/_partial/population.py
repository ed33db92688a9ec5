"""What a partial holds of one population."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from keyfold._counts import Counts
from keyfold._partial.units import Units
from keyfold._states import States

__all__ = ["PartialPopulation"]


@attrs.frozen(order=False, eq=False)
class PartialPopulation:
    """The states and counts of one population.

    Attributes:
        rows: How many samples were selected.
        bound: How each value was bound to the batch; None where it binds to none, or
            there was no sample.
        units: The units of each key strategy.
        links: For each link of the plan, the outer unit of each inner unit.
        states: The states of each cell of the layout.
        counts: The counts of each counting of the layout.
    """

    rows: int
    bound: tuple[str | None, ...]
    units: tuple[Units, ...]
    links: tuple[Sequence[int], ...]
    states: tuple[States, ...]
    counts: tuple[Counts, ...]
