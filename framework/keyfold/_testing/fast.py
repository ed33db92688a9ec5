"""Whether the answers for many samples at once are those for each by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from keyfold._testing.answers import differing, numbered
from keyfold._testing.check import Check, Fresh, Skip
from keyfold._testing.compare import cuts
from keyfold._testing.roles import Role

__all__ = ["fast_checks", "skip_without"]

Each = Callable[[Any, Sequence[Any], Sequence[int]], Sequence[object]]


def skip_without(subject: object, method: str) -> None:
    """Skip the check where a plugin does not have an optional method."""
    if getattr(subject, method, None) is None:
        raise Skip(f"has no {method}")


def _itself(subject: object, _first: object) -> object:
    return subject


def fast_checks(
    role: Role,
    each: Each,
    fast: Each,
    owner: Callable[[Any, Any], object] = _itself,
) -> tuple[Check, ...]:
    """Return the checks of a fast path.

    Args:
        role: The kind of the plugin.
        each: Answers for each sample by itself.
        fast: Answers for all samples at once.
        owner: Returns what has the fast path, in the batch of a first sample.
    """

    def whole(subject: object, fresh: Fresh) -> None:
        samples = fresh()
        skip_without(owner(subject, samples[0]), role.fast)
        places = numbered(samples)
        hint = f"let {role.fast} say of each sample what {role.method} says of it"
        expected = each(subject, samples, places)
        differing(role, expected, fast(subject, samples, places), by, hint)

    def parts(subject: object, fresh: Fresh) -> None:
        samples = fresh()
        skip_without(owner(subject, samples[0]), role.fast)
        size = len(samples)
        hint = f"let {role.fast} take any samples: some, one or none, as they are given"
        rows = [[*range(cut)] for cut in cuts(size)]
        rows += [[*range(cut, size)] for cut in cuts(size)]
        rows += [[*range(0, size, 2)], [*range(1, size, 2)], [*range(0, size, 3)]]
        for chosen in rows:
            some = [samples[row] for row in chosen]
            expected = each(subject, some, chosen)
            how = f"{by} on {len(some)} of {size} samples"
            differing(role, expected, fast(subject, some, chosen), how, hint)

    by = f"by {role.fast}"
    return (
        Check(
            f"{role.fast}_match",
            f"{role.fast} says of each sample what {role.method} says",
            whole,
            after=("deterministic", "independent_of_order"),
        ),
        Check(
            f"{role.fast}_of_parts",
            f"{role.fast} says the same of every part of a batch",
            parts,
            after=(f"{role.fast}_match",),
        ),
    )
