"""Partials: what some samples contribute to metrics, to be merged with what others do.

    part = partial(samples_of_this_rank, pipelines, shard=rank)
    report = merge([part, *the_others]).report()

A rollout whose samples are spread over shards is one unit after the merge, and the
report is that of all samples together, to the bit, whatever the split, the order of the
shards or the tree of merges.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

import attrs

from keyfold._compute import folded, plan_for
from keyfold._describe import shown
from keyfold._finish import finish
from keyfold._partial.gather import gathered, plan_for_states
from keyfold._partial.layout import layouts_of
from keyfold._partial.merging import merged_populations
from keyfold._partial.order import refuse_order
from keyfold._partial.party import party_of
from keyfold._partial.population import PartialPopulation
from keyfold._partial.shards import checked_shard, of_shards
from keyfold._partial.source import PartialSource
from keyfold._plan import Plan
from keyfold.errors import MergeError, UsageError
from keyfold.pipeline import Pipeline
from keyfold.report import Report

if TYPE_CHECKING:
    from keyfold.catalog import Catalog

__all__ = ["Partial", "merge", "partial"]

SampleT = TypeVar("SampleT")


@attrs.frozen(order=False, eq=False, repr=False)
class Partial:
    """What the samples of some shards contribute to metrics.

    It never changes: merging gives another one. `partial`, `merge` and
    `Partial.from_bytes` make them.

    Attributes:
        shards: The numbers of the shards, in order.
        samples: How many samples they have.
        plan: What the pipelines need, in keyfold's own form.
        populations: What there is of each population, in keyfold's own form.
    """

    shards: tuple[int, ...]
    samples: int
    plan: Plan
    populations: tuple[PartialPopulation, ...]

    @property
    def pipelines(self) -> Mapping[str, Pipeline[Any]]:
        """The pipelines that it is of, by name."""
        return self.plan.pipelines

    def report(self) -> Report:
        """Return the report of the samples; the partial stays as it is.

        Raises:
            DataError: A reducer refuses a unit's values, or two series share a name.
            ContractError: A reducer does not keep its contract.
        """
        source = PartialSource(
            self.plan, self.samples, layouts_of(self.plan), self.populations
        )
        return finish(self.plan.metrics, source)

    def to_bytes(self) -> bytes:
        """Return the partial as bytes, for a file or another process.

        Raises:
            PortabilityError: A reducer's state is no plain data.
            UsageError: A component of a pipeline is neither of an attrs class nor a
                dataclass, so that its settings can't be told.
        """
        # Slow to import, and a program that merges nothing never needs it.
        from keyfold._wire.codec import encode  # noqa: PLC0415

        return encode(self.plan, self.shards, self.samples, self.populations)

    @classmethod
    def from_bytes(
        cls,
        data: bytes,
        *,
        pipelines: Mapping[str, Pipeline[Any]] | None = None,
        catalog: Catalog | None = None,
    ) -> Partial:
        """Return the partial that bytes hold; they are checked, and nothing is run.

        Args:
            data: What `to_bytes` gave.
            pipelines: The pipelines that the partial is of. None means that they are
                made from their spelling in the bytes, which takes plugins that are
                installed under the names by which they call themselves.
            catalog: What those names mean; None means what is installed.

        Raises:
            PartialFormatError: The bytes are no partial, or a damaged one.
            MergeError: It is of another schema version, or of other pipelines than
                those given, or its pipelines can't be made here.
        """
        from keyfold._wire.codec import decode  # noqa: PLC0415

        read = decode(data, pipelines, catalog)
        return cls(read.shards, read.samples, read.plan, read.populations)

    def __repr__(self) -> str:
        names = ", ".join(self.pipelines)
        return f"<Partial of {names}: {self.samples} samples, {of_shards(self.shards)}>"


def partial(
    samples: Iterable[SampleT],
    pipelines: Mapping[str, Pipeline[SampleT]] | None = None,
    *,
    shard: int = 0,
) -> Partial:
    """Return what one shard's samples contribute to metrics.

    Args:
        samples: The samples of the shard, in order; there may be none.
        pipelines: The metrics by name; None means the catalog's defaults.
        shard: The shard's number, such as the rank: partials that are merged have
            different ones. It is a part of every position, so that samples which are
            keyed by it stay apart.

    Raises:
        DataError: The samples are not what a pipeline needs; names the position.
        PortabilityError: A key has an object that means nothing outside this process.
        UsageError: `pipelines` or `shard` is not what it should be, or a plugin is
            broken.
    """
    plan = plan_for(pipelines)
    fold = folded(samples, plan_for_states(plan), shard=checked_shard(shard))
    populations = map(gathered, fold.populations, layouts_of(plan))
    return Partial((shard,), fold.samples, plan, tuple(populations))


def merge(partials: Iterable[Partial]) -> Partial:
    """Return what the samples of several partials contribute together.

    Args:
        partials: At least one, of one set of pipelines and of different shards, in any
            order. Merging some first, and the rest later, gives the same.

    Raises:
        MergeError: They are no partials, are of other pipelines, have a shard in
            common, were read from different fields, or a reducer depends on the order
            of values in several.
        DataError: A unit belongs to two outer units, or a reducer that allows one value
            a unit met two; names the shards.
    """
    parts = _listed(partials)
    if not parts:
        raise UsageError(
            "expected at least one partial to merge, found none",
            hint="a shard without samples has a partial too",
        )
    plan = parts[0].plan
    for part in parts[1:]:
        _check_pipelines(parts[0], part)
    shards = _disjoint(parts)
    if len(parts) == 1:
        return parts[0]
    layouts = layouts_of(plan)
    held = [(party_of(part.shards), part.populations) for part in parts]
    refuse_order(plan, layouts, held)
    populations = tuple(
        merged_populations(
            population,
            layouts[place],
            [(party, populations[place]) for party, populations in held],
        )
        for place, population in enumerate(plan.populations)
    )
    samples = sum(part.samples for part in parts)
    return Partial(shards, samples, plan, populations)


def _listed(partials: Iterable[Partial]) -> list[Partial]:
    try:
        found = cast("Iterator[object]", iter(partials))
    except TypeError:
        raise _no_partial(partials) from None
    parts: list[Partial] = []
    for part in found:
        if not isinstance(part, Partial):
            raise _no_partial(part)
        parts.append(part)
    return parts


def _no_partial(found: object) -> MergeError:
    return MergeError(
        f"expected an iterable of partials to merge, found {shown(found)}",
        hint="partial(samples) makes them; time is not rank, so steps are not merged, "
        "but smoothed by a Window or an Ema",
    )


def _check_pipelines(first: Partial, other: Partial) -> None:
    # In order, since a plan numbers what its metrics need in their order.
    ours, theirs = (list(part.pipelines.items()) for part in (first, other))
    if first.plan is other.plan or ours == theirs:
        return
    from keyfold._partial.spec import difference, specs_of  # noqa: PLC0415

    found = difference(specs_of(first.pipelines), specs_of(other.pipelines))
    if found is not None:
        raise MergeError(
            f"the partials of {of_shards(first.shards)} and of "
            f"{of_shards(other.shards)} are of different pipelines: {found}",
            hint="give every shard the same pipelines",
        )


def _disjoint(parts: list[Partial]) -> tuple[int, ...]:
    met: set[int] = set()
    for part in parts:
        again = sorted(met.intersection(part.shards))
        if again:
            raise MergeError(
                f"{of_shards(again)} would be counted twice: more than one of the "
                f"{len(parts)} partials has samples of it",
                hint="give each rank its own number, as in partial(..., shard=rank), "
                "and merge each partial once",
            )
        met.update(part.shards)
    return tuple(sorted(met))
