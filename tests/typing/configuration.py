"""Configurations, expressions and settings."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, assert_type

from keyfold import Pipeline
from keyfold.catalog import Catalog
from keyfold.config import Config, ConfigSource, ReaderTable, load, read_config
from keyfold.expressions import read_expression
from keyfold.settings import DISABLE_VARIABLE, Settings, disabled_by, read_settings

source: ConfigSource = Path("keyfold.toml")
no_source: ConfigSource = 3  # type: ignore[assignment]


def accepted(catalog: Catalog) -> None:
    assert_type(load(source, catalog=catalog), Mapping[str, Pipeline[Any]])
    config = read_config({"metrics": {}}, catalog=catalog)
    assert_type(config, Config)
    assert_type(config.metrics, Mapping[str, Pipeline[Any]])
    assert_type(config.settings, Settings)
    assert_type(config.catalog, Catalog)
    assert_type(config.reader, ReaderTable)
    assert_type(config.reader.fields, Mapping[str, str])
    assert_type(ReaderTable(step="@file").step, str | None)
    assert_type(read_expression("mean", "reducer", source="--by"), object)
    variable: str = DISABLE_VARIABLE
    settings = Settings(block=["acme"], prefer={"rollout": "keyfold"}, autoload=False)
    assert_type(settings.block, tuple[str, ...])
    assert_type(Settings.from_table({}, base=settings), Settings)
    assert_type(disabled_by(), tuple[str, ...])
    assert_type(disabled_by({variable: "acme"}), tuple[str, ...])


def mistakes(catalog: Catalog, settings: Settings) -> None:
    load(b"keyfold.toml")  # type: ignore[arg-type]
    load({1: {}})  # type: ignore[dict-item]
    load(source, catalog)  # type: ignore[call-arg]
    read_config(source, catalog="installed")  # type: ignore[arg-type]
    read_expression("mean", "reduce", source="--by")  # type: ignore[arg-type]
    read_expression("mean", "reducer")  # type: ignore[call-arg]
    Settings(block=[1])  # type: ignore[list-item]
    Settings(prefer=["keyfold"])  # type: ignore[arg-type]
    Settings(blocks=["acme"])  # type: ignore[call-arg]
    Settings.from_table([])  # type: ignore[arg-type]
    settings.autoload = False  # type: ignore[misc]
    read_settings({}, "", settings)  # type: ignore[call-arg]
    ReaderTable(fields={"reward": 1})  # type: ignore[dict-item]
    Config("keyfold.toml")  # type: ignore[call-arg]
    disabled_by(["acme"])  # type: ignore[arg-type]
    DISABLE_VARIABLE + 1  # type: ignore[operator]
