"""`keyfold merge`: the partial files of several shards, as one or as a report."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

from cyclopts import Parameter

from keyfold import UsageError
from keyfold_contrib.cli._options import ConfigOption, CsvOption, JsonOption
from keyfold_contrib.cli._output import form_of
from keyfold_contrib.cli._partials.merging import merged_from
from keyfold_contrib.cli._partials.report import report_merged
from keyfold_contrib.cli._partials.written import OutputParameter, write
from keyfold_contrib.partial_files import check_target

__all__ = ["MERGE_EXAMPLES", "merge_command"]

MERGE_EXAMPLES: Final = (
    "  keyfold merge shard-0.partials shard-1.partials",
    "  keyfold merge shards/ -o all.partials",
)


def merge_command(
    *paths: Annotated[
        str,
        Parameter(
            help="Partial files, directories (the partial files in and below them), or "
            "quoted patterns."
        ),
    ],
    output: Annotated[Path | None, OutputParameter] = None,
    config: ConfigOption = None,
    json: JsonOption = False,
    csv: CsvOption = False,
) -> None:
    """Merge the partial files of different shards, step by step.

    The order of the files changes nothing, and a step may be in some of them only.
    With --output the merged file is written, to be merged further or reported on;
    without it, its report is printed.
    """
    form = form_of(json=json, csv=csv)
    if not paths:
        raise UsageError(
            "merge needs at least one partial file, directory or pattern",
            hint="keyfold merge shard-0.partials shard-1.partials",
        )
    if output is None:
        report_merged(paths, form, config=config)
        return
    if form != "tables":
        raise UsageError(
            f"--output and --{form} exclude each other: the merged file is written, or "
            "its report is printed",
            hint=f"keyfold report {output} --{form} prints the report afterwards",
        )
    check_target(output)
    write(output, merged_from(paths, config).partials)
