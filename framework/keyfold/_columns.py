"""The keys of many samples as columns, whatever a key strategy offers."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from itertools import zip_longest
from operator import itemgetter
from typing import Any, cast

from keyfold._blame import blame
from keyfold._describe import expression_of
from keyfold.contracts import PAD, AnyKeyStrategy, KeyColumns
from keyfold.errors import ContractError

__all__ = ["as_columns", "columns_of", "components_of"]


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
            return _of_keys(keys)
        found: Any = columns(samples, positions)
    except Exception as error:  # noqa: BLE001 - told with the sample that caused it
        blame(
            error,
            "key strategy",
            strategy,
            strategy.key,
            zip(samples, positions, strict=True),
        )
    # What goes with the columns; they themselves are checked where they are used.
    if not isinstance(found, KeyColumns):
        raise ContractError(
            f"key strategy {expression_of(strategy)} gave {type(found).__name__} as "
            "its columns",
            hint="columns gives KeyColumns",
        )
    size, applies, names = len(samples), found.applies, found.keyed_by
    if applies is not None and len(applies) != size:
        raise _misfit(strategy, "applies", len(applies), size)
    if not (names is None or isinstance(names, str)) and len(names) != size:
        raise _misfit(strategy, "keyed_by", len(names), size)
    return found


def _misfit(
    strategy: AnyKeyStrategy, part: str, found: int, size: int
) -> ContractError:
    return ContractError(
        f"key strategy {expression_of(strategy)} gave {part} of length {found} for "
        f"{size} samples",
        hint=f"{part} has one entry a sample",
    )


def as_columns(
    keys: Collection[tuple[Hashable, ...]],
) -> tuple[list[Sequence[Hashable]], bool]:
    """Return the components of keys as parallel columns.

    Returns:
        The columns, and whether `PAD` fills up shorter keys in them.
    """
    widths = set(map(len, keys))
    if len(widths) > 1:
        return list(zip_longest(*keys, fillvalue=PAD)), True
    width = max(widths, default=0)
    return [list(map(itemgetter(slot), keys)) for slot in range(width)], False


def _of_keys(keys: Sequence[Hashable | None]) -> KeyColumns:
    rows = [() if key is None else components_of(key) for key in keys]
    width = max(map(len, rows), default=0)
    ragged = any(len(row) != width for row in rows)
    if ragged:
        rows = [row + (PAD,) * (width - len(row)) for row in rows]
    applies = [key is not None for key in keys] if None in keys else None
    columns = tuple(zip(*rows, strict=True)) if rows else ()
    return KeyColumns(columns, applies, ragged=ragged)
