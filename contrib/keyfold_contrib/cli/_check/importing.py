"""The object that `module:object` names."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Generator
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from keyfold import UsageError

__all__ = ["here_importable", "imported"]


@contextmanager
def here_importable() -> Generator[None]:
    """Let modules of the current folder be imported, as `python -m` does."""
    here = str(Path.cwd())
    added = here not in sys.path
    if added:
        sys.path.insert(0, here)
    try:
        yield
    finally:
        if added and here in sys.path:
            sys.path.remove(here)


def imported(target: str) -> object:
    """Return what a target such as `acme.keys:Turn` names.

    Raises:
        UsageError: The module can't be imported, or has no such attribute.
    """
    module, _, attributes = target.partition(":")
    try:
        found: Any = importlib.import_module(module)
    # A module that ends the process on import must not end this one.
    except (Exception, SystemExit) as error:
        raise UsageError(
            f"{target}: importing {module} raised {type(error).__name__}: {error}",
            hint=_import_hint(module, error),
        ) from error
    for attribute in attributes.split("."):
        if not hasattr(found, attribute):
            owner = getattr(found, "__name__", type(found).__name__)
            close = get_close_matches(attribute, dir(found), n=1)
            raise UsageError(
                f"{target}: {owner} has no attribute {attribute!r}",
                hint=f"did you mean {close[0]!r}?" if close else None,
            )
        found = getattr(found, attribute)
    return found


def _import_hint(module: str, error: BaseException) -> str | None:
    if isinstance(error, ModuleNotFoundError) and error.name in _parents(module):
        return "is it installed, or in the current folder?"
    return None


def _parents(module: str) -> list[str]:
    parts = module.split(".")
    return [".".join(parts[: count + 1]) for count in range(len(parts))]
