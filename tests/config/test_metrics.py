"""The table `metrics`: everything in it becomes a pipeline, or a problem."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping
from importlib.metadata import EntryPoint
from types import MappingProxyType
from typing import Any

import pytest

from keyfold.catalog import Catalog
from keyfold.config import ReaderTable, load, read_config
from keyfold.errors import (
    ConfigError,
    PluginBlockedError,
    PluginConflictError,
    PluginLoadError,
)
from keyfold.pipeline import Level, Pipeline
from keyfold.settings import Settings

Wrong = Callable[[Callable[[], object]], ConfigError]

SMALLEST: Mapping[str, object] = {"value": "reward", "across": "mean"}


def problems(catalog: Catalog, config: Mapping[str, Any]) -> list[str]:
    """Return what is wrong with a configuration, one text a problem."""
    with pytest.raises(ConfigError) as caught:
        load(config, catalog=catalog)
    assert caught.value.source == "the configuration"
    return [str(problem) for problem in caught.value.problems]


def of_metric(catalog: Catalog, **entries: object) -> list[str]:
    """Return what is wrong with a metric that would be right without some entries."""
    return problems(catalog, {"metrics": {"m": {**SMALLEST, **entries}}})


def test_the_smallest_metric(catalog: Catalog) -> None:
    pipeline = load({"metrics": {"m": SMALLEST}}, catalog=catalog)["m"]

    plugins = sys.modules["plugins"]
    assert pipeline == Pipeline(plugins.Reward(), plugins.Mean())


def test_every_key_of_a_metric(catalog: Catalog) -> None:
    table = {
        "value": "reward",
        "levels": [
            {"key": "scoped(run)", "reduce": "mean"},
            {"key": "run", "reduce": "mean(weight=2)"},
        ],
        "across": "mean",
        "empty": 0,
        "where": "all",
        "by": "run",
        "missing": "zero",
        "nonfinite": "error",
        "coerce": True,
    }

    pipeline = load({"metrics": {"pass@4": table}}, catalog=catalog)["pass@4"]

    plugins = sys.modules["plugins"]
    assert pipeline == Pipeline(
        value=plugins.Reward(),
        across=plugins.Mean(),
        levels=(
            Level(plugins.Scoped(plugins.Run()), plugins.Mean()),
            Level(plugins.Run(), plugins.Mean(2)),
        ),
        where=plugins.All(),
        by=plugins.Run(),
        total=True,
        empty=0.0,
        missing="zero",
        nonfinite="error",
        coerce=True,
    )
    assert type(pipeline.empty) is float


def test_split_by_leaves_the_total_out(catalog: Catalog) -> None:
    config = {"metrics": {"m": {**SMALLEST, "split_by": "run"}}}

    pipeline = load(config, catalog=catalog)["m"]

    assert (pipeline.by, pipeline.total) == (sys.modules["plugins"].Run(), False)


def test_any_mapping_and_any_sequence_will_do(catalog: Catalog) -> None:
    level = MappingProxyType({"key": "run", "reduce": "mean"})
    metric = MappingProxyType({**SMALLEST, "levels": (level,)})

    config = MappingProxyType({"metrics": MappingProxyType({"m": metric})})

    assert len(load(config, catalog=catalog)["m"].levels) == 1
    assert problems(catalog, {"metrics": {"m": MappingProxyType({})}}) == [
        "metrics.m.value: expected the value to aggregate, found no such key",
        "metrics.m.across: expected the reducer of what is left, found no such key",
    ]


def test_nan_and_infinity_may_stand_for_nothing(catalog: Catalog) -> None:
    def empty(value: float) -> float | None:
        metric = {**SMALLEST, "empty": value}
        return load({"metrics": {"m": metric}}, catalog=catalog)["m"].empty

    assert empty(math.inf) == math.inf
    assert str(empty(math.nan)) == "nan"


@pytest.mark.parametrize(
    ("key", "value", "problem"),
    [
        ("empty", "0", 'expected a number, found the string "0"'),
        ("empty", True, "expected a number, found the boolean true"),
        ("empty", 10**400, "expected a number within a float, found the integer 1"),
        ("coerce", 1, "expected true or false, found the integer 1"),
        ("coerce", "true", 'expected true or false, found the string "true"'),
        ("value", 1.5, "expected a string, found the float 1.5"),
        ("by", ["run"], "expected a string, found an array"),
        ("where", {}, "expected a string, found a table"),
        ("levels", {}, "expected an array, found a table"),
        ("levels", "run", 'expected an array, found the string "run"'),
        (
            "missing",
            "Zero",
            (
                "expected one of 'skip', 'zero', 'nan', 'error', found the string "
                "\"Zero\"\n    Hint: did you mean 'zero'?"
            ),
        ),
        (
            "nonfinite",
            False,
            "expected one of 'propagate', 'skip', 'error', found the boolean false",
        ),
        (
            "across",
            None,
            "expected a string, found None of the Python type NoneType",
        ),
    ],
)
def test_a_wrong_type_is_named_in_the_words_of_toml(
    catalog: Catalog, key: str, value: object, problem: str
) -> None:
    (found,) = of_metric(catalog, **{key: value})

    assert found.startswith(f"metrics.m.{key}: {problem}")


def test_an_unknown_key_is_met_with_the_nearest(catalog: Catalog) -> None:
    assert of_metric(catalog, splitby="run") == [
        (
            "metrics.m.splitby: expected one of the keys value, levels, across, empty, "
            "where, by, split_by, missing, nonfinite, coerce, found the unknown key "
            "'splitby'\n    Hint: did you mean 'split_by'?"
        )
    ]


def test_levels_are_checked_one_by_one(catalog: Catalog) -> None:
    levels = [
        {"key": "run"},
        {"key": "run", "reduce": "mean", "reducer": "mean"},
        "run",
        {},
    ]

    assert of_metric(catalog, levels=levels) == [
        (
            "metrics.m.levels[0].reduce: expected the reducer of the unit's values, "
            "found no such key"
        ),
        (
            "metrics.m.levels[1].reducer: expected one of the keys key, reduce, found "
            "the unknown key 'reducer'\n    Hint: did you mean 'reduce'?"
        ),
        'metrics.m.levels[2]: expected a table, found the string "run"',
        (
            "metrics.m.levels[3].key: expected the key that names the unit, found no "
            "such key"
        ),
        (
            "metrics.m.levels[3].reduce: expected the reducer of the unit's values, "
            "found no such key"
        ),
    ]


def test_by_and_split_by_exclude_each_other(catalog: Catalog) -> None:
    assert of_metric(catalog, by="run", split_by="run") == [
        (
            "metrics.m.split_by: expected either by or split_by, found both\n"
            "    Hint: by gives the number over everything as well, split_by does not"
        )
    ]


def test_a_metric_needs_a_name(catalog: Catalog) -> None:
    assert problems(catalog, {"metrics": {" ": SMALLEST}}) == [
        'metrics." ": expected the name of a metric, found an empty one'
    ]


def test_names_that_are_no_strings(catalog: Catalog) -> None:
    assert problems(catalog, {"metrics": {1: SMALLEST}}) == [
        (
            "metrics: expected a table whose keys are strings, found the key 1 of the "
            "Python type int"
        )
    ]


def test_all_problems_are_reported_in_the_order_of_the_configuration(
    catalog: Catalog,
) -> None:
    config = {
        "metric": {},
        "metrics": {
            "pass@4": {"across": "maen", "value": 3, "empty": "x"},
            "b": 5,
            "c": {"levels": [{"key": "rnu", "reduce": "mean"}], "value": "reward"},
        },
        "reader": {"format": 1, "fields": {"a": 2}},
        "pipelines": ["pear"],
        "plugins": {"autoload": 0},
    }

    assert problems(catalog, config) == [
        (
            "metric: expected one of the keys metrics, pipelines, plugins, reader, "
            "found the unknown key 'metric'\n    Hint: did you mean 'metrics'?"
        ),
        (
            'metrics."pass@4".across: expected one of the reducers '
            "loose, mean, pair, unresolved, found 'maen' at column 1\n"
            "    Hint: did you mean 'mean'?"
        ),
        'metrics."pass@4".value: expected a string, found the integer 3',
        'metrics."pass@4".empty: expected a number, found the string "x"',
        "metrics.b: expected a table, found the integer 5",
        "metrics.c.across: expected the reducer of what is left, found no such key",
        (
            "metrics.c.levels[0].key: expected one of the keys broken, clash, field, "
            "first_of, made, ready, run, scoped, wrong, found 'rnu' at column 1\n"
            "    Hint: did you mean 'run'?"
        ),
        "reader.format: expected a string, found the integer 1",
        "reader.fields.a: expected a string, found the integer 2",
        (
            "pipelines[0]: expected one of the pipelines one, pair, found 'pear'\n"
            "    Hint: did you mean 'pair'?"
        ),
        "plugins.autoload: expected true or false, found the integer 0",
    ]


def test_a_configuration_without_metrics_has_nothing_to_load(catalog: Catalog) -> None:
    configs: list[dict[str, object]] = [{}, {"metrics": {}}, {"reader": {}}]
    for config in configs:
        assert problems(catalog, config) == [
            (
                "metrics: expected at least one metric, or pipeline sets in pipelines, "
                "found none"
            )
        ]
        assert read_config(config, catalog=catalog).metrics == {}


def test_plugin_errors_are_problems_and_the_cause(catalog: Catalog) -> None:
    metric = {**SMALLEST, "by": "broken"}

    with pytest.raises(ConfigError) as caught:
        load({"metrics": {"m": metric}}, catalog=catalog)

    assert str(caught.value) == (
        "the configuration has 1 problem:\n"
        "  metrics.m.by: expected a key that can be used, found 'broken' at column 1: "
        "the key 'broken' failed to import: no_such_module:Key of acme 1.0 raised "
        "ModuleNotFoundError: No module named 'no_such_module'\n"
        "    Hint: mend acme, or leave it out: KEYFOLD_DISABLE_PLUGINS=acme"
    )
    assert isinstance(caught.value.__cause__, PluginLoadError)
    assert isinstance(caught.value.__cause__.__cause__, ModuleNotFoundError)


def test_several_plugin_errors_are_a_group(catalog: Catalog) -> None:
    levels = [{"key": "clash", "reduce": "mean"}, {"key": "ready", "reduce": "mean"}]
    config = {
        "plugins": {"block": ["ready"]},
        "metrics": {"m": {**SMALLEST, "levels": levels}},
    }

    with pytest.raises(ConfigError) as caught:
        load(config, catalog=catalog)

    assert [str(problem) for problem in caught.value.problems] == [
        (
            "metrics.m.levels[0].key: expected a key that can be used, found 'clash' "
            "at column 1: the key 'clash' is provided by acme 1.0 and zeta 1.0\n"
            '    Hint: write plugins.prefer."key:clash" = "acme" (or "zeta")'
        ),
        (
            "metrics.m.levels[1].key: expected a key that can be used, found 'ready' "
            "at column 1: the key 'ready' of acme 1.0 is blocked: plugins.block names "
            "'ready'\n    Hint: lift the block, or do without the plugin"
        ),
    ]
    group: Any = caught.value.__cause__
    assert [type(it) for it in group.exceptions] == [
        PluginConflictError,
        PluginBlockedError,
    ]


def test_the_line_that_an_error_tells_settles_the_conflict(catalog: Catalog) -> None:
    config = {
        "plugins": {"prefer": {"key:clash": "zeta"}},
        "metrics": {"m": {**SMALLEST, "by": "clash"}},
    }

    read = read_config(config, catalog=catalog)

    assert read.metrics["m"].by == sys.modules["plugins"].Run()
    assert read.settings == Settings(prefer={"key:clash": "zeta"})
    assert read.catalog.settings is read.settings


def test_settings_that_match_nothing_stand_under_their_key(catalog: Catalog) -> None:
    base = catalog.with_settings(Settings(block=("ready",), disabled=("nobody",)))
    config = {
        "metrics": {"m": {**SMALLEST, "by": "not_checked"}, "n": {"value": "x("}},
        "plugins": {
            "prefer": {"key:clash": "nobody", "nothing": "acme"},
            "block": ["run", "acme-keys"],
        },
    }

    expected = "the name of a plugin, or of a distribution that provides one"
    assert problems(base, config) == [
        "metrics.n.across: expected the reducer of what is left, found no such key",
        (
            "metrics.n.value: expected an expression such as mean or "
            "first_of(rollout, position), found 'x(': '(' was never closed at column 2"
        ),
        (
            'plugins.prefer."key:clash": expected a distribution that provides it: '
            "acme, zeta, found 'nobody'"
        ),
        (
            "plugins.prefer.nothing: expected the name of a plugin, or kind:name, "
            "found 'nothing'"
        ),
        (
            f"plugins.block[1]: expected {expected}, found 'acme-keys'\n"
            "    Hint: did you mean 'acme'?"
        ),
        f"KEYFOLD_DISABLE_PLUGINS: expected {expected}, found 'nobody'",
    ]


def test_sets_come_before_the_own_metrics(catalog: Catalog) -> None:
    config = {"metrics": {"m": SMALLEST}, "pipelines": ["pair"]}

    assert list(load(config, catalog=catalog)) == ["one", "two", "m"]
    assert list(load({"pipelines": ["one"]}, catalog=catalog)) == ["one"]


def test_two_sets_or_a_set_and_a_metric_of_one_name(catalog: Catalog) -> None:
    config = {"metrics": {"two": SMALLEST}, "pipelines": ["pair", "one"]}

    assert problems(catalog, config) == [
        (
            "metrics.two: expected a name that no pipeline set gives, found a metric "
            "of a set in pipelines\n"
            "    Hint: name the metric otherwise, or leave the set out"
        ),
        (
            "pipelines[1]: expected a pipeline set that can be used, found the "
            "pipeline sets 'pair' and 'one' both give a metric 'one'\n"
            "    Hint: list one of the two in pipelines"
        ),
    ]


def test_a_broken_module_is_noted_once(catalog: Catalog, wrong: Wrong) -> None:
    broken = Catalog.of([EntryPoint("hooks", "no_such_module", "keyfold")])
    config = {"metrics": {"m": SMALLEST, "n": {"value": 1, "across": "mean"}}}

    error = wrong(lambda: load(config, catalog=broken))

    assert [problem.key for problem in error.problems] == ["metrics.n.value", "plugins"]
    assert error.problems[1].found.startswith(
        "the module 'hooks' failed to import: no_such_module of "
    )
    assert isinstance(error.__cause__, PluginLoadError)


def test_the_reader_table(catalog: Catalog) -> None:
    table = {"format": "jsonl", "fields": {"reward": "info.score"}, "step": "@file"}

    read = read_config({"reader": table})

    assert read.reader == ReaderTable(
        format="jsonl",
        fields={"reward": "info.score"},
        step="@file",
    )
    assert read_config({}, catalog=catalog).reader == ReaderTable()
