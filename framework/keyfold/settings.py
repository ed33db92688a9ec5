"""Which plugins take part: what is blocked, preferred, and found by itself."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Final

import attrs

from keyfold._config.problems import Problems
from keyfold._config.tables import as_boolean, as_string, as_table, entries, strings
from keyfold._config.wording import join

__all__ = ["DISABLE_VARIABLE", "Settings", "disabled_by", "read_settings"]

DISABLE_VARIABLE: Final = "KEYFOLD_DISABLE_PLUGINS"
"""The environment variable with the plugins that are not to be loaded."""

_PLUGIN_KEYS: Final = ("block", "prefer", "autoload")


def _copied(prefer: Mapping[str, str]) -> Mapping[str, str]:
    return dict(prefer)


def _as_tuple(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(names)


@attrs.frozen(order=False)
class Settings:
    """Which plugins a catalog offers.

    A plugin is named by its name alone (in every kind), by its kind and name
    (`key:rollout`; `module:` for a module with hooks), or by its distribution.

    Attributes:
        block: The plugins and distributions that are not to be imported.
        prefer: Which distribution provides a name that several provide, by the name or
            by kind and name.
        autoload: Whether the plugins of other distributions than keyfold itself are
            found; the `*` of the environment variable turns this off, too.
        pipelines: The names of the pipeline sets that make up the defaults.
        disabled: What the environment blocks; as `block`, but a configuration adds to
            it and never replaces it.
    """

    block: tuple[str, ...] = attrs.field(default=(), converter=_as_tuple)
    prefer: Mapping[str, str] = attrs.field(factory=dict[str, str], converter=_copied)
    autoload: bool = True
    pipelines: tuple[str, ...] = attrs.field(default=("reward",), converter=_as_tuple)
    disabled: tuple[str, ...] = attrs.field(default=(), converter=_as_tuple)

    @classmethod
    def from_table(
        cls, table: Mapping[str, object], *, base: Settings | None = None
    ) -> Settings:
        """Return the settings of the tables `plugins` and `pipelines`.

        Args:
            table: A configuration; its other tables are passed over.
            base: What the configuration adds to: its blocks stay blocked, and what it
                prefers holds where the configuration says nothing else.

        Raises:
            ConfigError: An entry is not what it should be.
        """
        problems = Problems("the plugin configuration", table)
        settings = read_settings(table, "", base or cls(), problems)
        problems.raise_all()
        return settings


def read_settings(
    table: Mapping[str, object], path: str, base: Settings, problems: Problems
) -> Settings:
    """Return settings after a configuration's tables, noting what is wrong in them.

    Args:
        table: The configuration.
        path: The path of the configuration in its file.
        base: What the configuration adds to.
        problems: Takes what is wrong.
    """
    settings = base
    if "plugins" in table:
        where = join(path, "plugins")
        settings = _read_plugins(table["plugins"], where, settings, problems)
    if "pipelines" in table:
        names = strings(table["pipelines"], join(path, "pipelines"), problems)
        settings = attrs.evolve(settings, pipelines=names)
    return settings


def _read_plugins(
    value: object, path: str, base: Settings, problems: Problems
) -> Settings:
    block, prefer, autoload = base.block, dict(base.prefer), base.autoload
    table = as_table(value, path, problems)
    for key, entry, where in entries(table, path, _PLUGIN_KEYS, problems):
        if key == "block":
            block = tuple(dict.fromkeys((*block, *strings(entry, where, problems))))
        elif key == "autoload":
            autoload = autoload and as_boolean(entry, where, problems) is not False
        else:
            prefer |= _read_prefer(entry, where, problems)
    return attrs.evolve(base, block=block, prefer=prefer, autoload=autoload)


def _read_prefer(value: object, path: str, problems: Problems) -> Mapping[str, str]:
    read = {
        name: as_string(distribution, join(path, name), problems)
        for name, distribution in as_table(value, path, problems).items()
    }
    return {name: taken for name, taken in read.items() if taken is not None}


def disabled_by(environment: Mapping[str, str] = os.environ) -> tuple[str, ...]:
    """Return what the environment blocks: the comma-separated names of the variable."""
    names = environment.get(DISABLE_VARIABLE, "").split(",")
    return tuple(name.strip() for name in names if name.strip())
