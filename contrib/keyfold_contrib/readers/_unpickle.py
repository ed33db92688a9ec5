"""Reads a pickle as data: no import, no call, no attribute set.

Python's own unpickler is a machine that calls what a pickle names. This one knows the
same instructions and has nothing to call: a name becomes a stand-in out of a fixed
table (see `_allowed`), and what Python would call is turned into plain data or refused.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any, Final

from keyfold_contrib.readers._machine import FLOAT8, INT4, Machine
from keyfold_contrib.readers._stand_ins import RefusedError

__all__ = ["unpickle"]

_BROKEN: Final = (IndexError, KeyError, TypeError, ValueError, struct.error)


def unpickle(data: bytes) -> Any:
    """Return what a pickle holds, as plain data and stand-ins.

    Raises:
        RefusedError: It is broken, or names what is not on the list of plain types.
    """
    machine = Machine(data)
    try:
        return _run(machine)
    except _BROKEN as error:
        raise RefusedError(
            f"its pickle is broken or cut off at byte {machine.at} of {len(data)}"
        ) from error


def _run(machine: Machine) -> Any:
    data, steps = machine.data, _STEPS
    while True:
        code = data[machine.at]
        machine.at += 1
        if code == _STOP:
            return machine.stack.pop()
        step = steps.get(code)
        if step is None:
            raise RefusedError(
                f"its pickle uses the instruction {bytes([code])!r} at byte "
                f"{machine.at - 1}, which no dump needs"
            )
        step(machine)


_Step = Callable[[Machine], Any]
_STOP: Final = ord(".")


def _push(value: Callable[[Machine], Any]) -> _Step:
    return lambda m: m.stack.append(value(m))


def _text(width: int) -> _Step:
    # Halves of surrogate pairs are legal in pickles, as they are in Python's strings.
    return _push(lambda m: m.take(m.size(width)).decode("utf-8", "surrogatepass"))


def _raw(width: int) -> _Step:
    return _push(lambda m: m.take(m.size(width)))


_BY_LETTER: Final[dict[str, _Step]] = {
    "\x80": Machine.protocol,
    "\x95": lambda m: m.take(8),  # the size of a frame
    "(": Machine.mark,
    "0": Machine.pop,
    "1": Machine.since_mark,
    "2": _push(lambda m: m.stack[-1]),
    "N": _push(lambda _: None),
    "\x88": _push(lambda _: True),
    "\x89": _push(lambda _: False),
    "K": _push(lambda m: m.size(1)),
    "M": _push(lambda m: m.size(2)),
    "J": _push(lambda m: INT4.unpack(m.take(4))[0]),
    "\x8a": lambda m: m.long(m.size(1)),
    "\x8b": lambda m: m.long(m.size(4)),
    "G": _push(lambda m: FLOAT8.unpack(m.take(8))[0]),
    "X": _text(4),
    "\x8c": _text(1),
    "\x8d": _text(8),
    "B": _raw(4),
    "C": _raw(1),
    "\x8e": _raw(8),
    "\x96": _raw(8),
    "]": _push(lambda _: []),
    "l": _push(Machine.since_mark),
    "a": lambda m: m.extend([m.stack.pop()]),
    "e": lambda m: m.extend(m.since_mark()),
    ")": _push(lambda _: ()),
    "t": _push(lambda m: tuple(m.since_mark())),
    "\x85": _push(lambda m: m.last(1)),
    "\x86": _push(lambda m: m.last(2)),
    "\x87": _push(lambda m: m.last(3)),
    "}": _push(lambda _: {}),
    "s": lambda m: m.set_items(list(m.last(2))),
    "u": lambda m: m.set_items(m.since_mark()),
    "d": lambda m: m.new_dict(m.since_mark()),
    "\x8f": _push(lambda _: set[Any]()),
    "\x90": lambda m: m.add(m.since_mark()),
    "\x91": lambda m: m.new_frozenset(m.since_mark()),
    "q": lambda m: m.remember(m.size(1)),
    "r": lambda m: m.remember(m.size(4)),
    "\x94": lambda m: m.remember(len(m.memo)),
    "h": _push(lambda m: m.memo[m.size(1)]),
    "j": _push(lambda m: m.memo[m.size(4)]),
    "c": lambda m: m.name(m.line(), m.line()),
    "\x93": Machine.stack_name,
    "R": Machine.call,
    "\x81": Machine.call,
    "\x92": Machine.call_with_keywords,
    "o": Machine.call_marked,
    "i": Machine.call_named,
    "b": Machine.build,
    "P": lambda m: m.persistent(m.line()),
    "Q": lambda m: m.persistent(m.stack.pop()),
    "\x82": lambda m: m.extension(1),
    "\x83": lambda m: m.extension(2),
    "\x84": lambda m: m.extension(4),
}
_STEPS: Final = {ord(letter): step for letter, step in _BY_LETTER.items()}
