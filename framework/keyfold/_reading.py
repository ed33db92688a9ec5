"""What a value or a selection says of many samples, whatever it offers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from keyfold._blame import blame, sample_error
from keyfold._describe import expression_of, length_of
from keyfold.contracts import AnySelection, AnyValue, Finite
from keyfold.errors import ContractError

__all__ = ["bound", "mask_of", "values_of"]


def bound(value: AnyValue, first: Any, position: int) -> AnyValue:
    """Return a value as it is read in the batch of which a sample is the first.

    Raises:
        SampleError: The value can't be bound to the sample.
    """
    bind = getattr(value, "bind", None)
    if bind is None:
        return value
    try:
        bound: AnyValue = bind(first)
    except Exception as error:
        raise sample_error(error, "value", value, first, position) from error
    return bound


def values_of(
    value: AnyValue, samples: Sequence[Any], positions: Sequence[int]
) -> Sequence[object] | Finite:
    """Return what a value reads from each sample.

    Raises:
        SampleError: The value failed on a sample; names its position.
        ContractError: What the value gave does not fit the samples.
    """
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
    size = length_of(values.numbers if isinstance(values, Finite) else values)
    if size != len(samples):
        raise _misfit("value", value, size, len(samples))
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
    if mask is not None and (size := length_of(mask)) != len(samples):
        raise _misfit("selection", selection, size, len(samples))
    return mask


def _misfit(role: str, plugin: object, found: int | str, size: int) -> ContractError:
    return ContractError(
        f"{role} {expression_of(plugin)} gave {found} entries for {size} samples",
        hint="its fast path gives a list with one entry a sample",
    )
