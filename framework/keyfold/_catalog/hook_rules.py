"""Whether a plugin module's hooks are hooks that there are."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from types import FunctionType

import pluggy

from keyfold._catalog.offer import Offer
from keyfold._config.wording import listed
from keyfold._nearest import did_you_mean
from keyfold.errors import ContractError
from keyfold.hooks import HookSpecs

__all__ = ["check_hooks", "hook_names"]


def hook_names() -> tuple[str, ...]:
    """Return the names of the hooks that there are."""
    return tuple(name for name in vars(HookSpecs) if name.startswith("keyfold_"))


def check_hooks(offer: Offer, module: object, manager: pluggy.PluginManager) -> None:
    """Check that every hook of a module exists and takes what keyfold gives it.

    A misspelt hook would never be called, and nothing would say so.

    Raises:
        ContractError: A hook is not what it should be, or there is none.
    """
    if inspect.isclass(module):
        raise ContractError(
            f"{offer.origin} is a class, expected a module or an object with hooks",
            hint="name an object of the class instead",
        )
    hooks = 0
    for attribute in dir(module):
        options = manager.parse_hookimpl_opts(module, attribute)
        if options is None:
            _check_unmarked(offer, module, attribute)
            continue
        hooks += 1
        name = options.get("specname") or attribute
        if name in hook_names():
            _check_arguments(offer, name, getattr(module, attribute))
            _check_place(offer, name, wraps=bool(options.get("wrapper")))
        elif not options.get("optionalhook"):
            raise ContractError(
                f"{offer.origin} implements the hook {name!r}, which keyfold does not "
                f"have; its hooks are {listed(hook_names())}",
                hint=did_you_mean(name, hook_names())
                or "a hook of a later keyfold is marked hookimpl(optionalhook=True)",
            )
    if not hooks:
        raise ContractError(
            f"{offer.origin} has no hooks; those that there are: "
            f"{listed(hook_names())}",
            hint="mark each hook with @hookimpl, from keyfold.hooks",
        )


def _check_unmarked(offer: Offer, module: object, attribute: str) -> None:
    if attribute in hook_names() and isinstance(
        inspect.getattr_static(module, attribute), FunctionType
    ):
        raise ContractError(
            f"{offer.origin} has a function {attribute!r} that is not marked as a hook",
            hint="mark it with @hookimpl, from keyfold.hooks",
        )


def _check_arguments(offer: Offer, name: str, function: Callable[..., object]) -> None:
    known = tuple(inspect.signature(getattr(HookSpecs, name)).parameters)[1:]
    for argument in _needed(function):
        if argument not in known:
            raise ContractError(
                f"{offer.origin} takes the argument {argument!r} in {name}, which "
                f"offers {listed(known)}",
                hint=did_you_mean(argument, known),
            )


def _needed(function: Callable[..., object]) -> Iterator[str]:
    for parameter in inspect.signature(function).parameters.values():
        if parameter.default is parameter.empty:
            yield parameter.name


def _check_place(offer: Offer, name: str, *, wraps: bool) -> None:
    if wraps and name in ("keyfold_register", "keyfold_configure"):
        raise ContractError(
            f"{offer.origin} wraps {name}, which is called for each plugin by itself"
        )
