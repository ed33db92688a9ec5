"""From what a partial holds to bytes."""

from __future__ import annotations

from keyfold._counts import Counts
from keyfold._describe import expression_of
from keyfold._partial.layout import Cell, Layout
from keyfold._partial.population import PartialPopulation
from keyfold._partial.units import Units
from keyfold._states import States
from keyfold._wire.atoms import to_total
from keyfold._wire.columns import to_column, to_floats, to_ints
from keyfold._wire.message import (
    WireCounts,
    WirePlain,
    WirePopulation,
    WireStates,
    WireTotals,
    WireUnits,
)
from keyfold.errors import PortabilityError
from keyfold.totals import Totals

__all__ = ["to_wire"]


def to_wire(population: PartialPopulation, layout: Layout) -> WirePopulation:
    """Return what a partial holds of a population, as msgpack has it.

    Raises:
        PortabilityError: A key or a state can't be written.
    """
    return WirePopulation(
        population.rows,
        population.bound,
        tuple(map(_units, population.units)),
        tuple(map(to_ints, population.links)),
        tuple(map(_states, layout.cells, population.states)),
        tuple(map(_counts, population.counts)),
    )


def _units(units: Units) -> WireUnits:
    return WireUnits(units.size, tuple(map(to_column, units.columns)), units.ragged)


def _counts(counts: Counts) -> WireCounts:
    return WireCounts(tuple(counts), tuple(map(to_ints, counts.values())))


def _states(cell: Cell, states: States) -> WireStates:
    if not isinstance(states, Totals):
        try:
            return WirePlain(to_column(states))
        except PortabilityError as error:
            raise PortabilityError(
                f"a state of the reducer {expression_of(cell.reducer)}: "
                f"{error.message}",
                hint=error.hint,
            ) from error
    return WireTotals(
        to_floats(states.values),
        to_ints(states.counts),
        to_ints(list(states.others)),
        tuple(map(to_total, states.others.values())),
    )
