"""What a plugin module may hook into, and how keyfold calls it.

A distribution names a module in the entry-point group `keyfold`. Each function of the
module that is marked with `hookimpl` is called at its place in the life of a report:

    from keyfold.hooks import hookimpl

    @hookimpl
    def keyfold_report_made(report):
        print(dict(report))

A hook takes those of its arguments that it names. Hooks of several plugins are called
in the order of their names, unless `hookimpl(tryfirst=True)` or `trylast` says
otherwise. No hook is ever called for a sample.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, overload

import pluggy

from keyfold.contracts import (
    AnyKeyStrategy,
    AnyReducer,
    AnySelection,
    AnyValue,
    Reader,
)
from keyfold.errors import KeyfoldError, PluginError
from keyfold.pipeline import Pipeline
from keyfold.report import Outcome, Report
from keyfold.settings import Settings

if TYPE_CHECKING:
    from keyfold.partials import Partial

__all__ = ["HookSpecs", "Hooks", "Registrar", "hookimpl"]

hookimpl: Final[pluggy.HookimplMarker] = pluggy.HookimplMarker("keyfold")
"""Marks a function of a plugin module as the implementation of a hook."""

_hookspec: Final[pluggy.HookspecMarker] = pluggy.HookspecMarker("keyfold")


class Registrar(Protocol):
    """Takes the names that a plugin adds by code."""

    @overload
    def add(
        self,
        kind: Literal["key"],
        name: str,
        plugin: AnyKeyStrategy | Callable[..., AnyKeyStrategy],
        /,
    ) -> None: ...
    @overload
    def add(
        self,
        kind: Literal["reducer"],
        name: str,
        plugin: AnyReducer | Callable[..., AnyReducer],
        /,
    ) -> None: ...
    @overload
    def add(
        self,
        kind: Literal["value"],
        name: str,
        plugin: AnyValue | Callable[..., AnyValue],
        /,
    ) -> None: ...
    @overload
    def add(
        self,
        kind: Literal["selection"],
        name: str,
        plugin: AnySelection | Callable[..., AnySelection],
        /,
    ) -> None: ...
    @overload
    def add(
        self,
        kind: Literal["pipeline"],
        name: str,
        plugin: Pipeline[Any] | Mapping[str, Pipeline[Any]],
        /,
    ) -> None: ...
    @overload
    def add(
        self,
        kind: Literal["reader"],
        name: str,
        plugin: Reader | Callable[..., Reader],
        /,
    ) -> None: ...
    @overload
    def add(self, kind: Literal["sink"], name: str, plugin: object, /) -> None: ...
    def add(self, kind: Any, name: str, plugin: Any, /) -> None:
        """Add a plugin, as an entry point of the same distribution would.

        Args:
            kind: What it is.
            name: The name that it is asked for by.
            plugin: The object, the class of such objects, or a function that makes one.

        Raises:
            ContractError: There is no such kind, the name can't be spelt in a
                configuration, or the plugin has added it before.
        """
        ...


class HookSpecs:
    """The hooks that there are, with the arguments that each offers."""

    @_hookspec
    def keyfold_register(self, registrar: Registrar) -> None:
        """Add names to the catalog, where entry points can't say it.

        Args:
            registrar: Takes the names; no longer than the hook runs.
        """

    @_hookspec
    def keyfold_configure(self, settings: Settings) -> None:
        """Take note of the settings, once they are known and before anything is made.

        Args:
            settings: What is blocked and preferred.
        """

    @_hookspec
    def keyfold_plugin_failed(self, error: PluginError) -> None:
        """Look at the error of a plugin that could not be loaded, before it is raised.

        Args:
            error: The error; it names the plugin and its distribution.
        """

    @_hookspec
    def keyfold_report_starting(
        self, pipelines: Mapping[str, Pipeline[Any]], step: int | str | None
    ) -> None:
        """Take note that a command is about to make a report, one a step.

        Args:
            pipelines: The pipelines that it is made by, by name.
            step: The step's number or name; None where the files do not say.
        """

    @_hookspec
    def keyfold_values_rejected(
        self, metric: str, outcome: Outcome, step: int | str | None
    ) -> None:
        """Look at a metric that met values which are no numbers, once a report.

        Args:
            metric: The metric's name.
            outcome: Its value and counts; `rejected` says how many there were.
            step: The step's number or name; None where the files do not say.
        """

    @_hookspec
    def keyfold_report_made(
        self,
        report: Report,
        pipelines: Mapping[str, Pipeline[Any]],
        step: int | str | None,
    ) -> None:
        """Look at a report that a command made, one a step.

        `keyfold report` makes them, and `keyfold merge` where it writes no file.
        `keyfold.compute` calls no hook: a trainer has the report at hand.

        Args:
            report: The report.
            pipelines: The pipelines that it was made by, by name.
            step: The step's number or name; None where the files do not say.
        """

    @_hookspec
    def keyfold_report_text(
        self,
        reports: Mapping[int | str | None, Report],
        pipelines: Mapping[str, Pipeline[Any]],
    ) -> str | None:
        """Return text that a command prints below the tables of its reports.

        Nothing is asked for where JSON or CSV is printed.

        Args:
            reports: The report of each step, in order.
            pipelines: The pipelines that they were made by, by name.
        """

    @_hookspec
    def keyfold_partial_merged(
        self, partial: Partial, pipelines: Mapping[str, Pipeline[Any]]
    ) -> None:
        """Look at a partial that a command merged of several files, one a step.

        `keyfold merge` does that, and `keyfold report` on several partial files. A step
        that only one of the files has is no exception. `keyfold.merge` calls no hook.

        Args:
            partial: The merged partial.
            pipelines: The pipelines that it is of, by name.
        """

    @_hookspec
    def keyfold_error(self, error: KeyfoldError) -> None:
        """Look at an error in the data that ends a command, before it is shown.

        The commands are `keyfold report`, `keyfold partial` and `keyfold merge`.

        Args:
            error: The error.
        """


class Hooks(Protocol):
    """The hooks as keyfold calls them: those of every plugin, one after the other.

    An exception in one passes through, with a note that names the plugin. The catalog
    itself calls `keyfold_register` and `keyfold_configure`.
    """

    def keyfold_plugin_failed(self, *, error: PluginError) -> list[None]:
        """Tell the plugins that another could not be loaded."""
        ...

    def keyfold_report_starting(
        self, *, pipelines: Mapping[str, Pipeline[Any]], step: int | str | None
    ) -> list[None]:
        """Tell the plugins that a report is about to be made."""
        ...

    def keyfold_values_rejected(
        self, *, metric: str, outcome: Outcome, step: int | str | None
    ) -> list[None]:
        """Tell the plugins that a metric met values which are no numbers."""
        ...

    def keyfold_report_made(
        self,
        *,
        report: Report,
        pipelines: Mapping[str, Pipeline[Any]],
        step: int | str | None,
    ) -> list[None]:
        """Tell the plugins that a report was made."""
        ...

    def keyfold_report_text(
        self,
        *,
        reports: Mapping[int | str | None, Report],
        pipelines: Mapping[str, Pipeline[Any]],
    ) -> list[str]:
        """Return what the plugins add to the output, one text each."""
        ...

    def keyfold_partial_merged(
        self, *, partial: Partial, pipelines: Mapping[str, Pipeline[Any]]
    ) -> list[None]:
        """Tell the plugins that partials were merged."""
        ...

    def keyfold_error(self, *, error: KeyfoldError) -> list[None]:
        """Tell the plugins of an error."""
        ...
