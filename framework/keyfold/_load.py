"""The way into configurations that costs nothing until it is used."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from keyfold.errors import ConfigError, ConfigProblem
from keyfold.pipeline import Pipeline
from keyfold.planned import Planned

if TYPE_CHECKING:
    from keyfold._config.read import ConfigSource
    from keyfold.catalog import Catalog

__all__ = ["load"]


def load(
    config: ConfigSource, *, catalog: Catalog | None = None
) -> Mapping[str, Pipeline[Any]]:
    """Return the pipelines of a configuration, by name.

    Args:
        config: The path of a `keyfold.toml` or of a `pyproject.toml` with a table
            `tool.keyfold`, or a mapping of the TOML's shape.
        catalog: What the names mean; None means what is installed.

    Raises:
        ConfigError: Something is wrong with it; lists everything.
    """
    # A trainer that declares its pipelines in Python never pays for this import.
    from keyfold._config.read import read_config  # noqa: PLC0415

    read = read_config(config, catalog=catalog)
    if not read.metrics:
        nothing = ConfigProblem(
            "metrics",
            expected="at least one metric, or pipeline sets in pipelines",
            found="none",
        )
        raise ConfigError(read.source, [nothing])
    return Planned(read.metrics)
