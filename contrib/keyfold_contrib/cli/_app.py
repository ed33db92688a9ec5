"""The commands, and what a failure of one looks like."""

from __future__ import annotations

import inspect
import io
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final, NoReturn

from cyclopts import App, CycloptsError

from keyfold import DataError, KeyfoldError, __version__
from keyfold_contrib.cli._check.command import CHECK_EXAMPLES, check_command
from keyfold_contrib.cli._explain import EXPLAIN_EXAMPLES, explain_command
from keyfold_contrib.cli._new.command import NEW_EXAMPLES, new_command
from keyfold_contrib.cli._notes import complain
from keyfold_contrib.cli._partials.merge import MERGE_EXAMPLES, merge_command
from keyfold_contrib.cli._partials.partial import PARTIAL_EXAMPLES, partial_command
from keyfold_contrib.cli._plugins import PLUGINS_EXAMPLES, plugins_command
from keyfold_contrib.cli._report import REPORT_EXAMPLES, report_command

__all__ = ["app", "main"]

DATA_ERROR: Final = 1
USAGE_ERROR: Final = 2
DEFECT: Final = 70  # EX_SOFTWARE: neither the data nor the command is to blame
INTERRUPTED: Final = 130  # what shells give a program that Ctrl-C ended
_TRACEBACK: Final = "--traceback"

_EXIT_CODES: Final = (
    "Exit codes: 0 all went well; 1 the data is not what a metric needs, or a check "
    "failed; 2 the command, the configuration or a plugin is not what it should be. "
    f"{_TRACEBACK} shows where in the code an error arose."
)

app = App(
    name="keyfold",
    version=__version__,
    help="Rollout metrics with a declared unit of analysis.",
    help_format="plaintext",
    help_epilogue=_EXIT_CODES,
    suppress_keyboard_interrupt=False,
)


def _add(
    command: Callable[..., int | None], name: str, examples: Sequence[str]
) -> None:
    paragraphs = inspect.cleandoc(command.__doc__ or "").split("\n\n")
    app.command(
        command,
        name=name,
        help="\n\n".join(" ".join(each.splitlines()) for each in paragraphs),
        help_epilogue="\n".join(["Examples:", *examples, "", _EXIT_CODES]),
        sort_key=len(list(app)),  # as they stand below
    )


_add(report_command, "report", REPORT_EXAMPLES)
_add(explain_command, "explain", EXPLAIN_EXAMPLES)
_add(partial_command, "partial", PARTIAL_EXAMPLES)
_add(merge_command, "merge", MERGE_EXAMPLES)
_add(plugins_command, "plugins", PLUGINS_EXAMPLES)
_add(check_command, "check", CHECK_EXAMPLES)
_add(new_command, "new", NEW_EXAMPLES)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run a command line, and exit with its code.

    Args:
        arguments: The words after `keyfold`; None takes them from the process.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    show_traceback = _TRACEBACK in words
    words = [word for word in words if word != _TRACEBACK]
    _print_whatever_comes()
    sys.exit(_run(words, show_traceback=show_traceback))


def _run(words: Sequence[str], *, show_traceback: bool) -> int:
    try:
        code: object = app(
            words, exit_on_error=False, print_error=False, result_action="return_value"
        )
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read the output has seen enough, as `keyfold report … | head` does.
        _discard_output()
        return 0
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:  # noqa: BLE001 - a person reads it
        if show_traceback:
            traceback.print_exc()
        message, failure = _explained(error)
        complain(message)
        return failure
    return code if isinstance(code, int) else 0


def _explained(error: Exception) -> tuple[str, int]:
    if isinstance(error, CycloptsError):
        return f"{error}\nHint: --help lists what there is", USAGE_ERROR
    if isinstance(error, KeyfoldError):
        return str(error), DATA_ERROR if isinstance(error, DataError) else USAGE_ERROR
    if isinstance(error, OSError) and error.strerror:
        where = "" if error.filename is None else f"{error.filename}: "
        return f"{where}{error.strerror}", DATA_ERROR
    # Notes say in which hook of which plugin it arose.
    told = [*getattr(error, "__notes__", ()), f"{type(error).__name__}: {error}"]
    hint = f"Hint: {_TRACEBACK} shows where in the code it arose"
    return f"a defect of keyfold or of a plugin: {': '.join(told)}\n{hint}", DEFECT


def _print_whatever_comes() -> None:
    # A label that the terminal's encoding lacks is no reason to withhold the numbers.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _discard_output() -> None:
    # Python flushes standard output once more as it exits.
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
