"""Any field's number."""

from __future__ import annotations

from typing import Any, ClassVar

import attrs

from keyfold_strategies._path import is_path, path_of, read_path

__all__ = ["FieldValue"]


@attrs.frozen(order=False)
class FieldValue:
    """The number in a field, or below it.

    Missing where the field is None or a mapping on the way lacks the key.

    Attributes:
        path: The field's name, or a dotted path such as `metadata.turns`.
    """

    name: ClassVar[str] = "field"
    path: str = attrs.field(validator=is_path)

    @property
    def fields(self) -> frozenset[str]:
        """The path that is read."""
        return frozenset({self.path})

    def value(self, sample: Any, /) -> object:
        """Return what stands in the sample's field."""
        return read_path(sample, path_of(self.path))
