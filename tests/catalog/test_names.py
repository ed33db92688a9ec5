"""Names: listed without an import, loaded on first use."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from importlib.metadata import (
    Distribution,
    DistributionFinder,
    EntryPoint,
)
from typing import TYPE_CHECKING, Any

import pytest

from keyfold.catalog import Catalog, PluginRecord, default_catalog, set_default_catalog
from keyfold.errors import ConfigError, UnknownPluginError, UsageError
from keyfold.settings import Settings

if TYPE_CHECKING:
    from tests.catalog.conftest import Site


def test_listing_imports_nothing(acme: Site) -> None:
    records = acme.catalog().plugins()

    assert "acme_keys" not in sys.modules
    assert records[0] == PluginRecord(
        name="first",
        kind="key",
        distribution="acme-keys",
        version="1.2",
        target="acme_keys:first",
        state="available",
        detail="",
    )
    assert [it.name for it in records] == ["first", "named", "ready", "run"]


def test_records_are_sorted_by_kind_name_and_distribution(site: Site) -> None:
    site.add("b", {"keyfold.values": {"x": "b:X"}, "keyfold.keys": {"z": "b:Z"}})
    site.add("a", {"keyfold.values": {"x": "a:X"}, "keyfold": {"hooks": "a_missing"}})

    listed = [(it.kind, it.name, it.distribution) for it in site.catalog().plugins()]

    assert listed == [
        ("key", "z", "b"),
        ("value", "x", "a"),
        ("value", "x", "b"),
        ("module", "hooks", "a"),
    ]


def test_names_of_a_kind(acme: Site) -> None:
    catalog = acme.catalog(Settings(block=("ready",)))

    assert catalog.names("key") == ("first", "named", "run")
    assert catalog.names("reducer") == ()


def test_a_name_loads_its_object(acme: Site) -> None:
    catalog = acme.catalog()

    run = catalog.load("key", "run")

    assert run is sys.modules["acme_keys"].Run
    assert run is catalog.load("key", "run")
    states = {it.name: it.state for it in catalog.plugins()}
    assert states == {
        "first": "available",
        "named": "available",
        "ready": "available",
        "run": "loaded",
    }


def test_make_calls_classes_and_functions_and_returns_objects(acme: Site) -> None:
    catalog = acme.catalog()

    assert catalog.make("key", "run").key({"run": 1}, 0) == (1,)
    assert catalog.make("key", "named", "a").key({"a": 2}, 0) == (2,)
    assert catalog.make("key", "named", path="a").key({"a": 2}, 0) == (2,)
    assert catalog.make("key", "first").key({"run": 3}, 0) == (3,)
    assert catalog.make("key", "ready") is catalog.load("key", "ready")


def test_a_ready_object_takes_no_arguments(acme: Site) -> None:
    with pytest.raises(UsageError) as caught:
        acme.catalog().make("key", "ready", 1)

    assert str(caught.value) == (
        "the key 'ready' is a ready object, and takes no arguments"
    )


def test_an_unknown_name_is_met_with_the_nearest(acme: Site) -> None:
    with pytest.raises(UnknownPluginError) as caught:
        acme.catalog().load("key", "nmaed")

    assert str(caught.value) == (
        "no key is named 'nmaed'; there is first, named, ready, run\n"
        "Hint: did you mean 'named'?"
    )


def test_a_name_of_another_kind_says_which(acme: Site) -> None:
    acme.add("others", {"keyfold.reducers": {"average": "others:Average"}})

    with pytest.raises(UnknownPluginError) as caught:
        acme.catalog().load("key", "average")

    assert caught.value.hint == "'average' is a reducer, not a key"


def test_an_empty_catalog_asks_for_an_installation(site: Site) -> None:
    with pytest.raises(UnknownPluginError) as caught:
        site.catalog().load("key", "rollout")

    assert str(caught.value) == (
        "no key is named 'rollout'; there is none\n"
        "Hint: is the distribution keyfold installed? Its plugins are not found"
    )


def test_entry_points_can_be_given(acme: Site) -> None:
    entry_points = [
        EntryPoint("run", "acme_keys:Run", "keyfold.keys"),
        EntryPoint("run", "acme_keys:Run", "console_scripts"),
    ]

    catalog = Catalog.of(entry_points)

    assert catalog.make("key", "run").key({"run": 1}, 0) == (1,)
    (record,) = catalog.plugins()
    assert (record.distribution, record.version) == ("(unknown)", "(unknown)")


def test_the_first_distribution_of_a_name_counts(site: Site) -> None:
    site.add("acme", {"keyfold.keys": {"old": "acme:Old"}}, version="1.0")
    newer = site.path / "newer"
    newer.mkdir()
    type(site)(newer).add("Acme", {"keyfold.keys": {"new": "acme:New"}}, version="2.0")

    catalog = Catalog.installed(settings=Settings(), path=[str(newer), str(site.path)])

    assert [(it.name, it.version) for it in catalog.plugins()] == [("new", "2.0")]


def test_a_distribution_without_plugins_hides_a_later_one_of_its_name(
    site: Site,
) -> None:
    site.add("acme", {"keyfold.keys": {"old": "acme:Old"}}, version="1.0")
    newer = site.path / "newer"
    newer.mkdir()
    type(site)(newer).add("acme", {}, version="2.0")

    catalog = Catalog.installed(settings=Settings(), path=[str(newer), str(site.path)])

    assert catalog.plugins() == ()


def test_other_settings_look_nothing_up_and_import_nothing_again(acme: Site) -> None:
    catalog = acme.catalog()
    run = catalog.load("key", "run")
    for file in acme.path.glob("*.dist-info/*"):
        file.unlink()

    other = catalog.with_settings(Settings(block=("named",)))

    assert other.load("key", "run") is run
    assert other.names("key") == ("first", "ready", "run")
    assert catalog.with_settings(Settings()) is catalog


NO_CONTEXT = DistributionFinder.Context()


class Counting(DistributionFinder):
    """Counts how often somebody looks for distributions."""

    looked = 0

    def find_spec(self, *_: object) -> None:
        return None

    def find_distributions(
        self, context: DistributionFinder.Context = NO_CONTEXT
    ) -> Iterator[Distribution]:
        type(self).looked += 1
        return iter(())


@pytest.fixture
def _own_process_catalog() -> Iterator[None]:
    set_default_catalog(None)
    yield
    set_default_catalog(None)


@pytest.mark.usefixtures("_own_process_catalog")
def test_the_default_catalog_looks_entry_points_up_once(
    acme: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("KEYFOLD_DISABLE_PLUGINS", raising=False)
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path, Counting()])
    catalog = default_catalog()
    once = Counting.looked
    assert once > 0

    assert default_catalog() is catalog
    catalog.make("key", "run")
    catalog.plugins()
    catalog.with_settings(Settings(block=("run",))).plugins()

    assert Counting.looked == once


@pytest.mark.usefixtures("_own_process_catalog")
def test_the_default_catalog_minds_the_environment(
    acme: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEYFOLD_DISABLE_PLUGINS", " run, acme_keys ,")

    assert default_catalog().settings.disabled == ("run", "acme_keys")
    assert "run" not in default_catalog().names("key")


@pytest.mark.usefixtures("_own_process_catalog")
def test_another_catalog_can_be_made_the_default(acme: Site) -> None:
    catalog = acme.catalog()

    set_default_catalog(catalog)

    assert default_catalog() is catalog


@pytest.mark.usefixtures("_own_process_catalog")
def test_threads_share_one_default_catalog() -> None:
    met: list[Catalog] = []
    gate = threading.Barrier(8)

    def ask() -> None:
        gate.wait()
        met.append(default_catalog())

    _in_threads(ask)

    assert len(set(map(id, met))) == 1


def test_threads_load_one_object_and_start_each_module_once(site: Site) -> None:
    site.add(
        "slow",
        {"keyfold.keys": {"run": "slow:Run"}, "keyfold": {"hooks": "slow_hooks"}},
        {
            "slow": """
                import time
                time.sleep(0.05)
                class Run:
                    def key(self, sample, position): ...
            """,
            "slow_hooks": """
                from keyfold.hooks import hookimpl
                STARTS = []
                @hookimpl
                def keyfold_configure(settings):
                    STARTS.append(settings)
            """,
        },
    )
    catalog = site.catalog()
    met: list[object] = []
    gate = threading.Barrier(8)

    def ask() -> None:
        gate.wait()
        met.append(catalog.load("key", "run"))

    _in_threads(ask)

    assert met == [sys.modules["slow"].Run] * 8
    assert len(sys.modules["slow_hooks"].STARTS) == 1


def _in_threads(target: Any) -> None:
    threads = [threading.Thread(target=target) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_importing_the_catalog_imports_no_metadata() -> None:
    code = (
        "import sys, keyfold.catalog, keyfold.config;"
        "print('importlib.metadata' in sys.modules)"
    )

    shown = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": ":".join(filter(None, sys.path))},
    )

    assert shown.stdout == "False\n"


def test_settings_that_match_nothing_are_all_named(acme: Site) -> None:
    catalog = acme.catalog(
        Settings(
            block=("run", "nmaed"),
            prefer={"key:rnu": "acme-keys", "named": "acme-key"},
            disabled=("acmekeys",),
        )
    )

    with pytest.raises(ConfigError) as caught:
        catalog.plugins()

    expected = "the name of a plugin, or of a distribution that provides one"
    assert str(caught.value) == (
        "the plugin configuration has 4 problems:\n"
        f"  KEYFOLD_DISABLE_PLUGINS: expected {expected}, found 'acmekeys'\n"
        "    Hint: did you mean 'acme-keys'?\n"
        f"  plugins.block[1]: expected {expected}, found 'nmaed'\n"
        "    Hint: did you mean 'named'?\n"
        '  plugins.prefer."key:rnu": expected the name of a plugin, or kind:name, '
        "found 'key:rnu'\n"
        "    Hint: did you mean 'key:run'?\n"
        "  plugins.prefer.named: expected a distribution that provides it: acme-keys, "
        "found 'acme-key'\n"
        "    Hint: did you mean 'acme-keys'?"
    )
    with pytest.raises(ConfigError):
        catalog.load("key", "run")
