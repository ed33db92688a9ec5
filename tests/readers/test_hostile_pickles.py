"""A pickle from somebody else runs nothing, whatever it holds."""

from __future__ import annotations

import copyreg
import os
import pickle
import shutil
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from keyfold.contracts import ReadRequest
from keyfold.errors import ReadError
from keyfold_contrib.readers import MilesPtReader

Writes: TypeAlias = Callable[..., Path]

RAN: list[object] = []
MARKER = "keyfold-hostile-marker"


def ran(*args: object) -> object:
    """What a hostile pickle would call; it must never be."""
    RAN.append(args)
    return args


@pytest.fixture(autouse=True)
def nothing_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    # The pickles name this module, which need not be importable otherwise.
    monkeypatch.setitem(sys.modules, "hostile", sys.modules[__name__])
    RAN.clear()
    yield
    assert not RAN
    assert not (tmp_path / MARKER).exists()
    assert "this" not in sys.modules


def text(value: str) -> bytes:
    raw = value.encode()
    return b"X" + len(raw).to_bytes(4, "little") + raw


def short(value: str) -> bytes:
    return b"\x8c" + bytes([len(value)]) + value.encode()


def name(module: str, attribute: str) -> bytes:
    return f"c{module}\n{attribute}\n".encode()


def stack_name(module: str, attribute: str) -> bytes:
    return short(module) + short(attribute) + b"\x93"


TOUCH = text(f"touch {MARKER}")
THIS = text("this")
FILE = text(MARKER)
OPEN = text(f"open({MARKER!r}, 'w').close()")
ADAPTER = name("miles.utils.types", "AdapterRef")
SPEC = name("miles.utils.types", "RewardSpec")
OBJECT = name("builtins", "object")

CALLS = {
    "os.system": name("os", "system") + b"(" + TOUCH + b"tR.",
    "posix.system": name("posix", "system") + b"(" + TOUCH + b"tR.",
    "nt.system": name("nt", "system") + b"(" + TOUCH + b"tR.",
    "subprocess.Popen": name("subprocess", "Popen") + b"(" + TOUCH + b"tR.",
    "builtins.eval": name("builtins", "eval") + b"(" + OPEN + b"tR.",
    "builtins.exec": name("__builtin__", "exec") + b"(" + OPEN + b"tR.",
    "builtins.__import__": name("builtins", "__import__")
    + b"("
    + text("this")
    + b"tR.",
    "builtins.open": name("builtins", "open")
    + b"("
    + text(MARKER)
    + text("w")
    + b"tR.",
    "builtins.getattr": name("builtins", "getattr")
    + b"("
    + OBJECT
    + text("__subclasses__")
    + b"tR.",
    "builtins.map": name("builtins", "map") + b"(" + OBJECT + b"]tR.",
    "builtins.type": name("builtins", "type") + b"(" + text("a") + b")}tR.",
    "hostile.ran": name("hostile", "ran") + b")R.",
    "functools.partial": name("functools", "partial") + b"(" + OBJECT + b"tR.",
    "operator.attrgetter": name("operator", "attrgetter") + b"(" + TOUCH + b"tR.",
    "types.CodeType": name("types", "CodeType") + b")R.",
    "torch.load": name("torch", "load") + b"(" + TOUCH + b"tR.",
    "torch.hub.load": name("torch.hub", "load") + b"(" + TOUCH + b"tR.",
    "torch._utils.os": name("torch._utils", "os") + b")R.",
    "torch.storage.os.system": stack_name("torch.storage", "os.system")
    + b"("
    + TOUCH
    + b"tR.",
    "torch.os.evilStorage": stack_name("torch", "os.evilStorage") + b")R.",
    "numpy.core.multiarray.os": name("numpy.core.multiarray", "os") + b")R.",
    "numpy.load": name("numpy", "load") + b"(" + TOUCH + b"tR.",
    "_codecs.lookup": name("_codecs", "lookup") + b"(" + TOUCH + b"tR.",
    "miles.utils.types.run": name("miles.utils.types", "run") + b")R.",
    "miles.utils.types.AdapterRef.__init__.__globals__": stack_name(
        "miles.utils.types", "AdapterRef.__init__.__globals__"
    )
    + b".",
    "keyfold_strategies.AdapterRef": name("keyfold_strategies", "AdapterRef") + b".",
    "os.path.join": stack_name("os", "path.join") + b"(" + TOUCH + b"tR.",
    "builtins.dict.fromkeys": stack_name("builtins", "dict.fromkeys") + b"(" + b"]tR.",
    "collections.namedtuple": name("collections", "namedtuple") + b"(]]tR.",
    # Nested in what is allowed.
    "posix.fork": ADAPTER + b")\x81}" + text("name") + name("posix", "fork") + b")Rsb.",
    "os.abort": name("collections", "defaultdict")
    + b"("
    + name("os", "abort")
    + b"tR.",
    "os.remove": SPEC + b")\x81" + name("os", "remove") + b"(" + TOUCH + b"tRb.",
    # By the other instructions that make objects.
    "os.popen": b"(" + TOUCH + b"ios\npopen\n.",
    "os.execv": b"(" + name("os", "execv") + TOUCH + b"o.",
    "os.unlink": stack_name("os", "unlink") + b"(" + TOUCH + b"t}\x92.",
    "os.kill": name("os", "kill") + b"(" + TOUCH + b"t\x81.",
    "copyreg.add_extension": name("copyreg", "add_extension") + b"(]]]tR.",
    "copyreg.__reduce_ex__": name("copyreg", "__reduce_ex__") + b"(]]tR.",
}

