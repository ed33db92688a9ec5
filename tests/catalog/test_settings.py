"""Settings: from a table, strictly, and from the environment."""

from __future__ import annotations

import pytest

from keyfold.errors import ConfigError
from keyfold.settings import Settings, disabled_by


def test_the_defaults() -> None:
    assert Settings.from_table({}) == Settings(
        block=(), prefer={}, autoload=True, pipelines=("reward",), disabled=()
    )


def test_a_whole_table() -> None:
    table = {
        "metrics": {},
        "pipelines": ["a", "b"],
        "plugins": {
            "block": ["acme", "key:run"],
            "prefer": {"key:mean": "zeta"},
            "autoload": False,
        },
    }

    assert Settings.from_table(table) == Settings(
        block=("acme", "key:run"),
        prefer={"key:mean": "zeta"},
        autoload=False,
        pipelines=("a", "b"),
    )


def test_a_table_adds_to_what_holds_already() -> None:
    base = Settings(
        block=("a", "b"),
        prefer={"x": "one", "y": "one"},
        autoload=False,
        disabled=("c",),
    )
    table = {"plugins": {"block": ["b", "d"], "prefer": {"y": "two"}, "autoload": True}}

    assert Settings.from_table(table, base=base) == Settings(
        block=("a", "b", "d"),
        prefer={"x": "one", "y": "two"},
        autoload=False,
        disabled=("c",),
    )


def test_everything_wrong_is_told_at_once() -> None:
    table = {
        "plugins": {
            "blok": ["a"],
            "block": ["a", 1],
            "prefer": {"key:mean": True},
            "autoload": "false",
        },
        "pipelines": "reward",
    }

    with pytest.raises(ConfigError) as caught:
        Settings.from_table(table)

    assert str(caught.value) == (
        "the plugin configuration has 5 problems:\n"
        "  plugins.blok: expected one of the keys block, prefer, autoload, found the "
        "unknown key 'blok'\n"
        "    Hint: did you mean 'block'?\n"
        "  plugins.block[1]: expected a string, found the integer 1\n"
        '  plugins.prefer."key:mean": expected a string, found the boolean true\n'
        '  plugins.autoload: expected true or false, found the string "false"\n'
        '  pipelines: expected an array, found the string "reward"'
    )


@pytest.mark.parametrize(
    ("value", "names"),
    [("", ()), (" , ", ()), ("*", ("*",)), ("a, key:b ,", ("a", "key:b"))],
)
def test_the_environment(value: str, names: tuple[str, ...]) -> None:
    assert disabled_by({"KEYFOLD_DISABLE_PLUGINS": value}) == names
    assert disabled_by({}) == ()
