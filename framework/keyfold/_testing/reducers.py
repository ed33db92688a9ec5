"""The checks of reducers."""

from __future__ import annotations

from collections.abc import Sequence

from keyfold._testing.check import Check, behind
from keyfold._testing.identity import identity_checks
from keyfold._testing.laws import law_checks
from keyfold._testing.shape import reducer_shape
from keyfold._testing.states import state_checks
from keyfold._testing.travel import HEAVY, travel_checks
from keyfold._testing.units import unit_checks

__all__ = ["reducer_checks"]


def reducer_checks(*, heavy: Sequence[str] = HEAVY) -> tuple[Check, ...]:
    """Return every check of a reducer, in the order in which they are made.

    Args:
        heavy: The modules that the import of a reducer may not bring along.
    """
    checks = (
        *identity_checks("reducer"),
        *travel_checks("reducer", heavy),
        *state_checks(),
        *law_checks(),
        *unit_checks(),
    )
    return (reducer_shape(), *behind("contract", checks))
