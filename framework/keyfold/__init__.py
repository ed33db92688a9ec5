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

from keyfold._compute import compute
from keyfold._load import load
from keyfold._version import __version__
from keyfold.contracts import KeyStrategy, Reader, Reducer, Selection, Value
from keyfold.errors import DataError, KeyfoldError, UsageError
from keyfold.partials import Partial, merge, partial
from keyfold.pipeline import Pipeline, over
from keyfold.planned import Planned
from keyfold.report import Outcome, Report

__all__ = [
    "DataError",
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
    "UsageError",
    "Value",
    "__version__",
    "compute",
    "load",
    "merge",
    "over",
    "partial",
]