ODDITIES = {
    "calls a str": text("os.system") + b"(" + TOUCH + b"tR.",
    "calls a dict": b"})R.",
    "calls a AdapterRef": ADAPTER + b"(" + text("a") + b"K\x01tR)R.",
    "calls `builtins.int`": name("builtins", "int") + b"(" + text("9" * 9999) + b"tR.",
    "makes `builtins.bytes` from": name("builtins", "bytes") + b"(J\xff\xff\xff\x7ftR.",
    "makes `builtins.bytearray` from": name("builtins", "bytearray")
    + b"(J\xff\xff\xff\x7ftR.",
    "makes `_codecs.encode` from": name("_codecs", "encode")
    + b"("
    + text("a")
    + text("rot13")
    + b"tR.",
    "calls `copyreg._reconstructor` with": name("copyreg", "_reconstructor")
    + b"("
    + ADAPTER
    + name("builtins", "list")
    + b"]tR.",
    "calls `copyreg.__newobj__` with": name("copyreg", "__newobj__") + b"(]tR.",
    "makes a `builtins.set` from": name("builtins", "set") + b"(K\x01tR.",
    "entry that is not plain in a <builtins.set": name("builtins", "set") + b"(]]atR.",
    "makes a `builtins.dict` from": name("builtins", "dict") + b"(]K\x01atR.",
    "key that is not plain in a <builtins.dict": name("builtins", "dict")
    + b"(]]N\x86atR.",
    "makes `builtins.complex` from": name("builtins", "complex") + b"(K\x01tR.",
    "makes a `Sample.Status` from": stack_name("miles.utils.types", "Sample.Status")
    + b")R.",
    "a `numpy.dtype` of odd shape": name("numpy", "dtype") + b")RNb.",
    "`numpy.core.multiarray.scalar` without a dtype": name(
        "numpy.core.multiarray", "scalar"
    )
    + b")R.",
    "sets the state of a str": text("a") + b"}" + text("__class__") + b"Nsb.",
    "sets the state of a Kind": ADAPTER + b"}" + text("make") + OBJECT + b"sb.",
    "sets the state of a AdapterRef": ADAPTER
    + b"("
    + text("a")
    + b"K\x01tR}"
    + text("name")
    + b"Nsb.",
    "leaves a `miles.utils.types.AdapterRef` without": ADAPTER
    + b")\x81}"
    + text("__class__")
    + OBJECT
    + b"sb.",
    "`miles.utils.types.AdapterRef` that has not just": ADAPTER
    + b"("
    + text("a")
    + b"\x88tR.",
    "extension code 1": b"\x82\x01.",
    "extension code 258": b"\x83\x02\x01.",
    "extension code 5": b"\x84\x05\x00\x00\x00.",
    "persistent id": text("os.system") + b"Q.",
    "by a persistent id": b"Pos.system\n.",
}


def failure(path: Path) -> str:
    with pytest.raises(ReadError) as caught:
        list(MilesPtReader().read(path, ReadRequest()))
    assert "nothing in the file was run" in caught.value.message
    return caught.value.message


@pytest.mark.parametrize("target", CALLS)
@pytest.mark.parametrize("nested", [False, True])
def test_what_a_pickle_may_not_name(
    tmp_path: Path, torch_zip: Writes, target: str, nested: bool
) -> None:
    # Bare, and as the last of a dump's samples.
    before = b"\x80\x04}" + text("samples") + b"](}" if nested else b"\x80\x04"
    message = failure(torch_zip(tmp_path / "a.pt", before + CALLS[target]))
    known = target == "builtins.getattr"
    verb = "calls" if known else "names"
    assert f"its pickle {verb} `{target}`" in message


