"""What runs in the fresh process that `process` starts."""

from __future__ import annotations

import json
import sys
from base64 import b64encode
from importlib import import_module
from pickle import dumps, loads
from typing import Any

from keyfold._testing.roles import ROLES

__all__ = ["answer", "imports"]


def answer() -> None:
    """Print what a pickled plugin answers on pickled samples."""
    data = sys.stdin.buffer.read()
    found: tuple[Any, ...]
    try:
        # The bytes come from the process that started this one.
        kind, subject, samples = loads(data)  # noqa: S301
        role = ROLES[kind]
        answers = [role.ask(subject, it, place) for place, it in enumerate(samples)]
        found = ("answers", answers)
        text = dumps(found)
    # Told to the other process, which judges it.
    except Exception as error:  # noqa: BLE001
        text = dumps(("error", *_told(error)))
    print(b64encode(text).decode())  # noqa: T201 - the other process reads it


def imports() -> None:
    """Print which heavy modules come with each of some modules."""
    modules, heavy = json.load(sys.stdin)
    found: dict[str, Any] = {}
    for module in modules:
        before = set(sys.modules)
        try:
            import_module(module)
        # Told to the other process, which judges it.
        except (Exception, SystemExit) as error:  # noqa: BLE001
            text, missing = _told(error)
            found[module] = {"error": text, "missing": missing}
            continue
        found[module] = {
            "loaded": [it for it in heavy if it in {*sys.modules} - before]
        }
    print(json.dumps(found))  # noqa: T201 - the other process reads it


def _told(error: BaseException) -> tuple[str, str | None]:
    missing = error.name if isinstance(error, ModuleNotFoundError) else None
    return f"{type(error).__name__}: {error}", missing
