"""Partials of other pipelines are refused, and what differs is named."""

from __future__ import annotations

from math import nan
from typing import Any

import attrs
import pytest
from tests.partials.raising import MEAN, REWARDS, Metrics, raised, row

from keyfold import Partial, merge, partial
from keyfold.errors import MergeError, UsageError
from keyfold.pipeline import Level
from keyfold_strategies import Adapter, All, Group, Mean, One, Rollout, Sample, Sum

FULL = REWARDS.within(Rollout(), Mean()).by(Adapter()).across(Mean())


@pytest.mark.parametrize(
    ("changes", "difference"),
    [
        ({"value": One()}, "value of the metric 'm' is reward and one"),
        (
            {"levels": (Level(Group(), Mean()),)},
            (
                "levels of the metric 'm' is (('rollout', 'mean'),) and "
                "(('group', 'mean'),)"
            ),
        ),
        ({"across": Sum()}, "across of the metric 'm' is mean and sum"),
        ({"where": All()}, "where of the metric 'm' is None and all"),
        ({"by": Group()}, "by of the metric 'm' is adapter and group"),
        ({"total": False}, "by of the metric 'm' is adapter and None"),
        ({"empty": 0.0}, "empty of the metric 'm' is None and 0.0"),
        ({"missing": "zero"}, "missing of the metric 'm' is skip and zero"),
        ({"nonfinite": "skip"}, "nonfinite of the metric 'm' is propagate and skip"),
        ({"coerce": True}, "coerce of the metric 'm' is False and True"),
    ],
)
def test_pipelines_that_differ_are_named_by_what_differs(
    changes: dict[str, Any], difference: str
) -> None:
    one: Metrics = {"m": FULL}
    other: Metrics = {"m": attrs.evolve(FULL, **changes)}
    parts = [partial([row()], one), partial([row()], other, shard=1)]
    raised(
        lambda: merge(parts),
        MergeError,
        "the partials of shard 0 and of shard 1 are of different pipelines: "
        f"{difference}",
        "give every shard the same pipelines",
    )
    data = parts[0].to_bytes()
    raised(
        lambda: Partial.from_bytes(data, pipelines=other),
        MergeError,
        f"the partial is of other pipelines than those given: {difference}",
        None,
    )


def test_a_metric_that_one_partial_lacks_is_named() -> None:
    parts = [
        partial([], MEAN),
        partial([], {**MEAN, "n": FULL}, shard=1),
    ]
    raised(
        lambda: merge(parts),
        MergeError,
        "the partials of shard 0 and of shard 1 are of different pipelines: only one "
        "of them has the metric 'n'",
        "give every shard the same pipelines",
    )


def test_metrics_in_another_order_are_refused_rather_than_mixed_up() -> None:
    both: Metrics = {"m": FULL, "n": REWARDS.within(Group(), Sum()).across(Sum())}
    parts = [
        partial([row()], both),
        partial([row()], dict(reversed(list(both.items()))), shard=1),
    ]
    raised(
        lambda: merge(parts),
        MergeError,
        "the partials of shard 0 and of shard 1 are of different pipelines: the "
        "metrics stand in the orders ['m', 'n'] and ['n', 'm']",
        "give every shard the same pipelines",
    )


def test_equal_pipelines_that_were_made_apart_are_the_same() -> None:
    parts = [
        partial([row(reward)], {"m": REWARDS.across(Mean(), empty=nan)}, shard=place)
        for place, reward in enumerate([1.0, 0.0])
    ]
    assert merge(parts).report()["m"] == 0.5


def test_another_schema_version_is_refused() -> None:
    data = partial([row()], MEAN).to_bytes()
    place = data.index(b"\n") + 1
    other = data[:place] + (513).to_bytes(2, "little") + data[place + 2 :]
    with pytest.raises(MergeError) as caught:
        Partial.from_bytes(other)
    assert caught.value.message.startswith(
        "the partial is of schema version 513, and this keyfold ("
    )
    assert caught.value.message.endswith(") reads version 1")
    assert caught.value.hint == "use one version of keyfold to write and to merge"


class Keeps:
    """A key strategy that does not say what it was made with."""

    def __init__(self, kept: object) -> None:
        self.kept = kept

    def key(self, sample: Sample, position: int, /) -> Any:
        return self.kept

    def __repr__(self) -> str:
        return "<keeps>"


def test_a_component_that_can_not_be_told_from_others_is_not_written() -> None:
    metrics = {"m": REWARDS.within(Keeps(1), Mean()).across(Mean())}
    raised(
        partial([row()], metrics).to_bytes,
        UsageError,
        "keeps can't be told from others of its name in another process, as it holds "
        "<keeps>",
        "write components as frozen attrs classes or dataclasses, whose fields are "
        "plain values or components",
    )


@attrs.frozen
class Unlisted:
    """A key strategy that no catalog has."""

    def key(self, sample: Sample, position: int, /) -> Any:
        return 1


def test_pipelines_of_plugins_that_are_not_installed_can_be_given() -> None:
    metrics = {"m": REWARDS.within(Unlisted(), Mean()).across(Mean())}
    data = partial([row()], metrics).to_bytes()
    with pytest.raises(MergeError) as caught:
        Partial.from_bytes(data)
    assert caught.value.message.startswith(
        "the partial's pipelines can't be made here: the configuration has 1 problem:\n"
        "  metrics.m.levels[0].key: expected one of the keys "
    )
    assert caught.value.message.endswith("found 'unlisted' at column 1")
    assert caught.value.hint == (
        "install the plugins that it was made with, or pass pipelines="
    )
    assert Partial.from_bytes(data, pipelines=metrics).report()["m"] == 1.0


def test_a_setting_that_python_can_not_write_in_decimal_is_refused() -> None:
    metrics = {"m": REWARDS.where(All()).within(Keys(1 << 20_000), Mean())}
    closed = {name: chain.across(Mean()) for name, chain in metrics.items()}
    raised(
        partial([row()], closed).to_bytes,
        UsageError,
        "the setting of keys is an int of 20001 bits, expected at most 4096",
        None,
    )


@attrs.frozen
class Keys:
    """A key strategy with a number."""

    number: int

    def key(self, sample: Sample, position: int, /) -> Any:
        return "key"
