"""Reducers: how the values of a unit become one."""

from __future__ import annotations

from keyfold_strategies.reducers.count import Count
from keyfold_strategies.reducers.first import First
from keyfold_strategies.reducers.max import Max
from keyfold_strategies.reducers.mean import Mean
from keyfold_strategies.reducers.min import Min
from keyfold_strategies.reducers.same import Same
from keyfold_strategies.reducers.sum import Sum

__all__ = ["Count", "First", "Max", "Mean", "Min", "Same", "Sum"]
