"""`keyfold report`: the metrics of a dump, step by step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Final

from cyclopts import Parameter

from keyfold import DataError, Report, UsageError, compute
from keyfold.planned import Planned
from keyfold_contrib.cli._metrics import job_of
from keyfold_contrib.cli._notes import note
from keyfold_contrib.cli._options import (
    ConfigOption,
    FieldOption,
    FormatOption,
    PathsArgument,
    RewardKeyOption,
    SkipBadOption,
    StepOption,
)
from keyfold_contrib.cli._output import print_csv, print_json, print_tables
from keyfold_contrib.cli._steps import Step, steps_of
from keyfold_contrib.cli._text import count_of

__all__ = ["REPORT_EXAMPLES", "report_command"]

REPORT_EXAMPLES: Final = (
    "  keyfold report dumps/ --by adapter",
    '  keyfold report "runs/*/step_*.jsonl" --step @file --csv',
    "  keyfold report evals.jsonl --field rollout_id=sample_uid --config keyfold.toml",
)


def report_command(
    *paths: PathsArgument,
    by: Annotated[
        str | None,
        Parameter(
            help="Also break each metric down by a key, such as adapter or "
            "'field(\"status\")', instead of the one that it may declare."
        ),
    ] = None,
    metric: Annotated[
        list[str] | None,
        Parameter(negative=(), help="Only this metric. May be given several times."),
    ] = None,
    config: ConfigOption = None,
    reward_key: RewardKeyOption = None,
    field: FieldOption = None,
    step: StepOption = None,
    format_name: FormatOption = None,
    skip_bad: SkipBadOption = False,
    json: Annotated[
        bool,
        Parameter(
            negative=(), show_default=False, help="Print JSON instead of tables."
        ),
    ] = False,
    csv: Annotated[
        bool,
        Parameter(
            negative=(),
            show_default=False,
            help="Print CSV, one row for each step and number.",
        ),
    ] = False,
) -> None:
    """Print the metrics of dumps, and what each of them counted.

    There is one row a step. Without a configuration the metrics are
    num_training_samples and episode_raw_reward: the mean over rollouts of the mean raw
    reward within each rollout, adapters kept apart.
    """
    if json and csv:
        raise UsageError("--json and --csv exclude each other")
    if not paths:
        raise UsageError(
            "report needs at least one file, directory or pattern",
            hint="keyfold report rollouts.jsonl",
        )
    job = job_of(
        config=config,
        metrics=metric or (),
        by=by,
        reward_key=reward_key,
        fields=field or (),
        step=step,
        format_name=format_name,
        skip_bad=skip_bad,
    )
    steps = steps_of(job, paths)
    planned = Planned(job.pipelines)
    hooks = job.catalog.hooks
    reports: dict[Step, Report] = {}
    for name, samples in steps.samples.items():
        try:
            reports[name] = compute(samples, planned)
        except DataError as error:
            located = steps.located(error, name)
            hooks.keyfold_error(error=located)
            raise located from error
        hooks.keyfold_report_made(report=reports[name], pipelines=planned)
    _note_unusable(reports, job.pipelines)
    if json:
        print_json(reports, steps.bad)
    elif csv:
        print_csv(reports)
    else:
        print_tables(reports, job.pipelines)


def _note_unusable(reports: Mapping[Step, Report], metrics: Iterable[str]) -> None:
    # A metric that nothing went into is most likely not what was meant, and the value
    # that its pipeline declares for that case looks like any other.
    for name in metrics:
        found = [it.outcomes[name] for it in reports.values() if name in it.outcomes]
        missing = sum(outcome.missing for outcome in found)
        rejected = sum(outcome.rejected for outcome in found)
        if any(outcome.used for outcome in found):
            continue
        if rejected:
            note(
                f"{name} used no sample at all: the value of "
                f"{count_of(rejected, 'sample')} is no number; if rewards are "
                "mappings, --reward-key KEY takes one entry of them"
            )
        elif missing:
            note(
                f"{name} used no sample at all: {count_of(missing, 'sample')} without "
                "a value; --field FIELD=SOURCE says where the file has a field"
            )
