"""Reads partials whose sizes are lies, in a process that may use little memory.

Prints how many there were, and what came of them other than an error for people.
"""

from __future__ import annotations

import resource
import sys
from pathlib import Path

import msgspec

from keyfold import Partial
from keyfold.errors import KeyfoldError

# Run as a script, this is no package, and its neighbours are beside it.
sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.partials.sample_partials import small, varied
from tests.partials.sealing import changed, paths_of, resealed, tree_of

MEMORY = 1 << 30
# msgpack's headers of arrays, strings, bytes, maps and extensions, and huge sizes.
LIES = [
    kind + size
    for kind in (b"\xdd", b"\xdb", b"\xc6", b"\xdf", b"\xc9")
    for size in (b"\xff\xff\xff\xff", b"\x7f\xff\xff\xff", b"\x00\xff\xff\xff")
]


def forged() -> list[bytes]:
    """Return partials of which one part says that it is huge, and ends there."""
    trees = [tree_of(part.to_bytes()) for part in (small(), varied())]
    lies = [
        resealed(msgspec.msgpack.encode(changed(tree, path, [msgspec.Raw(lie)])))
        for tree in trees
        for path in paths_of(tree)
        for lie in LIES
    ]
    # Counts of samples and of units are plain numbers, far from where they count.
    counts = [
        resealed(msgspec.msgpack.encode(changed(tree, path, [number])))
        for tree in trees
        for path in [(4,), (5, 0, 0), (5, 0, 2, 0, 0)]
        for number in (1 << 32, 1 << 62, (1 << 64) - 1)
    ]
    both = [
        resealed(
            msgspec.msgpack.encode(
                changed(
                    changed(changed(tree, (4,), [1 << 62]), (5, 0, 0), [1 << 62]),
                    (5, 0, 2, 0),
                    [[1 << 62, [], ragged]],
                )
            )
        )
        for tree in trees
        for ragged in (False, True)
    ]
    return [*lies, *counts, *both]


def main() -> None:
    small().report()
    data = forged()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    print(len(data))
    for each in data:
        try:
            Partial.from_bytes(each).report()
        except KeyfoldError:
            continue
        except BaseException as error:  # noqa: BLE001 - all of it is what is looked for
            print(type(error).__name__, error)


if __name__ == "__main__":
    main()
