"""Hooks: a plugin keeps its types, names are added by kind, and calls are checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, assert_type

from keyfold import KeyfoldError, Outcome, Partial, Pipeline, Report
from keyfold.errors import PluginError
from keyfold.hooks import Hooks, HookSpecs, Registrar, hookimpl
from keyfold.settings import Settings
from keyfold_contrib.readers import JsonlReader
from keyfold_strategies import All, FieldKey, Mean, Reward, Rollout
from keyfold_strategies.pipelines import REWARD


# A plugin's function has the type that it was written with ...
@hookimpl
def keyfold_report_made(report: Report) -> None:
    assert_type(report["reward"], float)


@hookimpl(tryfirst=True)
def keyfold_register(registrar: Registrar) -> None:
    registrar.add("key", "status", FieldKey("status"))
    registrar.add("key", "rollout_too", Rollout)
    registrar.add("reducer", "average", Mean)
    registrar.add("value", "score", Reward("score"))
    registrar.add("selection", "everything", All())
    registrar.add("pipeline", "mine", REWARD)
    registrar.add("reader", "lines", JsonlReader)
    registrar.add("sink", "board", object())
    registrar.add("key", "average", Mean)  # type: ignore[call-overload]
    registrar.add("reducer", "rollout_too", Rollout())  # type: ignore[call-overload]
    registrar.add("metric", "mine", REWARD)  # type: ignore[call-overload]
    registrar.add(kind="key", name="x", plugin=Rollout)  # type: ignore[call-overload]


keyfold_report_made({"reward": 1.0})  # type: ignore[arg-type]


# ... so that a protocol says whether a module or a class hooks in as it should.
class WatchesReports(Protocol):
    def keyfold_report_made(self, report: Report) -> None: ...


class Watcher:
    @hookimpl
    def keyfold_report_made(self, report: Report) -> None:
        del report


class Misfit:
    @hookimpl
    def keyfold_report_made(self, report: Partial) -> None:
        del report


watcher: WatchesReports = Watcher()
misfit: WatchesReports = Misfit()  # type: ignore[assignment]


# What hooks there are, with their arguments, is checked on a class of all of them.
class Whole(HookSpecs):
    def keyfold_register(self, registrar: Registrar) -> None: ...
    def keyfold_configure(self, settings: Settings) -> None: ...
    def keyfold_error(self, error: KeyfoldError) -> None: ...
    def keyfold_plugin_failed(self, error: PluginError) -> None: ...
    def keyfold_partial_merged(
        self, partial: Partial, pipelines: Mapping[str, Pipeline[Any]]
    ) -> None: ...


class Wrong(HookSpecs):
    def keyfold_register(self, registrar: Settings) -> None: ...  # type: ignore[override]
    def keyfold_error(self, error: PluginError) -> None: ...  # type: ignore[override]
    def keyfold_configure(self) -> None: ...  # type: ignore[override]


# How keyfold calls them.
def called(
    hooks: Hooks, report: Report, outcome: Outcome, partial: Partial, error: PluginError
) -> None:
    assert_type(
        hooks.keyfold_report_made(report=report, pipelines=REWARD, step=1), list[None]
    )
    assert_type(
        hooks.keyfold_report_text(reports={1: report}, pipelines=REWARD), list[str]
    )
    hooks.keyfold_report_starting(pipelines=REWARD, step=None)
    hooks.keyfold_values_rejected(metric="reward", outcome=outcome, step="eval_3")
    hooks.keyfold_partial_merged(partial=partial, pipelines=REWARD)
    hooks.keyfold_plugin_failed(error=error)
    hooks.keyfold_error(error=error)
    hooks.keyfold_error(error)  # type: ignore[call-arg]
    hooks.keyfold_error(err=error)  # type: ignore[call-arg]
    hooks.keyfold_error(error=ValueError())  # type: ignore[arg-type]
    hooks.keyfold_report_made(report=report)  # type: ignore[call-arg]
    hooks.keyfold_eror(error=error)  # type: ignore[attr-defined]
    hooks.keyfold_register(registrar=None)  # type: ignore[attr-defined]


hookimpl(first=True)  # type: ignore[call-overload]
no_registrar: Registrar = Settings()  # type: ignore[assignment]
HookSpecs().keyfold_error()  # type: ignore[call-arg]
