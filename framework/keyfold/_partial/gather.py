"""From the samples of one shard to what a partial holds of them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress

import attrs

from keyfold._counts import Counts, count_irregular, count_keyed, count_selected
from keyfold._fold import PopulationFold
from keyfold._keys import KeyTable
from keyfold._partial.layout import Cell, Counting, Layout
from keyfold._partial.population import PartialPopulation
from keyfold._partial.portable import portable_column
from keyfold._partial.units import Units
from keyfold._plan import Plan
from keyfold._reduce import unit_error
from keyfold._states import States, fold_states
from keyfold._units import grouped

__all__ = ["gathered", "plan_for_states"]


def plan_for_states(plan: Plan) -> Plan:
    """Return a plan in which every unit is numbered, since it gets a state."""
    populations = [
        attrs.evolve(it, constants=(), numbered=frozenset(range(len(it.keys))))
        for it in plan.populations
    ]
    return attrs.evolve(plan, populations=tuple(populations))


def gathered(population: PopulationFold, layout: Layout) -> PartialPopulation:
    """Return what a partial holds of the samples that a fold took in.

    Raises:
        DataError: A reducer refuses a unit's values, or a key means nothing outside
            this process.
        ContractError: A reducer does not keep its contract.
    """
    tables = population.tables
    return PartialPopulation(
        population.rows,
        tuple(column.bound for column in population.columns),
        tuple(map(_units, tables)),
        tuple(
            list(map(link.__getitem__, range(len(tables[inner]))))
            for (inner, _), link in population.links.items()
        ),
        tuple(_states(population, cell) for cell in layout.cells),
        tuple(_counts(population, counting) for counting in layout.countings),
    )


def _units(table: KeyTable) -> Units:
    columns, ragged = table.columns(portable_column)
    return Units(len(table), columns, ragged)


def _counts(population: PopulationFold, counting: Counting) -> Counts:
    match counting.what:
        case "selected":
            return {"selected": count_selected(population, counting.grouping)}
        case "value":
            return count_irregular(population, counting.place, counting.grouping)
        case "key":
            return count_keyed(population, counting.place, counting.grouping)


def _states(population: PopulationFold, cell: Cell) -> States:
    column = population.columns[cell.value]
    reducer = cell.reducer
    if cell.grouping is None:
        try:
            return [reducer.fold(reducer.init(), column.numbers)]
        except Exception as error:
            raise unit_error(error, reducer, None) from error
    table = population.tables[cell.grouping]
    codes: Sequence[int] = table.rows
    if column.irregular is not None:
        mask = column.irregular.mask(population.rows)
        codes = codes if mask is None else list(compress(codes, mask))
    try:
        return fold_states(reducer, codes, column.numbers, len(table))
    except Exception as error:
        for unit, its in enumerate(grouped(codes, column.numbers, len(table))):
            # One after the other, to name the one that fails by itself.
            try:
                reducer.fold(reducer.init(), its)
            except Exception as found:
                raise unit_error(found, reducer, table.key(unit)) from found
        raise unit_error(error, reducer, None) from error
