"""Pipelines that are planned once and computed often."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from keyfold._plan import Plan, plan_of
from keyfold.pipeline import Pipeline

__all__ = ["Planned"]


@attrs.frozen(order=False, eq=False)
class Planned(Mapping[str, Pipeline[Any]]):
    """Named pipelines that were planned once, to be computed often.

    `compute` takes any mapping of names to pipelines. This one keeps its plan, so that
    a trainer pays for planning once and not in each step.
    """

    pipelines: Mapping[str, Pipeline[Any]]
    plan: Plan = attrs.field(
        init=False,
        repr=False,
        default=attrs.Factory(lambda self: plan_of(self.pipelines), takes_self=True),
    )

    def __getitem__(self, name: str) -> Pipeline[Any]:
        return self.pipelines[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.pipelines)

    def __len__(self) -> int:
        return len(self.pipelines)
