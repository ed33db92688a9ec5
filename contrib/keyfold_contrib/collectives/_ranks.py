"""The ranks of a process group, and the calls that move something between them."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Protocol, cast

import attrs

from keyfold.authoring import shown
from keyfold.errors import UsageError

__all__ = ["Ranks", "ranks_of"]


class _Distributed(Protocol):
    """What is used of `torch.distributed`, which may not be installed."""

    group: Any

    def is_available(self) -> bool: ...
    def is_initialized(self) -> bool: ...
    def get_rank(self, group: object = None) -> int: ...
    def get_process_group_ranks(self, group: object) -> list[int]: ...
    def all_gather_object(
        self, object_list: list[Any], obj: object, group: object = None
    ) -> None: ...
    def gather_object(
        self,
        obj: object,
        object_gather_list: list[Any] | None = None,
        dst: int = 0,
        group: object = None,
    ) -> None: ...


@attrs.frozen(order=False, eq=False)
class Ranks:
    """The ranks of a process group, by their numbers in the whole job.

    Attributes:
        own: The rank of this process.
        numbers: All of them, in the order of the group.
        group: The group, as torch knows it.
    """

    own: int
    numbers: tuple[int, ...]
    group: object
    _distributed: _Distributed

    def all_gathered(self, sent: object) -> Mapping[int, Any]:
        """Return what each rank sends; every rank must call this."""
        received: list[Any] = [None] * len(self.numbers)
        self._distributed.all_gather_object(received, sent, group=self.group)
        return dict(zip(self.numbers, received, strict=True))

    def gathered(self, sent: object, dst: int) -> Mapping[int, Any] | None:
        """Return what each rank sends on the rank `dst`, and None on the others.

        Raises:
            UsageError: `dst` is not in the group.
        """
        if dst not in self.numbers:
            raise UsageError(
                f"expected dst to be a rank of the group, found {shown(dst)}",
                hint=f"its ranks are {shown(self.numbers)}, as numbered in the job",
            )
        received: list[Any] | None = None
        if self.own == dst:
            received = [None] * len(self.numbers)
        self._distributed.gather_object(sent, received, dst=dst, group=self.group)
        if received is None:
            return None
        return dict(zip(self.numbers, received, strict=True))


def ranks_of(group: object) -> Ranks:
    """Return the ranks of a process group; None means the default one.

    Raises:
        UsageError: torch is not installed, has no process group, or this process is not
            in the group.
    """
    distributed = _distributed()
    if not (distributed.is_available() and distributed.is_initialized()):
        raise UsageError(
            "expected a process group of torch.distributed, found none",
            hint="call torch.distributed.init_process_group() first, in a program that "
            "torchrun started; one process alone needs only keyfold.compute",
        )
    if group is None:
        group = distributed.group.WORLD
    own = distributed.get_rank()
    if distributed.get_rank(group) < 0:
        raise UsageError(
            f"this process, rank {own}, is not in the process group",
            hint="only the ranks of a group may call this with it",
        )
    numbers = distributed.get_process_group_ranks(group)
    return Ranks(own, tuple(numbers), group, distributed)


def _distributed() -> _Distributed:
    try:
        return cast("_Distributed", import_module("torch").distributed)
    except ModuleNotFoundError as error:
        if error.name != "torch":
            raise
        raise UsageError(
            "torch is not installed, and this merges over torch.distributed",
            hint="pip install 'keyfold[torch]'",
        ) from error
