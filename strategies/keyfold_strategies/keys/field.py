"""Any field as the unit."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, ClassVar

import attrs

from keyfold_strategies._path import is_path, path_of, read_path

__all__ = ["FieldKey"]


@attrs.frozen(order=False)
class FieldKey:
    """Samples with one value of a field form a unit: `(path, value)`.

    Does not apply to a sample where the field is None, or where a mapping on the way
    lacks the key, unless there is a default.

    Attributes:
        path: The field's name, or a dotted path such as `metadata.data_source`.
        default: The unit of samples without the field; None gives them none.
    """

    name: ClassVar[str] = "field"
    path: str = attrs.field(validator=is_path)
    default: str | int | None = None

    @property
    def fields(self) -> frozenset[str]:
        """The path that is read."""
        return frozenset({self.path})

    def key(self, sample: Any, position: int, /) -> tuple[str, Hashable] | None:
        """Return the value of the sample's field."""
        value = read_path(sample, path_of(self.path))
        if value is None:
            value = self.default
        return None if value is None else (self.path, value)

    def labels(self, keys: Sequence[tuple[Hashable, ...]], /) -> list[str]:
        """Return the text of each value."""
        return [str(value) for _, value in keys]
