"""Every error that a user of keyfold can cause.

All derive from `KeyfoldError`. Two families matter to a caller: `DataError` says that
the samples (or the file that holds them) are not what a pipeline needs, and
`UsageError` that a pipeline, a configuration or a plugin is not. The command line
exits with 1 for the first and 2 for the second.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from keyfold._positions import placed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

__all__ = [
    "AbsentMetricError",
    "ArgumentError",
    "ConfigError",
    "ConfigProblem",
    "ContractError",
    "DataError",
    "DisagreementError",
    "InconsistentUnitError",
    "KeyfoldError",
    "LabelClashError",
    "MergeError",
    "PartialFormatError",
    "PluginBlockedError",
    "PluginConflictError",
    "PluginError",
    "PluginLoadError",
    "PortabilityError",
    "ReadError",
    "SampleError",
    "UnknownPluginError",
    "UsageError",
]


class KeyfoldError(Exception):
    """The base of every error that a user of keyfold can cause.

    Attributes:
        message: What was found, where, and what was expected.
        hint: How to mend it, or None where that is not known.
    """

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}\nHint: {self.hint}" if self.hint else self.message

    def __reduce__(self) -> tuple[object, ...]:
        # An exception is pickled as a call of its class with its args, which are not
        # what most of these are made with.
        return _restored, (type(self), self.args, dict(vars(self)))


def _restored(
    kind: type[KeyfoldError], args: tuple[object, ...], state: Mapping[str, object]
) -> KeyfoldError:
    error = kind.__new__(kind, *args)
    vars(error).update(state)
    return error


class DataError(KeyfoldError):
    """The samples, or the file that holds them, are not what a pipeline needs."""


class UsageError(KeyfoldError):
    """A call, a pipeline, a configuration or a plugin is not what keyfold needs."""


class ArgumentError(UsageError, ValueError):
    """A component was made with an argument that it does not take."""


class SampleError(DataError):
    """One sample can't be keyed, selected or valued.

    A plugin raises it without a position, to say what is wrong with the sample that it
    was given; the engine adds where that sample stands.

    Attributes:
        field: The field that was read, or None where no single field is to blame.
        position: The sample's position in its batch, counted from zero, once known.
        shard: The number of the shard that the batch is; 0 where nothing else was said.
    """

    def __init__(
        self,
        message: str,
        *,
        field: str | None = None,
        position: int | None = None,
        hint: str | None = None,
    ) -> None:
        where = "" if position is None else f"{_sample_at(position)}: "
        super().__init__(where + message, hint=hint)
        self.field = field
        self.shard: int
        self.position: int | None
        self.shard, self.position = _placed(position)


class InconsistentUnitError(DataError):
    """One inner unit's samples belong to two units of the level above it.

    Attributes:
        position: The position of the first sample that says otherwise than those before
            it, counted from zero; None where partials say otherwise.
        shard: The number of the shard in which that sample stands.
        shards: The shards of the two sides, where partials say otherwise.
    """

    def __init__(
        self,
        message: str,
        *,
        position: int | None = None,
        shards: tuple[tuple[int, ...], ...] = (),
        hint: str | None = None,
    ) -> None:
        where = "" if position is None else f"{_sample_at(position)}: "
        super().__init__(where + message, hint=hint)
        self.shard: int
        self.position: int | None
        self.shard, self.position = _placed(position)
        self.shards = shards


class DisagreementError(DataError):
    """A reducer that allows one value in a unit met two.

    Attributes:
        values: Two of the values that differ.
    """

    def __init__(
        self, message: str, *, values: tuple[object, object], hint: str | None = None
    ) -> None:
        super().__init__(message, hint=hint)
        self.values = values


class LabelClashError(DataError):
    """Two series of a report would stand under one name."""


class MergeError(DataError):
    """Some partials can't be merged: they do not belong together, or overlap."""


class PartialFormatError(DataError):
    """Some bytes are no partial or series, or a damaged one."""


class PortabilityError(DataError):
    """A key or a state has no meaning outside the process that made it."""


class AbsentMetricError(DataError, KeyError):
    """A report has no number under this name, because nothing was usable."""

    def __str__(self) -> str:
        # KeyError would show the message's repr.
        return KeyfoldError.__str__(self)


class ReadError(DataError):
    """A file can't be read as the dump that it should be.

    Attributes:
        path: The file.
        line: The line, counted from one, or None where the file has no lines.
        column: The byte of the line, counted from one, where it is known.
    """

    def __init__(
        self,
        message: str,
        *,
        path: Path,
        line: int | None = None,
        column: int | None = None,
        hint: str | None = None,
    ) -> None:
        where = ":".join(str(part) for part in (path, line, column) if part is not None)
        super().__init__(f"{where}: {message}", hint=hint)
        self.path = path
        self.line = line
        self.column = column


@attrs.frozen(order=False)
class ConfigProblem:
    """One thing that is wrong in a configuration.

    Attributes:
        key: The dotted path of the key, such as `metrics.reward.levels[0].key`.
        expected: What may stand there.
        found: What stands there.
        hint: How to mend it, or None.
    """

    key: str
    expected: str = attrs.field(kw_only=True)
    found: str = attrs.field(kw_only=True)
    hint: str | None = attrs.field(default=None, kw_only=True)

    def __str__(self) -> str:
        line = f"{self.key}: expected {self.expected}, found {self.found}"
        return f"{line}\n    Hint: {self.hint}" if self.hint else line


class ConfigError(UsageError):
    """A configuration has at least one problem; all of them are reported at once.

    Attributes:
        problems: Every problem, in the order of the file.
    """

    def __init__(self, source: str, problems: Sequence[ConfigProblem]) -> None:
        count = "1 problem" if len(problems) == 1 else f"{len(problems)} problems"
        lines = "".join(f"\n  {problem}" for problem in problems)
        super().__init__(f"{source} has {count}:{lines}")
        self.source = source
        self.problems: tuple[ConfigProblem, ...] = tuple(problems)


class PluginError(UsageError):
    """A plugin can't be found, loaded or used."""


class UnknownPluginError(PluginError):
    """No plugin of that kind has that name."""


class PluginConflictError(PluginError):
    """Two distributions provide one name, and nothing says which is meant."""


class PluginLoadError(PluginError):
    """A plugin was found but failed to import."""


class PluginBlockedError(PluginError):
    """A plugin was asked for that the settings block."""


class ContractError(PluginError):
    """A plugin does not keep the contract of its kind."""


def _placed(position: int | None) -> tuple[int, int | None]:
    return (0, None) if position is None else placed(position)


def _sample_at(position: int) -> str:
    shard, place = placed(position)
    where = f" of shard {shard}" if shard else ""
    return f"sample at position {place}{where}"
