"""Asking a fresh process, as another worker or machine would be."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from base64 import b64decode
from collections.abc import Mapping, Sequence
from pickle import dumps, loads
from typing import Any, Final

from keyfold.errors import ContractError

__all__ = ["answers_elsewhere", "imports_of"]

_START: Final = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from keyfold._testing import child; child."
)
# Several: a set of two words has the same order under every second seed.
_SEEDS: Final = ("1", "2", "3")


def answers_elsewhere(kind: str, subject: object, samples: Sequence[Any]) -> list[Any]:
    """Return what a plugin answers in other processes, under other hash seeds.

    Args:
        kind: The kind of the plugin.
        subject: The plugin; it and the samples are pickled.
        samples: The samples.

    Returns:
        For each process, `("answers", list)` or `("error", text, missing module)`.
    """
    payload = dumps((kind, subject, samples))
    running = [_started("answer()", {"PYTHONHASHSEED": seed}) for seed in _SEEDS]
    found = [_output_of(process, payload) for process in running]
    # The bytes are those that our own child wrote.
    return [loads(b64decode(text)) for text in found]  # noqa: S301


def imports_of(
    modules: Sequence[str], heavy: Sequence[str]
) -> Mapping[str, Mapping[str, Any]]:
    """Return what each module loads when a fresh process imports it.

    Returns:
        For each module, `loaded` with those of `heavy` that came with it, or `error`
        with a text and `missing`, the module that was not found, if that is why.
    """
    process = _started("imports()", {})
    text = _output_of(process, json.dumps([list(modules), list(heavy)]).encode())
    found: Mapping[str, Mapping[str, Any]] = json.loads(text)
    return found


def _started(call: str, settings: Mapping[str, str]) -> subprocess.Popen[bytes]:
    path = json.dumps([folder or str(os.getcwd()) for folder in sys.path])  # noqa: PTH109
    # The program is this Python, and the code is ours.
    return subprocess.Popen(  # noqa: S603
        [sys.executable, "-c", _START + call, path],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, **settings},
    )


def _output_of(process: subprocess.Popen[bytes], payload: bytes) -> str:
    output, errors = process.communicate(payload)
    if process.returncode:
        last = errors.decode(errors="replace").strip().splitlines()[-1:]
        raise ContractError(
            f"ended a fresh process with {process.returncode}: {' '.join(last)}",
            hint="a module that is imported must not end the process",
        )
    # A plugin that prints, prints before.
    return output.decode(errors="replace").strip().splitlines()[-1]
