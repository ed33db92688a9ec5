"""From samples to the units that they belong to, numbered in order of appearance."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import count
from typing import Any, NamedTuple, NoReturn

from keyfold._blame import blame
from keyfold._categories import Categories
from keyfold._columns import as_columns, columns_of
from keyfold._describe import expression_of, fields_of, shown
from keyfold.contracts import PAD, AnyKeyStrategy, Categorical, KeyColumns
from keyfold.errors import ContractError, SampleError

__all__ = ["KeyTable"]


class _Batch(NamedTuple):
    columns: Sequence[Sequence[Hashable]]
    size: int
    ragged: bool

    def only(self, rows: Sequence[int]) -> _Batch:
        columns = [[column[row] for row in rows] for column in self.columns]
        return _Batch(columns, len(rows), self.ragged)

    def keys(self) -> Iterable[tuple[Hashable, ...]]:
        if not self.columns:
            return [()] * self.size
        if not self.ragged:
            return zip(*self.columns, strict=True)
        return (
            tuple(part for part in key if part is not PAD)
            for key in zip(*self.columns, strict=True)
        )


class KeyTable:
    """The units of one key strategy over the samples that were added so far.

    Samples are keyed as they are added, but their units are numbered only when somebody
    asks: a metric whose units have one value each never does.

    Attributes:
        strategy: Names the units.
        size: How many samples were added.
        chosen: Which strategy of a chain keyed the samples, a batch at a time: one
            name, a name a row, or None without a chain; and how many samples it had.
    """

    __slots__ = (
        "_categories",
        "_numbers",
        "_rows",
        "_waiting",
        "chosen",
        "size",
        "strategy",
    )

    def __init__(self, strategy: AnyKeyStrategy) -> None:
        self.strategy = strategy
        self.size = 0
        self.chosen: list[tuple[str | Sequence[str] | None, int]] = []
        self._rows: list[int] = []
        self._numbers: dict[tuple[Hashable, ...], int] = defaultdict(count().__next__)
        self._categories: dict[int, Categories] = defaultdict(Categories)
        # The batches whose units are not numbered yet.
        self._waiting: list[_Batch] = []

    def __len__(self) -> int:
        self.number()
        return len(self._numbers)

    @property
    def rows(self) -> list[int]:
        """The unit of each sample."""
        self.number()
        return self._rows

    def add(self, samples: Sequence[Any], positions: Sequence[int]) -> None:
        """Key more samples.

        Raises:
            SampleError: A sample can't be keyed.
            ContractError: The strategy does not keep its contract.
        """
        size = len(samples)
        keyed = columns_of(self.strategy, samples, positions)
        if keyed.applies is not None and not all(keyed.applies):
            self._refuse(samples, positions, keyed.applies)
        try:
            columns = self._plain(keyed, size)
        except ContractError:
            raise
        except Exception as error:  # noqa: BLE001 - a hash may run anybody's code
            self.refuse_unhashable(error, samples, positions)
        self._waiting.append(_Batch(columns, size, keyed.ragged))
        self.chosen.append((keyed.keyed_by, size))
        self.size += size

    def latest(
        self, rows: Sequence[int] | None = None
    ) -> Iterable[tuple[Hashable, ...]]:
        """Return the keys of the batch that was added last, one a sample.

        Categorical components are stand-ins; `keys` has the originals.

        Args:
            rows: Which rows of the batch; None means all.
        """
        batch = self._waiting[-1]
        return batch.keys() if rows is None else batch.only(rows).keys()

    def number(self) -> None:
        """Number the units of all samples that were added.

        Raises:
            TypeError: A key can't be hashed.
        """
        for batch in self._waiting:
            self._rows += map(self._numbers.__getitem__, batch.keys())
        self._waiting.clear()

    def key(self, unit: int) -> tuple[Hashable, ...]:
        """Return the key of a unit, as it was before it was numbered."""
        return self.keys()[unit]

    def keys(self) -> list[tuple[Hashable, ...]]:
        """Return the key of every unit, in the order of their numbers."""
        self.number()
        if not self._categories:
            return list(self._numbers)
        keys: list[tuple[Hashable, ...]] = []
        for key in self._numbers:
            parts: list[Any] = list(key)
            for slot, categories in self._categories.items():
                parts[slot] = categories.original(parts[slot])
            keys.append(tuple(parts))
        return keys

    def columns(
        self, plain: Callable[[Sequence[Hashable]], Sequence[Hashable]]
    ) -> tuple[tuple[Sequence[Hashable], ...], bool]:
        """Return the components of every unit's key as parallel columns.

        Args:
            plain: Makes the objects of a column into what is wanted of them.

        Returns:
            The columns, and whether `PAD` fills up shorter keys in them.
        """
        self.number()
        columns, ragged = as_columns(self._numbers)
        for slot, categories in self._categories.items():
            columns[slot] = categories.originals(columns[slot], plain)
        leading = len(self._categories)
        columns[leading:] = map(plain, columns[leading:])
        return tuple(columns), ragged

    def refuse_unhashable(
        self, error: Exception, samples: Sequence[Any], positions: Sequence[int]
    ) -> NoReturn:
        """Raise the error of the first sample whose key can't be hashed.

        Raises:
            SampleError: Names the sample.
        """
        blame(
            error,
            "key strategy",
            self.strategy,
            self._hashed,
            zip(samples, positions, strict=True),
        )

    def _plain(self, keyed: KeyColumns, size: int) -> list[Sequence[Hashable]]:
        columns: list[Sequence[Hashable]] = []
        leading = True
        for column in keyed.columns:
            if not isinstance(column, Categorical):
                leading = False
                columns.append(column)
            elif leading:
                columns.append(self._categories[len(columns)].encode(column.values))
            else:
                # Behind columns that may be padded, its slot could differ by batch.
                columns.append(column.values)
        if not {size}.issuperset(map(len, columns)):
            lengths = ", ".join(str(len(column)) for column in columns)
            raise ContractError(
                f"key strategy {expression_of(self.strategy)} gave columns of length "
                f"{lengths} for {size} samples",
                hint="each column has one entry a sample",
            )
        return columns

    def _hashed(self, sample: Any, position: int) -> int:
        key = self.strategy.key(sample, position)
        try:
            return hash(key)
        except TypeError as error:
            found = f"{expression_of(self.strategy)} gave {shown(key, 200)}"
            field = self._unhashable_field(sample)
            where = "" if field is None else f" from the field {field!r}"
            raise SampleError(
                f"key strategy {found}{where}, expected hashable parts ({error})",
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
