"""Partials and sessions: what is sent between ranks, and gathered over time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, assert_type

from tests.typing.samples import Scored

from keyfold import Partial, Pipeline, Report, Session, merge, over, partial
from keyfold.catalog import Catalog
from keyfold_strategies import Mean, Reward, Sample

metrics = {"reward": over(Sample).value(Reward()).across(Mean())}


def accepted(samples: list[Sample], catalog: Catalog) -> None:
    part = partial(samples, metrics, shard=1)
    assert_type(part, Partial)
    assert_type(partial(samples), Partial)
    assert_type(part.to_bytes(), bytes)
    assert_type(Partial.from_bytes(b"", pipelines=metrics), Partial)
    assert_type(Partial.from_bytes(b"", catalog=catalog), Partial)
    assert_type(merge([part]), Partial)
    assert_type(merge(Partial.from_bytes(it) for it in [b""]), Partial)
    assert_type(part.report(), Report)
    assert_type(part.shards, tuple[int, ...])
    assert_type(part.samples, int)
    assert_type(part.pipelines, Mapping[str, Pipeline[Any]])


def gathered(samples: list[Sample]) -> None:
    session = Session(metrics, shard=3)
    assert_type(session, Session[Sample])
    session.add(samples)
    session.add(sample for sample in samples)
    assert_type(session.partial(), Partial)
    assert_type(session.report(), Report)
    session.reset()
    Session[Sample]().add(samples)
    of_default: Session[Sample] = Session()
    of_default.add(samples)
    session.add([Scored(1.0)])  # type: ignore[list-item]
    session.add(samples[0])  # type: ignore[arg-type]
    Session[Scored](metrics)  # type: ignore[arg-type]
    Session(metrics, 3)  # type: ignore[call-arg]


def mistakes(samples: list[Sample], part: Partial) -> None:
    partial([Scored(1.0)], metrics)  # type: ignore[misc]
    partial(samples, metrics, 1)  # type: ignore[call-arg]
    partial(samples, metrics, shard="1")  # type: ignore[arg-type]
    merge(part)  # type: ignore[arg-type]
    merge([part.to_bytes()])  # type: ignore[list-item]
    merge([part.report()])  # type: ignore[list-item]
    merge([part, part])["reward"]  # type: ignore[index]
    Partial.from_bytes("partial")  # type: ignore[arg-type]
    Partial.from_bytes(b"", metrics)  # type: ignore[call-arg]
    part.samples = 0  # type: ignore[misc]
