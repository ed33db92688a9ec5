"""Samples in, columns out: the one pass over the samples that all pipelines share."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from typing import Any

from keyfold._admission import Admitted, Policy, admit
from keyfold._blame import blame, sample_error
from keyfold._constant import ConstantUnits
from keyfold._describe import expression_of, length_of, shown
from keyfold._keys import KeyTable
from keyfold._plan import Plan, Population
from keyfold.contracts import AnySelection, AnyValue, Finite
from keyfold.errors import ContractError, InconsistentUnitError

__all__ = ["Fold", "Irregular", "NumberColumn", "PopulationFold", "mask_of"]


class Irregular:
    """The rows of a column that gave no ordinary number.

    Attributes:
        dropped: The rows, in order, that gave no number that is used.
        missing: The rows of missing values.
        rejected: The rows of values that are no numbers.
        nonfinite: The rows of NaN and infinities.
    """

    __slots__ = ("dropped", "missing", "nonfinite", "rejected")

    def __init__(self) -> None:
        self.dropped: list[int] = []
        self.missing: list[int] = []
        self.rejected: list[int] = []
        self.nonfinite: list[int] = []

    def add(self, admitted: Admitted, row: int) -> None:
        """Take in the rows of a batch whose first sample stands in a given row."""
        for mine, more in (
            (self.dropped, admitted.dropped),
            (self.missing, admitted.missing),
            (self.rejected, admitted.rejected),
            (self.nonfinite, admitted.nonfinite),
        ):
            mine.extend(row + offset for offset in more)

    def mask(self, rows: int) -> bytearray | None:
        """Return which of so many rows gave a number; None where all did."""
        return kept(self.dropped, rows)


def kept(dropped: Sequence[int], rows: int) -> bytearray | None:
    """Return which of so many rows are not dropped; None where all are kept."""
    if not dropped:
        return None
    mask = bytearray(b"\x01") * rows
    for row in dropped:
        mask[row] = 0
    return mask


class NumberColumn:
    """The numbers of one value over the samples that were added so far.

    Attributes:
        value: Reads them; a value that binds to a batch is bound to its first sample.
        policy: What becomes of values that are no numbers.
        numbers: The numbers that are used, in order.
        irregular: The rows that gave no ordinary number; None while there are none.
    """

    __slots__ = ("irregular", "numbers", "policy", "value")

    def __init__(self, value: AnyValue, policy: Policy) -> None:
        self.value = value
        self.policy = policy
        self.numbers: list[float] = []
        self.irregular: Irregular | None = None

    def add(
        self, samples: Sequence[Any], positions: Sequence[int], row: int
    ) -> Admitted:
        """Read more samples, the first of which stands in a given row.

        Returns:
            Their numbers, and which of the samples gave none.

        Raises:
            SampleError: A sample can't be read, or its value can't be used.
            ContractError: The value does not keep its contract.
        """
        if row == 0:
            self.value = _bound(self.value, samples[0], positions[0])
        values = _values_of(self.value, samples, positions)
        if isinstance(values, Finite):
            self.numbers += values.numbers
            return Admitted(values.numbers)
        admitted = admit(values, self.policy, positions, self.value)
        self.numbers += admitted.numbers
        if not admitted.ordinary:
            if self.irregular is None:
                self.irregular = Irregular()
            self.irregular.add(admitted, row)
        return admitted


def _bound(value: AnyValue, first: Any, position: int) -> AnyValue:
    bind = getattr(value, "bind", None)
    if bind is None:
        return value
    try:
        bound: AnyValue = bind(first)
    except Exception as error:
        raise sample_error(error, "value", value, first, position) from error
    return bound


def _values_of(
    value: AnyValue, samples: Sequence[Any], positions: Sequence[int]
) -> Sequence[object] | Finite:
    read_all = getattr(value, "values", None)
    try:
        if read_all is None:
            return list(map(value.value, samples))
        values: Sequence[object] | Finite = read_all(samples)
    except Exception as error:  # noqa: BLE001 - told with the sample that caused it
        blame(
            error,
            "value",
            value,
            lambda sample, _position: value.value(sample),
            zip(samples, positions, strict=True),
        )
    found = values.numbers if isinstance(values, Finite) else values
    _check("value", value, found, len(samples))
    return values


def mask_of(
    selection: AnySelection, samples: Sequence[Any], positions: Sequence[int]
) -> Sequence[bool] | None:
    """Return which samples a selection takes; None means all of them.

    Raises:
        SampleError: The selection failed on a sample; names its position.
        ContractError: The selection's mask does not fit the samples.
    """
    read_all = getattr(selection, "mask", None)
    try:
        if read_all is None:
            return list(map(selection.selects, samples))
        mask: Sequence[bool] | None = read_all(samples)
    except Exception as error:  # noqa: BLE001 - told with the sample that caused it
        blame(
            error,
            "selection",
            selection,
            lambda sample, _position: selection.selects(sample),
            zip(samples, positions, strict=True),
        )
    if mask is not None:
        _check("selection", selection, mask, len(samples))
    return mask


def _check(role: str, plugin: object, found: object, samples: int) -> None:
    size = length_of(found)
    if size != samples:
        raise ContractError(
            f"{role} {expression_of(plugin)} gave {size} entries for {samples} samples",
            hint="its fast path gives a list with one entry a sample",
        )


class PopulationFold:
    """The columns of one population.

    Attributes:
        rows: How many samples were selected.
        tables: The units of each key strategy.
        columns: The numbers of each value.
        links: For each link of the plan, the outer unit of each inner unit.
        constants: The units of metrics that need no more than one value a unit, by the
            places of their key and value.
    """

    __slots__ = ("columns", "constants", "links", "population", "rows", "tables")

    def __init__(self, population: Population) -> None:
        self.population = population
        self.rows = 0
        self.tables = [KeyTable(key) for key in population.keys]
        self.columns = [NumberColumn(*value) for value in population.values]
        self.links: dict[tuple[int, int], dict[int, int]] = {
            link: {} for link in population.links
        }
        self.constants = {pair: ConstantUnits() for pair in population.constants}

    def add(self, samples: Sequence[Any], positions: Sequence[int]) -> None:
        """Take in those of the samples that are selected."""
        if self.population.selection is not None:
            mask = mask_of(self.population.selection, samples, positions)
            if mask is not None:
                samples = list(compress(samples, mask))
                positions = list(compress(positions, mask))
        if not samples:
            return
        admitted = [
            column.add(samples, positions, self.rows) for column in self.columns
        ]
        for place, table in enumerate(self.tables):
            table.add(samples, positions)
            try:
                self._place(place, admitted, len(samples))
            except Exception as error:  # noqa: BLE001 - a hash may run anybody's code
                table.refuse_unhashable(error, samples, positions)
        for (inner, outer), link in self.links.items():
            units = [self.tables[level].rows[self.rows :] for level in (inner, outer)]
            self._connect(link, (inner, outer), (units[0], units[1]), positions)
        self.rows += len(samples)

    def _place(self, place: int, admitted: Sequence[Admitted], size: int) -> None:
        # Sort the samples of a batch into the units of one key.
        table = self.tables[place]
        numbered = place in self.population.numbered
        for (key, value), units in self.constants.items():
            if key == place and units.hold:
                batch = admitted[value]
                units.add(table, batch.numbers, kept(batch.dropped, size))
            numbered = numbered or not units.hold
        if numbered:
            table.number()

    def _connect(
        self,
        link: dict[int, int],
        levels: tuple[int, int],
        units: tuple[list[int], list[int]],
        positions: Sequence[int],
    ) -> None:
        inner, outer = units
        # Backwards, so that of a unit's samples the first says where it belongs.
        pairs = zip(reversed(inner), reversed(outer), strict=True)
        for unit, parent in dict(pairs).items():
            link.setdefault(unit, parent)
        if list(map(link.__getitem__, inner)) == outer:
            return
        row = next(row for row, unit in enumerate(inner) if link[unit] != outer[row])
        below, above = (self.tables[level] for level in levels)
        split = shown(below.key(inner[row]), 200)
        first = shown(above.key(link[inner[row]]), 200)
        other = shown(above.key(outer[row]), 200)
        raise InconsistentUnitError(
            f"its unit {split} by {expression_of(below.strategy)} has samples in two "
            f"units of {expression_of(above.strategy)}: {first} and {other}",
            position=positions[row],
            hint="scope the inner key by the outer one, as in scoped(outer, inner)",
        )


class Fold:
    """Everything that the pipelines of a plan need of the samples added so far.

    Attributes:
        plan: What the pipelines need.
        samples: How many samples were added.
        populations: The columns of each population of the plan.
    """

    __slots__ = ("plan", "populations", "samples")

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.samples = 0
        self.populations = [PopulationFold(some) for some in plan.populations]

    def add(self, samples: Sequence[Any]) -> None:
        """Take in more samples.

        Raises:
            SampleError: A sample can't be selected, keyed or valued.
            InconsistentUnitError: A unit's samples belong to two units above it.
            ContractError: A plugin does not keep its contract.
        """
        positions = range(self.samples, self.samples + len(samples))
        for population in self.populations:
            population.add(samples, positions)
        self.samples += len(samples)
