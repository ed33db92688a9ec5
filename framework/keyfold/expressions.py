"""Components from their spelling, such as `scoped(field("env"), rollout)`.

An expression is read as a small part of Python's syntax (names, calls, constants and
lists of them) and never evaluated: a name stands for the plugin of that name.
"""

from __future__ import annotations

from keyfold._config.component import component
from keyfold._config.problems import Problems
from keyfold.catalog import Catalog, default_catalog
from keyfold.kinds import Kind

__all__ = ["read_expression"]


def read_expression(
    text: str, kind: Kind, *, source: str, catalog: Catalog | None = None
) -> object:
    """Return the component that an expression means.

    Args:
        text: The expression.
        kind: What its names are, such as `key`.
        source: Where the expression comes from, for errors.
        catalog: What the names mean; None means what is installed.

    Raises:
        ConfigError: It can't be read, or a name in it means nothing.
    """
    problems = Problems(source)
    made = component(
        text, kind, source, default_catalog() if catalog is None else catalog, problems
    )
    problems.raise_all()
    return made
