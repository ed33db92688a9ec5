"""Pipelines in a forged partial: nothing of them is run, and nothing is believed."""

from __future__ import annotations

import msgspec
import pytest
from tests.partials.forging import TREE, of_pipelines, refusal, spec
from tests.partials.sealing import changed, resealed

from keyfold import Partial
from keyfold.errors import MergeError, UsageError


@pytest.mark.parametrize(
    "expression",
    [
        "first_of(" * 33 + "rollout" + ")" * 33,
        "first_of(" * 400 + "rollout" + ")" * 400,
        "(" * 1_900 + "rollout" + ")" * 1_900,
        "[" * 1_900 + "]" * 1_900,
        "-" * 3_900 + "1",
        "first_of(" + "rollout," * 480 + "rollout" + ")" + " " * 100,
        "field('" + "a" * 4_000 + "')",
        "__import__('os').system('true')",
        "rollout.__class__",
        "no_such_plugin",
        "first_of(no_such_plugin, rollout)",
        "mean",
        "adapter()",
        "adapter ",
        "field(" + "9" * 3_900 + ")",
        "field('status', default=" + "9" * 4_500 + ")",
        "0x" + "f" * 3_900,
        "1if 1else 2",
        "'\\d'",
        "\0",
        "\ufeffadapter",
        "",
    ],
)
def test_an_expression_that_is_no_key_here_is_refused(expression: str) -> None:
    refusal(of_pipelines(spec(levels=[[expression, "mean"]])), MergeError)


def test_a_number_that_python_can_not_write_in_decimal_is_refused() -> None:
    where = f'field_test("status", "==", 0x{"f" * 3_900})'
    message = refusal(of_pipelines(spec(where=where)), UsageError)
    assert message == (
        "the setting of field_test is an int of 15600 bits, expected at most 4096"
    )


def test_another_spelling_of_the_same_pipelines_is_refused() -> None:
    message = refusal(of_pipelines(spec(where="all()")), MergeError)
    assert message == (
        "the partial's pipelines mean others here: where of the metric 'm' is all() "
        "and all"
    )


def test_thousands_of_metrics_are_read_and_more_are_refused() -> None:
    metrics = [spec(f"m{number}") for number in range(2_000)]
    part = Partial.from_bytes(of_pipelines(*metrics))
    assert list(part.report()) == [f"m{number}" for number in range(2_000)]
    message = refusal(of_pipelines(*(spec(f"m{number}") for number in range(10_001))))
    assert message == (
        "expected metrics of different names, found 10001 with 10001 names"
    )


def test_metrics_of_one_name_are_refused() -> None:
    assert refusal(of_pipelines(spec(), spec())) == (
        "expected metrics of different names, found 2 with 1 names"
    )


def test_a_fingerprint_of_other_pipelines_is_refused() -> None:
    data = resealed(msgspec.msgpack.encode(changed(TREE, (1,), [b"\0" * 16])))
    assert refusal(data) == "the fingerprint is not that of the pipelines"
