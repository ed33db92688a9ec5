"""Reading a field by its dotted path, such as `metadata.turns`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import attrs

from keyfold.authoring import shown
from keyfold.errors import ArgumentError, SampleError

__all__ = ["is_path", "path_of", "read_path"]


def path_of(path: object) -> tuple[str, ...]:
    """Return the parts of a dotted path.

    Raises:
        ArgumentError: The path is no string, or one of its parts is empty.
    """
    if not isinstance(path, str) or not all(path.split(".")):
        raise ArgumentError(
            f"expected a field's name or dotted path, found {shown(path)}"
        )
    return tuple(path.split("."))


def is_path(_instance: object, _attribute: attrs.Attribute[str], path: str) -> None:
    """Refuse what is no dotted path, as the validator of an attrs field.

    Raises:
        ArgumentError: The path is no string, or one of its parts is empty.
    """
    path_of(path)


def read_path(sample: object, path: tuple[str, ...]) -> Any:
    """Return what stands at a path, or None where a mapping on the way lacks the key.

    The first part is a field of the sample. Each further part is a key of a mapping or
    a field of an object; below None there is nothing, so None.

    Raises:
        AttributeError: The sample has no such field.
        SampleError: What stands on the way can't be read further.
    """
    found: Any = getattr(sample, path[0])
    for depth, part in enumerate(path[1:], start=1):
        if found is None:
            return None
        if isinstance(found, Mapping):
            found = cast("Mapping[str, Any]", found).get(part)
        elif hasattr(found, part):
            found = getattr(found, part)
        else:
            place = ".".join(path[:depth])
            raise SampleError(
                f"the field {place!r} holds a {type(found).__name__}, "
                f"in which there is no {part!r}",
                field=place,
                hint=f"expected a mapping or an object with {part!r}",
            )
    return found
