"""What a plugin project is called: its distribution, its package, its plugins."""

from __future__ import annotations

import keyword
import re
import sys
from typing import Final

import attrs

from keyfold import UsageError

__all__ = ["ProjectName"]

_NAME: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_SEPARATORS: Final = re.compile(r"[^a-z0-9]+")
# Packages that the project imports or is tested by, and could not if it hid them.
_TAKEN: Final = frozenset(
    {
        *("attr", "attrs", "hatchling", "mypy", "pyright", "pytest", "tests"),
        *("keyfold", "keyfold_contrib", "keyfold_strategies"),
    }
)


@attrs.frozen(order=False)
class ProjectName:
    """The names of one project.

    Attributes:
        distribution: As it is installed, such as `keyfold-acme`.
        package: As it is imported, such as `keyfold_acme`.
        prefix: What the names of its plugins begin with, such as `acme`.
    """

    distribution: str
    package: str
    prefix: str

    @classmethod
    def of(cls, name: str) -> ProjectName:
        """Return the names that follow from the distribution's.

        Raises:
            UsageError: It is no legal name, or one that something else needs.
        """
        if _NAME.fullmatch(name) is None:
            raise UsageError(
                "expected a name of lower-case letters, digits and single hyphens that "
                f"begins with a letter, found {name!r}",
                hint=_suggested(name),
            )
        package = name.replace("-", "_")
        taken = _taken(package)
        if taken is not None:
            raise UsageError(
                f"the name {name!r} can't be used: {package!r} is {taken}",
                hint=f"did you mean {_free(name)!r}?",
            )
        prefix = package.removeprefix("keyfold_")
        return cls(name, package, prefix if prefix[0].isalpha() else package)


def _suggested(name: str) -> str:
    words = _SEPARATORS.sub("-", name.lower()).strip("-")
    if not words:
        return "such as keyfold-acme"
    return f"did you mean {words if words[0].isalpha() else f'keyfold-{words}'!r}?"


def _free(name: str) -> str:
    return f"{name}-plugins" if name.startswith("keyfold") else f"keyfold-{name}"


def _taken(package: str) -> str | None:
    if package in _TAKEN:
        return "a package that plugins need themselves"
    if package in sys.stdlib_module_names:
        return "a module of Python's own"
    return "a word of Python's own" if keyword.iskeyword(package) else None
