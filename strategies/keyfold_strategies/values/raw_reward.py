"""The reward before shaping, from where the batch keeps it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import NoneType
from typing import Any, ClassVar, cast

import attrs

from keyfold.authoring import of_type, shown
from keyfold.errors import SampleError
from keyfold_strategies._fields import HasMetadata

__all__ = ["RawReward"]


@attrs.frozen(order=False)
class RawReward:
    """The raw reward of each sample.

    If the first sample's metadata holds `raw_reward`, that entry of every sample's
    metadata; otherwise every sample's `reward`. The first sample decides for the whole
    batch, and a sample that then lacks what it should hold is an error: a batch that
    mixes both kinds of reward has no meaningful mean.

    Attributes:
        reward_key: Which entry of `reward` to take where rewards are mappings.
    """

    fields: ClassVar[tuple[str, ...]] = ("metadata", "reward")

    reward_key: str | None = attrs.field(
        default=None,
        validator=of_type((str, NoneType), "a string or None"),
    )

    def bind(self, first: HasMetadata, /) -> _FromMetadata | _FromReward:
        """Return where this batch's rewards are read from."""
        metadata = first.metadata
        if metadata and "raw_reward" in metadata:
            return _FromMetadata()
        return _FromReward(self.reward_key)

    def value(self, sample: HasMetadata, /) -> object:
        """Return the sample's raw reward, as if it stood alone."""
        return self.bind(sample).value(sample)


@attrs.frozen(order=False, repr=False)
class _FromMetadata:
    fields: ClassVar[tuple[str, ...]] = ("metadata",)
    name: ClassVar[str] = "raw_reward"

    def value(self, sample: HasMetadata, /) -> object:
        try:
            return sample.metadata["raw_reward"]
        except (KeyError, TypeError) as error:
            raise SampleError(
                f"the field 'metadata' holds {_kind(sample.metadata)}, expected a "
                "mapping with 'raw_reward', as the batch's first sample has",
                field="metadata",
                hint="give every sample a raw reward, or none",
            ) from error

    def values(self, samples: Sequence[HasMetadata], /) -> list[object]:
        return [sample.metadata["raw_reward"] for sample in samples]

    def __repr__(self) -> str:
        return "metadata.raw_reward"


@attrs.frozen(order=False, repr=False)
class _FromReward:
    fields: ClassVar[tuple[str, ...]] = ("reward",)
    name: ClassVar[str] = "raw_reward"
    key: str | None = None

    def value(self, sample: HasMetadata, /) -> object:
        if not self.key:
            return sample.reward
        try:
            return sample.reward[self.key]
        except (KeyError, TypeError, IndexError) as error:
            raise SampleError(
                f"the field 'reward' holds {_kind(sample.reward)}, expected a mapping "
                f"with {self.key!r}",
                field="reward",
                hint=f'the value reward(key="{self.key}") counts a sample without '
                "the key as missing",
            ) from error

    def values(self, samples: Sequence[HasMetadata], /) -> list[object]:
        if not self.key:
            return [sample.reward for sample in samples]
        return [sample.reward[self.key] for sample in samples]

    def __repr__(self) -> str:
        return f"reward.{self.key}" if self.key else "reward"


def _kind(found: Any) -> str:
    if isinstance(found, Mapping):
        keys = ", ".join(map(repr, cast("Mapping[object, object]", found)))
        return f"a mapping with {keys}" if keys else "an empty mapping"
    return shown(found)
