"""From samples to the units that they belong to, numbered in order of appearance."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from itertools import count
from typing import Any, cast

from keyfold._blame import blame
from keyfold._categories import Categories
from keyfold._describe import expression_of, fields_of
from keyfold.contracts import PAD, AnyKeyStrategy, Categorical, KeyColumns
from keyfold.errors import ContractError, SampleError

__all__ = ["KeyTable", "columns_of", "components_of"]


def components_of(key: Hashable) -> tuple[Hashable, ...]:
    """Return a key as a flat tuple of components."""
    return cast("tuple[Hashable, ...]", key) if isinstance(key, tuple) else (key,)


def columns_of(
    strategy: AnyKeyStrategy, samples: Sequence[Any], positions: Sequence[int]
) -> KeyColumns:
    """Return the keys of samples as columns, whatever the strategy offers.

    A strategy without `columns` is asked sample by sample.

    Raises:
        SampleError: The strategy failed on a sample; names its position.
        ContractError: The strategy's columns do not fit the samples.
    """
    columns = getattr(strategy, "columns", None)
    try:
        if columns is None:
            keys = list(map(strategy.key, samples, positions))
            return _as_columns(keys)
        found: KeyColumns = columns(samples, positions)
    except Exception as error:  # noqa: BLE001 - told with the sample that caused it
        blame(
            error,
            "key strategy",
            strategy,
            strategy.key,
            zip(samples, positions, strict=True),
        )
    _check(strategy, found, len(samples))
    return found


def _check(strategy: AnyKeyStrategy, found: object, size: int) -> None:
    # What goes with the columns; they themselves are checked where they are used.
    if not isinstance(found, KeyColumns):
        raise ContractError(
            f"key strategy {expression_of(strategy)} gave {type(found).__name__} as "
            "its columns",
            hint="columns gives KeyColumns",
        )
    for part, rows in (("applies", found.applies), ("keyed_by", found.keyed_by)):
        if rows is None or isinstance(rows, str) or len(rows) == size:
            continue
        raise ContractError(
            f"key strategy {expression_of(strategy)} gave {part} of length "
            f"{len(rows)} for {size} samples",
            hint=f"{part} has one entry a sample",
        )


def _as_columns(keys: Sequence[Hashable | None]) -> KeyColumns:
    rows = [() if key is None else components_of(key) for key in keys]
    width = max(map(len, rows), default=0)
    ragged = any(len(row) != width for row in rows)
    if ragged:
        rows = [row + (PAD,) * (width - len(row)) for row in rows]
    applies = [key is not None for key in keys] if None in keys else None
    columns = tuple(zip(*rows, strict=True)) if rows else ()
    return KeyColumns(columns, applies, ragged=ragged)


class KeyTable:
    """The units of one key strategy over the samples that were added so far.

    Attributes:
        strategy: Names the units.
        rows: The unit of each sample, numbered in order of appearance.
        chosen: Which strategy of a chain keyed the samples, a run at a time: the first
            row of the run, and one name or a name a row.
    """

    __slots__ = ("_categories", "_numbers", "chosen", "rows", "strategy")

    def __init__(self, strategy: AnyKeyStrategy) -> None:
        self.strategy = strategy
        self.rows: list[int] = []
        self.chosen: list[tuple[int, str | Sequence[str]]] = []
        self._numbers: dict[tuple[Hashable, ...], int] = defaultdict(count().__next__)
        self._categories: dict[int, Categories] = {}

    def __len__(self) -> int:
        return len(self._numbers)

    def add(self, samples: Sequence[Any], positions: Sequence[int]) -> list[int]:
        """Key more samples, and return the unit of each.

        Raises:
            SampleError: A sample can't be keyed.
            ContractError: The strategy does not keep its contract.
        """
        keyed = columns_of(self.strategy, samples, positions)
        if keyed.applies is not None and not all(keyed.applies):
            self._refuse(samples, positions, keyed.applies)
        try:
            units = self._encode(keyed, len(samples))
        except ContractError:
            raise
        except Exception as error:  # noqa: BLE001 - told with the sample that caused it
            blame(
                error,
                "key strategy",
                self.strategy,
                self._hashed,
                zip(samples, positions, strict=True),
            )
        if keyed.keyed_by is not None:
            self.chosen.append((len(self.rows), keyed.keyed_by))
        self.rows += units
        return units

    def key(self, unit: int) -> tuple[Hashable, ...]:
        """Return the key of a unit, as it was before it was numbered."""
        return self.keys()[unit]

    def keys(self) -> list[tuple[Hashable, ...]]:
        """Return the key of every unit, in the order of their numbers."""
        if not self._categories:
            return list(self._numbers)
        keys: list[tuple[Hashable, ...]] = []
        for key in self._numbers:
            parts: list[Any] = list(key)
            for slot, categories in self._categories.items():
                parts[slot] = categories.original(parts[slot])
            keys.append(tuple(parts))
        return keys

    def _encode(self, keyed: KeyColumns, size: int) -> list[int]:
        columns: list[Sequence[Hashable]] = []
        leading = True
        for slot, column in enumerate(keyed.columns):
            if not isinstance(column, Categorical):
                leading = False
                columns.append(column)
            elif leading:
                columns.append(self._stand_ins(slot, column))
            else:
                # Behind columns that may be padded, its slot could differ by batch.
                columns.append(column.values)
        if any(map(size.__ne__, map(len, columns))):
            lengths = ", ".join(str(len(column)) for column in columns)
            raise ContractError(
                f"key strategy {expression_of(self.strategy)} gave columns of length "
                f"{lengths} for {size} samples",
                hint="each column has one entry a sample",
            )
        keys: Iterable[tuple[Hashable, ...]]
        keys = zip(*columns, strict=True) if columns else [()] * size
        if keyed.ragged:
            keys = (tuple(part for part in key if part is not PAD) for key in keys)
        return list(map(self._numbers.__getitem__, keys))

    def _stand_ins(self, slot: int, column: Categorical) -> Sequence[int]:
        categories = self._categories.get(slot)
        if categories is None:
            categories = self._categories[slot] = Categories()
        return categories.encode(column.values)

    def _hashed(self, sample: Any, position: int) -> int:
        key = self.strategy.key(sample, position)
        try:
            return hash(key)
        except TypeError as error:
            strategy = expression_of(self.strategy)
            field = self._unhashable_field(sample)
            where = "" if field is None else f" from the field {field!r}"
            raise SampleError(
                f"key strategy {strategy} gave {key!r}{where}, expected hashable parts "
                f"({error})",
                field=field,
                hint="ids are numbers or strings, and an adapter is hashable",
            ) from error

    def _unhashable_field(self, sample: Any) -> str | None:
        for field in sorted(fields_of(self.strategy) or ()):
            found = getattr(sample, field, None)
            try:
                hash(found)
            except TypeError:
                return field
        return None

    def _refuse(
        self, samples: Sequence[Any], positions: Sequence[int], applies: Sequence[bool]
    ) -> None:
        row = list(applies).index(False)
        raise SampleError(
            f"key strategy {expression_of(self.strategy)} does not apply to it",
            position=positions[row],
            hint="wrap it in first_of(...) with a strategy that applies to the rest",
        )
