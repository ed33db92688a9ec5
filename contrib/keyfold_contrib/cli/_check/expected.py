"""The failures that `keyfold check` is told to expect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches

import attrs

from keyfold import UsageError

__all__ = ["Expected", "expected_of"]


@attrs.define(order=False, eq=False)
class Expected:
    """Which checks may fail, and why.

    Attributes:
        reasons: The reason by the check's name, or by `PLUGIN:CHECK` for one plugin.
    """

    reasons: Mapping[str, str]
    _known: dict[str, None] = attrs.field(factory=dict[str, None], init=False)

    def among(self, plugin: str, checks: Sequence[str]) -> Mapping[str, str]:
        """Return the reasons for some checks of a plugin, and note their names."""
        found: dict[str, str] = {}
        for check in checks:
            for name in (check, f"{plugin}:{check}"):
                self._known[name] = None
                if name in self.reasons:
                    found[check] = self.reasons[name]
        return found

    def refuse_unknown(self) -> None:
        """Refuse a name that was no check of anything.

        Raises:
            UsageError: There is one.
        """
        for name in self.reasons:
            if name not in self._known:
                close = get_close_matches(name, self._known, n=1)
                raise UsageError(
                    f"--expect-failure names {name!r}, which is no check that was made",
                    hint=f"did you mean {close[0]!r}?" if close else None,
                )


def expected_of(options: Sequence[str]) -> Expected:
    """Return what the options `NAME=REASON` say.

    Raises:
        UsageError: One is not of that form, or two name one check.
    """
    reasons: dict[str, str] = {}
    for option in options:
        name, _, reason = (part.strip() for part in option.partition("="))
        if not name or not reason:
            raise UsageError(
                f"--expect-failure expects NAME=REASON, found {option!r}",
                hint="the reason is for those who wonder whether it can be mended",
            )
        if name in reasons:
            raise UsageError(f"--expect-failure names {name!r} twice")
        reasons[name] = reason
    return Expected(reasons)
