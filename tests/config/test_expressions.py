"""Expressions: what they may say, and what each refusal says."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from keyfold.catalog import Catalog
from keyfold.config import load
from keyfold.errors import ConfigError

KEYS = "broken, clash, field, first_of, made, ready, run, scoped, wrong"
EXAMPLE = "an expression such as mean or first_of(rollout, position)"
ALLOWED = "a name, a call, a string, a number, True, False, None or a list"


def metric(**entries: str) -> dict[str, object]:
    return {"metrics": {"m": {"value": "reward", "across": "mean", **entries}}}


def key(catalog: Catalog, text: str) -> Any:
    """Return the key that an expression means."""
    return load(metric(by=text), catalog=catalog)["m"].by


def refusals(catalog: Catalog, name: str, text: str) -> list[str]:
    """Return what is wrong with an expression, without the key that holds it."""
    with pytest.raises(ConfigError) as caught:
        load(metric(**{name: text}), catalog=catalog)
    assert {problem.key for problem in caught.value.problems} == {f"metrics.m.{name}"}
    start = len(f"metrics.m.{name}: ")
    return [str(problem)[start:] for problem in caught.value.problems]


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("run", "Run()"),
        ("run()", "Run()"),
        ("  run\n", "Run()"),
        ("ready", "READY"),
        ("scoped(run)", "Scoped(Run())"),
        ("scoped(inner=run)", "Scoped(Run())"),
        ("made", "Scoped(Run())"),
        ("made(2)", "Scoped(Run())"),
        (
            "scoped(first_of(run, ready, field('a.b')))",
            "Scoped(FirstOf(Run(), Run(), Field('a.b')))",
        ),
        ("field('äöü', default=None)", "Field('äöü')"),
        ("field('ab', -3)", "Field('ab', -3)"),
        ("field('ab', 'cd', secret=True)", "Field('ab', 'cd', True)"),
        ("first_of(\n  run,\n  ready,\n)", "FirstOf(Run(), Run())"),
    ],
)
def test_what_an_expression_means(catalog: Catalog, text: str, made: str) -> None:
    assert key(catalog, text) == eval(made, vars(sys.modules["plugins"]))


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("mean(2)", "Mean(2)"),
        ("mean(+0.5)", "Mean(0.5)"),
        ("mean(1e3, marks=[1, -2])", "Mean(1e3, (1, -2))"),
        ("mean(marks=(1,))", "Mean(marks=(1,))"),
        ("mean(mode='slow')", "Mean(mode='slow')"),
        (
            "mean(anything=[mean, [None]])",
            "Mean(anything=(Mean(), (None,)))",
        ),
    ],
)
def test_plain_arguments(catalog: Catalog, text: str, made: str) -> None:
    pipeline = load(metric(across=text), catalog=catalog)["m"]

    assert pipeline.across == eval(made, vars(sys.modules["plugins"]))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", "an empty string"),
        ("   ", "an empty string"),
        ("run(", "'run(': '(' was never closed at column 4"),
        ("run field", "'run field': invalid syntax at column 5"),
        ("run; field", "'run; field': invalid syntax at column 4"),
        ("import os", "'import os': invalid syntax at column 1"),
    ],
)
def test_broken_syntax(catalog: Catalog, text: str, found: str) -> None:
    assert refusals(catalog, "by", text) == [f"expected {EXAMPLE}, found {found}"]


@pytest.mark.parametrize(
    "text",
    [
        "run\0",
        "'\ud800'",
        "(" * 1_500 + "run" + ")" * 1_500,
        "[" * 1_500,
        "-" * 3_900 + "1",
        "run" + ".a" * 1_900,
        "run" + "+run" * 900,
        "first_of(" * 190 + "run" + ")" * 190,
        "not " * 900 + "run",
        "9" * 3_999,
        "x" * 4_001,
        "(" * 100_000,
    ],
)
def test_hostile_text_is_refused_and_crashes_nothing(
    catalog: Catalog, text: str
) -> None:
    (found,) = refusals(catalog, "by", text)

    assert found.startswith("expected ")
    assert len(found) < 9_000


def test_deep_nesting(catalog: Catalog) -> None:
    text = "scoped(" * 32 + "run" + ")" * 32
    assert key(catalog, text)

    assert refusals(catalog, "by", f"scoped({text})") == [
        (
            "expected less nesting, found nesting of more than 32 levels, 'run', at "
            "column 232"
        )
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("os.system", "an attribute, 'os.system', at column 1"),
        ("scoped(a.b)", "an attribute, 'a.b', at column 8"),
        ("run + run", "an operator, 'run + run', at column 1"),
        ("run or run", "an operator, 'run or run', at column 1"),
        ("not run", "an operator, 'not run', at column 1"),
        ("-run", "an operator, '-run', at column 1"),
        ("-True", "an operator, '-True', at column 1"),
        ("--1", "an operator, '--1', at column 1"),
        ("1 < 2", "a comparison, '1 < 2', at column 1"),
        ("run[0]", "a subscript, 'run[0]', at column 1"),
        ("lambda: run", "a lambda, 'lambda: run', at column 1"),
        ("run if 1 else run", "a condition, 'run if 1 else run', at column 1"),
        ("f'{run}'", "an f-string, \"f'{run}'\", at column 1"),
        ("{1}", "a set, '{1}', at column 1"),
        ("{1: 2}", "a dict, '{1: 2}', at column 1"),
        ("[x for x in y]", "a comprehension, '[x for x in y]', at column 1"),
        ("(x := 1)", "an assignment, 'x := 1', at column 2"),
        ("(yield)", "yield syntax, 'yield', at column 2"),
        ("first_of(*run)", "a starred argument, '*run', at column 10"),
        ("field('ä', **run)", "a starred argument, 'run', at column 14"),
        ("b'x'", "a constant of the type bytes, \"b'x'\", at column 1"),
        ("2j", "a constant of the type complex, '2j', at column 1"),
        ("...", "a constant of the type ellipsis, '...', at column 1"),
    ],
)
def test_what_is_refused(catalog: Catalog, text: str, found: str) -> None:
    assert refusals(catalog, "by", text) == [f"expected {ALLOWED}, found {found}"]


def test_a_call_of_anything_but_a_name(catalog: Catalog) -> None:
    assert refusals(catalog, "by", "run()()") == [
        "expected the name of a plugin, found a call, 'run()', at column 1"
    ]


def test_words_of_other_languages(catalog: Catalog) -> None:
    assert refusals(catalog, "by", "field('ab', secret=true)") == [
        f"expected {ALLOWED}, found 'true' at column 20\n    Hint: write True"
    ]


def test_lines_are_counted_where_there_are_several(catalog: Catalog) -> None:
    assert refusals(catalog, "by", "first_of(\n  run,\n  'ä', a.b)") == [
        f"expected {ALLOWED}, found an attribute, 'a.b', at line 3, column 8"
    ]


@pytest.mark.parametrize("text", ["3", "'run'", "[run]", "None"])
def test_a_plain_value_is_no_plugin(catalog: Catalog, text: str) -> None:
    hint = "\n    Hint: write run without the inner quotes" if text == "'run'" else ""
    assert refusals(catalog, "by", text) == [
        f"expected the name of a key, or a call of one, found {text!r}{hint}"
    ]


def test_unknown_names_are_told_one_by_one(catalog: Catalog) -> None:
    assert refusals(catalog, "by", "scoped(first_of(rnu, mean, run))") == [
        (
            f"expected one of the keys {KEYS}, found 'rnu' at column 17\n"
            "    Hint: did you mean 'run'?"
        ),
        (
            f"expected one of the keys {KEYS}, found 'mean' at column 22\n"
            "    Hint: 'mean' is a reducer, not a key"
        ),
    ]


def test_a_wrong_object_is_a_problem(catalog: Catalog) -> None:
    (found,) = refusals(catalog, "by", "wrong")

    assert found.startswith(
        "expected a key that can be used, found 'wrong' at column 1: plugins:Mean of "
        "acme 1.0 is no key: the class has no method 'key'"
    )


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            "field",
            (
                "expected the argument 'path' for 'field', found 'field' at column 1\n"
                "    Hint: write field(path=...)"
            ),
        ),
        (
            "scoped(field())",
            "expected the argument 'path' for 'field', found 'field()' at column 8",
        ),
        ("run(1)", "expected no argument for 'run', found 1 at column 1"),
        (
            "scoped(run, run)",
            (
                "expected at most 1 argument for 'scoped', found 2 at column 1\n"
                "    Hint: it takes inner"
            ),
        ),
        (
            "field('ab', secert=True)",
            (
                "expected an argument of 'field': path, default, secret, found the "
                "unknown argument 'secert' at column 1\n"
                "    Hint: did you mean 'secret'?"
            ),
        ),
        (
            "field('ab', path='cd')",
            (
                "expected each argument of 'field' once, found the argument 'path' "
                "again at column 1"
            ),
        ),
        (
            "field(path='ab', path='cd')",
            (
                "expected each argument once, found the argument 'path' again, "
                "\"'cd'\", at column 23"
            ),
        ),
        (
            "first_of()",
            (
                "expected arguments that 'first_of' takes, found 'first_of()' at "
                "column 1, which raised ValueError: first_of needs a key"
            ),
        ),
        (
            "first_of",
            (
                "expected arguments that 'first_of' takes, found 'first_of' at column "
                "1, which raised ValueError: first_of needs a key"
            ),
        ),
        (
            "field('a')",
            (
                "expected arguments that 'field' takes, found \"field('a')\" at column "
                "1, which raised ValueError: Length of 'path' must be >= 2: 1"
            ),
        ),
        (
            "field(3)",
            (
                "expected a string as the argument 'path' of 'field', found '3' at "
                "column 7"
            ),
        ),
        (
            "field('ab', 1.5)",
            (
                "expected a string or an integer or None as the argument 'default' of "
                "'field', found '1.5' at column 13"
            ),
        ),
        (
            "field('ab', True)",
            (
                "expected a string or an integer or None as the argument 'default' of "
                "'field', found 'True' at column 13"
            ),
        ),
        (
            "field('ab', secret=1)",
            (
                "expected True or False as the argument 'secret' of 'field', found '1' "
                "at column 20"
            ),
        ),
        (
            "scoped('run')",
            (
                "expected a key as the argument 'inner' of 'scoped', found \"'run'\" "
                "at column 8\n    Hint: write run without the inner quotes"
            ),
        ),
        (
            "first_of(run, 3)",
            (
                "expected a key as the argument 'strategies' of 'first_of', found '3' "
                "at column 15"
            ),
        ),
        (
            "ready()",
            (
                "expected 'ready' without parentheses, as it is a ready object, found "
                "'ready()' at column 1"
            ),
        ),
        (
            "made(0)",
            (
                "expected a key that can be used, found 'made' at column 1: "
                "plugins:made of acme 1.0 is no key: the object has no method 'key'\n"
                "    Hint: keyfold.contracts says what a key must have; 'made' may "
                "stand for the wrong object"
            ),
        ),
    ],
)
def test_wrong_arguments(catalog: Catalog, text: str, problem: str) -> None:
    assert refusals(catalog, "by", text) == [problem]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("mean('1')", "a number as the argument 'weight'"),
        ("mean(True)", "a number as the argument 'weight'"),
        ("mean(marks=1)", "a list as the argument 'marks'"),
        (
            "mean(marks=[1, '2'])",
            "a list of which each item is an integer as the argument 'marks'",
        ),
        ("mean(mode='quick')", "one of 'fast', 'slow' as the argument 'mode'"),
    ],
)
def test_plain_types_are_checked_by_annotation(
    catalog: Catalog, text: str, expected: str
) -> None:
    (found,) = refusals(catalog, "across", text)

    assert found.startswith(f"expected {expected} of 'mean', found ")


@pytest.mark.parametrize("text", ["unresolved(it='any')", "pair([1, 2])", "loose(a=1)"])
def test_what_an_annotation_does_not_plainly_say_is_left_to_the_plugin(
    catalog: Catalog, text: str
) -> None:
    assert load(metric(across=text), catalog=catalog)


def test_an_error_of_the_plugin_is_the_cause(catalog: Catalog) -> None:
    with pytest.raises(ConfigError) as caught:
        load(metric(by="first_of()"), catalog=catalog)

    assert isinstance(caught.value.__cause__, ValueError)


def test_nothing_is_evaluated(catalog: Catalog) -> None:
    text = "__import__('plugins').read()"

    assert refusals(catalog, "by", text) == [
        (
            "expected the name of a plugin, found an attribute, "
            "\"__import__('plugins').read\", at column 1"
        )
    ]
    assert "plugins" not in sys.modules or not hasattr(sys.modules["plugins"], "read")
