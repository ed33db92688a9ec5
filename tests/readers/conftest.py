"""Fixtures that make files like those of `torch.save`, without torch or a trainer."""

from __future__ import annotations

import contextlib
import dataclasses
import enum
import io
import pickle
import sys
import types
import zipfile
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest


@contextlib.contextmanager
def _fake_trainer(name: str = "miles") -> Generator[Any]:
    """Put a module like `miles.utils.types` in place while samples are pickled."""
    module: Any = types.ModuleType(f"{name}.utils.types")
    module.AdapterRef = dataclasses.make_dataclass(
        "AdapterRef", [("name", str), ("slot", int)], frozen=True
    )
    module.SlotAdapterRef = dataclasses.make_dataclass(
        "AdapterRef", [("name", str), ("slot", int)], frozen=True, slots=True
    )
    module.RewardSpec = dataclasses.make_dataclass("RewardSpec", [("kind", str)])
    status = enum.Enum("status", {"DONE": "completed", "CUT": "truncated"})
    module.Sample = type("Sample", (), {"Status": status})
    for cls in (module.AdapterRef, module.SlotAdapterRef, module.RewardSpec):
        cls.__module__ = module.__name__
    module.Sample.__module__ = status.__module__ = module.__name__
    status.__name__, status.__qualname__ = "Status", "Sample.Status"
    names = [name, f"{name}.utils", module.__name__]
    modules = [types.ModuleType(names[0]), types.ModuleType(names[1]), module]
    sys.modules.update(zip(names, modules, strict=True))
    try:
        yield module
    finally:
        for each in names:
            del sys.modules[each]


def _torch_zip(
    path: Path,
    data: bytes,
    *,
    member: str = "archive/data.pkl",
    compression: int = zipfile.ZIP_STORED,
) -> Path:
    """Write a file with a pickle where `torch.save` has it."""
    with zipfile.ZipFile(path, "w", compression) as archive:
        archive.writestr(member, data)
        archive.writestr("archive/byteorder", b"little")
        archive.writestr("archive/version", b"3\n")
    return path


def _dump(path: Path, value: object, protocol: int = 2) -> Path:
    """Write an object as `torch.save` does, which has protocol 2."""
    file = io.BytesIO()
    pickle.Pickler(file, protocol).dump(value)
    return _torch_zip(path, file.getvalue())


@pytest.fixture
def torch_zip() -> Callable[..., Path]:
    """Write a file with a pickle where `torch.save` has it."""
    return _torch_zip


@pytest.fixture
def dump() -> Callable[..., Path]:
    """Write an object as `torch.save` does."""
    return _dump


@pytest.fixture
def fake_trainer() -> Callable[..., contextlib.AbstractContextManager[Any]]:
    """Put a module like `miles.utils.types` in place while samples are pickled."""
    return _fake_trainer
