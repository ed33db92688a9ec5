"""`keyfold explain`: where a metric's number comes from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Final

from cyclopts import Parameter

from keyfold import DataError, UsageError
from keyfold.explain import Explanation, explain
from keyfold_contrib.cli._metrics import job_of
from keyfold_contrib.cli._options import (
    ConfigOption,
    FieldOption,
    FormatOption,
    PathsArgument,
    RewardKeyOption,
    SkipBadOption,
    StepOption,
)
from keyfold_contrib.cli._steps import Steps, steps_of
from keyfold_contrib.cli._tables import Block, Column, Grid, Heading, number, show
from keyfold_contrib.cli._text import count_of
from keyfold_contrib.partial_files import Step

__all__ = ["EXPLAIN_EXAMPLES", "explain_command"]

EXPLAIN_EXAMPLES: Final = (
    "  keyfold explain dumps/step_3.jsonl --metric episode_raw_reward",
)

_MOST_PLACES: Final = 5


def explain_command(
    *paths: PathsArgument,
    metric: Annotated[str, Parameter(help="The metric to explain.")],
    top: Annotated[int, Parameter(help="How many units to show.")] = 10,
    config: ConfigOption = None,
    reward_key: RewardKeyOption = None,
    field: FieldOption = None,
    step: StepOption = None,
    format_name: FormatOption = None,
    skip_bad: SkipBadOption = False,
) -> None:
    """Print where a metric's number comes from, step by step.

    That is the metric's declaration, the units with most samples, which strategy keyed
    how many samples, and which samples were skipped and why.
    """
    if not paths:
        raise UsageError(
            "explain needs at least one file, directory or pattern",
            hint="keyfold explain rollouts.jsonl --metric episode_raw_reward",
        )
    if top < 1:
        raise UsageError(f"--top expects at least 1, found {top}")
    job = job_of(
        config=config,
        metrics=[metric],
        by=None,
        reward_key=reward_key,
        fields=field or (),
        step=step,
        format_name=format_name,
        skip_bad=skip_bad,
    )
    steps = steps_of(job, paths)
    blocks: list[Block] = []
    for name, samples in steps.samples.items():
        try:
            explanation = explain(samples, job.pipelines[metric], name=metric)
        except DataError as error:
            raise steps.located(error, name) from error
        if blocks:
            blocks.append(Heading(""))
        blocks += _explained(explanation, steps, name, top)
    show(blocks)


def _explained(
    explanation: Explanation, steps: Steps, step: Step, top: int
) -> list[Block]:
    name = explanation.metric
    title = name if step is None else f"{name}, step {step}"
    numbers: list[str] = []
    for entry, outcome in explanation.report.outcomes.items():
        line = f"{entry} = {number(outcome.value)}, from {outcome.used} of "
        line += count_of(outcome.samples, "sample")
        if explanation.units:
            line += f" in {count_of(outcome.units, 'unit')}"
        numbers.append(line)
    blocks: list[Block] = [
        Heading(title, explanation.declaration),
        Heading("Numbers", numbers),
    ]
    if explanation.units:
        shown, units = min(top, len(explanation.units)), len(explanation.units)
        what = f"{shown} of {units} units" if shown < units else f"all {units} units"
        blocks += [
            Heading(f"Units with most samples ({what})"),
            _heaviest(explanation, top),
        ]
    blocks += _places("Keyed by", explanation.keyed, steps, step)
    blocks += _places("Skipped", _by_reason(explanation), steps, step)
    return blocks


def _heaviest(explanation: Explanation, top: int) -> Grid:
    total = sum(unit.samples for unit in explanation.units)
    columns = [Column(title) for title in ("samples", "share", "used", "value")]
    grid = Grid([*columns, Column("unit", "text")])
    for unit in explanation.units[:top]:
        share = f"{unit.samples / total:.1%}"
        counts = [str(unit.samples), share, str(unit.used), number(unit.value)]
        grid.rows.append([*counts, unit.label])
    return grid


def _by_reason(explanation: Explanation) -> Mapping[str, Sequence[int]]:
    reasons: dict[str, list[int]] = {}
    for one in explanation.skipped:
        reasons.setdefault(one.reason, []).append(one.position)
    return reasons


def _places(
    title: str, positions: Mapping[str, Sequence[int]], steps: Steps, step: Step
) -> list[Block]:
    # Where most samples are alike, saying where they stand would tell nobody anything.
    everywhere = sum(map(len, positions.values())) / 2
    lines: list[str] = []
    for what, found in positions.items():
        line = f"{what}: {count_of(len(found), 'sample')}"
        if title == "Skipped" or len(found) < everywhere:
            more = len(found) - _MOST_PLACES
            rest = f" and {more} more" if more > 0 else ""
            line += f", at {steps.places(step, found[:_MOST_PLACES])}{rest}"
        lines.append(line)
    return [Heading(title, lines)] if lines else []
