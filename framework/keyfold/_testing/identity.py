"""How a plugin is called, and whether two of the same settings are one."""

from __future__ import annotations

import re
from copy import deepcopy
from typing import Any, Final

from keyfold._describe import name_of, settings_of, shown
from keyfold._testing.check import Check, Fresh
from keyfold.errors import ContractError

__all__ = ["LEGAL_NAME", "doc_problem", "identity_checks"]

LEGAL_NAME: Final = re.compile(r"[a-z][a-z0-9_]*")
"""How names are spelt in configurations and reports."""

_FROZEN: Final = "write it as a class under @attrs.frozen, with its settings as fields"


def _name(subject: object, _fresh: Fresh) -> None:
    own = getattr(subject, "name", None)
    if own is not None and not isinstance(own, str):
        raise ContractError(
            f"has the name {shown(own)}, expected a string",
            hint='write name: ClassVar[str] = "my_name", or leave it out',
        )
    if not LEGAL_NAME.fullmatch(name_of(subject)):
        raise ContractError(
            f"is called {name_of(subject)!r}, expected small letters, digits and _",
            hint='write name: ClassVar[str] = "my_name", with small letters first',
        )


def doc_problem(kind: type) -> str | None:
    """Return what is wrong with a class's docstring, or None."""
    text = (kind.__doc__ or "").strip()
    # A dataclass without one is given its signature.
    if not text or text.startswith(f"{kind.__name__}("):
        return f"the class {kind.__name__} has no docstring"
    return None


def _docstring(subject: object, _fresh: Fresh) -> None:
    problem = doc_problem(type(subject))
    if problem is not None:
        raise ContractError(
            problem, hint="say in one sentence what it makes a unit of, or computes"
        )


def _equal(subject: Any, _fresh: Fresh) -> None:
    other = deepcopy(subject)
    if not (subject == other and other == subject):
        raise ContractError("is not equal to a copy of equal settings", hint=_FROZEN)
    try:
        hashes = (hash(subject), hash(other))
    except TypeError as error:
        raise ContractError(
            f"is not hashable ({error})",
            hint="freeze it, and hold tuples in place of lists and mappings",
        ) from error
    if hashes[0] != hashes[1]:
        raise ContractError("is equal to a copy whose hash is another", hint=_FROZEN)


def _immutable(subject: object, _fresh: Fresh) -> None:
    probe = deepcopy(subject)
    names = [*(settings_of(probe) or {}), *getattr(probe, "__dict__", {})]
    for name in dict.fromkeys(names):
        # An attrs field may be private, and its setting is then called otherwise.
        place = name if hasattr(probe, name) else f"_{name}"
        try:
            setattr(probe, place, getattr(probe, place, None))
        except (AttributeError, TypeError):
            continue
        raise ContractError(
            f"lets its setting {name!r} be set",
            hint="freeze the class: @attrs.frozen, or @dataclass(frozen=True)",
        )


def _repr(subject: object, _fresh: Fresh) -> None:
    text = repr(subject)
    if " object at 0x" in text or text != repr(deepcopy(subject)):
        raise ContractError(
            f"has the repr {shown(text)}, which does not say what it is",
            hint="attrs and dataclasses write one; else let __repr__ name the class "
            "and its settings",
        )


def identity_checks(word: str) -> tuple[Check, ...]:
    """Return the checks of what a plugin is called, and of what it is equal to."""
    equal = Check(
        "equal_settings",
        f"two {word}s of equal settings are equal, and have one hash",
        _equal,
    )
    immutable = Check("immutable", "settings can't be set afterwards", _immutable)
    return (
        Check("name", "the name can be spelt in a configuration", _name),
        Check("docstring", "the class says what it does", _docstring),
        equal,
        immutable,
        Check("repr", "the repr says what the plugin is", _repr),
    )
