"""A trainer's loop pays for no plugin machinery: what is resolved stays resolved."""

from __future__ import annotations

import importlib.metadata
from typing import Any, NoReturn

import pytest

import keyfold.catalog
from keyfold import Planned, Session, compute, merge, partial
from keyfold.catalog import Catalog, default_catalog
from keyfold_strategies import Sample
from keyfold_strategies.pipelines import REWARD

SAMPLES = [Sample(rollout_id=0, reward=1.0), Sample(reward=0.5)]


def _forbidden(*_arguments: Any, **_named: Any) -> NoReturn:
    message = "the catalog was touched"
    raise AssertionError(message)


@pytest.fixture
def no_catalog(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("default_catalog", "set_default_catalog"):
        monkeypatch.setattr(keyfold.catalog, name, _forbidden)
    for name, it in vars(Catalog).items():
        if callable(it) and not name.startswith("__"):
            monkeypatch.setattr(Catalog, name, _forbidden)
    monkeypatch.setattr(Catalog, "hooks", property(_forbidden))
    monkeypatch.setattr(importlib.metadata, "entry_points", _forbidden)


@pytest.fixture
def no_lookup(monkeypatch: pytest.MonkeyPatch) -> None:
    # Resolved before anything is forbidden, as the first step of a training run does.
    default_catalog().defaults()
    monkeypatch.setattr(importlib.metadata, "entry_points", _forbidden)
    monkeypatch.setattr(importlib.metadata, "distributions", _forbidden)
    monkeypatch.setattr(Catalog, "load", _forbidden)
    monkeypatch.setattr(Catalog, "hooks", property(_forbidden))


@pytest.mark.usefixtures("no_catalog")
@pytest.mark.parametrize(
    "pipelines", [dict(REWARD), Planned(REWARD)], ids=["dict", "planned"]
)
def test_given_pipelines_never_touch_the_catalog(pipelines: Any) -> None:
    assert compute(SAMPLES, pipelines)["episode_raw_reward"] == 0.75
    assert compute(SAMPLES, pipelines, on_error="report")["episode_raw_reward"] == 0.75
    parts = [partial([it], pipelines, shard=rank) for rank, it in enumerate(SAMPLES)]
    assert merge(parts).report()["episode_raw_reward"] == 0.75
    session = Session(pipelines)
    session.add(SAMPLES)
    assert session.report()["episode_raw_reward"] == 0.75


@pytest.mark.usefixtures("no_lookup")
def test_the_defaults_are_looked_up_once() -> None:
    for _ in range(3):
        assert compute(SAMPLES)["episode_raw_reward"] == 0.75
        assert partial(SAMPLES).report()["episode_raw_reward"] == 0.75
