"""Whether an object is what its kind asks for."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from types import FunctionType, MappingProxyType
from typing import Any, Final

from keyfold._catalog.offer import Offer
from keyfold._config.shapes import is_table
from keyfold.errors import ContractError
from keyfold.kinds import API_VERSION, OfferKind
from keyfold.pipeline import Pipeline

__all__ = ["check_fit", "check_version", "is_ready"]

# The methods of each kind, with the number of arguments that keyfold gives them.
_METHODS: Final[Mapping[OfferKind, Mapping[str, int]]] = MappingProxyType(
    {
        "module": {},
        "key": {"key": 2},
        "reducer": {"init": 0, "fold": 2, "merge": 2, "finish": 1},
        "value": {"value": 1},
        "selection": {"selects": 1},
        "reader": {"recognises": 2, "read": 2},
        "sink": {},
        "pipeline": {},
    }
)


def check_fit(offer: Offer, loaded: object) -> None:
    """Check that what an offer loaded is of its kind.

    A kind with methods takes an object that has them, a class of such objects, or a
    function that makes them; what the function makes is checked once it is made.

    Raises:
        ContractError: It is not; names what is missing.
    """
    check_version(offer, loaded)
    if offer.kind == "module":
        return
    if offer.kind == "pipeline":
        _check_pipelines(offer, loaded)
        return
    if _is_factory(offer.kind, loaded):
        return
    wrong = list(_wrong_methods(offer.kind, loaded))
    if wrong:
        what = "class" if inspect.isclass(loaded) else "object"
        raise ContractError(
            f"{offer.origin} is no {offer.kind}: the {what} has {', '.join(wrong)}",
            hint=f"keyfold.contracts says what a {offer.kind} must have; "
            f"{offer.name!r} may stand for the wrong object",
        )


def check_version(offer: Offer, loaded: object) -> None:
    """Check that a plugin was written for the contracts of this keyfold.

    Raises:
        ContractError: It says that it was written for others.
    """
    version = getattr(loaded, "api_version", API_VERSION)
    if version != API_VERSION:
        raise ContractError(
            f"{offer.origin} was written for version {version!r} of the plugin "
            f"contracts, and this keyfold has version {API_VERSION}",
            hint=f"install releases of keyfold and {offer.distribution} that go "
            "together",
        )


def is_ready(kind: OfferKind, loaded: object) -> bool:
    """Return whether an object is used as it is, and not called to make one."""
    return not inspect.isclass(loaded) and not _is_factory(kind, loaded)


def _is_factory(kind: OfferKind, loaded: object) -> bool:
    if isinstance(loaded, FunctionType):
        return True
    if inspect.isclass(loaded) or not callable(loaded):
        return False
    return any(_wrong_methods(kind, loaded))


def _wrong_methods(kind: OfferKind, loaded: object) -> Iterator[str]:
    for name, count in _METHODS[kind].items():
        method = getattr(loaded, name, None)
        if not callable(method):
            yield f"no method {name!r}"
        elif not _takes(loaded, name, method, count):
            arguments = "1 argument" if count == 1 else f"{count} arguments"
            yield f"a method {name!r} that can't be called with {arguments}"


def _takes(owner: object, name: str, method: Any, count: int) -> bool:
    if inspect.isclass(owner):
        if not isinstance(inspect.getattr_static(owner, name), FunctionType):
            return True
        count += 1
    try:
        signature = inspect.signature(method)
    except (TypeError, ValueError):
        return True
    try:
        signature.bind(*[None] * count)
    except TypeError:
        return False
    return True


def _check_pipelines(offer: Offer, loaded: object) -> None:
    if isinstance(loaded, Pipeline):
        return
    if not is_table(loaded):
        raise ContractError(
            f"{offer.origin} is no pipeline set: expected a Pipeline or a mapping of "
            f"names to pipelines, found {_type_of(loaded)}",
            hint=f"{offer.name!r} may stand for the wrong object",
        )
    for name, pipeline in loaded.items():
        if not isinstance(name, str) or not name:
            raise ContractError(
                f"{offer.origin} is no pipeline set: expected names, found {name!r}"
            )
        if not isinstance(pipeline, Pipeline):
            raise ContractError(
                f"{offer.origin} is no pipeline set: expected a Pipeline under "
                f"{name!r}, found {_type_of(pipeline)}",
                hint="end each chain with .across(reducer)",
            )


def _type_of(value: object) -> str:
    if inspect.ismodule(value):
        return f"the module {value.__name__}"
    if isinstance(value, FunctionType):
        return f"the function {value.__name__}"
    return f"an object of the type {type(value).__name__}"
