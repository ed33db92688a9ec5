"""The work on one shard, done in another process."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from traceback import format_exception
from typing import Any

import attrs

from keyfold import KeyfoldError, Pipeline, partial

__all__ = ["Failure", "failure_of", "part_of"]


@attrs.frozen(order=False, eq=False)
class Failure:
    """An error on its way to another process.

    Attributes:
        found: The error.
        traceback: Where it was raised, as text, since a traceback can't be sent.
    """

    found: KeyfoldError
    traceback: str

    def error(self) -> KeyfoldError:
        """Return the error, with a note that says where it was raised."""
        self.found.add_note(f"In another process:\n{self.traceback}")
        return self.found


def failure_of(error: KeyfoldError) -> Failure:
    """Return an error in a form that can be sent."""
    return Failure(error, "".join(format_exception(error)))


def part_of(
    number: int,
    shard: Any,
    pipelines: Mapping[str, Pipeline[Any]] | None,
    load: Callable[[Any], Iterable[Any]] | None,
) -> bytes | Failure:
    """Return the bytes of a shard's partial, or what is wrong with its samples.

    Args:
        number: The number of the shard.
        shard: What `load` takes, or the samples themselves.
        pipelines: The metrics by name; None means the catalog's defaults.
        load: Gives a shard's samples.
    """
    try:
        samples = shard if load is None else load(shard)
        return partial(samples, pipelines, shard=number).to_bytes()
    except KeyfoldError as error:
        return failure_of(error)
