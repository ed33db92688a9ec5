"""Whether what a plugin says of a sample depends on that sample alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from copy import deepcopy
from pickle import dumps
from threading import Barrier
from typing import Any, Final

from keyfold._describe import shown
from keyfold._testing.check import Check, Fresh, Skip
from keyfold._testing.compare import same, view
from keyfold._testing.importable import parts_of
from keyfold._testing.process import answers_elsewhere
from keyfold._testing.roles import Role
from keyfold._testing.travel import skip_unless_importable
from keyfold.errors import ContractError

__all__ = ["answer_checks", "differing", "numbered"]

_THREADS: Final = 8
_ALONE: Final = "read nothing but the sample and its position"


def numbered(samples: Sequence[Any]) -> list[int]:
    """Return the positions of samples that are a whole batch."""
    return list(range(len(samples)))


def answers(role: Role, subject: object, samples: Iterable[Any]) -> list[object]:
    """Return what a plugin says of each sample of a batch."""
    return [role.ask(subject, it, place) for place, it in enumerate(samples)]


def differing(
    role: Role, expected: Sequence[object], found: Sequence[object], how: str, hint: str
) -> None:
    """Refuse answers that are not the expected ones.

    Raises:
        ContractError: Names the first sample whose answer differs.
    """
    if len(found) != len(expected):
        raise ContractError(
            f"gives {len(found)} answers for {len(expected)} samples {how}", hint=hint
        )
    for place, (one, other) in enumerate(zip(expected, found, strict=True)):
        if not same(one, other):
            raise ContractError(
                f"sample {place} has the {role.answer} {shown(one)}, and "
                f"{shown(other)} {how}",
                hint=hint,
            )


def _deterministic(role: Role) -> Check:
    def run(subject: object, fresh: Fresh) -> None:
        samples = fresh()
        first = answers(role, subject, samples)
        again = answers(role, subject, samples)
        differing(role, first, again, "when asked again", _ALONE)

    about = f"a sample asked twice has one {role.answer}"
    return Check("deterministic", about, run)


def _identity(role: Role) -> Check:
    def run(subject: object, fresh: Fresh) -> None:
        # Both are kept, so that no copy stands where another stood.
        samples, copies = fresh(), fresh()
        hint = "use what the sample holds, never id(sample) or the text of an object"
        differing(
            role,
            answers(role, subject, samples),
            answers(role, subject, copies),
            "as an equal copy",
            hint,
        )

    about = f"equal copies of a sample have one {role.answer}"
    return Check("independent_of_identity", about, run, after=("deterministic",))


def _order(role: Role) -> Check:
    def run(subject: object, fresh: Fresh) -> None:
        forward = answers(role, deepcopy(subject), fresh())
        asked, samples = deepcopy(subject), fresh()
        backward = [
            role.ask(asked, samples[place], place)
            for place in reversed(range(len(samples)))
        ]
        hint = "keep no state between samples; " + _ALONE
        differing(role, forward, backward[::-1], "when asked from the back", hint)

    about = f"the order of asking changes no {role.answer}"
    after = ("deterministic", "independent_of_identity")
    return Check("independent_of_order", about, run, after=after)


def _unchanged(role: Role) -> Check:
    def run(subject: object, fresh: Fresh) -> None:
        samples = fresh()
        before = [view(sample) for sample in samples]
        answers(role, subject, samples)
        # The check of the fast path tells of an error; what it changed shows anyhow.
        with suppress(ContractError):
            role.ask_all(subject, samples, numbered(samples))
        for place, (sample, old) in enumerate(zip(samples, before, strict=True)):
            if view(sample) != old:
                raise ContractError(
                    f"changes sample {place}, which is now {shown(sample)}",
                    hint="copy what you change; other metrics read the same samples",
                )

    return Check("sample_unchanged", "a sample is read and never changed", run)


def _threads(role: Role) -> Check:
    def run(subject: object, fresh: Fresh) -> None:
        samples = fresh()
        alone = answers(role, subject, samples)
        start = Barrier(_THREADS)

        def ask(_number: int) -> list[object]:
            start.wait()
            return answers(role, subject, samples)

        with ThreadPoolExecutor(_THREADS) as pool:
            for found in pool.map(ask, range(_THREADS)):
                hint = "keep what is worked on in local variables, not in the object"
                differing(role, alone, found, "in another thread", hint)

    about = f"{_THREADS} threads at once get the same {role.answer}s"
    after = ("deterministic", "independent_of_order")
    return Check("threads", about, run, after=after)


def _elsewhere(role: Role) -> Check:
    def run(subject: object, fresh: Fresh) -> None:
        samples = fresh()
        skip_unless_importable([*parts_of(subject), *samples])
        try:
            dumps(samples)
        # Pickle lets through whatever the samples raise.
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            raise Skip(f"the samples can't be pickled ({reason})") from error
        here = answers(role, subject, samples)
        for found in answers_elsewhere(role.kind, subject, samples):
            if found[0] == "answers":
                hint = "use no hash() and no order of a set: sort, or keep the value"
                differing(role, here, found[1], "under another PYTHONHASHSEED", hint)
                continue
            _, said, missing = found
            if missing is not None:
                raise Skip(f"a fresh process does not find the module {missing}")
            raise ContractError(
                f"fails in a fresh process: {said}",
                hint="let the class's module set up all that it needs on import",
            )

    about = f"the {role.answer}s are the same under another PYTHONHASHSEED"
    after = ("independent_of_identity", "independent_of_order", "picklable", "threads")
    return Check("hash_seed", about, run, after=after)


def answer_checks(role: Role) -> tuple[Check, ...]:
    """Return the checks of what a plugin's answers depend on."""
    return (
        _deterministic(role),
        _identity(role),
        _order(role),
        _unchanged(role),
        _threads(role),
        _elsewhere(role),
    )
