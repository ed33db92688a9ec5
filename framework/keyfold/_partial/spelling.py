"""The spelling of components that has to tell them apart, on whatever machine."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, cast

from keyfold._describe import expression_of, name_of, settings_of, shown
from keyfold.errors import UsageError

__all__ = ["spelling_of"]

_PLAIN: Final = (str, bytes, int, float)
# Python refuses to write longer ints in decimal.
_MOST_BITS: Final = 4096
_MANY: Final = (list, tuple, set, frozenset)
_METHODS: Final = ("key", "value", "selects", "fold")


def spelling_of(component: object) -> str:
    """Return a component as a configuration would spell it.

    Raises:
        UsageError: It, or one that it holds, has settings that the spelling would not
            tell, so that components which differ would look the same.
    """
    _check(component, component)
    return expression_of(component)


def _check(part: Any, whole: object) -> None:
    if isinstance(part, int) and part.bit_length() > _MOST_BITS:
        raise UsageError(
            f"the setting of {name_of(whole)} is an int of {part.bit_length()} bits, "
            f"expected at most {_MOST_BITS}"
        )
    if part is None or isinstance(part, _PLAIN):
        return
    if isinstance(part, _MANY):
        parts: Iterable[object] = cast("Iterable[object]", part)
    else:
        settings = settings_of(part)
        is_component = any(callable(getattr(part, name, None)) for name in _METHODS)
        if settings is None or not is_component:
            raise UsageError(
                f"{expression_of(whole)} can't be told from others of its name in "
                f"another process, as it holds {shown(part)}",
                hint="write components as frozen attrs classes or dataclasses, whose "
                "fields are plain values or components",
            )
        parts = settings.values()
    for each in parts:
        _check(each, whole)
