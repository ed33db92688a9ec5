"""The reward, or one of several named rewards."""

from __future__ import annotations

from collections.abc import Mapping
from types import NoneType
from typing import ClassVar, cast

import attrs

from keyfold.authoring import of_type, shown
from keyfold.errors import SampleError
from keyfold_strategies._fields import HasReward

__all__ = ["Reward"]


@attrs.frozen(order=False)
class Reward:
    """The sample's `reward`, or one entry of it where rewards are named.

    Attributes:
        key: The name of the entry; None takes the reward itself. A sample whose reward
            is None, or whose mapping lacks the key, has no value.
    """

    fields: ClassVar[tuple[str, ...]] = ("reward",)

    key: str | None = attrs.field(
        default=None,
        validator=of_type((str, NoneType), "a string or None"),
    )

    def value(self, sample: HasReward, /) -> object:
        """Return the sample's reward.

        Raises:
            SampleError: A key is set, and the reward is neither a mapping nor None.
        """
        reward = sample.reward
        if self.key is None or reward is None:
            return reward
        if isinstance(reward, Mapping):
            return cast("Mapping[str, object]", reward).get(self.key)
        raise SampleError(
            f"the field 'reward' holds {shown(reward)}, expected a mapping with "
            f"{self.key!r}",
            field="reward",
            hint="leave the reward's key out where rewards are plain numbers",
        )
