"""Every class and function that a dump's pickle may name, and what stands for each.

What a pickle names is looked up in these tables and nowhere else: nothing is imported,
and nothing here calls anything that a pickle brings along.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final, cast

from keyfold_contrib.readers._guards import is_dict, is_list, is_tuple
from keyfold_contrib.readers._numpy_scalars import build_dtype, make_dtype, make_scalar
from keyfold_contrib.readers._stand_ins import Kind, Pending, RefusedError, Skipped
from keyfold_strategies import AdapterRef

__all__ = ["allowed", "hashable"]

# Python 2's names of the same modules, which old pickle protocols still write.
_RENAMED: Final = {"__builtin__": "builtins", "copy_reg": "copyreg"}
_TRAINERS: Final = frozenset({"miles", "slime"})
_PLAIN: Final = frozenset({str, int, float, bool, bytes, complex, type(None)})


def hashable(value: object) -> bool:
    """Return whether a value may be a dict key or a set's entry.

    Nested tuples may not: hashing a deep one can crash the interpreter.
    """
    if is_tuple(value):
        return all(type(part) in _PLAIN for part in value)
    return isinstance(value, AdapterRef) or type(value) in _PLAIN


def _entries(kind: Kind, args: tuple[Any, ...]) -> list[Any]:
    """Return the entries that a container is made from."""
    if not args:
        return []
    entries = args[0]
    if isinstance(entries, list | tuple | set | frozenset):
        return list(cast("Iterable[Any]", entries))
    raise RefusedError(f"its pickle makes a `{kind.label}` from something odd")


def _list(kind: Kind, args: tuple[Any, ...]) -> list[Any]:
    return _entries(kind, args)


def _tuple(kind: Kind, args: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(_entries(kind, args))


def _set(kind: Kind, args: tuple[Any, ...]) -> set[Any]:
    entries = _entries(kind, args)
    if not all(map(hashable, entries)):
        raise RefusedError(f"its pickle puts an entry that is not plain in a {kind!r}")
    return set(entries)


def _frozenset(kind: Kind, args: tuple[Any, ...]) -> frozenset[Any]:
    return frozenset(_set(kind, args))


def _dict(kind: Kind, args: tuple[Any, ...]) -> dict[Any, Any]:
    pairs = _entries(kind, args)
    if not all((is_list(p) or is_tuple(p)) and len(p) == 2 for p in pairs):
        raise RefusedError(f"its pickle makes a `{kind.label}` from something odd")
    if not all(hashable(pair[0]) for pair in pairs):
        raise RefusedError(f"its pickle has a key that is not plain in a {kind!r}")
    return dict(pairs)


def _defaultdict(_kind: Kind, _args: tuple[Any, ...]) -> dict[Any, Any]:
    return {}


def _bytes(kind: Kind, args: tuple[Any, ...]) -> bytes:
    # Never from a number: that would be as many bytes as a pickle likes.
    match args:
        case ():
            return b""
        case (bytes(data),):
            return data
        case (str(text), "latin1" | "latin-1"):
            return text.encode("latin-1")
        case _:
            raise RefusedError(f"its pickle makes `{kind.label}` from something odd")


def _complex(kind: Kind, args: tuple[Any, ...]) -> complex:
    match args:
        case (float(real), float(imag)):
            return complex(real, imag)
        case _:
            raise RefusedError(f"its pickle makes `{kind.label}` from something odd")


def _name_only(kind: Kind, _args: tuple[Any, ...]) -> Any:
    raise RefusedError(f"its pickle calls `{kind.label}`")


def _new_object(kind: Kind, args: tuple[Any, ...]) -> Any:
    if args and isinstance(args[0], Kind):
        return args[0].make(args[0], args[1:])
    raise RefusedError(f"its pickle calls `{kind.label}` with something odd")


def _reconstructor(kind: Kind, args: tuple[Any, ...]) -> Any:
    match args:
        case (Kind() as made, Kind(label="builtins.object"), None):
            return made.make(made, ())
        case _:
            raise RefusedError(f"its pickle calls `{kind.label}` with something odd")


def _getattr(kind: Kind, args: tuple[Any, ...]) -> Any:
    # How old protocols spell a nested class.
    match args:
        case (Kind(make=make), "Status") if make is _name_only_sample:
            return _STATUS
        case _:
            raise RefusedError(f"its pickle calls `{kind.label}`")


def _name_only_sample(kind: Kind, args: tuple[Any, ...]) -> Any:
    return _name_only(kind, args)


def _status(kind: Kind, args: tuple[Any, ...]) -> str:
    match args:
        case (str(text),):
            return text
        case _:
            raise RefusedError(f"its pickle makes a `{kind.label}` from something odd")


def _skipped(kind: Kind, _args: tuple[Any, ...]) -> Skipped:
    return Skipped(kind.label)


def _array(_kind: Kind, _args: tuple[Any, ...]) -> Skipped:
    return Skipped("numpy.ndarray")


def _adapter(kind: Kind, args: tuple[Any, ...]) -> AdapterRef | Pending:
    if not args:
        return Pending(kind, ())
    match args:
        case (str(name), int(slot)) if type(slot) is int:
            return AdapterRef(name, slot)
        case _:
            raise RefusedError(
                f"its pickle makes a `{kind.label}` that has not just a name (a text) "
                "and a slot (a whole number)"
            )


def _build_adapter(kind: Kind, _made: object, state: Any) -> AdapterRef:
    # A plain class leaves (its dict, its slots), and a frozen slots class a list.
    if is_tuple(state) and len(state) == 2 and not state[0] and is_dict(state[1]):
        state = state[1]
    if is_dict(state) and state.keys() == {"name", "slot"}:
        state = [state["name"], state["slot"]]
    made = _adapter(kind, tuple(state) if is_list(state) or is_tuple(state) else ())
    if isinstance(made, AdapterRef):
        return made
    raise RefusedError(f"its pickle leaves a `{kind.label}` without a name and a slot")


_Make = Callable[[Kind, tuple[Any, ...]], Any]
_MAKERS: Final[dict[str, _Make]] = {
    "builtins.bool": _name_only,
    "builtins.bytearray": _bytes,
    "builtins.bytes": _bytes,
    "builtins.complex": _complex,
    "builtins.dict": _dict,
    "builtins.float": _name_only,
    "builtins.frozenset": _frozenset,
    "builtins.getattr": _getattr,
    "builtins.int": _name_only,
    "builtins.list": _list,
    "builtins.object": _name_only,
    "builtins.set": _set,
    "builtins.str": _name_only,
    "builtins.tuple": _tuple,
    "_codecs.encode": _bytes,
    "collections.OrderedDict": _dict,
    "collections.defaultdict": _defaultdict,
    "collections.deque": _list,
    "copyreg.__newobj__": _new_object,
    "copyreg._reconstructor": _reconstructor,
    "numpy.ndarray": _array,
}
# Numpy has moved these about; the last part says what they are.
_NUMPY_MODULES: Final = frozenset(
    f"numpy.{core}.{module}"
    for core in ("core", "_core")
    for module in ("multiarray", "numeric")
)
_NUMPY_MAKERS: Final[dict[str, _Make]] = {
    "_frombuffer": _array,
    "_reconstruct": _array,
    "scalar": make_scalar,
}
_STATUS: Final = Kind("Sample.Status", _status)
_DTYPE: Final = Kind("numpy.dtype", make_dtype, build_dtype)
_TORCH_MAKERS: Final = frozenset({"Size", "Tensor", "device"})
_TORCH_CONSTANTS: Final = frozenset(
    """bfloat16 bool cfloat chalf complex128 complex32 complex64 double float float16
    float32 float64 float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz half int
    int16 int32 int64 int8 long short uint16 uint32 uint64 uint8""".split()  # noqa: SIM905
)


def allowed(module: str, name: str) -> Kind | Skipped:
    """Return what stands for a class, function or constant that a pickle names.

    Raises:
        RefusedError: It is not on the list; the message names it.
    """
    module = _RENAMED.get(module, module)
    label = f"{module}.{name}"
    if label in _MAKERS:
        return Kind(label, _MAKERS[label])
    if module in _NUMPY_MODULES and name in _NUMPY_MAKERS:
        return Kind(label, _NUMPY_MAKERS[name])
    if label == "numpy.dtype":
        return _DTYPE
    if module.split(".")[0] in _TRAINERS:
        match name:
            case "AdapterRef":
                return Kind(label, _adapter, _build_adapter)
            case "RewardSpec":
                return Kind(label, _skipped)
            case "Sample":
                return Kind(label, _name_only_sample)
            case "Sample.Status":
                return _STATUS
            case _:
                pass
    if module == "torch" and name in _TORCH_CONSTANTS:
        return Skipped(label)
    if _is_torch(module, name):
        return Kind("torch.Tensor" if "_rebuild_" in name else label, _skipped)
    raise RefusedError(
        f"its pickle names `{label}`, which is not on the list of plain types"
    )


def _is_torch(module: str, name: str) -> bool:
    """Return whether this is a part of a pickled tensor."""
    match module:
        case "torch":
            return name in _TORCH_MAKERS or (
                name.endswith("Storage") and name.isidentifier()
            )
        case "torch.storage":
            return name.isidentifier()
        case "torch._utils":
            return name.startswith("_rebuild_") and name.isidentifier()
        case "torch._tensor":
            return name == "_rebuild_from_type_v2"
        case "torch.nn.parameter":
            return name == "Parameter"
        case "torch.serialization":
            return name == "_get_layout"
        case _:
            return False
