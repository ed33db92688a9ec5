"""The short texts of keys, as the names of a breakdown's entries show them."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from keyfold._describe import expression_of, shown
from keyfold.contracts import AnyKeyStrategy
from keyfold.errors import ContractError, KeyfoldError, LabelClashError

__all__ = ["distinct_labels_of", "labels_of"]


def labels_of(
    strategy: AnyKeyStrategy, keys: Sequence[tuple[Hashable, ...]]
) -> list[str]:
    """Return one label a key.

    A strategy without `labels` has its keys' components written one after the other.

    Raises:
        ContractError: The strategy's labels do not fit the keys.
    """
    offered = getattr(strategy, "labels", None)
    try:
        labels = list(map(_default, keys)) if offered is None else list(offered(keys))
    except KeyfoldError:
        raise
    except Exception as error:
        raise ContractError(
            f"key strategy {expression_of(strategy)} has no labels for "
            f"{shown(keys, 200)} ({type(error).__name__}: {error})",
            hint="labels gives one text a key",
        ) from error
    if len(labels) != len(keys) or not all(isinstance(text, str) for text in labels):
        raise ContractError(
            f"key strategy {expression_of(strategy)} gave the labels "
            f"{shown(labels, 200)} for {len(keys)} keys",
            hint="labels gives one text a key",
        )
    return labels


def distinct_labels_of(
    strategy: AnyKeyStrategy, keys: Sequence[tuple[Hashable, ...]]
) -> list[str]:
    """Return one label a key, and no label twice.

    Raises:
        LabelClashError: Two keys would have one label.
        ContractError: The strategy's labels do not fit the keys.
    """
    labels = labels_of(strategy, keys)
    owner: dict[str, tuple[Hashable, ...]] = {}
    for label, key in zip(labels, keys, strict=True):
        if owner.setdefault(label, key) != key:
            raise LabelClashError(
                f"the keys {shown(owner[label], 200)} and {shown(key, 200)} of "
                f"{expression_of(strategy)} would both be called {label!r}",
                hint="give the key strategy a labels method that tells them apart",
            )
    return labels


def _default(key: tuple[Hashable, ...]) -> str:
    return "/".join(map(str, key))
