"""The kinds of plugins, and the entry-point groups that provide them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, TypeAlias, get_args

__all__ = ["API_VERSION", "GROUPS", "KINDS", "MODULE_GROUP", "Kind", "OfferKind"]

Kind: TypeAlias = Literal[
    "key", "reducer", "value", "selection", "pipeline", "reader", "sink"
]
"""What a named plugin is."""

OfferKind: TypeAlias = Kind | Literal["module"]
"""What a distribution offers: a named plugin, or a module with hooks."""

KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
"""Every kind of named plugin, in the order in which they are listed."""

GROUPS: Final[Mapping[Kind, str]] = MappingProxyType(
    {kind: f"keyfold.{kind}s" for kind in KINDS}
)
"""The entry-point group of each kind."""

MODULE_GROUP: Final = "keyfold"
"""The entry-point group of modules with hooks."""

API_VERSION: Final = 1
"""The version of the plugin contracts; a plugin may say which it was written for.

It does so by an attribute `api_version` of its class, object or module. A plugin
without one is taken as written for this version.
"""
