"""Key strategies: which unit a sample belongs to."""

from __future__ import annotations

from keyfold_strategies.keys.adapter import Adapter
from keyfold_strategies.keys.adapter_scoped import AdapterScoped
from keyfold_strategies.keys.field import FieldKey
from keyfold_strategies.keys.first_of import FirstOf
from keyfold_strategies.keys.group import Group
from keyfold_strategies.keys.position import Position
from keyfold_strategies.keys.rollout import Rollout
from keyfold_strategies.keys.sample_index import SampleIndex
from keyfold_strategies.keys.scoped import Scoped

__all__ = [
    "Adapter",
    "AdapterScoped",
    "FieldKey",
    "FirstOf",
    "Group",
    "Position",
    "Rollout",
    "SampleIndex",
    "Scoped",
]
