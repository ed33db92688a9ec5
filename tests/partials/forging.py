"""The small partial with parts that somebody forged, and how it is refused."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

import msgspec
import pytest
from tests.partials.sample_partials import small
from tests.partials.sealing import changed, resealed, tree_of

from keyfold import Partial
from keyfold.errors import KeyfoldError, PartialFormatError

Changes = list[tuple[tuple[int, ...], Any]]

TREE = tree_of(small().to_bytes())
KEY_COLUMN = (5, 0, 2, 0, 1, 0)
STATES = (5, 0, 4, 0)
KEYED_BY = (5, 0, 5, 2)


def forged(*changes: tuple[tuple[int, ...], Any]) -> bytes:
    """The small partial with other parts, and the fingerprint that goes with them."""
    tree = TREE
    for path, part in changes:
        tree = changed(tree, path, [part])
    pipelines = msgspec.msgpack.encode(tree[2])
    tree = changed(tree, (1,), [blake2b(pipelines, digest_size=16).digest()])
    return resealed(msgspec.msgpack.encode(tree))


def spec(name: str = "m", **parts: Any) -> list[Any]:
    """A metric as a partial spells it."""
    plain = {
        "value": "reward",
        "levels": [["adapter", "mean"]],
        "across": "sum",
        "where": None,
        "by": None,
        "split_by": None,
        "empty": None,
        "missing": "skip",
        "nonfinite": "propagate",
        "coerce": False,
    }
    return [name, *(plain | parts).values()]


def of_pipelines(*specs: Sequence[Any]) -> bytes:
    return forged(((2,), list(specs)))


def refusal(data: bytes, kind: type[KeyfoldError] = PartialFormatError) -> str:
    with pytest.raises(KeyfoldError) as caught:
        Partial.from_bytes(data)
    assert type(caught.value) is kind
    return caught.value.message
