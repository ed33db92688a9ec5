"""How the plugins that read samples are asked: keys, values and selections."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, cast

import attrs

from keyfold._columns import columns_of, components_of
from keyfold._describe import length_of
from keyfold._reading import bound, mask_of, values_of
from keyfold.contracts import (
    PAD,
    AnyKeyStrategy,
    AnySelection,
    AnyValue,
    Categorical,
    Finite,
    KeyColumns,
)
from keyfold.errors import ContractError
from keyfold.kinds import Kind

__all__ = ["KEY", "ROLES", "SELECTION", "VALUE", "Role", "engine_rows", "rows_of"]


@attrs.frozen(order=False, eq=False)
class Role:
    """One kind of plugin that reads samples.

    Attributes:
        kind: Its kind.
        word: What messages call it.
        answer: What it says of a sample, such as `key`.
        method: The method that it must have.
        arguments: How many arguments the method is given.
        fast: The method that answers for many samples at once.
        ask: Asks for one sample at a position.
        ask_all: Asks for many samples by the shortest way, as the engine does.
    """

    kind: Kind
    word: str
    answer: str
    method: str
    arguments: int
    fast: str
    ask: Callable[[Any, Any, int], object]
    ask_all: Callable[[Any, Sequence[Any], Sequence[int]], Sequence[object]]


def rows_of(found: KeyColumns, size: int) -> list[tuple[Any, ...] | None]:
    """Return columns as keys, row by row; None where the strategy does not apply.

    Raises:
        ContractError: A column is not as long as there are samples.
    """
    columns = [
        column.values if isinstance(column, Categorical) else column
        for column in found.columns
    ]
    for place, column in enumerate(columns):
        if length_of(column) != size:
            raise ContractError(
                f"column {place} has {length_of(column)} entries for {size} samples",
                hint="each column has one entry a sample",
            )
    applies = found.applies
    rows: list[tuple[Any, ...] | None] = []
    for row in range(size):
        key = tuple(column[row] for column in columns)
        if found.ragged:
            key = tuple(part for part in key if part is not PAD)
        rows.append(key if applies is None or applies[row] else None)
    return rows


def _key(strategy: AnyKeyStrategy, sample: Any, position: int) -> object:
    key = strategy.key(sample, position)
    return None if key is None else components_of(key)


def engine_rows(
    strategy: AnyKeyStrategy, samples: Sequence[Any], positions: Sequence[int]
) -> Sequence[object]:
    """Return the keys of samples as the engine gets them."""
    return rows_of(columns_of(strategy, samples, positions), len(samples))


def _value(value: AnyValue, sample: Any, _position: int) -> object:
    return value.value(sample)


def _values(
    value: AnyValue, samples: Sequence[Any], positions: Sequence[int]
) -> Sequence[object]:
    if not samples:
        return []
    found = values_of(bound(value, samples[0], positions[0]), samples, positions)
    return found.numbers if isinstance(found, Finite) else found


def _selects(selection: AnySelection, sample: Any, _position: int) -> object:
    return cast("object", selection.selects(sample))


def _mask(
    selection: AnySelection, samples: Sequence[Any], positions: Sequence[int]
) -> Sequence[object]:
    mask = mask_of(selection, samples, positions)
    return [True] * len(samples) if mask is None else mask


KEY: Final = Role("key", "key strategy", "key", "key", 2, "columns", _key, engine_rows)
VALUE: Final = Role("value", "value", "value", "value", 1, "values", _value, _values)
SELECTION: Final = Role(
    "selection", "selection", "answer", "selects", 1, "mask", _selects, _mask
)

ROLES: Final[Mapping[str, Role]] = MappingProxyType(
    {role.kind: role for role in (KEY, VALUE, SELECTION)}
)
"""Every kind of plugin that reads samples."""
