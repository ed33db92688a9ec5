"""The catalog: each kind of plugin has its own type."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.metadata import entry_points
from typing import Any, assert_type

from keyfold import Pipeline, Reader
from keyfold.catalog import (
    Catalog,
    PluginRecord,
    State,
    default_catalog,
    set_default_catalog,
)
from keyfold.contracts import AnyKeyStrategy, AnyReducer, AnySelection, AnyValue
from keyfold.errors import ConfigProblem
from keyfold.hooks import Hooks
from keyfold.kinds import API_VERSION, GROUPS, KINDS, MODULE_GROUP, Kind, OfferKind
from keyfold.settings import Settings

catalog = default_catalog()
assert_type(catalog, Catalog)
assert_type(catalog.make("key", "field", "status"), AnyKeyStrategy)
assert_type(catalog.make("reducer", "mean"), AnyReducer)
assert_type(catalog.make("value", "reward", key="total"), AnyValue)
assert_type(catalog.make("selection", "all"), AnySelection)
assert_type(catalog.make("reader", "jsonl"), Reader)
assert_type(catalog.load("pipeline", "reward"), object)
assert_type(catalog.names("key"), tuple[str, ...])
assert_type(catalog.pipelines(["reward"]), Mapping[str, Pipeline[Any]])
assert_type(catalog.defaults(), Mapping[str, Pipeline[Any]])
assert_type(catalog.hooks, Hooks)
assert_type(catalog.setting_problems(), Sequence[ConfigProblem])
assert_type(catalog.with_settings(Settings()), Catalog)
assert_type(Catalog.installed(settings=Settings(), path=["site"]), Catalog)
assert_type(
    Catalog.of(entry_points(group="keyfold.keys"), settings=Settings()), Catalog
)
set_default_catalog(catalog)
set_default_catalog(None)

for record in (*catalog.plugins(), *catalog.check()):
    assert_type(record, PluginRecord)
    assert_type(record.state, State)
    assert_type(record.kind, OfferKind)

kind: Kind = "key"
state: State = "loaded"
offered: OfferKind = "module"
assert_type(KINDS, tuple[Kind, ...])
assert_type(GROUPS, Mapping[Kind, str])
assert_type(GROUPS[kind], str)
constants: tuple[str, int] = (MODULE_GROUP, API_VERSION)

# What there is not.
catalog.make("metric", "reward")  # type: ignore[call-overload]
catalog.make("key")  # type: ignore[call-overload]
catalog.load("metric", "reward")  # type: ignore[arg-type]
catalog.names("module")  # type: ignore[arg-type]
catalog.make("reducer", "mean").key(None, 0)  # type: ignore[attr-defined]
catalog.make("key", "rollout").fold((), [])  # type: ignore[attr-defined]
catalog.pipelines([1])  # type: ignore[list-item]
_ = catalog.hooks.keyfold_report_mad  # type: ignore[attr-defined]
Catalog()  # type: ignore[call-arg]
Catalog.installed(path="site", settings={})  # type: ignore[arg-type]
Catalog.of(["keyfold.keys"])  # type: ignore[list-item]
set_default_catalog("installed")  # type: ignore[arg-type]
no_kind: Kind = "module"  # type: ignore[assignment]
no_state: State = "ready"  # type: ignore[assignment]
default_catalog("installed")  # type: ignore[call-arg]
PluginRecord("rollout", kind="key")  # type: ignore[call-arg]
no_offer: OfferKind = "distribution"  # type: ignore[assignment]
not_key: AnyKeyStrategy = catalog.make("reducer", "mean")  # type: ignore[assignment]
not_reducer: AnyReducer = catalog.make("key", "rollout")  # type: ignore[assignment]
not_value: AnyValue = catalog.make("selection", "all")  # type: ignore[assignment]
not_selection: AnySelection = catalog.make("value", "one")  # type: ignore[assignment]
not_hooks: Hooks = Settings()  # type: ignore[assignment]
GROUPS["key"] = "keyfold.mine"  # type: ignore[index]
KINDS.append("metric")  # type: ignore[attr-defined]
number: int = MODULE_GROUP  # type: ignore[assignment]
version: str = API_VERSION  # type: ignore[assignment]
