"""The checks of values and selections."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from keyfold._describe import shown
from keyfold._reading import bound, values_of
from keyfold._testing.answers import answer_checks, numbered
from keyfold._testing.check import Check, Fresh, behind
from keyfold._testing.compare import same, view
from keyfold._testing.fast import fast_checks, skip_without
from keyfold._testing.fields import field_checks
from keyfold._testing.identity import identity_checks
from keyfold._testing.roles import SELECTION, VALUE, Role
from keyfold._testing.shape import role_shape
from keyfold._testing.travel import HEAVY, travel_checks
from keyfold.contracts import AnyValue, Finite
from keyfold.errors import ContractError

__all__ = ["selection_checks", "value_checks"]


def _each_value(
    value: AnyValue, samples: Sequence[Any], positions: Sequence[int]
) -> list[object]:
    if not samples:
        return []
    reader = bound(value, samples[0], positions[0])
    return [reader.value(sample) for sample in samples]


def _bound(value: AnyValue, first: Any) -> AnyValue:
    return bound(value, first, 0)


def _each_selected(
    selection: object, samples: Sequence[Any], positions: Sequence[int]
) -> list[object]:
    pairs = zip(samples, positions, strict=True)
    return [SELECTION.ask(selection, sample, position) for sample, position in pairs]


def _finite(value: AnyValue, fresh: Fresh) -> None:
    samples = fresh()
    reader = _bound(value, samples[0])
    skip_without(reader, "values")
    found = values_of(reader, samples, numbered(samples))
    if not isinstance(found, Finite):
        return
    for place, number in enumerate(found.numbers):
        # NaN is no less than itself, and infinities leave nothing of themselves.
        if type(number) is not float or number - number != 0.0:
            raise ContractError(
                f"promises finite floats, and gives {shown(number)} for sample {place}",
                hint="give a plain list where a value may be anything else",
            )


def _bind(value: Any, fresh: Fresh) -> None:
    skip_without(value, "bind")
    samples = fresh()
    for place, sample in enumerate(samples):
        before = view(sample)
        reader, again = value.bind(sample), value.bind(sample)
        hint = "let bind return a value that depends on the first sample alone"
        if not callable(getattr(reader, "value", None)):
            raise ContractError(
                f"bind gives {shown(reader)} for sample {place}, expected a value",
                hint="let bind return an object with a method value",
            )
        # Of this sample both have to say the same; others it may refuse.
        if not same(reader.value(sample), again.value(sample)):
            raise ContractError(
                f"bind gives two values that differ for sample {place}", hint=hint
            )
        if view(sample) != before:
            raise ContractError(f"bind changes sample {place}", hint=hint)


def _bools(selection: Any, fresh: Fresh) -> None:
    samples = fresh()
    places = numbered(samples)
    asked = _each_selected(selection, samples, places)
    found = SELECTION.ask_all(selection, samples, places)
    for place, answer in [*enumerate(asked), *enumerate(found)]:
        if not isinstance(answer, bool):
            raise ContractError(
                f"says {shown(answer)} of sample {place}, expected True or False",
                hint="end with a comparison, or with bool(...)",
            )


def _of(role: Role, own: Sequence[Check], heavy: Sequence[str]) -> tuple[Check, ...]:
    answered = answer_checks(role)
    checks = (
        *identity_checks(role.word),
        *travel_checks(role.kind, heavy),
        *answered,
        *own,
        *field_checks(role),
    )
    return (role_shape(role), *behind("contract", checks))


def value_checks(*, heavy: Sequence[str] = HEAVY) -> tuple[Check, ...]:
    """Return every check of a value, in the order in which they are made.

    Args:
        heavy: The modules that the import of a value may not bring along.
    """
    finite = Check(
        "finite_is_finite",
        "what values gives as Finite are finite floats",
        _finite,
        after=("values_match",),
    )
    bind = Check(
        "bind_gives_value",
        "bind gives a value that the first sample alone decides",
        _bind,
        after=("deterministic", "sample_unchanged"),
    )
    fast = fast_checks(VALUE, _each_value, VALUE.ask_all, _bound)
    return _of(VALUE, (bind, *fast, finite), heavy)


def selection_checks(*, heavy: Sequence[str] = HEAVY) -> tuple[Check, ...]:
    """Return every check of a selection, in the order in which they are made.

    Args:
        heavy: The modules that the import of a selection may not bring along.
    """
    bools = Check(
        "says_true_or_false",
        "the answer is True or False",
        _bools,
        after=("deterministic", "mask_match"),
    )
    fast = fast_checks(SELECTION, _each_selected, SELECTION.ask_all)
    return _of(SELECTION, (*fast, bools), heavy)
