"""A check, what came of it, and the errors that tell what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any, Literal, Protocol, TypeAlias, runtime_checkable

import attrs

from keyfold._describe import expression_of
from keyfold.errors import ContractError, KeyfoldError
from keyfold.pipeline import Pipeline

__all__ = [
    "Check",
    "CheckFailure",
    "CheckRecord",
    "CheckState",
    "ConformanceError",
    "Fresh",
    "Samples",
    "Skip",
    "attempt",
    "behind",
    "fresh_of",
    "spelt",
]

Fresh: TypeAlias = Callable[[], list[Any]]
"""Makes the samples or values anew, each time that it is called."""

Samples: TypeAlias = Sequence[Any] | Callable[[], Sequence[Any]]
"""Samples or values, or a function that makes them; each check has its own copies."""

CheckState: TypeAlias = Literal["passed", "failed", "skipped", "expected"]
"""What came of a check; `expected` is a failure that was said to come."""


class Skip(Exception):  # noqa: N818 - it is no error, and never leaves the kit
    """Raised by a check that can't be made; its text is the reason."""


class CheckFailure(ContractError):  # noqa: N818 - it is a finding
    """One rule that a plugin breaks.

    Attributes:
        check: The name of the check that found it.
        subject: The plugin, as a configuration would spell it.
    """

    def __init__(
        self, message: str, *, check: str, subject: str, hint: str | None = None
    ) -> None:
        super().__init__(message, hint=hint)
        self.check = check
        self.subject = subject

    def __str__(self) -> str:
        return f"{self.subject} fails {self.check}: {super().__str__()}"


@attrs.frozen(order=False)
class CheckRecord:
    """What came of one check.

    Attributes:
        check: The check's name.
        state: What came of it.
        message: What was found, or why the check was not made; empty where it passed.
    """

    check: str
    state: CheckState
    message: str = ""


class ConformanceError(ExceptionGroup[CheckFailure], KeyfoldError):
    """A plugin breaks at least one rule; each is a `CheckFailure` of the group.

    Attributes:
        records: What came of every check, those that passed included.
    """

    records: tuple[CheckRecord, ...]
    # Both bases have one: the group's own, which nothing sets afterwards.
    message: str  # pyright: ignore[reportIncompatibleMethodOverride]

    def __new__(
        cls,
        message: str,
        failures: Sequence[CheckFailure],
        records: Sequence[CheckRecord] = (),
    ) -> ConformanceError:
        """Make the group of some failures."""
        made = super().__new__(cls, message, failures)
        made.records = tuple(records)
        made.hint = None
        return made

    def __init__(
        self,
        message: str,
        failures: Sequence[CheckFailure],
        records: Sequence[CheckRecord] = (),
    ) -> None:
        # A group keeps its message by itself, where nothing can be written.
        Exception.__init__(self, message, failures)


@attrs.frozen(order=False)
class Check:
    """One rule, by name: call it with a plugin and samples, or values, of yours.

    Attributes:
        name: The name, by which `expected_failures` knows it.
        about: What must hold, in one sentence.
        run: Raises an error where the rule is broken; it is given the plugin, and a
            function that makes fresh samples.
        after: The names of the checks without which this one says nothing: where one of
            them fails, it is skipped.
    """

    name: str
    about: str
    run: Callable[[Any, Fresh], None]
    after: tuple[str, ...] = ()

    def __call__(self, subject: object, samples: Samples = ()) -> CheckRecord:
        """Make the check on fresh copies, and return what came of it.

        Raises:
            CheckFailure: The plugin breaks the rule.
        """
        found = attempt(self, subject, fresh_of(samples))
        if isinstance(found, CheckFailure):
            raise found
        return found

    def __str__(self) -> str:
        return self.name


def attempt(check: Check, subject: object, fresh: Fresh) -> CheckRecord | CheckFailure:
    """Return what comes of a check, whatever the plugin does."""
    try:
        check.run(_copy(subject), fresh)
    except Skip as skip:
        return CheckRecord(check.name, "skipped", str(skip))
    except KeyfoldError as error:
        return _failure(check, subject, error.message, error, error.hint)
    # A plugin may raise anything, and the other checks are made all the same.
    except Exception as error:  # noqa: BLE001
        said = f"{type(error).__name__}: {error}"
        return _failure(check, subject, f"raised {said}", error)
    return CheckRecord(check.name, "passed")


def _copy(subject: object) -> object:
    # What one check leaves in a plugin that keeps state, no other is to meet.
    if isinstance(subject, Named):
        return subject
    try:
        return deepcopy(subject)
    # One that can't be copied is told so by a check of its own.
    except Exception:  # noqa: BLE001
        return subject


def _failure(
    check: Check,
    subject: object,
    message: str,
    cause: Exception,
    hint: str | None = None,
) -> CheckFailure:
    failure = CheckFailure(
        message, check=check.name, subject=spelt(subject), hint=hint or check.about
    )
    failure.__cause__ = cause
    return failure


def behind(name: str, checks: Sequence[Check]) -> tuple[Check, ...]:
    """Return checks that say nothing where the check of a name fails."""
    return tuple(attrs.evolve(it, after=(name, *it.after)) for it in checks)


def fresh_of(samples: Samples) -> Fresh:
    """Return what makes the samples anew."""
    if callable(samples):
        make = samples
        return lambda: list(make())
    kept = samples
    return lambda: list(deepcopy(kept))


@runtime_checkable
class Named(Protocol):
    """What is no component, and says how it is called."""

    @property
    def called(self) -> str:
        """How messages call it."""
        ...


def spelt(subject: object) -> str:
    """Return how a plugin is called in messages, whatever it is."""
    if isinstance(subject, Pipeline):
        return "the pipeline"
    if isinstance(subject, Named):
        return subject.called
    if isinstance(subject, type):
        return f"the class {subject.__name__}"
    try:
        return expression_of(subject)
    # Its fields and their texts are anybody's code.
    except Exception:  # noqa: BLE001
        return f"a {type(subject).__name__}"
