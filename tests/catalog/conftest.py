from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from textwrap import dedent

import attrs
import pytest

from keyfold.catalog import Catalog, PluginRecord
from keyfold.settings import Settings


@attrs.frozen(order=False)
class Site:
    """A folder on `sys.path` with distributions, as an installer would leave them."""

    path: Path

    def add(
        self,
        distribution: str,
        entry_points: Mapping[str, Mapping[str, str]],
        modules: Mapping[str, str] | None = None,
        *,
        version: str = "1.0",
    ) -> None:
        """Install a distribution: its metadata, and its modules by name."""
        folder = f"{distribution.replace('-', '_')}-{version}.dist-info"
        info = self.path / folder
        info.mkdir()
        info.joinpath("METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}\n"
        )
        lines: list[str] = []
        for group, names in entry_points.items():
            lines.append(f"[{group}]")
            lines += [f"{name} = {target}" for name, target in names.items()]
        info.joinpath("entry_points.txt").write_text("\n".join(lines))
        for module, source in (modules or {}).items():
            self.path.joinpath(f"{module}.py").write_text(dedent(source))
        importlib.invalidate_caches()

    def catalog(self, settings: Settings | None = None) -> Catalog:
        """Return a catalog of what is installed here, and of nothing else."""
        return Catalog.installed(settings=settings or Settings(), path=[str(self.path)])


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    yield Site(tmp_path)
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if file and Path(file).parent == tmp_path:
            del sys.modules[name]


KEYS = """
    import attrs

    @attrs.frozen(order=False)
    class Run:
        def key(self, sample, position):
            return (sample["run"],)

    @attrs.frozen(order=False)
    class Named:
        path: str
        def key(self, sample, position):
            return (sample[self.path],)

    class Keyless:
        pass

    def first(path="run"):
        return Named(path)

    RUN = Run()
"""


@pytest.fixture
def acme(site: Site) -> Site:
    """A site with one distribution that has some keys."""
    site.add(
        "acme-keys",
        {
            "keyfold.keys": {
                "first": "acme_keys:first",
                "named": "acme_keys:Named",
                "ready": "acme_keys:RUN",
                "run": "acme_keys:Run",
            }
        },
        {"acme_keys": KEYS},
        version="1.2",
    )
    return site


def only(catalog: Catalog, name: str, distribution: str = "") -> PluginRecord:
    """Return the one record of a name."""
    (record,) = [
        it
        for it in catalog.plugins()
        if it.name == name and distribution in it.distribution
    ]
    return record


@pytest.fixture
def record_of() -> Callable[..., PluginRecord]:
    return only
