from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from importlib.metadata import Distribution, EntryPoint
from pathlib import Path
from textwrap import dedent

import pytest

from keyfold.catalog import Catalog
from keyfold.errors import ConfigError
from keyfold.settings import Settings

PLUGINS = """
    from __future__ import annotations

    from collections.abc import Hashable
    from typing import Any, Literal

    import attrs

    from keyfold.contracts import KeyStrategy
    from keyfold.pipeline import Pipeline


    @attrs.frozen(order=False)
    class Run:
        def key(self, sample, position): ...


    @attrs.frozen(order=False)
    class Scoped:
        inner: KeyStrategy[Any, Hashable]

        def key(self, sample, position): ...


    @attrs.frozen(order=False, init=False)
    class FirstOf:
        strategies: tuple[KeyStrategy[Any, Hashable], ...]

        def __init__(self, *strategies: KeyStrategy[Any, Hashable]) -> None:
            if not strategies:
                raise ValueError("first_of needs a key")
            self.__attrs_init__(strategies)

        def key(self, sample, position): ...


    @attrs.frozen(order=False)
    class Field:
        path: str = attrs.field(validator=attrs.validators.min_len(2))
        default: str | int | None = None
        _secret: bool = False

        def key(self, sample, position): ...


    READY = Run()


    def made(depth: int = 1):
        return Scoped(Run()) if depth else None


    @attrs.frozen(order=False)
    class Reward:
        def value(self, sample): ...


    @attrs.frozen(order=False)
    class Mean:
        weight: float = 1.0
        marks: tuple[int, ...] = ()
        mode: Literal["fast", "slow"] = "fast"
        anything: Any = None

        def init(self): ...
        def fold(self, state, values): ...
        def merge(self, left, right): ...
        def finish(self, state): ...


    class Unresolved(Mean):
        def __init__(self, it: NoSuchName = None) -> None: ...


    class Loose(dict):
        init = fold = merge = finish = print


    class Pair(Mean):
        def __init__(self, pair: tuple[int, str]) -> None: ...


    @attrs.frozen(order=False)
    class All:
        def selects(self, sample): ...


    one = Pipeline(Reward(), Mean())
    pair = {"one": one, "two": one}
"""

ENTRY_POINTS = """\
[keyfold.keys]
broken = no_such_module:Key
clash = plugins:Run
field = plugins:Field
first_of = plugins:FirstOf
made = plugins:made
ready = plugins:READY
run = plugins:Run
scoped = plugins:Scoped
wrong = plugins:Mean
[keyfold.reducers]
mean = plugins:Mean
loose = plugins:Loose
pair = plugins:Pair
unresolved = plugins:Unresolved
[keyfold.values]
reward = plugins:Reward
[keyfold.selections]
all = plugins:All
[keyfold.pipelines]
one = plugins:one
pair = plugins:pair
"""


def _entry_points(folder: Path, name: str, text: str) -> list[EntryPoint]:
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir()
    info.joinpath("METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n"
    )
    info.joinpath("entry_points.txt").write_text(text)
    return list(Distribution.at(info).entry_points)


@pytest.fixture
def catalog(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Catalog]:
    """A catalog of two distributions, acme and zeta, which both provide `clash`."""
    folder = tmp_path / "plugins"
    folder.mkdir()
    folder.joinpath("plugins.py").write_text(dedent(PLUGINS))
    monkeypatch.setattr(sys, "path", [str(folder), *sys.path])
    sys.modules.pop("plugins", None)
    zeta = "[keyfold.keys]\nclash = plugins:Run\n"
    yield Catalog.of(
        [
            *_entry_points(folder, "acme", ENTRY_POINTS),
            *_entry_points(folder, "zeta", zeta),
        ],
        settings=Settings(),
    )
    sys.modules.pop("plugins", None)


@pytest.fixture
def wrong() -> Callable[[Callable[[], object]], ConfigError]:
    """Calls something that must fail, and returns the error."""

    def call(action: Callable[[], object]) -> ConfigError:
        with pytest.raises(ConfigError) as caught:
            action()
        return caught.value

    return call
