"""The table `reader` of a configuration."""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from keyfold._config.problems import Problems
from keyfold._config.tables import as_string, as_table
from keyfold._config.wording import join

__all__ = ["ReaderTable", "read_reader"]


@attrs.frozen(order=False)
class ReaderTable:
    """The table `reader`: how files are read.

    Attributes:
        format: The name of the reader, or None where the file's content decides.
        fields: From a sample field to where the file has it.
        options: The other entries, as they stand; whoever uses them checks them.
        path: The path of the table, for errors about its options.
    """

    format: str | None = None
    fields: Mapping[str, str] = attrs.field(factory=dict[str, str])
    options: Mapping[str, object] = attrs.field(factory=dict[str, object])
    path: str = "reader"


def read_reader(value: object, path: str, problems: Problems) -> ReaderTable:
    """Return the table `reader`, noting what is wrong in it.

    Args:
        value: The table.
        path: Its path.
        problems: Takes what is wrong.
    """
    table = dict(as_table(value, path, problems))
    format_name, fields = None, {}
    if "format" in table:
        where = join(path, "format")
        format_name = as_string(table.pop("format"), where, problems)
    if "fields" in table:
        where = join(path, "fields")
        read = {
            name: as_string(place, join(where, name), problems)
            for name, place in as_table(table.pop("fields"), where, problems).items()
        }
        fields = {name: place for name, place in read.items() if place is not None}
    return ReaderTable(format_name, fields, table, path)
