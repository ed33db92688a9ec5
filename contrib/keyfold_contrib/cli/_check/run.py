"""Making the checks of `keyfold.testing` on what a target names."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

import attrs

from keyfold import KeyfoldError, testing
from keyfold.catalog import Catalog, PluginRecord
from keyfold_contrib.cli._check.expected import Expected
from keyfold_contrib.cli._check.kind import (
    CHECKED,
    CheckedKind,
    Component,
    component_of,
)
from keyfold_contrib.cli._check.samples import Material

__all__ = ["Row", "Section", "check_component", "check_distribution", "components_in"]

_Checker = Callable[..., Sequence[testing.CheckRecord]]

_KINDS: Final[Mapping[CheckedKind, tuple[_Checker, Sequence[testing.Check]]]] = (
    MappingProxyType(
        {
            "key": (testing.check_key_strategy, testing.key_strategy_checks()),
            "reducer": (testing.check_reducer, testing.reducer_checks()),
            "value": (testing.check_value, testing.value_checks()),
            "selection": (testing.check_selection, testing.selection_checks()),
            "pipeline": (testing.check_pipeline, testing.pipeline_checks()),
        }
    )
)


@attrs.frozen(order=False)
class Row:
    """What came of one check.

    Attributes:
        check: Its name.
        state: What came of it.
        message: What was found, or why it was not made; empty where it passed.
        hint: How to mend it; empty where there is nothing to mend.
    """

    check: str
    state: testing.CheckState
    message: str = ""
    hint: str = ""


@attrs.frozen(order=False)
class Section:
    """The checks of one thing.

    Attributes:
        kind: What it is: a kind of plugin, or `distribution`.
        name: What it is called.
        rows: What came of its checks.
        unchecked: Why there are none; empty where there are.
    """

    kind: str
    name: str
    rows: Sequence[Row] = ()
    unchecked: str = ""

    @property
    def failed(self) -> int:
        """How many checks failed that may not."""
        return sum(row.state == "failed" for row in self.rows)


def check_component(
    component: Component, material: Material, expected: Expected
) -> Section:
    """Make all checks of a component's kind, and return what came of them."""
    check, checks = _KINDS[component.kind]
    if component.kind == "reducer":
        tried_on = material.values_for(component.subject)
    else:
        tried_on = material.samples
    reasons = expected.among(component.title, [it.name for it in checks])
    rows = _rows(lambda: check(component.subject, tried_on, expected_failures=reasons))
    return Section(component.kind, component.title, rows)


def check_distribution(name: str, expected: Expected) -> Section:
    """Make the checks of a distribution's entry points."""
    reasons = expected.among(name, [it.name for it in testing.plugin_checks()])
    rows = _rows(lambda: testing.check_plugin(name, expected_failures=reasons))
    return Section("distribution", name, rows)


def _rows(check: Callable[[], Sequence[testing.CheckRecord]]) -> Sequence[Row]:
    try:
        records, hints = check(), dict[str, str]()
    except testing.ConformanceError as error:
        records = error.records
        hints = {
            it.check: it.hint or ""
            for it in error.exceptions
            if isinstance(it, testing.CheckFailure)
        }
    return [
        Row(it.check, it.state, it.message, hints.get(it.check, "")) for it in records
    ]


def components_in(distribution: str, catalog: Catalog) -> Iterator[Component | Section]:
    """Yield a distribution's components, and why others can't be checked here."""
    for record in catalog.plugins():
        if record.distribution != distribution or record.kind not in CHECKED:
            continue
        try:
            yield from _made(record, record.kind, catalog)
        except KeyfoldError as error:
            yield Section(record.kind, record.name, unchecked=error.message)
        # Whoever makes a component may raise anything, and the others are checked.
        except Exception as error:  # noqa: BLE001
            said = f"making one raised {type(error).__name__}: {error}"
            yield Section(record.kind, record.name, unchecked=said)


def _made(
    record: PluginRecord, kind: CheckedKind, catalog: Catalog
) -> Iterator[Component | Section]:
    if kind == "pipeline":
        for name, pipeline in catalog.pipelines([record.name]).items():
            yield Component(kind, name, pipeline)
        return
    loaded: Any = catalog.load(kind, record.name)
    if _needs_arguments(loaded):
        reason = f"it needs arguments: check '{record.name}(...)' by itself"
        yield Section(kind, record.name, unchecked=reason)
        return
    made = catalog.make(kind, record.name)
    yield component_of(made, record.name, kind)


def _needs_arguments(loaded: Any) -> bool:
    if not inspect.isclass(loaded) and not inspect.isfunction(loaded):
        return False
    try:
        inspect.signature(loaded).bind()
    except TypeError:
        return True
    except ValueError:
        return False
    return False
