"""The names that plugins provide.

    catalog = default_catalog()
    mean = catalog.make("reducer", "mean")

Names are listed from the metadata of installed distributions, and what a name stands
for is imported when it is first asked for.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, overload

import attrs

from keyfold._catalog import faults
from keyfold._catalog.choice import Choice, block_on, setting_problems
from keyfold._catalog.fit import check_fit, is_ready
from keyfold._catalog.modules import Modules, load_modules
from keyfold._catalog.offer import Offer
from keyfold._catalog.records import PluginRecord, State, record_of
from keyfold._catalog.sets import merged_sets
from keyfold._catalog.shelf import Shelf
from keyfold.contracts import (
    AnyKeyStrategy,
    AnyReducer,
    AnySelection,
    AnyValue,
    Reader,
)
from keyfold.errors import (
    ConfigError,
    ConfigProblem,
    PluginError,
    PluginLoadError,
    UsageError,
)
from keyfold.hooks import Hooks
from keyfold.kinds import Kind
from keyfold.pipeline import Pipeline
from keyfold.planned import Planned
from keyfold.settings import Settings, disabled_by

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = [
    "Catalog",
    "PluginRecord",
    "State",
    "default_catalog",
    "set_default_catalog",
]


@attrs.frozen(order=False, eq=False)
class _Resolved:
    modules: Modules
    choice: Choice
    problems: Sequence[ConfigProblem]


class Catalog:
    """The plugins that some distributions provide, under some settings.

    `Catalog.installed` and `Catalog.of` make one.

    Attributes:
        settings: What is blocked and preferred.
    """

    def __init__(
        self, offers: Sequence[Offer], settings: Settings, shelf: Shelf
    ) -> None:
        self.settings = settings
        self._offers = offers
        self._shelf = shelf
        self._resolved: _Resolved | None = None
        self._defaults: Mapping[str, Pipeline[Any]] | None = None
        self._lock = threading.RLock()
        self._resolving = threading.local()

    @classmethod
    def of(
        cls, entry_points: Iterable[EntryPoint], *, settings: Settings | None = None
    ) -> Catalog:
        """Make a catalog of given entry points.

        Args:
            entry_points: What it offers; those of other groups are passed over.
            settings: What is blocked and preferred; by default nothing. The environment
                is not looked at.
        """
        # importlib.metadata is slow to import, and a program with pipelines of its own
        # makes no catalog.
        from keyfold._catalog.entry_points import offers_from  # noqa: PLC0415

        return cls(offers_from(entry_points), settings or Settings(), Shelf())

    @classmethod
    def installed(
        cls, *, settings: Settings | None = None, path: Sequence[str] | None = None
    ) -> Catalog:
        """Make a catalog of everything that is installed.

        Args:
            settings: What is blocked and preferred; by default what the environment
                blocks.
            path: Where distributions are looked for; None means `sys.path`.
        """
        from keyfold._catalog.entry_points import installed  # noqa: PLC0415

        settings = settings or Settings(disabled=disabled_by())
        return cls(installed(path), settings, Shelf())

    def with_settings(self, settings: Settings) -> Catalog:
        """Return a catalog of the same plugins under other settings.

        What was imported stays imported; nothing is looked up again.
        """
        if settings == self.settings:
            return self
        return Catalog(self._offers, settings, self._shelf)

    def load(self, kind: Kind, name: str) -> object:
        """Return what a name stands for, importing it on first use.

        It is an object of the kind, a class of such objects, or a function that makes
        one; `make` gives the object in each case.

        Raises:
            UnknownPluginError: Nothing provides the name.
            PluginBlockedError: The settings block it.
            PluginConflictError: Several distributions provide it.
            PluginLoadError: It, or a module with hooks, failed to import.
            ContractError: It, or a module with hooks, is not what it should be.
            ConfigError: The settings name plugins that there are not.
        """
        resolved = self._usable()
        try:
            return self._shelf.take(resolved.choice.one(kind, name))
        except PluginLoadError as error:
            resolved.modules.hooks.keyfold_plugin_failed(error=error)
            raise

    @overload
    def make(
        self, kind: Literal["key"], name: str, /, *arguments: object, **named: object
    ) -> AnyKeyStrategy: ...
    @overload
    def make(
        self,
        kind: Literal["reducer"],
        name: str,
        /,
        *arguments: object,
        **named: object,
    ) -> AnyReducer: ...
    @overload
    def make(
        self, kind: Literal["value"], name: str, /, *arguments: object, **named: object
    ) -> AnyValue: ...
    @overload
    def make(
        self,
        kind: Literal["selection"],
        name: str,
        /,
        *arguments: object,
        **named: object,
    ) -> AnySelection: ...
    @overload
    def make(
        self, kind: Literal["reader"], name: str, /, *arguments: object, **named: object
    ) -> Reader: ...
    @overload
    def make(
        self, kind: Kind, name: str, /, *arguments: object, **named: object
    ) -> Any: ...
    def make(
        self, kind: Kind, name: str, /, *arguments: object, **named: object
    ) -> Any:
        """Return the object that a name stands for, made with arguments.

        Args:
            kind: What it is.
            name: Its name.
            *arguments: Given to the class, or to the function that makes it.
            **named: Given to it likewise.

        Raises:
            UsageError: There are arguments, and the name stands for a ready object; or
                as for `load`.
        """
        loaded: Any = self.load(kind, name)
        if is_ready(kind, loaded):
            if arguments or named:
                raise UsageError(
                    f"the {kind} {name!r} is a ready object, and takes no arguments"
                )
            return loaded
        made = loaded(*arguments, **named)
        check_fit(self._usable().choice.one(kind, name), made)
        return made

    def names(self, kind: Kind) -> tuple[str, ...]:
        """Return the names of a kind that are not blocked, sorted.

        Raises:
            ConfigError: The settings name plugins that there are not.
        """
        return self._checked().choice.names(kind)

    def plugins(self) -> tuple[PluginRecord, ...]:
        """Return every plugin, usable or not, by kind, name and distribution.

        Modules with hooks are imported, as they may add names. Nothing that is wrong
        with a plugin is raised: its state says so.

        Raises:
            ConfigError: The settings name plugins that there are not.
        """
        resolved = self._checked()
        return tuple(
            record_of(offer, resolved.choice, resolved.modules, self._shelf)
            for offer in resolved.choice.offers
        )

    def check(self) -> tuple[PluginRecord, ...]:
        """Import every plugin that is not blocked, and return them all as `plugins`.

        Raises:
            ConfigError: The settings name plugins that there are not.
        """
        choice = self._checked().choice
        for offer in choice.offers:
            if offer in choice.candidates(offer.kind, offer.name):
                try:
                    self._shelf.take(offer)
                except PluginError:
                    # The shelf keeps it, and the record shows it.
                    continue
        return self.plugins()

    def pipelines(self, names: Iterable[str]) -> Mapping[str, Pipeline[Any]]:
        """Return the metrics of some pipeline sets, by name.

        A set is a pipeline, named as the set, or a mapping of names to pipelines.

        Raises:
            PluginConflictError: Two of the sets give metrics of one name.
            UsageError: As for `load`.
        """
        return merged_sets({name: self.load("pipeline", name) for name in names})

    def defaults(self) -> Mapping[str, Pipeline[Any]]:
        """Return the metrics that are computed where none are named, by name.

        They are those of the settings' pipeline sets.

        Raises:
            PluginConflictError: Two of the sets give metrics of one name.
            UsageError: As for `load`.
        """
        if self._defaults is None:
            metrics = self.pipelines(self.settings.pipelines)
            self._defaults = Planned(dict(metrics))
        return self._defaults

    @property
    def hooks(self) -> Hooks:
        """Calls the hooks of all plugin modules.

        Raises:
            UsageError: As for `load`.
        """
        return self._usable().modules.hooks

    def setting_problems(self) -> Sequence[ConfigProblem]:
        """Return what in the settings names plugins that there are not."""
        return self._resolve().problems

    def _usable(self) -> _Resolved:
        # A module that is broken may have provided the very name that is asked for, or
        # a hook that a result depends on: going on without it would be a guess.
        resolved = self._checked()
        for error in resolved.modules.failures.values():
            fresh = faults.afresh(error)
            resolved.modules.hooks.keyfold_plugin_failed(error=fresh)
            raise fresh
        return resolved

    def _checked(self) -> _Resolved:
        resolved = self._resolve()
        if resolved.problems:
            raise ConfigError("the plugin configuration", resolved.problems)
        return resolved

    def _resolve(self) -> _Resolved:
        if self._resolved is not None:
            return self._resolved
        if getattr(self._resolving, "now", False):
            raise UsageError(
                "the catalog was asked for plugins while it imports its plugin modules",
                hint="a plugin module looks names up when they are used, not on import",
            )
        self._resolving.now = True
        try:
            return self._resolve_once()
        finally:
            self._resolving.now = False

    def _resolve_once(self) -> _Resolved:
        modules = [
            offer
            for offer in self._offers
            if offer.kind == "module" and block_on(offer, self.settings) is None
        ]
        # Imported before the lock is taken; see Shelf.
        for module in modules:
            try:
                self._shelf.take(module)
            except PluginError:
                # Raised again, and then kept, as the module is registered.
                continue
        with self._lock:
            if self._resolved is None:
                loaded = load_modules(modules, self._shelf, self.settings)
                choice = Choice.among((*self._offers, *loaded.offers), self.settings)
                problems = tuple(setting_problems(choice))
                self._resolved = _Resolved(loaded, choice, problems)
            return self._resolved


class _Process:
    """What the whole process shares."""

    lock = threading.Lock()
    catalog: Catalog | None = None


def default_catalog() -> Catalog:
    """Return the catalog of this process: what is installed, less what is disabled.

    It is made on first use, and from then on nothing looks up entry points again.
    """
    with _Process.lock:
        if _Process.catalog is None:
            _Process.catalog = Catalog.installed()
        return _Process.catalog


def set_default_catalog(catalog: Catalog | None) -> None:
    """Make another catalog that of this process; None makes it afresh on next use.

    A program calls it once, early on, to put a configuration's settings into force.
    """
    with _Process.lock:
        _Process.catalog = catalog
