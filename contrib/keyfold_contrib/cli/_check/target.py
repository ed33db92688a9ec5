"""What `keyfold check` is asked to check: a distribution, or components."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from importlib.metadata import PackageNotFoundError, distribution
from typing import Any, Final, cast

import attrs

from keyfold import Pipeline, UsageError
from keyfold.catalog import Catalog
from keyfold.expressions import read_expression
from keyfold_contrib.cli._check.importing import imported
from keyfold_contrib.cli._check.kind import (
    CHECKED,
    CheckedKind,
    Component,
    component_of,
)

__all__ = ["Plugin", "found"]

_OBJECT: Final = re.compile(r"[^\W\d][\w.]*:[^\W\d][\w.]*")
_EXPRESSION: Final = re.compile(r"([^\W\d]\w*)\s*(\(|$)")


@attrs.frozen(order=False)
class Plugin:
    """An installed distribution that provides plugins."""

    name: str


def found(
    target: str, kind: CheckedKind | None, catalog: Catalog
) -> Plugin | Sequence[Component]:
    """Return what a target names.

    Args:
        target: The name of an installed distribution, `module:object`, or the name of
            an installed plugin, with arguments or without.
        kind: What it is, if it is a component; None finds that.
        catalog: The plugins.

    Raises:
        UsageError: It names nothing, several things, or what is no plugin.
    """
    if _OBJECT.fullmatch(target):
        return _named(imported(target), target, kind)
    plugin = None if kind else _plugin(target, catalog)
    if plugin is not None:
        return plugin
    expression = _EXPRESSION.match(target)
    kinds = _kinds_of(expression[1], catalog) if expression else ()
    if kind is not None:
        kinds = (kind,)
    if len(kinds) > 1:
        raise UsageError(
            f"{target!r} is the name of plugins of several kinds: {', '.join(kinds)}",
            hint=f"say which is meant, as in --kind {kinds[0]}",
        )
    if not kinds:
        raise _unknown(target, catalog)
    return _spelt(target, kinds[0], catalog)


def _named(it: object, target: str, kind: CheckedKind | None) -> Sequence[Component]:
    pipelines = _pipelines(it)
    if pipelines:
        return [
            Component("pipeline", f"{target}[{name!r}]", pipeline)
            for name, pipeline in pipelines.items()
        ]
    return (component_of(it, target, kind),)


def _pipelines(it: object) -> Mapping[object, Pipeline[Any]]:
    if not isinstance(it, Mapping):
        return {}
    entries = cast("Mapping[object, object]", it)
    found: dict[object, Pipeline[Any]] = {}
    for name, each in entries.items():
        if not isinstance(each, Pipeline):
            return {}
        found[name] = each
    return found


def _plugin(target: str, catalog: Catalog) -> Plugin | None:
    try:
        name = distribution(target).metadata["Name"]
    except (PackageNotFoundError, ValueError):
        return None
    if name in _distributions(catalog):
        return Plugin(name)
    if _kinds_of(target, catalog):
        return None
    raise UsageError(
        f"the distribution {name!r} provides no plugin of keyfold",
        hint="a plugin is an entry point in a group such as keyfold.keys",
    )


def _spelt(target: str, kind: CheckedKind, catalog: Catalog) -> Sequence[Component]:
    if kind == "pipeline":
        return [
            Component("pipeline", name, pipeline)
            for name, pipeline in catalog.pipelines([target]).items()
        ]
    made = read_expression(target, kind, source="TARGET", catalog=catalog)
    return (Component(kind, target, made),)


def _kinds_of(name: str, catalog: Catalog) -> Sequence[CheckedKind]:
    return [kind for kind in CHECKED if name in catalog.names(kind)]


def _distributions(catalog: Catalog) -> Sequence[str]:
    return list(dict.fromkeys(record.distribution for record in catalog.plugins()))


def _unknown(target: str, catalog: Catalog) -> UsageError:
    names = [name for kind in CHECKED for name in catalog.names(kind)]
    close = get_close_matches(target, [*_distributions(catalog), *names], n=1)
    return UsageError(
        f"expected an installed distribution with plugins, module:object, or the name "
        f"of a plugin, found {target!r}",
        hint=f"did you mean {close[0]!r}?" if close else "'keyfold plugins' lists them",
    )
