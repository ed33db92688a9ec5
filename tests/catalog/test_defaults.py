"""Pipeline sets: the metrics that are computed where none are named."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from keyfold.errors import PluginConflictError, UnknownPluginError
from keyfold.settings import Settings

if TYPE_CHECKING:
    from tests.catalog.conftest import Site

SETS = """
    from keyfold.pipeline import Pipeline

    class Reward:
        def value(self, sample): ...

    class Mean:
        def init(self): ...
        def fold(self, state, values): ...
        def merge(self, left, right): ...
        def finish(self, state): ...

    ONE = Pipeline(Reward(), Mean())
    reward = {"a": ONE, "b": ONE}
    more = {"b": ONE, "c": ONE}
"""


@pytest.fixture
def sets(site: Site) -> Site:
    targets = {"lone": "sets:ONE", "reward": "sets:reward", "more": "sets:more"}
    site.add("acme", {"keyfold.pipelines": targets}, {"sets": SETS})
    return site


def test_the_defaults_are_the_set_reward(sets: Site) -> None:
    catalog = sets.catalog()

    assert list(catalog.defaults()) == ["a", "b"]
    assert catalog.defaults() is catalog.defaults()


def test_a_lone_pipeline_is_named_as_its_set(sets: Site) -> None:
    settings = Settings(pipelines=("lone", "reward"))

    assert list(sets.catalog(settings).defaults()) == ["lone", "a", "b"]


def test_two_sets_that_give_one_metric(sets: Site) -> None:
    catalog = sets.catalog(Settings(pipelines=("reward", "more")))

    with pytest.raises(PluginConflictError) as caught:
        catalog.defaults()

    assert str(caught.value) == (
        "the pipeline sets 'reward' and 'more' both give a metric 'b'\n"
        "Hint: list one of the two in pipelines"
    )


def test_an_unknown_set(sets: Site) -> None:
    with pytest.raises(UnknownPluginError) as caught:
        sets.catalog(Settings(pipelines=("rewards",))).defaults()

    assert str(caught.value) == (
        "no pipeline is named 'rewards'; there is lone, more, reward\n"
        "Hint: did you mean 'reward'?"
    )


def test_some_sets_by_name(sets: Site) -> None:
    assert list(sets.catalog().pipelines(["more"])) == ["b", "c"]
    assert sets.catalog(Settings(pipelines=())).defaults() == {}
