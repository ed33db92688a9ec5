"""The short texts of keys, as the names of a breakdown's entries show them."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from keyfold._describe import expression_of
from keyfold.contracts import AnyKeyStrategy
from keyfold.errors import ContractError, KeyfoldError, LabelClashError

__all__ = ["labels_of"]


def labels_of(
    strategy: AnyKeyStrategy, keys: Sequence[tuple[Hashable, ...]]
) -> list[str]:
    """Return one label a key.

    A strategy without `labels` has its keys' components written one after the other.

    Raises:
        LabelClashError: Two different keys would have one label.
        ContractError: The strategy's labels do not fit the keys.
    """
    offered = getattr(strategy, "labels", None)
    try:
        labels = list(map(_default, keys)) if offered is None else list(offered(keys))
    except KeyfoldError:
        raise
    except Exception as error:
        raise ContractError(
            f"key strategy {expression_of(strategy)} has no labels for {keys!r} "
            f"({type(error).__name__}: {error})",
            hint="labels gives one text a key",
        ) from error
    if len(labels) != len(keys) or not all(isinstance(text, str) for text in labels):
        raise ContractError(
            f"key strategy {expression_of(strategy)} gave the labels {labels!r} for "
            f"{len(keys)} keys",
            hint="labels gives one text a key",
        )
    owner: dict[str, tuple[Hashable, ...]] = {}
    for label, key in zip(labels, keys, strict=True):
        if owner.setdefault(label, key) != key:
            raise LabelClashError(
                f"the keys {owner[label]!r} and {key!r} of {expression_of(strategy)} "
                f"would both be called {label!r}",
                hint="give the key strategy a labels method that tells them apart",
            )
    return labels


def _default(key: tuple[Hashable, ...]) -> str:
    return "/".join(map(str, key))
