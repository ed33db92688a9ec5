"""The modules of the group `keyfold`: imported, checked, and asked for names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

import attrs
import pluggy

from keyfold._catalog import faults
from keyfold._catalog.hook_rules import check_hooks
from keyfold._catalog.offer import Offer
from keyfold._catalog.registrar import OfferRegistrar
from keyfold._catalog.shelf import Shelf
from keyfold.errors import ContractError, PluginError
from keyfold.hooks import Hooks, HookSpecs
from keyfold.settings import Settings

__all__ = ["Modules", "load_modules"]


@attrs.frozen(order=False, eq=False)
class Modules:
    """The plugin modules of a catalog.

    Attributes:
        hooks: Calls the hooks of all modules that could be loaded.
        offers: What the modules added by code.
        failures: What was wrong with the others.
    """

    hooks: Hooks
    offers: Sequence[Offer]
    failures: Mapping[Offer, PluginError]


def load_modules(modules: Sequence[Offer], shelf: Shelf, settings: Settings) -> Modules:
    """Import modules, register their hooks, and let them add names.

    One that fails leaves no hook and no name behind.

    Args:
        modules: The modules, in the order in which their hooks are called.
        shelf: Keeps what was imported.
        settings: What `keyfold_configure` is told.
    """
    manager = pluggy.PluginManager("keyfold")
    manager.add_hookspecs(HookSpecs)
    manager.add_hookcall_monitoring(_nothing, _name_the_plugin)
    offers: list[Offer] = []
    failures: dict[Offer, PluginError] = {}
    # pluggy calls the hook that was registered last first.
    for module in reversed(modules):
        try:
            _register(module, shelf.take(module), manager)
            offers += _start(module, manager, settings)
        except PluginError as error:
            failures[module] = error
            if manager.has_plugin(_plugin_name(module)):
                manager.unregister(name=_plugin_name(module))
    # HookRelay is untyped; Hooks says what it holds, and a test compares the two.
    return Modules(cast("Hooks", manager.hook), offers, failures)


def _plugin_name(module: Offer) -> str:
    return f"{module.name} ({module.origin})"


def _register(module: Offer, loaded: object, manager: pluggy.PluginManager) -> None:
    check_hooks(module, loaded, manager)
    try:
        manager.register(loaded, name=_plugin_name(module))
        manager.check_pending()
    except pluggy.PluginValidationError as error:
        last_line = str(error).splitlines()[-1]
        raise ContractError(f"{module.origin} has a wrong hook: {last_line}") from error
    except (ValueError, TypeError) as error:
        raise ContractError(
            f"{module.origin} can't be told from a plugin that is registered already",
            hint="name each module once; an attrs class of hooks needs eq=False",
        ) from error


def _start(
    module: Offer, manager: pluggy.PluginManager, settings: Settings
) -> Sequence[Offer]:
    registrar = OfferRegistrar(module)
    _call(module, manager.hook.keyfold_register, registrar=registrar)
    offers = registrar.close()
    _call(module, manager.hook.keyfold_configure, settings=settings)
    return offers


def _call(module: Offer, hook: pluggy.HookCaller, **arguments: object) -> None:
    # Each module is called by itself, so that one that fails stops none of the others,
    # and so that each name is known to be its distribution's.
    for implementation in hook.get_hookimpls():
        if implementation.plugin_name != _plugin_name(module):
            continue
        try:
            implementation.function(*[arguments[it] for it in implementation.argnames])
        except ContractError:
            raise
        except (Exception, SystemExit) as error:
            doing = f"failed in {hook.name}"
            raise faults.load_failure(module, error, doing) from error


def _nothing(
    _hook_name: str,
    _implementations: Sequence[pluggy.HookImpl],
    _arguments: Mapping[str, object],
) -> None:
    """Stand for what could be done before a hook is called."""


def _name_the_plugin(
    outcome: pluggy.Result[object],
    hook_name: str,
    implementations: Sequence[pluggy.HookImpl],
    _arguments: Mapping[str, object],
) -> None:
    # pluggy lets an exception through as it is, without a word on whose it is.
    error = outcome.exception
    if error is None:
        return
    codes = {
        getattr(implementation.function, "__code__", None): implementation
        for implementation in implementations
    }
    trace = error.__traceback__
    while trace is not None:
        implementation = codes.get(trace.tb_frame.f_code)
        if implementation is not None:
            error.add_note(f"in {hook_name} of the plugin {implementation.plugin_name}")
        trace = trace.tb_next
