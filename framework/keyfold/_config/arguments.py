"""Whether the arguments of an expression's call are those that a plugin takes."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence

from keyfold._config.tree import Call, Name
from keyfold._config.wording import listed
from keyfold._nearest import did_you_mean
from keyfold.errors import ConfigProblem

__all__ = ["argument_names", "argument_problems", "signature_of"]

_Parameter = inspect.Parameter
_POSITIONAL = (_Parameter.POSITIONAL_ONLY, _Parameter.POSITIONAL_OR_KEYWORD)
_NAMED = (_Parameter.POSITIONAL_OR_KEYWORD, _Parameter.KEYWORD_ONLY)


def signature_of(factory: Callable[..., object]) -> inspect.Signature | None:
    """Return what a plugin takes, or None where it does not say."""
    try:
        return inspect.signature(factory)
    except (TypeError, ValueError):
        return None


def argument_problems(
    node: Call | Name, signature: inspect.Signature, path: str
) -> Iterator[ConfigProblem]:
    """Yield what is wrong with the number and the names of a call's arguments.

    A name by itself is called without arguments.
    """
    arguments = node.arguments if isinstance(node, Call) else ()
    keywords = [name for name, _ in node.keywords] if isinstance(node, Call) else []
    parameters = tuple(signature.parameters.values())
    positional = [it for it in parameters if it.kind in _POSITIONAL]
    named = [it.name for it in parameters if it.kind in _NAMED]
    takes_any_number = _has(parameters, _Parameter.VAR_POSITIONAL)
    if len(arguments) > len(positional) and not takes_any_number:
        yield ConfigProblem(
            path,
            expected=f"{_at_most(len(positional))} for {node.name!r}",
            found=f"{len(arguments)} at {node.at}",
            hint=f"it takes {listed(named)}" if named else None,
        )
    filled = {it.name for it in positional[: len(arguments)]}
    for name in keywords:
        if name in filled and name in named:
            yield ConfigProblem(
                path,
                expected=f"each argument of {node.name!r} once",
                found=f"the argument {name!r} again at {node.at}",
            )
        elif name not in named and not _has(parameters, _Parameter.VAR_KEYWORD):
            yield ConfigProblem(
                path,
                expected=f"an argument of {node.name!r}: {listed(named)}",
                found=f"the unknown argument {name!r} at {node.at}",
                hint=did_you_mean(name, named),
            )
    missing = [
        it.name
        for it in parameters
        if it.kind in (*_POSITIONAL, _Parameter.KEYWORD_ONLY)
        and it.default is it.empty
        and it.name not in filled
        and it.name not in keywords
    ]
    if missing:
        yield _missing(node, missing, path)


def argument_names(signature: inspect.Signature, node: Call) -> Sequence[str | None]:
    """Return the name of the argument that each positional one fills."""
    parameters = list(signature.parameters.values())
    names = [it.name for it in parameters if it.kind in _POSITIONAL]
    rest = next((it for it in parameters if it.kind is _Parameter.VAR_POSITIONAL), None)
    spare = len(node.arguments) - len(names)
    return [*names[: len(node.arguments)], *[rest.name if rest else None] * spare]


def _missing(node: Call | Name, missing: Sequence[str], path: str) -> ConfigProblem:
    what = "the argument" if len(missing) == 1 else "the arguments"
    names = " and ".join(repr(name) for name in missing)
    example = ", ".join(f"{name}=..." for name in missing)
    return ConfigProblem(
        path,
        expected=f"{what} {names} for {node.name!r}",
        found=f"{node.source!r} at {node.at}",
        hint=f"write {node.name}({example})" if isinstance(node, Name) else None,
    )


def _has(parameters: Sequence[inspect.Parameter], kind: object) -> bool:
    return any(parameter.kind is kind for parameter in parameters)


def _at_most(count: int) -> str:
    if count == 0:
        return "no argument"
    return "at most 1 argument" if count == 1 else f"at most {count} arguments"
