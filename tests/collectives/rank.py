"""One rank of a job, as torchrun starts one: it makes the calls that it is given.

Prints a line of JSON for each call, with what it returned or raised.
"""

from __future__ import annotations

import json
import pickle
import sys
from collections.abc import Iterator
from datetime import timedelta
from importlib import import_module
from pathlib import Path
from typing import Any

from keyfold import KeyfoldError, Partial, Report, partial
from keyfold_contrib.collectives.torch_distributed import (
    all_merge,
    all_report,
    report_on,
)


def breaking(samples: list[Any]) -> Iterator[Any]:
    yield from samples
    raise ValueError("the generator broke")


def called(call: dict[str, Any], rank: int, groups: dict[Any, object]) -> Any:
    metrics = call.get("metrics", {}).get(rank, call["default_metrics"])
    options: dict[str, Any] = {"group": groups[call.get("group")]}
    samples: Any = call["shards"][rank]
    if rank in call.get("breaking", ()):
        samples = breaking(samples)
    match call["function"]:
        case "all_report":
            return all_report(samples, metrics, **options)
        case "report_on":
            return report_on(samples, metrics, dst=call["dst"], **options)
        case "all_merge":
            shard = call["numbers"][rank]
            part: Any = None
            if shard is not None:
                part = partial(samples, metrics, shard=shard)
            return all_merge(part, **options)
        case other:
            raise AssertionError(other)


def told(result: Any) -> dict[str, Any]:
    if isinstance(result, Partial):
        return {"shards": list(result.shards), **told(result.report())}
    if isinstance(result, Report):
        return {"outcomes": repr(dict(result.outcomes))}
    if isinstance(result, KeyfoldError):
        kinds = [kind.__name__ for kind in type(result).__mro__]
        return {"error": kinds, "message": result.message, "hint": result.hint}
    if isinstance(result, Exception):
        return {"error": [type(result).__name__], "message": str(result)}
    assert result is None
    return {"none": True}


def main() -> None:
    number, size, store, given = sys.argv[1:]
    rank = int(number)
    calls: list[dict[str, Any]] = pickle.loads(Path(given).read_bytes())
    distributed: Any = import_module("torch.distributed")
    distributed.init_process_group(
        "gloo",
        init_method=f"file://{store}",
        rank=rank,
        world_size=int(size),
        # So long waits a rank for the others, before its test fails.
        timeout=timedelta(seconds=60),
    )
    groups: dict[Any, object] = {None: None}
    for ranks in [call["group"] for call in calls if "group" in call]:
        groups[ranks] = distributed.new_group(list(ranks))
    for call in calls:
        try:
            result = called(call, rank, groups)
        except Exception as error:  # noqa: BLE001
            result = error
        print(json.dumps(told(result)), flush=True)
    distributed.destroy_process_group()


if __name__ == "__main__":
    main()
