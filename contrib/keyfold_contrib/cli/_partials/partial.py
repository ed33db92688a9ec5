"""`keyfold partial`: what the dumps of one shard contribute, as a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

from cyclopts import Parameter

from keyfold import DataError, Partial, Planned, UsageError, partial
from keyfold_contrib.cli._metrics import job_of
from keyfold_contrib.cli._options import (
    ByOption,
    ConfigOption,
    FieldOption,
    FormatOption,
    MetricOption,
    PathsArgument,
    RewardKeyOption,
    SkipBadOption,
    StepOption,
)
from keyfold_contrib.cli._partials.written import OutputParameter, write
from keyfold_contrib.cli._steps import steps_of
from keyfold_contrib.partial_files import Step, check_target

__all__ = ["PARTIAL_EXAMPLES", "partial_command"]

PARTIAL_EXAMPLES: Final = (
    "  keyfold partial node3/dumps/ -o shard-3.partials --shard 3",
    "  keyfold report shard-*.partials",
)


def partial_command(
    *paths: PathsArgument,
    output: Annotated[Path, OutputParameter],
    shard: Annotated[
        int,
        Parameter(
            help="The number of the shard that the dumps are. Files that are merged "
            "have different ones."
        ),
    ] = 0,
    by: ByOption = None,
    metric: MetricOption = None,
    config: ConfigOption = None,
    reward_key: RewardKeyOption = None,
    field: FieldOption = None,
    step: StepOption = None,
    format_name: FormatOption = None,
    skip_bad: SkipBadOption = False,
) -> None:
    """Write what the dumps of one shard contribute to the metrics of each step.

    The file is small, has no sample in it, and is merged with those of other shards by
    'keyfold merge' or 'keyfold report'. The numbers are then those of all dumps
    together, also where a rollout is spread over shards.
    """
    if not paths:
        raise UsageError(
            "partial needs at least one file, directory or pattern",
            hint="keyfold partial dumps/ -o shard-0.partials",
        )
    check_target(output)
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
    planned = Planned(job.pipelines)
    # That the metrics can't be written, or the shard's number is none, is said before
    # much is read.
    partial((), planned, shard=shard).to_bytes()
    steps = steps_of(job, paths)
    partials: dict[Step, Partial] = {}
    for name, samples in steps.samples.items():
        try:
            partials[name] = partial(samples, planned, shard=shard)
        except DataError as error:
            located = steps.located(error, name)
            job.catalog.hooks.keyfold_error(error=located)
            raise located from error
    write(output, partials)
