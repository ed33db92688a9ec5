"""Everything that is wrong in one configuration, gathered before it is raised."""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from keyfold._config.shapes import is_array, is_table
from keyfold._config.wording import join
from keyfold.errors import ConfigError, ConfigProblem

__all__ = ["Problems"]


@attrs.define(order=False, eq=False)
class Problems:
    """Gathers problems, and the exceptions behind some of them.

    Attributes:
        source: The configuration, as the error names it.
        document: The whole configuration, whose order is the order of the problems.
    """

    source: str
    document: Mapping[str, object] = attrs.field(factory=dict[str, object])
    _problems: list[ConfigProblem] = attrs.field(factory=list[ConfigProblem])
    _causes: list[Exception] = attrs.field(factory=list[Exception])

    def add(
        self, key: str, *, expected: str, found: str, hint: str | None = None
    ) -> None:
        """Note one problem."""
        self.take(ConfigProblem(key, expected=expected, found=found, hint=hint))

    def take(self, problem: ConfigProblem, *, cause: Exception | None = None) -> None:
        """Note a problem, and the exception that shows how it came about."""
        self._problems.append(problem)
        if cause is not None:
            self._causes.append(cause)

    def raise_all(self) -> None:
        """Raise all problems as one error, unless there are none.

        The exceptions behind problems stand in the error's `__cause__`: the exception
        itself where it is the only one, otherwise a group of all of them.

        Raises:
            ConfigError: There are problems.
        """
        if not self._problems:
            return
        places = _places("", self.document, {})
        ordered = sorted(self._problems, key=lambda it: _place(it.key, places))
        error = ConfigError(self.source, ordered)
        if not self._causes:
            raise error
        if len(self._causes) == 1:
            raise error from self._causes[0]
        raise error from ExceptionGroup("several plugins failed", self._causes)


def _places(path: str, value: object, places: dict[str, int]) -> dict[str, int]:
    # Numbers every key in the order of the document.
    places.setdefault(path, len(places))
    if is_table(value):
        for key, inner in value.items():
            _places(join(path, str(key)), inner, places)
    elif is_array(value):
        for index, inner in enumerate(value):
            _places(join(path, index), inner, places)
    return places


def _place(key: str, places: Mapping[str, int]) -> int:
    # A missing key stands where its table does; one that is nowhere comes last.
    while key and key not in places:
        cut = max(key.rfind("."), key.rfind("["))
        if cut < 0:
            return len(places)
        key = key[:cut]
    return places[key]
