"""The one value that all agree on."""

from __future__ import annotations

from collections.abc import Iterable
from math import isnan
from typing import ClassVar

import attrs

from keyfold.authoring import shown
from keyfold.errors import DisagreementError

__all__ = ["Same"]


@attrs.frozen(order=False)
class Same:
    """The value that all values are equal to; anything else is an error.

    For what is a property of the unit and merely repeated on each of its samples, such
    as the reward of a rollout. Values are compared as numbers; NaN agrees with NaN.
    """

    idempotent: ClassVar[bool] = True

    def init(self) -> float | None:
        """Return None, the state of no values."""
        return None

    def fold(self, state: float | None, values: Iterable[float], /) -> float | None:
        """Return the value that all agree on.

        Raises:
            DisagreementError: Two values differ.
        """
        for value in values:
            if state is None:
                # -0.0 equals 0.0, and must not be told from it by the order.
                state = value or 0.0
            elif state != value and not (isnan(state) and isnan(value)):
                raise DisagreementError(
                    f"expected all values to be the same, "
                    f"found {shown(state)} and {shown(value)}",
                    values=(state, value),
                    hint='"mean" averages a unit whose values may differ',
                )
        return state

    def merge(self, left: float | None, right: float | None, /) -> float | None:
        """Return the value that both agree on.

        Raises:
            DisagreementError: The two differ.
        """
        return left if right is None else self.fold(left, (right,))

    def finish(self, state: float | None, /) -> float | None:
        """Return the value, or None of no values."""
        return None if state is None else float(state)
