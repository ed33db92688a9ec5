"""Refusing merges in which the order of the shards would matter, as it is not known."""

from __future__ import annotations

from collections.abc import Sequence

from keyfold._describe import expression_of, shown
from keyfold._partial.layout import Cell, Layout
from keyfold._partial.party import Party
from keyfold._partial.population import PartialPopulation
from keyfold._partial.units import Units, numbered
from keyfold._plan import Plan
from keyfold.contracts import AnyReducer
from keyfold.errors import MergeError

__all__ = ["refuse_order"]

Parts = Sequence[tuple[Party, Sequence[PartialPopulation]]]

_HINT = (
    "choose a reducer that needs no order, or keep all samples that it depends on in "
    "one shard"
)
_ALL = Units(1, ())


def refuse_order(plan: Plan, layouts: Sequence[Layout], parts: Parts) -> None:
    """Raise an error if a reducer depends on the order of values in several parts.

    Raises:
        MergeError: Names the reducer, the unit and the parts.
    """
    for place, layout in enumerate(layouts):
        held = [(party, populations[place]) for party, populations in parts]
        for number, cell in enumerate(layout.cells):
            if _ordered(cell.reducer):
                _refuse_units(cell, number, held)
    for metric in plan.metrics:
        levels = metric.pipeline.levels
        outer = [level.reducer for level in levels[1:]]
        filled = [party for party, held in parts if held[metric.population].rows]
        for reducer in [*outer, metric.pipeline.across] if levels else []:
            if _ordered(reducer) and len(filled) > 1:
                raise MergeError(
                    f"metric {metric.name!r}: reducer {expression_of(reducer)} depends "
                    "on the order of the units, which is not known between "
                    f"{filled[0].name} and {filled[1].name}",
                    hint=_HINT,
                )


def _ordered(reducer: AnyReducer) -> bool:
    return bool(getattr(reducer, "ordered", False))


def _refuse_units(
    cell: Cell, number: int, parts: Sequence[tuple[Party, PartialPopulation]]
) -> None:
    nothing = cell.reducer.init()
    units, codes = numbered(
        [
            _ALL if cell.grouping is None else held.units[cell.grouping]
            for _, held in parts
        ]
    )
    owners: dict[int, Party] = {}
    for (party, held), its_codes in zip(parts, codes, strict=True):
        for code, state in zip(its_codes, held.states[number], strict=True):
            if state == nothing:
                continue
            owner = owners.setdefault(code, party)
            if owner is not party:
                key = units.key(code)
                unit = "" if cell.grouping is None else f"unit {shown(key, 200)}: "
                raise MergeError(
                    f"{unit}reducer {expression_of(cell.reducer)} depends on the order "
                    "of the values, which is not known between "
                    f"{owner.name} and {party.name}",
                    hint=_HINT,
                )
