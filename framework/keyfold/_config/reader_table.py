"""The table `reader` of a configuration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import attrs

from keyfold._config.problems import Problems
from keyfold._config.tables import as_boolean, as_string, as_table, entries
from keyfold._config.wording import join, listed
from keyfold._nearest import did_you_mean

__all__ = ["ReaderTable", "read_reader"]

_KEYS: Final = ("format", "fields", "skip_bad", "step")


@attrs.frozen(order=False)
class ReaderTable:
    """The table `reader`: how files are read.

    Attributes:
        format: The name of the reader, or None where the file's content decides.
        fields: From a sample field to where the file has it.
        skip_bad: Whether broken records are passed over.
        step: Where the file has the step, or None where it is in the field `step`.
    """

    format: str | None = None
    fields: Mapping[str, str] = attrs.field(factory=dict[str, str])
    skip_bad: bool = False
    step: str | None = None


def read_reader(
    value: object, path: str, readers: Sequence[str] | None, problems: Problems
) -> ReaderTable:
    """Return the table `reader`, noting what is wrong in it.

    Args:
        value: The table.
        path: Its path.
        readers: The names of the readers that there are; None where that is not known.
        problems: Takes what is wrong.
    """
    read = ReaderTable()
    table = as_table(value, path, problems)
    for key, entry, where in entries(table, path, _KEYS, problems):
        if key == "fields":
            read = attrs.evolve(read, fields=_fields(entry, where, problems))
        elif key == "skip_bad":
            skip_bad = as_boolean(entry, where, problems) is True
            read = attrs.evolve(read, skip_bad=skip_bad)
        elif key == "format":
            name = as_string(entry, where, problems)
            if name is not None and readers is not None and name not in readers:
                problems.add(
                    where,
                    expected=f"one of the readers {listed(readers)}",
                    found=repr(name),
                    hint=did_you_mean(name, readers),
                )
            read = attrs.evolve(read, format=name)
        else:
            read = attrs.evolve(read, step=as_string(entry, where, problems))
    return read


def _fields(value: object, path: str, problems: Problems) -> Mapping[str, str]:
    read = {
        name: as_string(place, join(path, name), problems)
        for name, place in as_table(value, path, problems).items()
    }
    return {name: place for name, place in read.items() if place is not None}
