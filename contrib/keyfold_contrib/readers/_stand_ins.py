"""What stands in a read dump for objects that are never built."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

__all__ = ["Kind", "NumpyBool", "Pending", "RefusedError", "Skipped"]


class RefusedError(Exception):
    """A pickle holds something that is not on the list of plain types, or is broken."""


@attrs.frozen(order=False, eq=False, repr=False)
class Skipped:
    """Stands for an object that was not built: a tensor, an array.

    It is no number, so a reward of this kind is counted as rejected.

    Attributes:
        label: The full name of what it stands for.
    """

    label: str

    def __repr__(self) -> str:
        return f"<{self.label}, not read>"


@attrs.frozen(order=False, eq=False, repr=False)
class NumpyBool:
    """Stands for a numpy boolean, which is no number: not here and not in a trainer.

    It compares, hashes and tests as the boolean does.

    Attributes:
        value: The boolean.
    """

    value: bool

    def __bool__(self) -> bool:
        return self.value

    def __eq__(self, other: object) -> bool:
        return self.value == (other.value if isinstance(other, NumpyBool) else other)

    def __hash__(self) -> int:
        return hash(self.value)

    def __repr__(self) -> str:
        return f"<numpy.bool {self.value}>"

    def item(self) -> bool:
        """Return the boolean, as numpy's own does."""
        return self.value


def _no_state(kind: Kind, _made: object, _state: object) -> Any:
    raise RefusedError(f"its pickle sets the state of a `{kind.label}`")


@attrs.frozen(order=False, eq=False, repr=False)
class Kind:
    """Stands for an allowed class or function of a pickle. It can't be called.

    Attributes:
        label: Its full name.
        make: Returns what stands for a call of it.
        build: Returns what stands for the made object after its state was set.
    """

    label: str
    make: Callable[[Kind, tuple[Any, ...]], Any]
    build: Callable[[Kind, Any, Any], Any] = _no_state

    def __repr__(self) -> str:
        return f"<{self.label}, not read>"


@attrs.define(order=False, eq=False, repr=False)
class Pending:
    """Stands for an object whose state is still to come in the pickle.

    Attributes:
        kind: What it is an instance of.
        args: What it was made from.
        memo: Where the pickle remembers it, to put the finished object there.
    """

    kind: Kind
    args: tuple[Any, ...]
    memo: list[int] = attrs.field(factory=list[int])

    def __repr__(self) -> str:
        return f"<unfinished {self.kind.label}>"
