"""Plugins that break one rule each, and what the kit has to say of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import attrs
import pytest

from keyfold.testing import Check, CheckFailure, ConformanceError

__all__ = ["Broken", "Rules", "Turn", "assert_told", "caught", "names", "turns"]


@attrs.define
class Turn:
    """A sample that a careless plugin can change."""

    run: int | None
    turn: int
    reward: float
    notes: list[str] = attrs.field(factory=list[str])


def turns() -> list[Turn]:
    """Return nine turns of three runs, and one without a run."""
    made = [Turn(number // 3, number % 3, number / 8) for number in range(9)]
    return [*made, Turn(None, 0, 1.5)]


@attrs.frozen
class Broken:
    """A plugin that breaks one rule.

    Attributes:
        check: The check that finds it, and no other does.
        message: A part of the message.
        hint: A part of the hint.
        make: Makes it. Its class is local, so that no process is started in vain.
        samples: Samples or values that show it; None for the usual ones.
    """

    check: str
    message: str
    hint: str
    make: Callable[[], Any]
    samples: Sequence[Any] | None

    def __str__(self) -> str:
        return self.check


class Rules:
    """The broken plugins of one kind."""

    def __init__(self) -> None:
        self.cases: list[Broken] = []

    def broken(
        self, check: str, message: str, hint: str, samples: Sequence[Any] | None = None
    ) -> Callable[[Callable[[], Any]], Callable[[], Any]]:
        """Return a decorator for the function that makes the plugin."""

        def keep(make: Callable[[], Any]) -> Callable[[], Any]:
            self.cases.append(Broken(check, message, hint, make, samples))
            return make

        return keep

    def names(self) -> set[str]:
        return {case.check for case in self.cases}


def caught(
    check: Callable[[Any, Any], object], subject: object, samples: Any
) -> CheckFailure:
    """Return the one failure that a check of a whole kind finds."""
    with pytest.raises(ConformanceError) as error:
        check(subject, samples)
    told = [str(failure) for failure in error.value.exceptions]
    [failure] = error.value.exceptions
    assert isinstance(failure, CheckFailure), told
    return failure


def assert_told(found: CheckFailure, check: str, message: str, hint: str) -> None:
    assert found.check == check, str(found)
    assert message in found.message
    assert found.hint is not None
    assert hint in found.hint


def names(checks: Sequence[Check]) -> set[str]:
    return {check.name for check in checks}
