"""What the benchmarks share: where the yardstick is, and how time is taken."""

from __future__ import annotations

import gc
import importlib.util
import statistics
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter
from types import ModuleType
from typing import Final

import attrs

__all__ = ["REFERENCE", "Quartiles", "module_from", "seconds"]

REFERENCE: Final = Path(__file__).resolve().parents[3] / "shared" / "reference"


@attrs.frozen
class Quartiles:
    """The middle of some measurements, and the quarter on each side of it."""

    low: float
    middle: float
    high: float

    @classmethod
    def of(cls, measured: Sequence[float]) -> Quartiles:
        """Take the quartiles of two or more measurements."""
        return cls(*statistics.quantiles(measured, n=4, method="inclusive"))


def module_from(path: Path) -> ModuleType:
    """Load a module from a file that is in no package."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ImportError(path)
    module = importlib.util.module_from_spec(spec)
    # Dataclasses look up the module that they are made in.
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def seconds(call: Callable[[], object], times: int) -> float:
    """Return what one of some calls takes, with the garbage collector at work."""
    gc.collect()
    start = perf_counter()
    for _ in range(times):
        call()
    return (perf_counter() - start) / times
