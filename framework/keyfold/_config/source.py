"""A configuration's text: from a file, a pyproject, or a mapping."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import attrs

from keyfold._config.shapes import is_table
from keyfold._config.wording import found
from keyfold.errors import ConfigError, ConfigProblem

__all__ = ["Source", "open_source"]

_PYPROJECT: Final = "pyproject.toml"
_WHERE: Final = re.compile(r"^(?P<what>.*) \((?P<where>at [^()]*)\)$", re.DOTALL)


@attrs.frozen(order=False, eq=False)
class Source:
    """A configuration as it was found.

    Attributes:
        name: How errors name it: the path of the file.
        document: The whole file.
        path: The path of keyfold's table in the file; empty where it is all of it.
        table: Keyfold's table.
    """

    name: str
    document: Mapping[str, object]
    path: str
    table: Mapping[str, object]


def open_source(config: object) -> Source:
    """Return a configuration from a path, or from a mapping of the TOML's shape.

    Raises:
        ConfigError: It is neither, the file can't be read, or it is not TOML.
    """
    if is_table(config):
        whole = _named(config)
        return Source("the configuration", whole, "", whole)
    if not isinstance(config, str | Path):
        raise _error(
            "the configuration",
            "configuration",
            "a path or a mapping",
            found(config),
        )
    path = Path(config)
    document = _parsed(path, _text(path))
    if path.name != _PYPROJECT:
        return Source(str(path), document, "", document)
    tool = document.get("tool")
    table = tool.get("keyfold") if is_table(tool) else None
    if table is None:
        raise _error(
            str(path),
            "tool.keyfold",
            "a table",
            "no such table",
            hint="write [tool.keyfold.metrics.my_metric], or name a keyfold.toml",
        )
    if not is_table(table):
        raise _error(str(path), "tool.keyfold", "a table", found(table))
    return Source(str(path), document, "tool.keyfold", _named(table))


def _named(table: Mapping[object, object]) -> Mapping[str, object]:
    return {str(key): value for key, value in table.items()}


def _text(path: Path) -> str:
    expected = "a TOML file"
    try:
        return path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError as error:
        raise _error(str(path), "file", expected, "no such file") from error
    except IsADirectoryError as error:
        hint = f"name a file in it, such as {path / 'keyfold.toml'}"
        raise _error(str(path), "file", expected, "a directory", hint=hint) from error
    except UnicodeDecodeError as error:
        place = _line(error.object[: error.start])
        byte = f"the byte 0x{error.object[error.start]:02x}"
        raise _error(str(path), place, "text in UTF-8", byte) from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        what = f"a file that can't be read: {reason}"
        raise _error(str(path), "file", expected, what) from error


def _line(before: bytes) -> str:
    lines = before.count(b"\n") + 1
    return f"line {lines}"


def _parsed(path: Path, text: str) -> Mapping[str, object]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        match = _WHERE.match(str(error))
        what, where = (match["what"], match["where"]) if match else (str(error), "")
        key = where.removeprefix("at ") or "file"
        raise _error(str(path), key, "valid TOML", _lowered(what)) from error
    # Deep nesting, and an integer of thousands of digits, end the parser this way.
    except (RecursionError, ValueError) as error:
        raise _error(str(path), "file", "valid TOML", _lowered(str(error))) from error


def _lowered(text: str) -> str:
    return text[:1].lower() + text[1:]


def _error(
    source: str, key: str, expected: str, what: str, *, hint: str | None = None
) -> ConfigError:
    problem = ConfigProblem(key, expected=expected, found=what, hint=hint)
    return ConfigError(source, [problem])
