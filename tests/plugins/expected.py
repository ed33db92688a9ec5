"""What a person reads when a plugin of the example can't be used."""

from __future__ import annotations

import inspect
from collections.abc import Sequence

from keyfold.catalog import Catalog
from keyfold.hooks import HookSpecs
from keyfold.kinds import Kind
from keyfold.settings import Settings

__all__ = [
    "HOOKS",
    "MEND",
    "arguments_of",
    "names_with",
    "problems",
    "unusable",
]

MEND = "mend keyfold-example, or leave it out: KEYFOLD_DISABLE_PLUGINS=keyfold-example"

HOOKS = ", ".join(name for name in vars(HookSpecs) if name.startswith("keyfold_"))


def problems(*lines: str) -> str:
    """Return what a command prints of the problems of `keyfold.toml`."""
    count = sum(not line.startswith("Hint: ") for line in lines)
    indented = (
        f"{'    ' if line.startswith('Hint: ') else '  '}{line}\n" for line in lines
    )
    head = f"keyfold: keyfold.toml has {count} problem{'s' if count > 1 else ''}:\n"
    return head + "".join(indented)


def unusable(kind: Kind, name: str, why: str, hint: str) -> Sequence[str]:
    """Return the problem of a name of the metric `moves` that can't be used."""
    key, column = {
        "value": ("value", 1),
        "key": ("levels[0].key", 16),
        "reducer": ("levels[0].reduce", 1),
    }[kind]
    return (
        (
            f"metrics.moves.{key}: expected a {kind} that can be used, "
            f"found {name!r} at column {column}: {why}"
        ),
        f"Hint: {hint}",
    )


def names_with(kind: Kind, *added: str) -> str:
    """Return the names of a kind where the example adds some, as they are listed."""
    built_in = Catalog.installed(settings=Settings()).names(kind)
    return ", ".join(sorted({*built_in, *added}))


def arguments_of(hook: str) -> str:
    """Return the arguments that a hook offers, as they are listed."""
    offered = inspect.signature(getattr(HookSpecs, hook)).parameters
    return ", ".join(name for name in offered if name != "self")
