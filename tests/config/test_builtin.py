"""The built-in plugins: all of them load, and a configuration can spell them."""

from __future__ import annotations

from pathlib import Path

import pytest

from keyfold import compute, load
from keyfold.authoring import expression_of
from keyfold.catalog import Catalog
from keyfold.errors import ConfigError
from keyfold.settings import Settings
from keyfold_strategies import (
    Adapter,
    AdapterScoped,
    All,
    FirstOf,
    Group,
    Mean,
    Position,
    RawReward,
    Reward,
    Rollout,
    Sample,
    SampleIndex,
)

CONFIG = """
[metrics.episode_raw_reward]
value  = "raw_reward"
levels = [
  { key = "adapter_scoped(first_of(rollout, sample_index, position))", reduce = "mean" }
]
across = "mean"
empty  = 0.0

[metrics."solve rate"]
where  = "all"
value  = "reward"
across = "mean"
by     = "adapter"

[[metrics."solve rate".levels]]
key    = "adapter_scoped(first_of(rollout, sample_index, position))"
reduce = "mean"

[[metrics."solve rate".levels]]
key    = "adapter_scoped(group)"
reduce = "mean"
"""


@pytest.fixture(scope="module")
def built_in() -> Catalog:
    return Catalog.installed(settings=Settings(autoload=False))


def test_every_built_in_loads(built_in: Catalog) -> None:
    own = [it for it in built_in.check() if it.distribution == "keyfold"]

    assert own, "keyfold is not installed: its entry points are metadata"
    assert [(it.name, it.detail) for it in own if it.state != "loaded"] == []


def test_the_configuration_of_the_design(tmp_path: Path, built_in: Catalog) -> None:
    path = tmp_path / "keyfold.toml"
    path.write_text(CONFIG)

    metrics = load(path, catalog=built_in)

    episode, solved = metrics["episode_raw_reward"], metrics["solve rate"]
    scoped = AdapterScoped[Sample](FirstOf(Rollout(), SampleIndex(), Position()))
    assert episode == built_in.defaults()["episode_raw_reward"]
    assert episode.value == RawReward()
    assert [level.key for level in solved.levels] == [
        scoped,
        AdapterScoped[Sample](Group()),
    ]
    assert (solved.value, solved.where, solved.by) == (Reward(), All(), Adapter())
    assert solved.across == Mean()


def test_a_configured_metric_computes(built_in: Catalog) -> None:
    config = {
        "metrics": {
            "reward": {
                "value": "reward",
                "levels": [{"key": "rollout", "reduce": "mean"}],
                "across": "mean",
            }
        }
    }
    samples = [
        Sample(rollout_id=rollout, reward=reward)
        for rollout, reward in ((1, 1.0), (2, 0.0), (2, 0.0), (2, 0.0))
    ]

    assert compute(samples, load(config, catalog=built_in)) == {"reward": 0.5}


@pytest.mark.parametrize(
    "text",
    [
        "adapter_scoped(first_of(rollout, sample_index, position))",
        'field("metadata.source")',
        "scoped(adapter, group)",
    ],
)
def test_a_key_is_spelt_as_it_was_written(built_in: Catalog, text: str) -> None:
    metric = {"value": "one", "across": "sum", "by": text}

    pipeline = load({"metrics": {"m": metric}}, catalog=built_in)["m"]

    assert expression_of(pipeline.by) == text


def test_names_are_checked_even_under_settings_that_are_wrong() -> None:
    config = {
        "plugins": {"prefer": {"rollout": "nobody"}},
        "metrics": {"m": {"value": "rewrad", "across": "mean"}},
    }

    with pytest.raises(ConfigError) as caught:
        load(config)

    assert [problem.key for problem in caught.value.problems] == [
        "plugins.prefer.rollout",
        "metrics.m.value",
    ]


def test_a_reader_that_there_is_not_is_a_problem_like_any_other() -> None:
    config = {
        "metrics": {"m": {"value": "rewrad", "across": "mean"}},
        "reader": {"format": "jsn"},
    }

    with pytest.raises(ConfigError) as caught:
        load(config)

    assert [problem.key for problem in caught.value.problems] == [
        "metrics.m.value",
        "reader.format",
    ]
    assert str(caught.value.problems[1]) == (
        "reader.format: expected one of the readers jsonl, miles_pt, found 'jsn'\n"
        "    Hint: did you mean 'jsonl'?"
    )
