"""Which of the values that were read count as numbers, and what the others do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isfinite, isinf
from numbers import Complex, Integral, Number, Real
from operator import ne
from types import NoneType
from typing import Any, NamedTuple, SupportsFloat, cast

import attrs

from keyfold._describe import expression_of, fields_of, shown
from keyfold.errors import SampleError
from keyfold.pipeline import Missing, Nonfinite

__all__ = ["Admitted", "Policy", "admit", "verdict"]

_LARGEST_EXACT = 2.0**53
_EXACTLY_COMPARED = {float, int, bool}


@attrs.frozen(order=False)
class Policy:
    """What a pipeline wants of values that are no ordinary numbers."""

    missing: Missing
    nonfinite: Nonfinite
    coerce: bool


class Admitted(NamedTuple):
    """The numbers among some values, and the rows of all that were not ordinary.

    Attributes:
        numbers: The numbers that are used, in order.
        dropped: The rows, in order, that gave no number.
        missing: The rows of missing values; used nevertheless if the policy says so.
        rejected: The rows of values that are no numbers.
        nonfinite: The rows of NaN and infinities.
    """

    numbers: Sequence[float]
    dropped: Sequence[int] = ()
    missing: Sequence[int] = ()
    rejected: Sequence[int] = ()
    nonfinite: Sequence[int] = ()

    @property
    def ordinary(self) -> bool:
        """Whether every value gave an ordinary number."""
        return not (self.dropped or self.missing or self.nonfinite)


def admit(
    values: Sequence[object], policy: Policy, positions: Sequence[int], source: object
) -> Admitted:
    """Sort values into numbers and the rest.

    Args:
        values: What was read, one a sample.
        policy: What becomes of values that are no ordinary numbers.
        positions: The position of each sample, for errors.
        source: The value that read them, for errors.

    Raises:
        SampleError: A value can't be used and the policy calls that an error, or it is
            a complex number or too large for a float.
    """
    kinds = set(map(type, values))
    missing: Sequence[int] = ()
    present = values
    if NoneType in kinds and policy.missing == "skip":
        missing = [row for row, value in enumerate(values) if value is None]
        present = [value for value in values if value is not None]
        kinds.remove(NoneType)
    numbers = _ordinary(present, kinds)
    if numbers is not None:
        return Admitted(numbers, missing, missing)
    return _admit_one_by_one(values, policy, positions, source)


def _ordinary(values: Sequence[Any], kinds: set[type]) -> Sequence[float] | None:
    # The fast path: finite numbers that floats hold exactly. None where any is not.
    if kinds == {float}:
        numbers = values
    elif all(issubclass(kind, Real) for kind in kinds):
        try:
            numbers = list(map(float, values))
        except (OverflowError, TypeError, ValueError):
            return None
        if any(map(ne, numbers, values)):
            return None
        # numpy compares an integer of more than 53 bits as the float that it rounds to.
        compared = kinds <= _EXACTLY_COMPARED
        if not compared and max(map(abs, numbers)) >= _LARGEST_EXACT:
            return None
    else:
        return None
    # A finite sum shows that no term is NaN or infinite.
    return numbers if isfinite(sum(numbers)) else None


def _admit_one_by_one(
    values: Iterable[object], policy: Policy, positions: Sequence[int], source: object
) -> Admitted:
    numbers: list[float] = []
    dropped: list[int] = []
    rows: dict[str, list[int]] = {"missing": [], "rejected": [], "nonfinite": []}
    for row, value in enumerate(values):
        try:
            kind, number = verdict(value, policy)
        except SampleError as error:
            field = _only_field(source)
            where = "" if field is None else f" in the field {field!r}"
            raise SampleError(
                f"value {expression_of(source)}: {error.message}{where}",
                field=field,
                position=positions[row],
                hint=error.hint,
            ) from error
        if kind is not None:
            rows[kind].append(row)
        if number is None:
            dropped.append(row)
        else:
            numbers.append(number)
    return Admitted(numbers, dropped, **rows)


def _only_field(source: object) -> str | None:
    fields = fields_of(source) or ()
    return next(iter(fields)) if len(fields) == 1 else None


def verdict(value: object, policy: Policy) -> tuple[str | None, float | None]:
    """Return what is not ordinary about a value, and the number that is used for it.

    Returns:
        `missing`, `rejected`, `nonfinite` or None; and the number, or None where the
        value is not used.

    Raises:
        SampleError: The value can't be used, and the policy calls that an error.
    """
    if value is None:
        return "missing", _missing(policy)
    if policy.coerce and not isinstance(value, Number):
        value = _coerced(value)
    if not isinstance(value, Number):
        if policy.missing == "error":
            raise SampleError(
                f"expected a number, found {shown(value)}",
                hint='missing = "skip" passes over values that are no numbers',
            )
        return "rejected", None
    number = _as_plain(value)
    if isfinite(number):
        return None, number
    if policy.nonfinite == "error":
        raise SampleError(
            f"expected a finite number, found {number}",
            hint='nonfinite = "skip" passes over NaN and infinities',
        )
    return "nonfinite", number if policy.nonfinite == "propagate" else None


def _missing(policy: Policy) -> float | None:
    match policy.missing:
        case "skip":
            return None
        case "zero":
            return 0.0
        case "nan":
            return float("nan")
        case "error":
            raise SampleError(
                "expected a number, found None",
                hint='missing = "skip" passes over samples without a value',
            )


def _coerced(value: object) -> object:
    # numpy bools, arrays of one element, and tensors of one element offer item().
    item = getattr(value, "item", None)
    if not callable(item):
        return value
    try:
        return item()
    except Exception:  # noqa: BLE001 - whatever fails to give an item is no number
        return value


def _as_plain(value: Number) -> float:
    # States must be plain data: no numpy scalar, Fraction or Decimal goes further. An
    # int stays one where a float would lose digits of it.
    if isinstance(value, Complex) and not isinstance(value, Real):
        raise SampleError(
            f"expected a real number, found the complex number {value}",
            hint="aggregate its real part or its modulus",
        )
    try:
        number = float(cast("SupportsFloat", value))
    except (OverflowError, TypeError, ValueError) as error:
        raise _too_large(value) from error
    if isinf(number) and cast("object", value) != number:
        # A finite Decimal or long double.
        raise _too_large(value)
    if abs(number) >= _LARGEST_EXACT and isinstance(value, Integral):
        return int(value)
    return number


def _too_large(value: object) -> SampleError:
    return SampleError(f"expected a number that a float can hold, found {shown(value)}")
