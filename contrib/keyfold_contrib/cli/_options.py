"""The options that several commands share, with their help."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

from cyclopts import Parameter

__all__ = [
    "ByOption",
    "ConfigOption",
    "CsvOption",
    "FieldOption",
    "FormatOption",
    "JsonOption",
    "MetricOption",
    "PathsArgument",
    "RewardKeyOption",
    "SkipBadOption",
    "StepOption",
]

PathsArgument: TypeAlias = Annotated[
    str,
    Parameter(
        help="Files, directories (the files of a known format in and below them), or "
        "quoted patterns such as 'runs/**/*.jsonl'."
    ),
]
ByOption: TypeAlias = Annotated[
    str | None,
    Parameter(
        name="--by",
        help="Also break each metric down by a key, such as adapter or "
        "'field(\"status\")', instead of the one that it may declare.",
    ),
]
ConfigOption: TypeAlias = Annotated[
    Path | None,
    Parameter(
        name="--config",
        help="A keyfold.toml, or a pyproject.toml with a table tool.keyfold. None is "
        "looked for by itself.",
    ),
]
CsvOption: TypeAlias = Annotated[
    bool,
    Parameter(
        name="--csv",
        negative=(),
        show_default=False,
        help="Print CSV, one row for each step and number.",
    ),
]
FieldOption: TypeAlias = Annotated[
    list[str] | None,
    Parameter(
        name="--field",
        negative=(),
        help="Where the file has a sample field, as FIELD=SOURCE. The source is a key, "
        "a dotted path, @file (the file's name) or @line. May be given several times.",
    ),
]
FormatOption: TypeAlias = Annotated[
    str | None,
    Parameter(
        name="--format",
        help="The only reader to use, such as jsonl; otherwise each file's content "
        "decides. 'keyfold plugins' lists them.",
    ),
]
JsonOption: TypeAlias = Annotated[
    bool,
    Parameter(
        name="--json",
        negative=(),
        show_default=False,
        help="Print JSON instead of tables.",
    ),
]
MetricOption: TypeAlias = Annotated[
    list[str] | None,
    Parameter(
        name="--metric",
        negative=(),
        help="Only this metric. May be given several times.",
    ),
]
RewardKeyOption: TypeAlias = Annotated[
    str | None,
    Parameter(
        name="--reward-key",
        help="Which entry to take where rewards are mappings of named rewards.",
    ),
]
SkipBadOption: TypeAlias = Annotated[
    bool,
    Parameter(
        name="--skip-bad",
        negative=(),
        show_default=False,
        help="Pass over broken records, and say how many.",
    ),
]
StepOption: TypeAlias = Annotated[
    str | None,
    Parameter(
        name="--step",
        help="Where the file has the step, if not in a key step; @file makes each file "
        "a step.",
    ),
]
