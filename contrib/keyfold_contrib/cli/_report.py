"""`keyfold report`: the metrics of a dump, step by step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from keyfold import DataError, Pipeline, Report, UsageError, compute
from keyfold.hooks import Hooks
from keyfold.planned import Planned
from keyfold_contrib.cli._checks import note_unusable
from keyfold_contrib.cli._lifecycle import print_additions, tell_of_report
from keyfold_contrib.cli._metrics import job_of
from keyfold_contrib.cli._options import (
    ByOption,
    ConfigOption,
    CsvOption,
    FieldOption,
    FormatOption,
    JsonOption,
    MetricOption,
    PathsArgument,
    RewardKeyOption,
    SkipBadOption,
    StepOption,
)
from keyfold_contrib.cli._output import form_of, print_reports
from keyfold_contrib.cli._partials.paths import names_partials, refuse_options
from keyfold_contrib.cli._partials.report import report_merged
from keyfold_contrib.cli._steps import Steps, steps_of
from keyfold_contrib.partial_files import Step

__all__ = ["REPORT_EXAMPLES", "report_command"]

REPORT_EXAMPLES: Final = (
    "  keyfold report dumps/ --by adapter",
    '  keyfold report "runs/*/step_*.jsonl" --step @file --csv',
    "  keyfold report evals.jsonl --field rollout_id=sample_uid --config keyfold.toml",
    "  keyfold report shard-0.partials shard-1.partials",
)


def report_command(
    *paths: PathsArgument,
    by: ByOption = None,
    metric: MetricOption = None,
    config: ConfigOption = None,
    reward_key: RewardKeyOption = None,
    field: FieldOption = None,
    step: StepOption = None,
    format_name: FormatOption = None,
    skip_bad: SkipBadOption = False,
    json: JsonOption = False,
    csv: CsvOption = False,
) -> None:
    """Print the metrics of dumps, and what each of them counted.

    There is one row a step. Without a configuration the metrics are
    num_training_samples and episode_raw_reward: the mean over rollouts of the mean raw
    reward within each rollout, adapters kept apart.

    The files may also be what 'keyfold partial' wrote. They have their metrics, and
    several of them are merged.
    """
    form = form_of(json=json, csv=csv)
    if not paths:
        raise UsageError(
            "report needs at least one file, directory or pattern",
            hint="keyfold report rollouts.jsonl",
        )
    partial_file = names_partials(paths)
    if partial_file is not None:
        refuse_options(
            partial_file,
            {
                "--by": by,
                "--reward-key": reward_key,
                "--field": field,
                "--step": step,
                "--format": format_name,
                "--skip-bad": skip_bad,
            },
        )
        report_merged(paths, form, config=config, metrics=metric or ())
        return
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
    reports = _reports(steps, job.pipelines, job.catalog.hooks)
    note_unusable(reports.values(), job.pipelines)
    print_reports(form, reports, job.pipelines, steps.bad)
    if form == "tables":
        print_additions(job.catalog.hooks, reports, job.pipelines)


def _reports(
    steps: Steps, pipelines: Mapping[str, Pipeline[Any]], hooks: Hooks
) -> Mapping[Step, Report]:
    planned = Planned(pipelines)
    reports: dict[Step, Report] = {}
    for step, samples in steps.samples.items():
        hooks.keyfold_report_starting(pipelines=planned, step=step)
        try:
            reports[step] = compute(samples, planned)
        except DataError as error:
            located = steps.located(error, step)
            hooks.keyfold_error(error=located)
            raise located from error
        tell_of_report(hooks, reports[step], planned, step)
    return reports
