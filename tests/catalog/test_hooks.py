"""Modules with hooks: names added by code, and the life of a report."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from keyfold.catalog import PluginRecord
from keyfold.errors import (
    ContractError,
    KeyfoldError,
    PluginBlockedError,
    PluginConflictError,
    PluginLoadError,
    UsageError,
)
from keyfold.hooks import Hooks, HookSpecs
from keyfold.partials import partial
from keyfold.report import Report
from keyfold.settings import Settings

if TYPE_CHECKING:
    from tests.catalog.conftest import Site

RecordOf = Callable[..., PluginRecord]

HEAD = "from keyfold.hooks import hookimpl\n"
HOOKS = (
    "keyfold_register, keyfold_configure, keyfold_plugin_failed, "
    "keyfold_report_starting, keyfold_values_rejected, keyfold_report_made, "
    "keyfold_report_text, keyfold_partial_merged, keyfold_error"
)
REGISTERS = """\
from keyfold.hooks import hookimpl

class Added:
    def key(self, sample, position):
        return (sample,)

@hookimpl
def keyfold_register(registrar):
    registrar.add("key", "added", Added)
"""


def install(site: Site, source: str, *, name: str = "acme") -> None:
    """Install a distribution whose module of hooks has a source."""
    module = f"{name}_hooks"
    site.add(name, {"keyfold": {"hooks": module}}, {module: ""})
    site.path.joinpath(f"{module}.py").write_text(source)


def broken(site: Site) -> KeyfoldError:
    """Return what the catalog raises as it is used, and check that it lists."""
    catalog = site.catalog()
    (record,) = [it for it in catalog.plugins() if it.kind == "module"]
    with pytest.raises(KeyfoldError) as caught:
        catalog.load("key", "any")
    with pytest.raises(type(caught.value)) as again:
        _ = catalog.hooks
    assert str(again.value) == str(caught.value)
    assert (record.state, record.detail) == ("broken", caught.value.message)
    return caught.value


def test_the_facade_has_the_hooks_that_there_are() -> None:
    spelt = {name: spec for name, spec in vars(HookSpecs).items() if name[0] != "_"}
    facade = {name: call for name, call in vars(Hooks).items() if name[0] != "_"}

    assert facade.keys() == spelt.keys() - {"keyfold_register", "keyfold_configure"}
    for name, call in facade.items():
        offered = inspect.signature(spelt[name]).parameters
        called = inspect.signature(call).parameters
        assert list(called) == list(offered)
        assert all(
            it.kind is it.KEYWORD_ONLY and it.annotation == offered[name].annotation
            for name, it in called.items()
            if name != "self"
        )


def test_a_module_adds_names_by_code(site: Site, record_of: RecordOf) -> None:
    install(site, REGISTERS)
    catalog = site.catalog()

    assert catalog.make("key", "added").key(1, 0) == (1,)
    assert record_of(catalog, "added") == PluginRecord(
        name="added",
        kind="key",
        distribution="acme",
        version="1.0",
        target="acme_hooks:Added",
        state="loaded",
    )
    assert record_of(catalog, "hooks").state == "loaded"


def test_each_name_is_its_own_distributions(site: Site, record_of: RecordOf) -> None:
    install(site, REGISTERS)
    install(site, REGISTERS.replace('"added"', '"other"'), name="zeta")

    catalog = site.catalog()

    assert record_of(catalog, "added").distribution == "acme"
    assert record_of(catalog, "other").distribution == "zeta"


def test_an_argument_with_a_default_may_be_of_a_later_keyfold(site: Site) -> None:
    source = f"{HEAD}met = []\n@hookimpl\ndef keyfold_error(error, later=3): "
    install(site, f"{source}met.append(later)")

    site.catalog().hooks.keyfold_error(error=UsageError("no"))

    assert sys.modules["acme_hooks"].met == [3]


def test_an_added_object_is_known_by_its_class(site: Site, record_of: RecordOf) -> None:
    install(site, REGISTERS.replace("Added)", "Added())"))

    assert record_of(site.catalog(), "added").target == "acme_hooks:Added"


def test_an_added_name_is_in_conflict_with_an_entry_point(acme: Site) -> None:
    install(acme, REGISTERS.replace('"added"', '"run"'), name="zeta")

    with pytest.raises(PluginConflictError) as caught:
        acme.catalog().load("key", "run")

    assert str(caught.value) == (
        "the key 'run' is provided by acme-keys 1.2 and zeta 1.0\n"
        'Hint: write plugins.prefer."key:run" = "acme-keys" (or "zeta")'
    )


def test_an_added_name_can_be_blocked(site: Site) -> None:
    install(site, REGISTERS)

    with pytest.raises(PluginBlockedError):
        site.catalog(Settings(block=("added",))).load("key", "added")


@pytest.mark.parametrize("name", ["acme", "hooks", "module:hooks"])
def test_a_blocked_module_is_not_imported(site: Site, name: str) -> None:
    install(site, REGISTERS)

    assert site.catalog(Settings(block=(name,))).names("key") == ()
    assert "acme_hooks" not in sys.modules


@pytest.mark.parametrize(
    ("line", "message", "hint"),
    [
        (
            'registrar.add("keys", "added", Added)',
            (
                "acme_hooks of acme 1.0 adds 'added' to the kind 'keys', which is none "
                "of key, reducer, value, selection, pipeline, reader, sink"
            ),
            "did you mean 'key'?",
        ),
        (
            'registrar.add("key", "not-a-name", Added)',
            (
                "acme_hooks of acme 1.0 adds 'not-a-name' as a key, which no "
                "configuration can spell"
            ),
            None,
        ),
        (
            'registrar.add("key", "a", Added); registrar.add("key", "a", Added)',
            "acme_hooks of acme 1.0 adds 'a' as a key twice",
            None,
        ),
        (
            "1 / 0",
            (
                "the module 'hooks' failed in keyfold_register: acme_hooks of acme 1.0 "
                "raised ZeroDivisionError: division by zero"
            ),
            "mend acme, or leave it out: KEYFOLD_DISABLE_PLUGINS=acme",
        ),
    ],
)
def test_a_wrong_registration_breaks_the_module(
    site: Site, line: str, message: str, hint: str | None
) -> None:
    install(site, REGISTERS.replace('registrar.add("key", "added", Added)', line))

    error = broken(site)

    assert (error.message, error.hint) == (message, hint)


def test_a_broken_module_leaves_no_name_and_no_hook(site: Site) -> None:
    install(site, REGISTERS + "    raise ValueError\n")

    assert [it.name for it in site.catalog().plugins()] == ["hooks"]


def test_a_registrar_is_closed_after_the_hook(site: Site) -> None:
    install(site, REGISTERS + "    global kept; kept = registrar\n")
    site.catalog().plugins()

    with pytest.raises(ContractError) as caught:
        sys.modules["acme_hooks"].kept.add("key", "late", object)

    assert caught.value.message == (
        "acme_hooks of acme 1.0 adds 'late' after keyfold_register has returned"
    )


@pytest.mark.parametrize(
    ("source", "message", "hint"),
    [
        (
            f"{HEAD}@hookimpl\ndef keyfold_reprot_made(report): ...",
            (
                "acme_hooks of acme 1.0 implements the hook 'keyfold_reprot_made', "
                f"which keyfold does not have; its hooks are {HOOKS}"
            ),
            "did you mean 'keyfold_report_made'?",
        ),
        (
            f"{HEAD}@hookimpl\ndef after_all(): ...",
            (
                "acme_hooks of acme 1.0 implements the hook 'after_all', which "
                f"keyfold does not have; its hooks are {HOOKS}"
            ),
            "a hook of a later keyfold is marked hookimpl(optionalhook=True)",
        ),
        (
            f"{HEAD}@hookimpl\ndef keyfold_report_made(reprot): ...",
            (
                "acme_hooks of acme 1.0 takes the argument 'reprot' in "
                "keyfold_report_made, which offers report, pipelines, step"
            ),
            "did you mean 'report'?",
        ),
        (
            f"{HEAD}def keyfold_report_made(report): ...",
            (
                "acme_hooks of acme 1.0 has a function 'keyfold_report_made' that is "
                "not marked as a hook"
            ),
            "mark it with @hookimpl, from keyfold.hooks",
        ),
        (
            "",
            f"acme_hooks of acme 1.0 has no hooks; those that there are: {HOOKS}",
            "mark each hook with @hookimpl, from keyfold.hooks",
        ),
        (
            "import not_there",
            (
                "the module 'hooks' failed to import: acme_hooks of acme 1.0 raised "
                "ModuleNotFoundError: No module named 'not_there'"
            ),
            "mend acme, or leave it out: KEYFOLD_DISABLE_PLUGINS=acme",
        ),
        (
            f"{HEAD}@hookimpl\ndef keyfold_configure(settings): 1 / 0",
            (
                "the module 'hooks' failed in keyfold_configure: acme_hooks of acme "
                "1.0 raised ZeroDivisionError: division by zero"
            ),
            "mend acme, or leave it out: KEYFOLD_DISABLE_PLUGINS=acme",
        ),
        (
            f"{HEAD}api_version = 9\n@hookimpl\ndef keyfold_error(error): ...",
            (
                "acme_hooks of acme 1.0 was written for version 9 of the plugin "
                "contracts, and this keyfold has version 1"
            ),
            "install releases of keyfold and acme that go together",
        ),
        (
            f"{HEAD}@hookimpl(wrapper=True)\ndef keyfold_register(registrar): yield",
            (
                "acme_hooks of acme 1.0 wraps keyfold_register, which is called for "
                "each plugin by itself"
            ),
            None,
        ),
        (
            f"{HEAD}@hookimpl(wrapper=True)\ndef keyfold_error(error): ...",
            (
                "acme_hooks of acme 1.0 has a wrong hook: Declared as wrapper=True or "
                "hookwrapper=True but function is not a generator function"
            ),
            None,
        ),
    ],
)
def test_a_module_with_wrong_hooks_is_named(
    site: Site, source: str, message: str, hint: str | None
) -> None:
    install(site, source)

    error = broken(site)

    assert (error.message, error.hint) == (message, hint)


def test_a_class_instead_of_an_object(site: Site) -> None:
    site.add("acme", {"keyfold": {"hooks": "acme_hooks:It"}})
    site.path.joinpath("acme_hooks.py").write_text("class It: ...")

    assert str(broken(site)) == (
        "acme_hooks:It of acme 1.0 is a class, expected a module or an object with "
        "hooks\nHint: name an object of the class instead"
    )


def test_an_object_with_hooks(site: Site) -> None:
    site.add("acme", {"keyfold": {"hooks": "acme_hooks:IT"}})
    site.path.joinpath("acme_hooks.py").write_text(
        f"{HEAD}class It:\n"
        "    met = []\n"
        "    @hookimpl\n"
        "    def keyfold_error(self, error): self.met.append(error)\n"
        "IT = It()\n"
    )
    error = UsageError("no")

    site.catalog().hooks.keyfold_error(error=error)

    assert sys.modules["acme_hooks"].IT.met == [error]


def test_one_module_named_twice(site: Site, record_of: RecordOf) -> None:
    source = f"{HEAD}@hookimpl\ndef keyfold_error(error): ..."
    site.add("acme", {"keyfold": {"a": "acme_hooks", "b": "acme_hooks"}})
    site.path.joinpath("acme_hooks.py").write_text(source)
    catalog = site.catalog()

    with pytest.raises(ContractError) as caught:
        _ = catalog.hooks

    assert str(caught.value) == (
        "acme_hooks of acme 1.0 can't be told from a plugin that is registered already"
        "\nHint: name each module once; an attrs class of hooks needs eq=False"
    )
    assert record_of(catalog, "b").state == "loaded"


def test_an_optional_hook_of_a_later_keyfold_is_passed_over(site: Site) -> None:
    install(site, f"{HEAD}@hookimpl(optionalhook=True)\ndef keyfold_later(it): ...")

    assert site.catalog().hooks is not None


def test_hooks_are_called_in_the_order_of_their_names(site: Site) -> None:
    for name in ("b", "c", "a"):
        source = f"@hookimpl\ndef keyfold_error(error): error.add_note({name!r})"
        install(site, HEAD + source, name=name)
    late = "@hookimpl(trylast=True)\ndef keyfold_error(error): error.add_note('late')"
    install(site, HEAD + late, name="aa")
    error = UsageError("no")

    site.catalog().hooks.keyfold_error(error=error)

    assert error.__notes__ == ["a", "b", "c", "late"]


def test_each_hook_is_told_what_the_facade_says(site: Site) -> None:
    install(
        site,
        HEAD
        + "met = []\n"
        + "@hookimpl\ndef keyfold_configure(settings): met.append(settings)\n"
        + "@hookimpl\ndef keyfold_report_made(report, pipelines): "
        + "met.append((report, pipelines))\n"
        + "@hookimpl\ndef keyfold_partial_merged(partial, pipelines): "
        + "met.append((partial, pipelines))\n"
        + "@hookimpl\ndef keyfold_error(error): met.append(error)\n",
    )
    catalog = site.catalog()
    report, merged, error = Report({}), partial((), {}), UsageError("no")

    catalog.hooks.keyfold_report_made(report=report, pipelines={}, step=None)
    catalog.hooks.keyfold_partial_merged(partial=merged, pipelines={})
    catalog.hooks.keyfold_error(error=error)

    assert sys.modules["acme_hooks"].met == [
        catalog.settings,
        (report, {}),
        (merged, {}),
        error,
    ]


def test_an_exception_in_a_hook_passes_through_and_names_the_plugin(
    site: Site,
) -> None:
    install(site, f"{HEAD}@hookimpl\ndef keyfold_report_made(report): 1 / 0")

    with pytest.raises(ZeroDivisionError) as caught:
        site.catalog().hooks.keyfold_report_made(
            report=Report({}), pipelines={}, step=None
        )

    assert caught.value.__notes__ == [
        "in keyfold_report_made of the plugin hooks (acme_hooks of acme 1.0)"
    ]


def test_a_catalog_without_modules_has_hooks_that_do_nothing(site: Site) -> None:
    assert site.catalog().hooks.keyfold_error(error=UsageError("no")) == []


def test_a_module_that_uses_the_catalog_on_import_is_told_not_to(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(site, "import asking\nasking.catalog.load('key', 'any')\n")
    catalog = site.catalog()
    asking: Any = type(sys)("asking")
    asking.catalog = catalog
    monkeypatch.setitem(sys.modules, "asking", asking)

    with pytest.raises(PluginLoadError) as caught:
        catalog.load("key", "any")

    assert str(caught.value.__cause__) == (
        "the catalog was asked for plugins while it imports its plugin modules\n"
        "Hint: a plugin module looks names up when they are used, not on import"
    )


def test_other_settings_start_the_modules_anew(site: Site) -> None:
    install(site, REGISTERS)
    catalog = site.catalog()
    assert catalog.names("key") == ("added",)

    assert catalog.with_settings(Settings(block=("hooks",))).names("key") == ()


def test_the_how_to_has_every_hook_with_its_arguments() -> None:
    page = Path(__file__).parents[2] / "docs" / "how-to" / "hook-into-reports.md"
    rows = re.findall(
        r"^\| `(keyfold_\w+)` \| ([^|]*) \|", page.read_text("utf-8"), re.MULTILINE
    )
    described = {name: re.findall(r"`(\w+)`", arguments) for name, arguments in rows}
    assert described == {
        name: list(inspect.signature(spec).parameters)[1:]
        for name, spec in vars(HookSpecs).items()
        if name[0] != "_"
    }


def test_modules_are_told_of_a_plugin_that_fails(site: Site) -> None:
    told = "@hookimpl\ndef keyfold_plugin_failed(error): met.append(error.message)"
    install(site, f"{HEAD}met = []\n{told}\n")
    site.add("zeta", {"keyfold.keys": {"lost": "no_such_module:Key"}}, {})
    with pytest.raises(PluginLoadError) as caught:
        site.catalog().load("key", "lost")
    assert sys.modules["acme_hooks"].met == [caught.value.message]


def test_modules_are_told_of_a_module_that_fails(site: Site) -> None:
    told = "@hookimpl\ndef keyfold_plugin_failed(error): met.append(error.message)"
    install(site, f"{HEAD}met = []\n{told}\n")
    install(site, "1 / 0", name="zeta")
    with pytest.raises(PluginLoadError) as caught:
        site.catalog().load("key", "any")
    assert sys.modules["acme_hooks"].met == [caught.value.message]
