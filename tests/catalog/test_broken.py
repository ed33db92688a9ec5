"""Plugins that are blocked, in conflict, or broken: named, and never swallowed."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.metadata import EntryPoint
from typing import TYPE_CHECKING

import pytest

from keyfold.catalog import Catalog, PluginRecord
from keyfold.errors import (
    ContractError,
    PluginBlockedError,
    PluginConflictError,
    PluginLoadError,
)
from keyfold.kinds import Kind
from keyfold.settings import Settings

if TYPE_CHECKING:
    from tests.catalog.conftest import Site

RecordOf = Callable[..., PluginRecord]

RUN = """
    class Run:
        def key(self, sample, position): ...
"""


@pytest.mark.parametrize("name", ["run", "key:run", "acme-keys", "Acme_Keys"])
def test_a_block_holds_before_the_import(
    acme: Site, record_of: RecordOf, name: str
) -> None:
    catalog = acme.catalog(Settings(block=(name,)))

    with pytest.raises(PluginBlockedError) as caught:
        catalog.load("key", "run")

    assert str(caught.value) == (
        "the key 'run' of acme-keys 1.2 is blocked: plugins.block names "
        f"{name!r}\nHint: lift the block, or do without the plugin"
    )
    assert record_of(catalog, "run").state == "blocked"
    assert record_of(catalog, "run").detail == f"plugins.block names {name!r}"
    assert "acme_keys" not in sys.modules


def test_a_block_by_kind_leaves_the_other_kinds(site: Site) -> None:
    groups = {"keyfold.keys": {"x": "m:X"}, "keyfold.values": {"x": "m:X"}}
    site.add("acme", groups)

    catalog = site.catalog(Settings(block=("key:x",)))

    assert (catalog.names("key"), catalog.names("value")) == ((), ("x",))


def test_the_environment_blocks(acme: Site) -> None:
    with pytest.raises(PluginBlockedError) as caught:
        acme.catalog(Settings(disabled=("run",))).load("key", "run")

    assert str(caught.value).startswith(
        "the key 'run' of acme-keys 1.2 is blocked: KEYFOLD_DISABLE_PLUGINS names 'run'"
    )


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        (
            Settings(autoload=False),
            "plugins.autoload is false, which leaves the built-in plugins",
        ),
        (
            Settings(disabled=("*",)),
            "KEYFOLD_DISABLE_PLUGINS is '*', which leaves the built-in plugins",
        ),
    ],
)
def test_without_autoload_only_keyfold_itself_is_left(
    acme: Site, record_of: RecordOf, settings: Settings, reason: str
) -> None:
    acme.add("keyfold", {"keyfold.keys": {"rollout": "own:Run"}}, {"own": RUN})

    catalog = acme.catalog(settings)

    assert catalog.names("key") == ("rollout",)
    assert record_of(catalog, "run").detail == reason
    with pytest.raises(PluginBlockedError):
        catalog.load("key", "run")


def test_a_star_in_an_empty_catalog_is_no_error(site: Site) -> None:
    assert site.catalog(Settings(disabled=("*",))).plugins() == ()


def test_a_conflict_is_raised_on_use_and_shown_when_listed(
    acme: Site, record_of: RecordOf
) -> None:
    acme.add("zeta", {"keyfold.keys": {"run": "zeta:Run"}}, {"zeta": RUN})
    catalog = acme.catalog()

    assert catalog.make("key", "ready") is not None
    with pytest.raises(PluginConflictError) as caught:
        catalog.load("key", "run")

    assert str(caught.value) == (
        "the key 'run' is provided by acme-keys 1.2 and zeta 1.0\n"
        'Hint: write plugins.prefer."key:run" = "acme-keys" (or "zeta")'
    )
    assert record_of(catalog, "run", "zeta").state == "conflict"
    assert record_of(catalog, "run", "zeta").detail == (
        "also provided by acme-keys 1.2; "
        'write plugins.prefer."key:run" = "acme-keys" (or "zeta")'
    )


def test_a_conflict_with_a_built_in_is_a_conflict(acme: Site) -> None:
    acme.add("keyfold", {"keyfold.keys": {"run": "own:Run"}}, {"own": RUN})

    with pytest.raises(PluginConflictError) as caught:
        acme.catalog().load("key", "run")

    assert caught.value.message == (
        "the key 'run' is provided by acme-keys 1.2 and keyfold 1.0"
    )


@pytest.mark.parametrize("name", ["key:run", "run"])
def test_prefer_settles_a_conflict(acme: Site, record_of: RecordOf, name: str) -> None:
    acme.add("zeta", {"keyfold.keys": {"run": "zeta:Run"}}, {"zeta": RUN})

    catalog = acme.catalog(Settings(prefer={name: "Zeta"}))

    assert catalog.load("key", "run") is sys.modules["zeta"].Run
    assert "acme_keys" not in sys.modules
    assert record_of(catalog, "run", "zeta").state == "loaded"
    other = record_of(catalog, "run", "acme-keys")
    assert (other.state, other.detail) == (
        "blocked",
        "plugins.prefer takes that of zeta 1.0",
    )


def test_a_block_settles_a_conflict(acme: Site) -> None:
    acme.add("zeta", {"keyfold.keys": {"run": "zeta:Run"}}, {"zeta": RUN})

    catalog = acme.catalog(Settings(block=("acme-keys",)))

    assert catalog.load("key", "run") is sys.modules["zeta"].Run


def test_one_distribution_that_provides_a_name_twice() -> None:
    entry_points = [
        EntryPoint("run", "one:Run", "keyfold.keys"),
        EntryPoint("run", "two:Run", "keyfold.keys"),
        EntryPoint("run", "two:Run", "keyfold.keys"),
    ]

    with pytest.raises(PluginConflictError) as caught:
        Catalog.of(entry_points).load("key", "run")

    assert caught.value.hint == (
        "(unknown) provides it twice, as one:Run and two:Run: remove one"
    )


@pytest.mark.parametrize(
    ("source", "raised", "cause"),
    [
        (
            "import not_there",
            "ModuleNotFoundError: No module named 'not_there'",
            ModuleNotFoundError,
        ),
        ("1 / 0", "ZeroDivisionError: division by zero", ZeroDivisionError),
        ("raise SystemExit", "SystemExit", SystemExit),
        (
            "",
            "AttributeError: module 'bad' has no attribute 'Run'",
            AttributeError,
        ),
    ],
)
def test_a_failed_import_names_the_plugin(
    site: Site,
    record_of: RecordOf,
    source: str,
    raised: str,
    cause: type[BaseException],
) -> None:
    site.add("acme", {"keyfold.keys": {"run": "bad:Run"}}, {"bad": source})
    catalog = site.catalog()
    assert record_of(catalog, "run").state == "available"

    for _ in range(2):
        with pytest.raises(PluginLoadError) as caught:
            catalog.load("key", "run")

        message = f"the key 'run' failed to import: bad:Run of acme 1.0 raised {raised}"
        assert str(caught.value) == (
            f"{message}\nHint: mend acme, or leave it out: KEYFOLD_DISABLE_PLUGINS=acme"
        )
        assert isinstance(caught.value.__cause__, cause)
        record = record_of(catalog, "run")
        assert (record.state, record.detail) == ("broken", message)


def test_a_built_in_that_fails_asks_for_an_installation(site: Site) -> None:
    site.add("keyfold", {"keyfold.keys": {"run": "no_such_module:Run"}})

    with pytest.raises(PluginLoadError) as caught:
        site.catalog().load("key", "run")

    assert caught.value.hint == "install keyfold again, with all that it needs"


@pytest.mark.parametrize(
    ("kind", "source", "wrong"),
    [
        ("key", "class It: pass", "is no key: the class has no method 'key'"),
        ("key", "It = 3", "is no key: the object has no method 'key'"),
        ("key", "class It:\n  key = 3", "is no key: the class has no method 'key'"),
        (
            "key",
            "class It:\n  def key(self, sample): ...",
            (
                "is no key: the class has a method 'key' that can't be called with "
                "2 arguments"
            ),
        ),
        (
            "value",
            "class It:\n  def value(self): ...\nIt = It()",
            (
                "is no value: the object has a method 'value' that can't be called "
                "with 1 argument"
            ),
        ),
        (
            "reducer",
            "class It:\n  def init(self): ...\n  def fold(self, a, b): ...",
            "is no reducer: the class has no method 'merge', no method 'finish'",
        ),
        (
            "selection",
            "class It: pass",
            "is no selection: the class has no method 'selects'",
        ),
        (
            "reader",
            "class It:\n  def read(self, path, request): ...",
            "is no reader: the class has no method 'recognises'",
        ),
    ],
)
def test_a_wrong_object_is_told_what_it_lacks(
    site: Site, record_of: RecordOf, kind: Kind, source: str, wrong: str
) -> None:
    site.add("acme", {f"keyfold.{kind}s": {"it": "bad:It"}}, {"bad": ""})
    site.path.joinpath("bad.py").write_text(source)
    catalog = site.catalog()

    with pytest.raises(ContractError) as caught:
        catalog.load(kind, "it")

    assert str(caught.value) == (
        f"bad:It of acme 1.0 {wrong}\n"
        f"Hint: keyfold.contracts says what a {kind} must have; 'it' may stand for "
        "the wrong object"
    )
    assert record_of(catalog, "it").state == "broken"


def test_what_a_function_makes_is_checked_as_well(site: Site) -> None:
    site.add(
        "acme",
        {"keyfold.keys": {"it": "bad:make"}},
        {"bad": "def make():\n        return 3\n"},
    )
    site.path.joinpath("bad.py").write_text("def make():\n    return 3\n")

    with pytest.raises(ContractError) as caught:
        site.catalog().make("key", "it")

    assert caught.value.message == (
        "bad:make of acme 1.0 is no key: the object has no method 'key'"
    )


@pytest.mark.parametrize(
    ("source", "wrong"),
    [
        (
            "it = 3",
            (
                "expected a Pipeline or a mapping of names to pipelines, found an "
                "object of the type int"
            ),
        ),
        (
            "def it(): ...",
            (
                "expected a Pipeline or a mapping of names to pipelines, found the "
                "function it"
            ),
        ),
        (
            "it = {'a': 3}",
            "expected a Pipeline under 'a', found an object of the type int",
        ),
        ("it = {1: 3}", "expected names, found 1"),
    ],
)
def test_a_wrong_pipeline_set(site: Site, source: str, wrong: str) -> None:
    site.add("acme", {"keyfold.pipelines": {"it": "bad:it"}}, {"bad": source})

    with pytest.raises(ContractError) as caught:
        site.catalog().load("pipeline", "it")

    assert caught.value.message == f"bad:it of acme 1.0 is no pipeline set: {wrong}"


def test_a_module_is_no_pipeline_set(site: Site) -> None:
    site.add("acme", {"keyfold.pipelines": {"it": "bad"}}, {"bad": ""})

    with pytest.raises(ContractError) as caught:
        site.catalog().load("pipeline", "it")

    assert caught.value.message.endswith(", found the module bad")


@pytest.mark.parametrize(
    "source",
    [
        "class It:\n  key = staticmethod(lambda sample, position: (1,))",
        "class It:\n  key = len",
        "class It:\n  key = dict\nIt = It()",
        "import functools\ndef make(of): ...\nIt = functools.partial(make, 1)",
    ],
)
def test_odd_but_right_objects(site: Site, source: str) -> None:
    site.add("acme", {"keyfold.keys": {"it": "odd:It"}}, {"odd": ""})
    site.path.joinpath("odd.py").write_text(source)

    assert site.catalog().load("key", "it") is sys.modules["odd"].It


def test_a_plugin_of_another_contract_version(site: Site) -> None:
    source = "class Run:\n    api_version = 2\n    def key(self, s, p): ...\n"
    site.add("acme", {"keyfold.keys": {"run": "bad:Run"}}, {"bad": source})

    with pytest.raises(ContractError) as caught:
        site.catalog().load("key", "run")

    assert str(caught.value) == (
        "bad:Run of acme 1.0 was written for version 2 of the plugin contracts, and "
        "this keyfold has version 1\n"
        "Hint: install releases of keyfold and acme that go together"
    )


def test_check_tries_everything_and_raises_nothing(acme: Site) -> None:
    acme.add("zeta", {"keyfold.keys": {"run": "zeta:Run", "x": "zeta:Run"}})

    records = {(it.name, it.distribution): it.state for it in acme.catalog().check()}

    assert records == {
        ("first", "acme-keys"): "loaded",
        ("named", "acme-keys"): "loaded",
        ("ready", "acme-keys"): "loaded",
        ("run", "acme-keys"): "conflict",
        ("run", "zeta"): "broken",
        ("x", "zeta"): "broken",
    }


def test_check_imports_nothing_that_is_blocked(acme: Site) -> None:
    acme.catalog(Settings(block=("acme-keys",))).check()

    assert "acme_keys" not in sys.modules


def test_broken_metadata_of_ours_is_listed_and_of_others_passed_over(
    acme: Site, record_of: RecordOf
) -> None:
    acme.add("bad", {}, version="0.1")
    acme.path.joinpath("bad-0.1.dist-info/entry_points.txt").write_text(
        "[keyfold.keys]\nno_target\n"
    )
    acme.add("other", {})
    acme.path.joinpath("other-1.0.dist-info/entry_points.txt").write_text(
        "[console_scripts]\nno_target\n"
    )

    catalog = acme.catalog()

    assert [it.name for it in catalog.plugins()] == [
        *("first", "named", "ready", "run"),
        "bad",
    ]
    record = record_of(catalog, "bad")
    assert (record.kind, record.state) == ("module", "broken")
    assert record.detail.startswith(
        "the module 'bad' failed to import: entry_points.txt of bad 0.1 raised "
    )


def test_a_target_that_is_none(site: Site) -> None:
    site.add("acme", {"keyfold.keys": {"run": "not a target"}})

    assert {it.state for it in site.catalog().check()} == {"broken"}


@pytest.mark.parametrize("content", [b"", b"Name: \xff"])
def test_metadata_without_a_name(site: Site, content: bytes) -> None:
    site.add("acme", {"keyfold.keys": {"run": "acme:Run"}})
    site.path.joinpath("acme-1.0.dist-info/METADATA").write_bytes(content)

    (record,) = site.catalog().plugins()

    assert (record.distribution, record.version) == ("(unknown)", "(unknown)")
