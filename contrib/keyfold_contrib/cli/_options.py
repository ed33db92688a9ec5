"""The options that several commands share, with their help."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

from cyclopts import Parameter

__all__ = [
    "ConfigOption",
    "FieldOption",
    "FormatOption",
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
ConfigOption: TypeAlias = Annotated[
    Path | None,
    Parameter(
        name="--config",
        help="A keyfold.toml, or a pyproject.toml with a table tool.keyfold. None is "
        "looked for by itself.",
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
