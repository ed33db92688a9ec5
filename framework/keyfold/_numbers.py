"""The numbers of one value, and the samples that gave no ordinary one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from keyfold._admission import Admitted, Policy, admit
from keyfold._reading import bound, values_of
from keyfold.contracts import AnyValue, Finite

__all__ = ["Irregular", "NumberColumn", "kept"]


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
            if more:
                mine.extend([row + offset for offset in more])

    def mask(self, rows: int) -> bytearray | None:
        """Return which of so many rows gave a number; None where all did."""
        return kept(self.dropped, rows) if self.dropped else None


def kept(dropped: Sequence[int], rows: int) -> bytearray:
    """Return which of so many rows are not dropped."""
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
        bound: How the value was bound, as text; None where it binds to none.
    """

    __slots__ = ("bound", "irregular", "numbers", "policy", "value")

    def __init__(self, value: AnyValue, policy: Policy) -> None:
        self.value = value
        self.policy = policy
        self.numbers: list[float] = []
        self.irregular: Irregular | None = None
        self.bound: str | None = None

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
            value = bound(self.value, samples[0], positions[0])
            if value is not self.value:
                self.value, self.bound = value, repr(value)
        values = values_of(self.value, samples, positions)
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
