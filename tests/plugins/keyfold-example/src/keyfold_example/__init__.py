"""Turns of multi-turn rollouts, for keyfold."""

from __future__ import annotations

from keyfold_example.pipelines import TURNS, TurnSample
from keyfold_example.spread import Spread
from keyfold_example.tool_calls import ToolCalls
from keyfold_example.turn import Turn

__all__ = ["TURNS", "Spread", "ToolCalls", "Turn", "TurnSample"]
