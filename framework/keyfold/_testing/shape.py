"""Whether a plugin has the methods of its kind."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any, cast

from keyfold._describe import shown
from keyfold._testing.check import Check, Fresh
from keyfold._testing.roles import Role
from keyfold.errors import ContractError
from keyfold.kinds import API_VERSION

__all__ = ["REDUCER_METHODS", "reducer_shape", "role_shape"]

REDUCER_METHODS: Mapping[str, int] = {"init": 0, "fold": 2, "merge": 2, "finish": 1}
_REDUCER_FAST: Mapping[str, int] = {
    "reduce_units": 3,
    "fold_units": 3,
    "merge_units": 2,
    "finish_units": 1,
}
_FAST: Mapping[str, Mapping[str, int]] = {
    "key": {"columns": 2, "labels": 1},
    "value": {"values": 1, "bind": 1},
    "selection": {"mask": 1},
}


def role_shape(role: Role) -> Check:
    """Return the check of a plugin that reads samples."""

    def run(subject: object, _fresh: Fresh) -> None:
        _refuse_class(subject, role.word)
        _methods(subject, {role.method: role.arguments}, _FAST[role.kind])
        _fields(subject)
        _version(subject)

    about = (
        f"a {role.word} is an object with {role.method}(), which takes its arguments "
        "by place"
    )
    return Check("contract", about, run)


def reducer_shape() -> Check:
    """Return the check of a reducer."""

    def run(subject: object, _fresh: Fresh) -> None:
        _refuse_class(subject, "reducer")
        _methods(subject, REDUCER_METHODS, _REDUCER_FAST)
        for name in ("ordered", "idempotent"):
            found = getattr(subject, name, False)
            if not isinstance(found, bool):
                raise ContractError(
                    f"has {name} = {shown(found)}, expected True or False",
                    hint=f"write {name}: ClassVar[bool] = True, or leave it out",
                )
        _version(subject)

    about = "a reducer is an object with init(), fold(), merge() and finish()"
    return Check("contract", about, run)


def _refuse_class(subject: object, word: str) -> None:
    if inspect.isclass(subject):
        raise ContractError(
            f"is a class, expected a {word}",
            hint=f"give an object of it: {subject.__name__}()",
        )


def _methods(
    subject: object, needed: Mapping[str, int], optional: Mapping[str, int]
) -> None:
    for name, count in {**needed, **optional}.items():
        method: Any = getattr(subject, name, None)
        if method is None and name in optional:
            continue
        if not callable(method):
            raise ContractError(
                f"has no method {name!r}",
                hint=f"write a method {name} as keyfold.contracts has it",
            )
        try:
            inspect.signature(method).bind(*[None] * count)
        except TypeError as error:
            raise ContractError(
                f"has a method {name!r} that can't be called with {count} arguments by "
                f"place ({error})",
                hint=f"write {name} with the arguments that keyfold.contracts has",
            ) from error
        except ValueError:
            # A built-in method that does not tell its arguments.
            continue


def _fields(subject: object) -> None:
    fields: Any = getattr(subject, "fields", None)
    if fields is None:
        return
    many = isinstance(fields, tuple | list | set | frozenset)
    names: list[object] = list(cast("Any", fields)) if many else [None]
    if not all(isinstance(name, str) and name for name in names):
        raise ContractError(
            f"declares the fields {shown(cast('object', fields))}, expected names",
            hint='write fields: ClassVar[tuple[str, ...]] = ("rollout_id",)',
        )


def _version(subject: object) -> None:
    version = getattr(subject, "api_version", API_VERSION)
    if version != API_VERSION:
        raise ContractError(
            f"was written for version {version!r} of the contracts, and this keyfold "
            f"has version {API_VERSION}",
            hint="install a keyfold of that version, or bring the plugin up to date",
        )
