"""Functions that processes find by their names: they read the samples of a shard."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from keyfold import DataError
from keyfold.contracts import ReadRequest
from keyfold.errors import ConfigError, ConfigProblem, DisagreementError
from keyfold_contrib.readers import JsonlReader
from keyfold_strategies import Sample


def rewards_in(path: Path) -> Iterator[Sample]:
    """The samples of a file of JSON Lines with `rollout_id` and `reward`."""
    request = ReadRequest(fields=frozenset({"rollout_id", "reward"}))
    for part in JsonlReader().read(path, request):
        for sample in part.samples:
            yield Sample(rollout_id=sample.rollout_id, reward=sample.reward)


def disagreeing(shard: int) -> Iterator[Sample]:
    raise DisagreementError(f"shard {shard}", values=(1.0, "x"), hint="agree")


def misconfigured(shard: int) -> Iterator[Sample]:
    problem = ConfigProblem("a.b", expected="one thing", found="another", hint="mend")
    raise ConfigError(f"file {shard}", [problem])


def caused(shard: int) -> Iterator[Sample]:
    try:
        raise KeyError(shard)
    except KeyError as error:
        raise DataError("no such shard") from error


def broken(shard: int) -> Iterator[Sample]:
    raise ZeroDivisionError(f"in shard {shard}")


def ended(shard: int) -> Iterator[Sample]:
    os._exit(3)


class Unreadable:
    """Can be pickled, and not be read again."""

    def __reduce__(self) -> tuple[object, ...]:
        return (int, ("not a number",))
