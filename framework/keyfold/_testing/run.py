"""Making all checks of a plugin, and telling everything that is wrong at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from keyfold._config.wording import listed
from keyfold._nearest import did_you_mean
from keyfold._testing.check import (
    Check,
    CheckFailure,
    CheckRecord,
    ConformanceError,
    Fresh,
    Samples,
    attempt,
    fresh_of,
    spelt,
)
from keyfold.errors import UsageError

__all__ = ["conforms", "outcomes", "some_of"]


def some_of(samples: Samples, what: str) -> Fresh:
    """Return what makes the samples anew.

    Args:
        samples: The samples or values, or a function that makes them.
        what: What they are, such as `samples`.

    Raises:
        UsageError: There are none, or they can't be copied.
    """
    fresh = fresh_of(samples)
    try:
        made = fresh()
    except Exception as error:
        raise UsageError(
            f"the {what} can't be made afresh ({type(error).__name__}: {error})",
            hint=f"give a function that returns new {what} each time it is called",
        ) from error
    if not made:
        raise UsageError(
            f"expected at least one of the {what}, found none",
            hint="give a dozen, with what is rare among them: None, ties, NaN",
        )
    return fresh


def conforms(
    checks: Sequence[Check],
    subject: object,
    fresh: Fresh,
    expected_failures: Mapping[str, str] | None,
) -> tuple[CheckRecord, ...]:
    """Return what came of every check.

    Raises:
        ConformanceError: A check failed, or passed that should have failed.
        UsageError: An expected failure is of no check.
    """
    expected = dict(expected_failures or {})
    _refuse_unknown(expected, checks)
    records: list[CheckRecord] = []
    failures: list[CheckFailure] = []
    for check, found in outcomes(checks, subject, fresh):
        judged = _judged(found, subject, check, expected)
        if isinstance(judged, CheckFailure):
            failures.append(judged)
            records.append(CheckRecord(check.name, "failed", judged.message))
        else:
            records.append(judged)
    if failures:
        names = ", ".join(failure.check for failure in failures)
        raise ConformanceError(
            f"{spelt(subject)} fails {len(failures)} of {len(checks)} checks: {names}",
            failures,
            records,
        )
    return tuple(records)


def outcomes(
    checks: Sequence[Check], subject: object, fresh: Fresh
) -> Iterator[tuple[Check, CheckRecord | CheckFailure]]:
    """Yield what comes of each check; those behind one that failed are skipped."""
    broken: set[str] = set()
    for check in checks:
        causes = [name for name in check.after if name in broken]
        if causes:
            broken.add(check.name)
            reason = f"says nothing as long as {causes[0]} fails"
            yield check, CheckRecord(check.name, "skipped", reason)
            continue
        found = attempt(check, subject, fresh)
        if isinstance(found, CheckFailure):
            broken.add(check.name)
        yield check, found


def _judged(
    found: CheckRecord | CheckFailure,
    subject: object,
    check: Check,
    expected: Mapping[str, str],
) -> CheckRecord | CheckFailure:
    reason = expected.get(check.name)
    if reason is None:
        return found
    if isinstance(found, CheckFailure):
        return CheckRecord(check.name, "expected", f"{reason}: {found.message}")
    if found.state == "passed":
        return CheckFailure(
            f"an unexpected pass: it was expected to fail ({reason})",
            check=check.name,
            subject=spelt(subject),
            hint=f"take {check.name!r} out of expected_failures",
        )
    return found


def _refuse_unknown(expected: Mapping[str, str], checks: Sequence[Check]) -> None:
    names = [check.name for check in checks]
    for name in expected:
        if name not in names:
            raise UsageError(
                f"expected_failures names {name!r}, which is no check; there is "
                f"{listed(names)}",
                hint=did_you_mean(name, names),
            )
