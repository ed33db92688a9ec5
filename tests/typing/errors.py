"""Errors: their families, and what each one tells."""

from __future__ import annotations

from pathlib import Path
from typing import assert_type

from keyfold.errors import (
    AbsentMetricError,
    ArgumentError,
    ConfigError,
    ConfigProblem,
    ContractError,
    DataError,
    DisagreementError,
    InconsistentUnitError,
    KeyfoldError,
    LabelClashError,
    MergeError,
    PartialFormatError,
    PluginBlockedError,
    PluginConflictError,
    PluginError,
    PluginLoadError,
    PortabilityError,
    ReadError,
    SampleError,
    UnknownPluginError,
    UsageError,
)

data: list[type[DataError]] = [
    *(AbsentMetricError, DisagreementError, InconsistentUnitError, LabelClashError),
    *(MergeError, PartialFormatError, PortabilityError, ReadError, SampleError),
]
usage: list[type[UsageError]] = [ArgumentError, ConfigError, PluginError]
plugins: list[type[PluginError]] = [
    *(ContractError, PluginBlockedError, PluginConflictError),
    *(PluginLoadError, UnknownPluginError),
]
families: list[type[KeyfoldError]] = [DataError, UsageError]
as_key: type[KeyError] = AbsentMetricError
as_value: type[ValueError] = ArgumentError

error = KeyfoldError("found x", hint="write y")
assert_type((error.message, error.hint), tuple[str, str | None])
assert_type(SampleError("no", field="reward", position=3).position, int | None)
assert_type(SampleError("no").field, str | None)
assert_type(SampleError("no").shard, int)
assert_type(InconsistentUnitError("no").shards, tuple[tuple[int, ...], ...])
assert_type(DisagreementError("no", values=(1, 2)).values, tuple[object, object])
read = ReadError("no", path=Path("a.jsonl"), line=3, column=1)
assert_type((read.path, read.line), tuple[Path, int | None])
problem = ConfigProblem("metrics", expected="a table", found="3")
assert_type((problem.key, problem.hint), tuple[str, str | None])
assert_type(ConfigError("a.toml", [problem]).problems, tuple[ConfigProblem, ...])
assert_type(ConfigError("a.toml", [problem]).source, str)

KeyfoldError()  # type: ignore[call-arg]
KeyfoldError("found x", "write y")  # type: ignore[call-arg]
SampleError("no", field=3)  # type: ignore[arg-type]
ReadError("no")  # type: ignore[call-arg]
ReadError("no", path="a.jsonl")  # type: ignore[arg-type]
DisagreementError("no", values=(1,))  # type: ignore[arg-type]
ConfigError("a.toml", ["metrics"])  # type: ignore[list-item]
ConfigProblem("metrics", "a table", "3")  # type: ignore[call-arg]
not_data: type[DataError] = ConfigError  # type: ignore[assignment]
_ = error.position  # type: ignore[attr-defined]
error.hint = 3  # type: ignore[assignment]
InconsistentUnitError("no", shards=(1, 2))  # type: ignore[arg-type]
AbsentMetricError("no", metric="reward")  # type: ignore[call-arg]
ArgumentError("no", argument="k")  # type: ignore[call-arg]
mixed: list[type[PluginError]] = [UsageError]  # type: ignore[list-item]
ContractError(3)  # type: ignore[arg-type]
LabelClashError(3)  # type: ignore[arg-type]
MergeError(3)  # type: ignore[arg-type]
PartialFormatError(3)  # type: ignore[arg-type]
PluginBlockedError(3)  # type: ignore[arg-type]
PluginConflictError(3)  # type: ignore[arg-type]
PluginLoadError(3)  # type: ignore[arg-type]
PortabilityError(3)  # type: ignore[arg-type]
UnknownPluginError(3)  # type: ignore[arg-type]
