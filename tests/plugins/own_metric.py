"""A metric of a user of both distributions; it must pass as it is."""

from __future__ import annotations

from dataclasses import dataclass

from keyfold import compute, over
from keyfold_example import TURNS, Spread, ToolCalls, Turn, TurnSample
from keyfold_strategies import Mean, Min, Reward


@dataclass
class Step:
    group_index: int
    rollout_id: int
    turn: int
    reward: float


metric = over(Step).value(Reward()).within(Turn(), Spread()).across(Mean())
steps = [Step(0, 0, 0, 1.0), Step(0, 0, 0, 0.25)]
spread: float = compute(steps, {"spread": metric})["spread"]
sample = TurnSample(rollout_id=0, turn=0, tool_calls=["search", "read"])
calls: float = compute([sample], TURNS)["tool_calls_per_turn"]
fewest = over(TurnSample).value(ToolCalls()).across(Min())
print(spread, calls, compute([sample], {"fewest": fewest})["fewest"])
