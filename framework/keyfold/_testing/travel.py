"""Whether a plugin gets to other processes: pickled, spelt, and imported lightly."""

from __future__ import annotations

from collections.abc import Sequence
from pickle import dumps, loads
from typing import Any, Final

from keyfold._describe import expression_of, name_of, shown
from keyfold._testing.check import Check, Fresh, Skip
from keyfold._testing.importable import importable_problem, module_of, parts_of
from keyfold._testing.process import imports_of
from keyfold.catalog import default_catalog
from keyfold.errors import ConfigError, ContractError
from keyfold.expressions import read_expression
from keyfold.kinds import Kind

__all__ = ["HEAVY", "refuse_heavy", "skip_unless_importable", "travel_checks"]

HEAVY: Final = ("numpy", "pandas", "polars", "torch")
"""What the import of a plugin should not bring along."""


def skip_unless_importable(objects: Sequence[object]) -> None:
    """Skip the check where another process can't import the objects' classes."""
    problem = importable_problem(objects)
    if problem is not None:
        raise Skip(problem)


def _pickle(subject: object, _fresh: Fresh) -> None:
    skip_unless_importable(list(parts_of(subject)))
    hint = "hold plain values and plugins, and no function, lock or open file"
    try:
        # The bytes were written on the line before.
        copy: Any = loads(dumps(subject))  # noqa: S301
    # Pickle lets through whatever the parts raise.
    except Exception as error:
        raise ContractError(
            f"can't be pickled ({type(error).__name__}: {error})", hint=hint
        ) from error
    if copy != subject:
        raise ContractError(
            f"comes back from a pickle as {shown(copy)}",
            hint="let a pickle carry every setting",
        )


def _spelling(kind: Kind) -> Check:
    def run(subject: object, _fresh: Fresh) -> None:
        text = expression_of(subject)
        known = default_catalog().names(kind)
        for part in parts_of(subject):
            if name_of(part) not in known:
                raise Skip(f"no {kind} named {name_of(part)!r} is installed")
        try:
            read = read_expression(text, kind, source="the spelling")
        except ConfigError as error:
            raise ContractError(
                f"is spelt {text}, which can't be read: {error.problems[0]}",
                hint="take plain values and plugins as arguments, each kept in the "
                "field of its name",
            ) from error
        if read != subject:
            raise ContractError(
                f"is spelt {text}, which is read as {shown(read)}",
                hint="keep each argument in the field of its name, and give the class "
                "a name that is its own",
            )

    about = "the spelling in a configuration means the plugin itself"
    return Check("toml_round_trip", about, run, after=("equal_settings", "name"))


def refuse_heavy(modules: Sequence[str], heavy: Sequence[str]) -> None:
    """Refuse modules whose import brings heavy ones along.

    Raises:
        ContractError: One does, or fails to import in a fresh process.
    """
    for module, found in imports_of(modules, heavy).items():
        if "error" in found:
            missing = found["missing"]
            if missing is not None and f"{module}.".startswith(f"{missing}."):
                raise Skip(f"a fresh process does not find the module {module}")
            raise ContractError(
                f"can't be imported from {module} by a fresh process: {found['error']}",
                hint="let the module import all that it needs by itself",
            )
        if found["loaded"]:
            raise ContractError(
                f"brings along {', '.join(found['loaded'])} when {module} is imported",
                hint="import it inside the method that needs it",
            )


def _light(heavy: Sequence[str]) -> Check:
    def run(subject: object, _fresh: Fresh) -> None:
        skip_unless_importable([subject])
        refuse_heavy([module_of(subject)], heavy)

    about = f"the import loads none of {', '.join(heavy)}"
    return Check("light_import", about, run)


def travel_checks(kind: Kind, heavy: Sequence[str]) -> tuple[Check, ...]:
    """Return the checks of how a plugin gets to another process."""
    pickled = Check(
        "picklable",
        "a pickle of the plugin is equal to it",
        _pickle,
        after=("equal_settings",),
    )
    return (pickled, _spelling(kind), _light(heavy))
