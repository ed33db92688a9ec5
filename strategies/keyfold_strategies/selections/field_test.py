"""The samples that pass a test on a field."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeAlias, cast, get_args

import attrs

from keyfold.authoring import one_of, refuse, shown
from keyfold.errors import SampleError
from keyfold_strategies._path import is_path, path_of, read_path

__all__ = ["Comparison", "FieldTest"]

Comparison: TypeAlias = Literal["==", "!=", "<", "<=", ">", ">=", "in", "not in"]
"""How a field is compared with what is wanted, spelt as in Python."""

_TESTS: Mapping[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "in": lambda found, wanted: found in wanted,
    "not in": lambda found, wanted: found not in wanted,
}


def _fits(test: FieldTest, _field: object, wanted: object) -> None:
    if test.comparison.endswith("in") and not isinstance(wanted, tuple):
        raise refuse(test, "wanted", f"a list for {test.comparison!r}", wanted)


def _frozen(wanted: Any) -> Any:
    if isinstance(wanted, list | set | frozenset):
        return tuple(cast("list[object]", wanted))
    return wanted


@attrs.frozen(order=False)
class FieldTest:
    """The samples whose field compares as said, such as `status == "completed"`.

    A field that is None, or that a mapping on the way lacks, is compared as None by
    `==`, `!=`, `in` and `not in`; no order holds for it, so `<` and the like select
    nothing there.

    Attributes:
        path: The field's name, or a dotted path such as `metadata.turns`.
        comparison: How the field is compared with what is wanted.
        wanted: What it is compared with; a list for `in` and `not in`.
    """

    path: str = attrs.field(validator=is_path)
    comparison: Comparison = attrs.field(validator=one_of(get_args(Comparison)))
    wanted: Any = attrs.field(converter=_frozen, validator=_fits)

    @property
    def fields(self) -> frozenset[str]:
        """The path that is read."""
        return frozenset({self.path})

    def selects(self, sample: Any, /) -> bool:
        """Return whether the sample's field passes the test.

        Raises:
            SampleError: The two can't be compared.
        """
        found = read_path(sample, path_of(self.path))
        if found is None and self.comparison in ("<", "<=", ">", ">="):
            return False
        try:
            return bool(_TESTS[self.comparison](found, self.wanted))
        except (TypeError, ValueError) as error:
            raise SampleError(
                f"the field {self.path!r} holds {shown(found)}, expected something "
                f"that {self.comparison} {shown(self.wanted)} can be asked of",
                field=self.path,
            ) from error
