"""Finding the sample on which a plugin failed, and saying what is wrong with it.

Plugins work on many samples at once. When one of them fails, the engine goes through
the samples one by one until it finds the first that fails by itself, so that an error
always names a position.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NoReturn

from keyfold._describe import expression_of
from keyfold.errors import ContractError, KeyfoldError, SampleError

__all__ = ["blame", "sample_error"]


def blame(
    error: Exception,
    role: str,
    plugin: object,
    one: Callable[[Any, int], object],
    samples: Iterable[tuple[Any, int]],
) -> NoReturn:
    """Raise the error of the first sample that fails by itself.

    Args:
        error: What the plugin raised for all samples together.
        role: What the plugin is, such as `key strategy`.
        plugin: The plugin.
        one: Calls the plugin on one sample and its position.
        samples: The samples with their positions.

    Raises:
        SampleError: Names the sample.
        ContractError: No sample fails by itself, so the plugin's fast path is wrong.
    """
    for sample, position in samples:
        try:
            one(sample, position)
        except Exception as found:
            raise sample_error(found, role, plugin, sample, position) from found
    if isinstance(error, KeyfoldError):
        raise error
    raise ContractError(
        f"{role} {expression_of(plugin)} failed on the samples together "
        f"({type(error).__name__}: {error}), but on none of them by itself",
        hint="its fast path must do what its method for one sample does",
    ) from error


def sample_error(
    error: Exception, role: str, plugin: object, sample: object, position: int
) -> KeyfoldError:
    """Return the error to raise for a sample on which a plugin failed."""
    if isinstance(error, SampleError) and error.position is None:
        return SampleError(
            error.message, field=error.field, position=position, hint=error.hint
        )
    if isinstance(error, KeyfoldError):
        return error
    reader = f"{role} {expression_of(plugin)}"
    if isinstance(error, AttributeError) and error.obj is sample:
        return SampleError(
            f"{reader} reads the field {error.name!r}, which a "
            f"{type(sample).__name__} does not have",
            field=error.name,
            position=position,
            hint=_field_hint(sample, error.name),
        )
    return SampleError(
        f"{reader} raised {type(error).__name__}: {error}", position=position
    )


def _field_hint(sample: object, field: str | None) -> str:
    if isinstance(sample, Mapping):
        return "samples are objects with fields; build one from each mapping first"
    return f"give the samples a field {field!r}, or choose a strategy without it"
