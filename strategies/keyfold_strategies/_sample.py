"""The canonical sample: what a reader builds and the default pipelines read."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import attrs


@attrs.frozen(order=False)
class AdapterRef:
    """One LoRA adapter: its name and the slot that it is served from.

    The whole value is the adapter's identity: two slots of one name are two adapters.
    """

    name: str
    slot: int


@attrs.frozen(order=False)
class Sample:
    """One training sample, as far as metrics are concerned.

    Nothing needs this class: every strategy accepts any object that has the fields it
    reads, so a trainer's own samples work untouched.

    Attributes:
        adapter: The LoRA adapter that produced the sample, or None without one.
        group_index: The prompt group, numbered by each adapter from zero.
        rollout_id: The rollout (one try at one prompt) that the sample is a part of.
        index: The sample's own number, where it has one.
        reward: A number, a mapping of named rewards, or None where it was not scored.
        metadata: What else is known; `raw_reward` in it is the reward before shaping.
        status: How the rollout ended, such as `completed` or `truncated`.
        response_length: Length of the response, in tokens.
        step: The training step.
    """

    adapter: Hashable = None
    group_index: int | str | None = None
    rollout_id: int | str | None = None
    index: int | str | None = None
    reward: Any = None
    metadata: Mapping[str, Any] | None = None
    status: str | None = None
    response_length: int | None = None
    step: int | str | None = None
