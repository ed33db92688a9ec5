"""Whether another process can import what a plugin is made of."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import Any, Final, cast

from keyfold._describe import settings_of

__all__ = ["importable_problem", "module_of", "parts_of"]

_METHODS: Final = ("key", "value", "selects", "fold")


def parts_of(component: object) -> Iterator[object]:
    """Yield a component, and those that it is made with."""
    yield component
    for setting in (settings_of(component) or {}).values():
        many = isinstance(setting, list | tuple | set | frozenset)
        inner: Iterable[object] = (
            cast("Iterable[object]", setting) if many else (setting,)
        )
        for part in inner:
            if any(callable(getattr(part, name, None)) for name in _METHODS):
                yield from parts_of(part)


def module_of(component: object) -> str:
    """Return the module that a component's class stands in."""
    return type(component).__module__


def importable_problem(objects: Iterable[object]) -> str | None:
    """Return why another process can't import the classes of some objects, or None."""
    for kind in dict.fromkeys(map(type, objects)):
        where = f"the class {kind.__qualname__}"
        if kind.__module__ == "__main__":
            return f"{where} stands in __main__, which another process can't import"
        if "<locals>" in kind.__qualname__:
            return f"{where} is local to a function, so no other process can import it"
        found: Any = sys.modules.get(kind.__module__)
        for name in kind.__qualname__.split("."):
            found = getattr(found, name, None)
        if found is not kind:
            return f"{where} is not what can be imported as {kind.__module__}"
    return None
