"""`keyfold check`: whether a plugin keeps the rules of its kind."""

from __future__ import annotations

from typing import Annotated, Final

from cyclopts import Parameter

from keyfold import UsageError
from keyfold_contrib.cli._check.kind import CheckedKind
from keyfold_contrib.cli._options import FormatOption, JsonOption

__all__ = ["CHECK_EXAMPLES", "check_command"]

CHECK_EXAMPLES: Final = (
    "  keyfold check keyfold-acme",
    "  keyfold check acme.keys:Turn --samples dumps/step_000.jsonl",
    "  keyfold check 'adapter_scoped(rollout)'",
)

_FAILED: Final = 1


def check_command(
    target: Annotated[
        str,
        Parameter(
            help="An installed distribution, module:object, or the name of a plugin, "
            "with arguments if it needs any."
        ),
    ],
    /,
    *,
    kind: Annotated[
        CheckedKind | None,
        Parameter(
            name="--kind",
            help="What the target is, where its name or its methods leave that open.",
        ),
    ] = None,
    samples: Annotated[
        list[str] | None,
        Parameter(
            name="--samples",
            negative=(),
            help="Check on samples of this dump, instead of some that keyfold makes: a "
            "file, directory or pattern. May be given several times.",
        ),
    ] = None,
    format_name: FormatOption = None,
    expect_failure: Annotated[
        list[str] | None,
        Parameter(
            name=("--expect-failure", "-X"),
            negative=(),
            help="A check that may fail, as NAME=REASON, or PLUGIN:NAME=REASON for one "
            "plugin. It is an error if it passes. May be given several times.",
        ),
    ] = None,
    json: JsonOption = False,
) -> int:
    """Check that plugins keep the rules of their kind, and print what came of it.

    The checks are those of keyfold.testing. Of a distribution, its entry points are
    checked, and then each plugin that needs no arguments. The exit code is 1 if a check
    failed.
    """
    # The other commands start sooner without what only this one needs.
    from keyfold_contrib.cli._check.expected import expected_of  # noqa: PLC0415
    from keyfold_contrib.cli._check.output import (  # noqa: PLC0415
        failed,
        print_json,
        print_tables,
    )
    from keyfold_contrib.cli._check.sections import sections_of  # noqa: PLC0415

    expected = expected_of(expect_failure or ())
    if format_name is not None and not samples:
        raise UsageError("--format says how --samples are read, and there are none")
    sections = sections_of(
        target, kind, expected, paths=samples or (), format_name=format_name
    )
    expected.refuse_unknown()
    if json:
        print_json(target, sections)
    else:
        print_tables(sections)
    return _FAILED if failed(sections) else 0
