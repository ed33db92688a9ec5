"""What the instructions of a pickle do here, where nothing can be called."""

from __future__ import annotations

import struct
from collections.abc import Sized
from typing import Any, Final, cast

from keyfold_contrib.readers._allowed import allowed, hashable
from keyfold_contrib.readers._guards import is_dict, is_list, is_set, is_tuple
from keyfold_contrib.readers._stand_ins import Kind, Pending, RefusedError, Skipped

__all__ = ["FLOAT8", "INT4", "Machine"]

_LONGEST_INT: Final = 1024
_COPIES: Final = 8
INT4: Final = struct.Struct("<i")
FLOAT8: Final = struct.Struct(">d")
# Python writes lists in batches of 1,000 entries; a batch of one type is read at once.
_BATCH: Final = 1000
_FLOATS: Final = struct.Struct(">" + "xd" * _BATCH)
_GS: Final = b"G" * _BATCH
_KS: Final = b"K" * _BATCH
_SIZES: Final = {
    1: struct.Struct("<B"),
    2: struct.Struct("<H"),
    4: struct.Struct("<I"),
    8: struct.Struct("<Q"),
}


class Machine:
    """The state of reading one pickle.

    Each method is one instruction, or what several of them share. A method that finds
    the pickle broken raises an `IndexError`, `TypeError` or the like.
    """

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0
        self.stack: list[Any] = []
        self.marks: list[int] = []
        self.memo: dict[int, Any] = {}
        self.copied = 0

    # Reading arguments

    def take(self, count: int) -> bytes:
        piece = self.data[self.at : self.at + count]
        if len(piece) != count:
            raise IndexError
        self.at += count
        return piece

    def size(self, width: int) -> int:
        size: int = _SIZES[width].unpack(self.take(width))[0]
        return size

    def line(self) -> str:
        end = self.data.index(b"\n", self.at)
        text = self.data[self.at : end].decode()
        self.at = end + 1
        return text

    # The stack and the memo

    def since_mark(self) -> list[Any]:
        mark = self.marks.pop()
        if mark > len(self.stack):
            raise IndexError
        items = self.stack[mark:]
        del self.stack[mark:]
        return items

    def remember(self, key: int) -> None:
        top = self.stack[-1]
        if type(top) is Pending:
            top.memo.append(key)
        self.memo[key] = top

    def number_run(self) -> None:
        """Push the plain numbers that follow: lists of them are most of a dump."""
        data, at, push = self.data, self.at, self.stack.append
        while data.startswith(b"G", at) and data[at : at + _FLOATS.size : 9] == _GS:
            self.stack.extend(_FLOATS.unpack_from(data, at))
            at += _FLOATS.size
        while data.startswith(b"K", at) and data[at : at + 2 * _BATCH : 2] == _KS:
            self.stack.extend(data[at + 1 : at + 2 * _BATCH : 2])
            at += 2 * _BATCH
        while True:
            code = data[at]
            if code == 0x4A:  # four bytes
                push(INT4.unpack_from(data, at + 1)[0])
                at += 5
            elif code == 0x4D:  # two bytes
                push(data[at + 1] | data[at + 2] << 8)
                at += 3
            elif code == 0x4B:  # one byte
                push(data[at + 1])
                at += 2
            elif code == 0x47:  # a float
                push(FLOAT8.unpack_from(data, at + 1)[0])
                at += 9
            else:
                break
        self.at = at

    # Containers

    def extend(self, items: list[Any]) -> None:
        target = self.stack[-1]
        if is_list(target):
            target.extend(items)
        elif type(target) is not Skipped:
            raise TypeError

    def add(self, items: list[Any]) -> None:
        target = self.stack[-1]
        if not is_set(target):
            raise TypeError
        _check_plain(items)
        target.update(items)

    def set_items(self, items: list[Any]) -> None:
        target = self.stack[-1]
        if is_dict(target):
            keys = items[::2]
            _check_plain(keys)
            target.update(zip(keys, items[1::2], strict=True))
        elif type(target) is not Skipped:
            raise TypeError

    def new_dict(self, items: list[Any]) -> None:
        self.stack.append({})
        self.set_items(items)

    def new_frozenset(self, items: list[Any]) -> None:
        _check_plain(items)
        self.stack.append(frozenset(items))

    # What Python would import, call and set

    def name(self, module: str, name: str) -> None:
        self.stack.append(allowed(module, name))

    def stack_name(self) -> None:
        name, module = self.stack.pop(), self.stack.pop()
        if type(name) is not str or type(module) is not str:
            raise TypeError
        self.name(module, name)

    def make(self, kind: Any, args: Any) -> None:
        if not is_tuple(args):
            raise TypeError
        if type(kind) is Kind:
            self.pay_for(args)
            self.stack.append(kind.make(kind, args))
        elif type(kind) is Skipped:
            self.stack.append(kind)
        else:
            raise RefusedError(f"its pickle calls a {type(kind).__name__}")

    def pay_for(self, args: tuple[Any, ...]) -> None:
        # Two bytes can ask for another copy of something large: without an end to it,
        # a small file fills the memory.
        if args and isinstance(args[0], bytes | str | list | tuple | set | frozenset):
            self.copied += len(cast("Sized", args[0]))
            if self.copied > _COPIES * len(self.data):
                raise RefusedError("its pickle copies the same data over and over")

    def call(self) -> None:
        args, kind = self.stack.pop(), self.stack.pop()
        self.make(kind, args)

    def call_marked(self) -> None:
        kind, *args = self.since_mark()
        self.make(kind, tuple(args))

    def call_named(self) -> None:
        kind = allowed(self.line(), self.line())
        self.make(kind, tuple(self.since_mark()))

    def call_with_keywords(self) -> None:
        keywords, args, kind = self.stack.pop(), self.stack.pop(), self.stack.pop()
        self.make(kind, args)
        if keywords:
            self.stack.append(keywords)
            self.build()

    def build(self) -> None:
        state, made = self.stack.pop(), self.stack[-1]
        if type(made) is Pending:
            built = made.kind.build(made.kind, made, state)
            self.stack[-1] = built
            for key in made.memo:
                self.memo[key] = built
        elif type(made) not in (Skipped, dict, list):
            # The state of a skipped object, or of a subclass of dict or list that is
            # read as a plain one, is nothing that is needed.
            raise RefusedError(f"its pickle sets the state of a {type(made).__name__}")

    def persistent(self, ident: Any) -> None:
        # Torch keeps the numbers of a tensor beside the pickle.
        if not is_tuple(ident) or ident[:1] != ("storage",):
            raise RefusedError(
                "its pickle refers to an object outside of it by a persistent id that "
                f"is no tensor's storage ({type(ident).__name__})"
            )
        self.stack.append(Skipped("torch storage"))

    def extension(self, width: int) -> None:
        number = self.size(width)
        raise RefusedError(
            f"its pickle names an object by the copyreg extension code {number}"
        )

    def protocol(self) -> None:
        version = self.size(1)
        if version > 5:
            raise RefusedError(f"its pickle has the unknown protocol {version}")

    def long(self, size: int) -> None:
        if size > _LONGEST_INT:
            raise RefusedError(f"its pickle holds a whole number of {size} bytes")
        self.stack.append(int.from_bytes(self.take(size), "little", signed=True))

    def mark(self) -> None:
        self.marks.append(len(self.stack))
        self.number_run()

    def pop(self) -> None:
        # As in Python's own: a mark that nothing was put on is popped itself.
        if self.marks and self.marks[-1] == len(self.stack):
            self.marks.pop()
        else:
            self.stack.pop()

    def last(self, count: int) -> tuple[Any, ...]:
        if len(self.stack) < count:
            raise IndexError
        items = tuple(self.stack[-count:])
        del self.stack[-count:]
        return items


def _check_plain(keys: list[Any]) -> None:
    for key in keys:
        if type(key) is not str and not hashable(key):
            raise RefusedError(
                f"its pickle has a {type(key).__name__} as a key or a set's entry; "
                "expected a text, a number or a flat tuple of such"
            )
