"""Reading a whole configuration."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

import attrs

from keyfold._config.metric import read_metrics
from keyfold._config.pipeline_sets import read_sets
from keyfold._config.problems import Problems
from keyfold._config.reader_table import ReaderTable, read_reader
from keyfold._config.source import Source, open_source
from keyfold._config.tables import as_array, as_table, unknown
from keyfold._config.wording import join
from keyfold.catalog import Catalog, default_catalog
from keyfold.errors import ConfigProblem, UsageError
from keyfold.pipeline import Pipeline
from keyfold.settings import Settings, read_settings

__all__ = ["Config", "ConfigSource", "read_config"]

ConfigSource: TypeAlias = str | Path | Mapping[str, object]
"""The path of a TOML file, or a mapping of the TOML's shape."""

_TABLES: Final = ("metrics", "pipelines", "plugins", "reader")


@attrs.frozen(order=False, eq=False)
class Config:
    """A configuration that was read and found right.

    Attributes:
        source: Where it came from, as errors name it.
        metrics: The pipelines by name: those of the listed sets, then the file's own.
        settings: Which plugins take part.
        reader: How files are read.
        catalog: The catalog under the settings.
    """

    source: str
    metrics: Mapping[str, Pipeline[Any]]
    settings: Settings
    reader: ReaderTable
    catalog: Catalog


def read_config(config: ConfigSource, *, catalog: Catalog | None = None) -> Config:
    """Return everything that a configuration says. It may have no metrics.

    Args:
        config: As for `load`.
        catalog: What the names mean; None means what is installed. The configuration's
            settings are added to the catalog's.

    Raises:
        ConfigError: Something is wrong with it; lists everything.
    """
    source = open_source(config)
    problems = Problems(source.name, source.document)
    table = as_table(source.table, source.path, problems)
    for key in table:
        if key not in _TABLES:
            unknown(join(source.path, key), key, _TABLES, problems)
    base = default_catalog() if catalog is None else catalog
    settings = read_settings(table, source.path, base.settings, problems)
    configured = base.with_settings(settings)
    # Under settings that are wrong, names still mean what they mean without them.
    usable = configured if _is_usable(configured, source, problems) else None
    if usable is None and not base.setting_problems() and _has_hooks(base):
        usable = base
    metrics = _metrics(table, source.path, usable, problems)
    readers = None if usable is None else usable.names("reader")
    reader = read_reader(
        table.get("reader", {}), join(source.path, "reader"), readers, problems
    )
    problems.raise_all()
    return Config(source.name, metrics, settings, reader, configured)


def _is_usable(catalog: Catalog, source: Source, problems: Problems) -> bool:
    # Each name would meet the same obstacle again, so it is noted once.
    wrong = catalog.setting_problems()
    for problem in wrong:
        problems.take(_located(problem, source))
    if wrong:
        return False
    try:
        _ = catalog.hooks
    except UsageError as error:
        problem = ConfigProblem(
            join(source.path, "plugins"),
            expected="plugin modules that can be used",
            found=error.message,
            hint=error.hint,
        )
        problems.take(problem, cause=error)
        return False
    return True


def _has_hooks(catalog: Catalog) -> bool:
    try:
        _ = catalog.hooks
    except UsageError:
        return False
    return True


def _located(problem: ConfigProblem, source: Source) -> ConfigProblem:
    # The settings add up from several places; the key must be that of this file.
    if not problem.key.startswith("plugins."):
        return problem
    key = f"{source.path}.{problem.key}" if source.path else problem.key
    if problem.key.startswith("plugins.block"):
        passed_over = Problems(source.name)
        plugins = as_table(source.table.get("plugins", {}), "", passed_over)
        own = as_array(plugins.get("block", ()), "", passed_over)
        for place, name in enumerate(own):
            if problem.found == repr(name):
                key = join(join(join(source.path, "plugins"), "block"), place)
    return ConfigProblem(
        key, expected=problem.expected, found=problem.found, hint=problem.hint
    )


def _metrics(
    table: Mapping[str, object], path: str, catalog: Catalog | None, problems: Problems
) -> Mapping[str, Pipeline[Any]]:
    sets = read_sets(
        table.get("pipelines", ()), join(path, "pipelines"), catalog, problems
    )
    own_path = join(path, "metrics")
    own = read_metrics(table.get("metrics", {}), own_path, catalog, problems)
    for name in own:
        if name in sets:
            problems.add(
                join(own_path, name),
                expected="a name that no pipeline set gives",
                found="a metric of a set in pipelines",
                hint="name the metric otherwise, or leave the set out",
            )
    return {**sets, **own}
