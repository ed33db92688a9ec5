"""Tasks of Ray report what one process does, and raise what it raises."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from keyfold import Pipeline, UsageError, compute, partial
from keyfold.errors import (
    DisagreementError,
    MergeError,
    PartialFormatError,
    SampleError,
)
from keyfold_contrib.collectives import ray_tasks
from keyfold_strategies import Sample
from keyfold_strategies.pipelines import REWARD

Metrics = dict[str, Pipeline[Sample]]


@pytest.fixture(scope="module")
def ray() -> Iterator[Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        ray = pytest.importorskip("ray", reason="Ray is not installed")
        ray.init(
            num_cpus=2,
            include_dashboard=False,
            log_to_driver=False,
            object_store_memory=100_000_000,
        )
        yield ray
        ray.shutdown()


def expected(shards: Iterable[list[Sample]], metrics: Metrics | None) -> str:
    together = [sample for shard in shards for sample in shard]
    return repr(compute(together, metrics).outcomes)


@pytest.mark.parametrize("fan_in", [2, 3, 8])
def test_any_tree_reports_what_compute_does(
    ray: Any, fan_in: int, shards: list[list[Sample]], metrics: Metrics
) -> None:
    found = ray_tasks.report(shards, metrics, fan_in=fan_in)
    assert repr(found.outcomes) == expected(shards, metrics)


def test_the_default_metrics_are_those_of_compute(
    ray: Any, shards: list[list[Sample]]
) -> None:
    assert repr(ray_tasks.report(shards).outcomes) == expected(shards, None)


def test_shards_may_be_in_the_object_store(
    ray: Any, shards: list[list[Sample]], metrics: Metrics
) -> None:
    found = ray_tasks.report([ray.put(shard) for shard in shards], metrics)
    assert repr(found.outcomes) == expected(shards, metrics)


def test_tasks_load_their_shards(
    ray: Any, shards: list[list[Sample]], metrics: Metrics
) -> None:
    def load(number: int) -> list[Sample]:
        return shards[number]

    found = ray_tasks.report(range(4), metrics, load=load)
    assert repr(found.outcomes) == expected(shards, metrics)


def test_partials_of_other_tasks_are_merged(
    ray: Any, shards: list[list[Sample]], metrics: Metrics
) -> None:
    def made(number: int) -> bytes:
        return partial(shards[number], metrics, shard=number).to_bytes()

    task = ray.remote(made)
    merged = ray_tasks.merge_tree([task.remote(it) for it in (3, 1, 0, 2)], fan_in=3)
    assert merged.shards == (0, 1, 2, 3)
    assert repr(merged.report().outcomes) == expected(shards, metrics)


@pytest.mark.parametrize("fan_in", [2, 8])
def test_the_error_of_the_first_shard_that_has_one_is_raised(
    ray: Any, fan_in: int
) -> None:
    good, bad = [Sample(reward=1.0)], [Sample(reward=1.0), Sample(reward=1j)]
    with pytest.raises(SampleError, match="position 1 of shard 2") as caught:
        ray_tasks.report([good, good, bad, bad, good], REWARD, fan_in=fan_in)
    error = caught.value
    assert type(error) is SampleError
    assert (error.field, error.position, error.shard) == ("reward", 1, 2)
    assert error.hint == "aggregate its real part or its modulus"
    [plugin, note] = error.__notes__
    assert plugin.startswith("in the value raw_reward of the metric ")
    assert note.count("In another process:") == 1


def test_an_error_arrives_with_all_its_attributes(ray: Any) -> None:
    def load(shard: int) -> list[Sample]:
        raise DisagreementError(f"shard {shard}", values=(1.0, "x"), hint="agree")

    with pytest.raises(DisagreementError) as caught:
        ray_tasks.report([0], REWARD, load=load)
    assert caught.value.values == (1.0, "x")
    assert str(caught.value) == "shard 0\nHint: agree"


def test_an_error_that_is_not_of_keyfold_arrives_as_ray_has_it(ray: Any) -> None:
    def load(shard: int) -> list[Sample]:
        if shard == 1:
            raise ZeroDivisionError("in shard 1")
        return []

    with pytest.raises(ZeroDivisionError, match="in shard 1"):
        ray_tasks.report(range(3), REWARD, load=load, fan_in=2)


def test_a_shard_twice_is_an_error_also_deep_in_the_tree(ray: Any) -> None:
    data = [
        ray.put(partial([Sample(reward=1.0)], REWARD, shard=number).to_bytes())
        for number in (0, 0, 1)
    ]
    with pytest.raises(MergeError, match="shard 0 would be counted twice"):
        ray_tasks.merge_tree(data, REWARD, fan_in=2)


def test_what_is_no_partial_is_an_error(ray: Any) -> None:
    with pytest.raises(PartialFormatError):
        ray_tasks.merge_tree([ray.put(b"nothing")], REWARD)


@pytest.mark.parametrize("fan_in", [0, 1, 2.0, True])
def test_a_tree_has_at_least_two_branches(ray: Any, fan_in: Any) -> None:
    with pytest.raises(UsageError, match="fan_in to be a whole number above 1"):
        ray_tasks.report([[]], REWARD, fan_in=fan_in)


def test_there_is_at_least_one_partial(ray: Any) -> None:
    with pytest.raises(UsageError, match="at least one partial to merge, found none"):
        ray_tasks.report([], REWARD)


def test_without_ray_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(UsageError, match="Ray is not installed") as caught:
        ray_tasks.report([[]], REWARD)
    assert caught.value.hint == "pip install 'keyfold[ray]'"


def test_a_ray_that_is_broken_is_not_taken_for_absent(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delitem(sys.modules, "ray", raising=False)
    (tmp_path / "ray.py").write_text("import no_such_part_of_ray\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    with pytest.raises(ModuleNotFoundError, match="no_such_part_of_ray"):
        ray_tasks.report([[]], REWARD)
