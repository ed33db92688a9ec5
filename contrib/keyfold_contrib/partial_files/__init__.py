"""Files of partials: what some shards contribute to the metrics of each step.

`keyfold partial` writes them, `keyfold merge` and `keyfold report` read them. In
Python:

    write_partials(Path("shard-3.partials"), {step: partial(samples, shard=3)})
    parts = read_partials(Path("shard-3.partials"))

Such a file is a line that says what it is, the version of its format, a digest, and a
msgpack message of the steps, each with the bytes of its partial. A file that holds
nothing but the bytes of one partial, as `Partial.to_bytes` gives them, is read too: its
one step has no name.
"""

from __future__ import annotations

from keyfold_contrib.partial_files._format import Step, looks_like_partials
from keyfold_contrib.partial_files._read import is_partial_file, read_partials
from keyfold_contrib.partial_files._write import check_target, write_partials

__all__ = [
    "Step",
    "check_target",
    "is_partial_file",
    "looks_like_partials",
    "read_partials",
    "write_partials",
]
