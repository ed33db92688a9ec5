"""Ready metrics over turns."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Final

import attrs

from keyfold import Pipeline, over
from keyfold_example.spread import Spread
from keyfold_example.tool_calls import ToolCalls
from keyfold_example.turn import Turn
from keyfold_strategies import AdapterScoped, Mean, Reward, Rollout

__all__ = ["TURNS", "TurnSample"]


@attrs.frozen(order=False)
class TurnSample:
    """One sample of a multi-turn rollout, with all that these metrics read.

    Attributes:
        adapter: The adapter that produced it, or None without one.
        group_index: The prompt group.
        rollout_id: The rollout, numbered within its group.
        turn: The turn, numbered within its rollout.
        reward: The reward, or None where it was not scored.
        tool_calls: The tool calls, or None where they were not recorded.
    """

    adapter: Hashable = None
    group_index: int | str | None = None
    rollout_id: int | str | None = None
    turn: int | None = None
    reward: float | None = None
    tool_calls: Sequence[object] | None = None


TURNS: Final[Mapping[str, Pipeline[TurnSample]]] = {
    # How much a rollout's reward moves between its turns.
    "reward_spread_over_turns": (
        over(TurnSample)
        .value(Reward())
        .within(AdapterScoped[TurnSample](Turn()), Mean())
        .within(AdapterScoped[TurnSample](Rollout()), Spread())
        .across(Mean())
    ),
    "tool_calls_per_turn": (
        over(TurnSample)
        .value(ToolCalls())
        .within(AdapterScoped[TurnSample](Turn()), Mean())
        .across(Mean())
    ),
}
"""The metrics that `pipelines = ["turns"]` stands for."""
