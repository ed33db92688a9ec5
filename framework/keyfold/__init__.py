"""Rollout metrics with a declared unit of analysis.

A metric is a value, one or more levels of a key strategy and a reducer, and a reducer
across what is left:

    from keyfold import compute, over
    from keyfold_strategies import Mean, RawReward, Rollout, Sample

    reward = over(Sample).value(RawReward()).within(Rollout(), Mean()).across(Mean())
    report = compute(samples, {"reward": reward})
    report["reward"], report.outcome("reward").units

`keyfold.contracts` has what a plugin must offer, `keyfold.authoring` and
`keyfold.exact` what it can build on, and `keyfold.errors` every error.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from keyfold._compute import compute
from keyfold._load import load
from keyfold._version import __version__
from keyfold.contracts import KeyStrategy, Reader, Reducer, Selection, Value
from keyfold.errors import DataError, KeyfoldError, UsageError
from keyfold.pipeline import Pipeline, over
from keyfold.planned import Planned
from keyfold.report import Outcome, Report

if TYPE_CHECKING:
    from keyfold.partials import Partial, merge, partial
    from keyfold.series import Ema, Window
    from keyfold.session import Session

__all__ = [
    "DataError",
    "Ema",
    "KeyStrategy",
    "KeyfoldError",
    "Outcome",
    "Partial",
    "Pipeline",
    "Planned",
    "Reader",
    "Reducer",
    "Report",
    "Selection",
    "Session",
    "UsageError",
    "Value",
    "Window",
    "__version__",
    "compute",
    "load",
    "merge",
    "over",
    "partial",
]

# Slow to import, and a program that computes each batch by itself needs none of it.
_LATER: Final = {
    "Ema": "keyfold.series",
    "Partial": "keyfold.partials",
    "Session": "keyfold.session",
    "Window": "keyfold.series",
    "merge": "keyfold.partials",
    "partial": "keyfold.partials",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(_LATER[name]), name)
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
