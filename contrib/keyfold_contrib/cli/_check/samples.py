"""What `keyfold check` tries components on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from numbers import Real
from typing import Any, Final

import attrs

from keyfold import DataError
from keyfold.authoring import fields_of
from keyfold.catalog import Catalog
from keyfold.contracts import ReadRequest
from keyfold.errors import DisagreementError
from keyfold_contrib.cli._check.kind import Component
from keyfold_contrib.cli._files import dumps_of
from keyfold_contrib.cli._notes import note
from keyfold_strategies import AdapterRef, Sample

__all__ = ["Material", "built_in", "from_dumps"]

# Every law is tried on many parts of the samples, and a few different ones show most.
_MOST: Final = 48

_MATH: Final = AdapterRef("math", slot=0)
_CODE: Final = AdapterRef("code", slot=1)

# Adapter, prompt group, rollout, its reward, how it ended, the lengths of its samples.
_ROLLOUTS: Final = (
    (_MATH, 0, 0, 1.0, "completed", (120, 2048, 512)),
    (_MATH, 0, 1, 0.0, "truncated", (4096,)),
    (_MATH, 1, 2, 0.1, "completed", (7, 1024)),
    (_CODE, 0, 0, 0.7, "completed", (300, 301)),
    (_CODE, 0, 1, None, "aborted", (0,)),
    (_CODE, 1, 2, -1.5, "completed", (1023,)),
    (None, 0, 0, 1e16, "completed", (64, 65)),
)

# Many a sum of these depends on their order, unless it is exact. NaN and infinities are
# not among them: they would be the result, and hide what becomes of the others.
_NUMBERS: Final = [
    *(0.0, 1.0, 0.1, 0.2, 0.3, -1.5, 1e16, 1.0, -1e16, 2.5, -0.0, 1 / 3, 1e-9, 7.0),
]


@attrs.frozen(order=False, eq=False)
class Material:
    """What components are tried on.

    Attributes:
        samples: For keys, values, selections and pipelines.
        values: For reducers.
        builtin: Whether keyfold made them.
    """

    samples: Sequence[Any]
    values: Sequence[float]
    builtin: bool

    def lacks(self, component: Component) -> Sequence[str]:
        """Return the fields that a component reads and the made samples do not have."""
        fields = fields_of(component.subject)
        if not self.builtin or fields is None:
            return ()
        known = {field.name for field in attrs.fields(Sample)}
        return sorted(it for it in fields if it.partition(".")[0] not in known)

    def values_for(self, reducer: Any) -> Sequence[float]:
        """Return the values, or one of them several times if they may not differ."""
        try:
            reducer.fold(reducer.init(), iter(self.values))
        except DisagreementError:
            return list(self.values[-1:]) * 4
        # What else is wrong with it is told by the checks.
        except Exception:  # noqa: BLE001
            return self.values
        return self.values


def built_in() -> Material:
    """Return a small varied batch: several adapters, lone samples, missing values."""
    return Material(list(_samples()), _NUMBERS, builtin=True)


def from_dumps(
    paths: Sequence[str],
    subjects: Iterable[object],
    *,
    format_name: str | None,
    catalog: Catalog,
) -> Material:
    """Return the first samples of dumps, and the numbers among their rewards.

    Args:
        paths: Files, directories and patterns.
        subjects: What is tried on them; the samples have the fields that it reads.
        format_name: The only reader; None takes all.
        catalog: What knows the readers.

    Raises:
        DataError: A path names no dump, a file is not what it should be, or there is
            no sample.
        UsageError: There is no such reader.
    """
    dumps = dumps_of(paths, catalog, format_name)
    request = ReadRequest(fields=_fields(subjects))
    parts = (part for it in dumps for part in it.reader.read(it.path, request))
    every = (sample for part in parts for sample in part.samples)
    samples = list(islice(every, _MOST))
    if not samples:
        raise DataError(f"there is no sample in {', '.join(paths)}")
    if next(every, None) is not None:
        note(f"checked on the first {len(samples)} samples")
    return Material(samples, list(_rewards(samples)), builtin=False)


def _samples() -> Iterator[Sample]:
    for adapter, group, rollout, reward, status, lengths in _ROLLOUTS:
        for length in lengths:
            yield Sample(
                adapter=adapter,
                group_index=group,
                rollout_id=rollout,
                reward=reward,
                metadata={"raw_reward": reward, "length": length},
                status=status,
                response_length=length,
                step=0,
            )
    # Samples of no rollout: numbered, and known by their position alone.
    for index, reward in enumerate((0.25, None)):
        metadata = {"raw_reward": reward}
        yield Sample(
            adapter=_MATH, group_index=2, index=index, reward=reward, metadata=metadata
        )
    yield Sample(reward={"score": 1.0}, metadata={"raw_reward": 0.5}, step="last")


def _fields(subjects: Iterable[object]) -> frozenset[str] | None:
    found = {"reward"}
    for subject in subjects:
        fields = fields_of(subject)
        if fields is None:
            return None
        found |= fields
    return frozenset(found)


def _rewards(samples: Iterable[Any]) -> Iterator[float]:
    for sample in samples:
        reward: object = getattr(sample, "reward", None)
        if isinstance(reward, Real):
            yield float(reward)
