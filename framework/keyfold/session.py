"""Metrics of samples that come in bit by bit, from any thread."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from threading import Lock
from typing import Generic, TypeVar

from keyfold._compute import folded, listed, plan_for
from keyfold._partial.gather import gathered, plan_for_states
from keyfold._partial.held import HeldPopulation
from keyfold._partial.layout import layouts_of
from keyfold._partial.party import Party
from keyfold._partial.shards import checked_shard
from keyfold.partials import Partial
from keyfold.pipeline import Pipeline
from keyfold.report import Report

__all__ = ["Session"]

SampleT = TypeVar("SampleT")


class Session(Generic[SampleT]):
    """Gathers the samples of one batch as they come in, and reports on them.

    It keeps what a partial keeps, not the samples. All of its methods may be called
    from several threads. The samples count as one batch, in the order in which they
    were added: positions go on, and the first of all decides what a value reads that
    looks at a batch's first sample.

        session = Session[Sample](pipelines, shard=rank)
        session.add(samples)
        session.report()
        session.reset()
    """

    def __init__(
        self,
        pipelines: Mapping[str, Pipeline[SampleT]] | None = None,
        *,
        shard: int = 0,
    ) -> None:
        """Start without samples.

        Args:
            pipelines: The metrics by name; None means the catalog's defaults.
            shard: The number of the shard that the samples are of, such as the rank.

        Raises:
            UsageError: `pipelines` or `shard` is not what it should be, or a plugin is
                broken.
        """
        self._plan = plan_for(pipelines)
        self._state_plan = plan_for_states(self._plan)
        self._layouts = layouts_of(self._plan)
        self._shard = checked_shard(shard)
        self._parties = (
            Party("an earlier batch", (shard,)),
            Party("this batch", (shard,)),
        )
        self._lock = Lock()
        self._samples, self._held = self._nothing()

    def add(self, samples: Iterable[SampleT]) -> None:
        """Take in more samples. If they can't be, the session stays as it was.

        Args:
            samples: The samples, in order; there may be none.

        Raises:
            DataError: The samples are not what a pipeline needs, or contradict earlier
                ones; names the position among all samples of the session.
            PortabilityError: A key has an object that means nothing outside this
                process.
            UsageError: A plugin is broken.
        """
        # Before the lock is taken, since an iterable runs anybody's code.
        batch = listed(samples)
        with self._lock:
            fold = folded(
                batch, self._state_plan, shard=self._shard, start=self._samples
            )
            brought = map(gathered, fold.populations, self._layouts)
            merged = [
                held.merged(population, self._parties)
                for held, population in zip(self._held, brought, strict=True)
            ]
            # Nothing fails from here on.
            for held, population in zip(self._held, merged, strict=True):
                held.put(population)
            self._samples += len(batch)

    def partial(self) -> Partial:
        """Return what the samples so far contribute; the session stays as it is."""
        with self._lock:
            held = tuple(population.snapshot() for population in self._held)
            return Partial((self._shard,), self._samples, self._plan, held)

    def report(self) -> Report:
        """Return the report of the samples so far; the session stays as it is.

        Raises:
            DataError: A reducer refuses a unit's values, or two series share a name.
            ContractError: A reducer does not keep its contract.
        """
        return self.partial().report()

    def reset(self) -> None:
        """Forget all samples; a batch that is added next is the first."""
        with self._lock:
            self._samples, self._held = self._nothing()

    def _nothing(self) -> tuple[int, list[HeldPopulation]]:
        empty = folded((), self._state_plan, shard=self._shard)
        held = [
            HeldPopulation(population, layout)
            for population, layout in zip(
                self._plan.populations, self._layouts, strict=True
            )
        ]
        for its, population, layout in zip(
            held, empty.populations, self._layouts, strict=True
        ):
            its.put(gathered(population, layout))
        return 0, held
