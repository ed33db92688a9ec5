"""Whatever error ends the work on a shard, it is the same in another process."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from keyfold import errors
from keyfold.errors import ConfigProblem, KeyfoldError
from keyfold_contrib.collectives._task import failure_of


def made(kind: type[KeyfoldError]) -> KeyfoldError:
    if kind is errors.SampleError:
        return errors.SampleError("no", field="f", position=3, hint="h")
    if kind is errors.InconsistentUnitError:
        shards = ((1,), (2, 3))
        return errors.InconsistentUnitError("no", position=3, shards=shards, hint="h")
    if kind is errors.DisagreementError:
        return errors.DisagreementError("no", values=(1.0, None), hint="h")
    if kind is errors.ReadError:
        return errors.ReadError("no", path=Path("a"), line=3, column=7, hint="h")
    if kind is errors.ConfigError:
        problem = ConfigProblem("a.b", expected="this", found="that", hint="h")
        return errors.ConfigError("a file", [problem])
    return kind("no", hint="h")


@pytest.mark.parametrize(
    "name", [name for name in errors.__all__ if name != "ConfigProblem"]
)
def test_an_error_of_any_class_arrives_as_it_was(name: str) -> None:
    error = made(getattr(errors, name))
    arrived = pickle.loads(pickle.dumps(failure_of(error))).error()
    assert type(arrived) is type(error)
    assert (str(arrived), arrived.args) == (str(error), error.args)
    attributes = dict(vars(arrived))
    del attributes["__notes__"]
    assert attributes == vars(error)
