"""Collectives: torch, Ray and processes."""

from __future__ import annotations

from pathlib import Path
from typing import assert_type

from tests.typing.samples import Scored

from keyfold import Partial, Report, over
from keyfold_contrib.collectives import processes, ray_tasks
from keyfold_contrib.collectives.torch_distributed import (
    all_merge,
    all_report,
    report_on,
)
from keyfold_strategies import Mean, Reward, Sample

metrics = {"reward": over(Sample).value(Reward()).across(Mean())}


def samples_of(path: Path) -> list[Sample]:
    return [Sample(metadata={"path": str(path)})]


def over_ranks(samples: list[Sample], part: Partial, group: object) -> None:
    assert_type(all_report(samples, metrics, group=group), Report)
    assert_type(all_merge(part, group=group), Partial)
    assert_type(report_on(samples, metrics, dst=1), Report | None)
    all_report([Scored(1.0)], metrics)  # type: ignore[misc]
    all_report(samples, metrics, group)  # type: ignore[call-arg]
    all_merge([part])  # type: ignore[arg-type]
    all_merge(samples)  # type: ignore[arg-type]
    report_on(samples, metrics, dst="0")  # type: ignore[arg-type]
    report_on(samples, metrics)["reward"]  # type: ignore[index]


def over_processes(shards: list[list[Sample]], paths: list[Path]) -> None:
    assert_type(processes.report(shards, metrics), Report)
    assert_type(processes.report(paths, metrics, load=samples_of, workers=2), Report)
    processes.report(paths, metrics)  # type: ignore[arg-type]
    processes.report(["a"], metrics, load=samples_of)  # type: ignore[arg-type]
    processes.report(shards, metrics, workers="2")  # type: ignore[call-overload]


def over_tasks(shards: list[list[Sample]], refs: list[object]) -> None:
    assert_type(ray_tasks.report(shards, metrics, fan_in=4), Report)
    assert_type(ray_tasks.report(refs, load=samples_of), Report)
    assert_type(ray_tasks.merge_tree(refs, metrics), Partial)
    ray_tasks.report(shards, metrics, 4)  # type: ignore[call-arg, arg-type]
    ray_tasks.report(shards, metrics, load="a")  # type: ignore[arg-type]
    ray_tasks.merge_tree(refs, fan_in="4")  # type: ignore[arg-type]
    ray_tasks.merge_tree(3)  # type: ignore[arg-type]