@pytest.mark.parametrize("message", ODDITIES)
def test_what_a_pickle_may_not_do(
    tmp_path: Path, torch_zip: Writes, message: str
) -> None:
    assert message in failure(
        torch_zip(tmp_path / "a.pt", b"\x80\x04" + ODDITIES[message])
    )


def test_registered_extension_codes_are_refused(
    tmp_path: Path, torch_zip: Writes
) -> None:
    # Python's own unpickler takes these from a cache, without asking anybody.
    copyreg.add_extension("hostile", "ran", 240)
    try:
        data = b"\x80\x02\x82\xf0)R."
        pickle.loads(data)
        assert RAN
        RAN.clear()
        assert "extension code 240" in failure(torch_zip(tmp_path / "a.pt", data))
    finally:
        copyreg.remove_extension("hostile", "ran", 240)
        copyreg.clear_extension_cache()


class Reduces:
    """An object that pickles as a call."""

    def __init__(self, *reduced: object) -> None:
        self.reduced = reduced

    def __reduce__(self) -> tuple[Any, ...]:
        return self.reduced


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
@pytest.mark.parametrize(
    ("call", "named"),
    [
        (os.remove, f"{os.name}.remove"),
        (eval, "builtins.eval"),
        (exec, "builtins.exec"),
        (shutil.rmtree, "shutil.rmtree"),
        (os.path.join, f"{os.path.__name__}.join"),
        (Fraction, "fractions.Fraction"),
    ],
)
def test_pickles_that_python_made(
    tmp_path: Path, dump: Writes, protocol: int, call: Any, named: str
) -> None:
    for hostile in (
        Reduces(call, (MARKER,)),
        Reduces(list, (), None, iter([Reduces(call, ("1",))])),
        Reduces(dict, (), None, None, iter([("a", Reduces(call, ("1",)))])),
    ):
        sample = {"reward": 1.0, "metadata": {"deep": [hostile]}}
        path = dump(tmp_path / "a.pt", {"samples": [sample]}, protocol)
        assert f"`{named}`" in failure(path)


GOOD = pickle.dumps(
    {
        "rollout_id": 3,
        "samples": [
            {"reward": 0.5, "metadata": {"a": [1, 2.0, (3, None)], "s": {1}}, "x": b"y"}
        ],
    },
    2,
)
LETTERS = sorted(
    {ord(code) for code in "(0.12NKMJGXBCUjhqrcRb}]lta)esuPQio"} | {*range(0x80, 0x98)}
)
pieces = st.one_of(
    st.sampled_from([bytes([letter]) for letter in LETTERS]),
    st.sampled_from(sorted(CALLS.values())).map(lambda data: data[:-1]),
    st.sampled_from([ADAPTER, SPEC, OBJECT, text("a"), b"K\x01", b"(K\x01t", b"})"]),
    st.binary(max_size=3),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(pieces, max_size=30).map(b"".join))
@example(b"\x88" * 3 + b".")
def test_random_instructions_give_samples_or_a_read_error(
    tmp_path: Path, torch_zip: Writes, data: bytes
) -> None:
    check_any(torch_zip(tmp_path / "a.pt", b"\x80\x02" + data + b"."))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_damaged_files_give_samples_or_a_read_error(
    tmp_path: Path, torch_zip: Writes, data: st.DataObject
) -> None:
    # Damage to the pickle inside a sound zip file, and to the zip file itself.
    for inside in (True, False):
        path = torch_zip(tmp_path / "a.pt", GOOD)
        content = bytearray(GOOD if inside else path.read_bytes())
        places = st.integers(0, len(content) - 1)
        for place, byte in data.draw(
            st.lists(st.tuples(places, st.integers(0, 255)), max_size=4)
        ):
            content[place] = byte
        damaged = bytes(
            content[: data.draw(places) + 1 if data.draw(st.booleans()) else None]
        )
        if inside:
            torch_zip(path, damaged)
        else:
            path.write_bytes(damaged)
        check_any(path)


def check_any(path: Path) -> None:
    for fields in (None, frozenset({"adapter", "reward", "metadata.a"})):
        try:
            list(MilesPtReader().read(path, ReadRequest(fields)))
        except ReadError as error:
            assert error.path == path  # noqa: PT017
            assert len(str(error)) < 3000  # noqa: PT017
