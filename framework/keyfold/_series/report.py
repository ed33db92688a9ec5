"""What a series says: smoothed numbers by name, each with what it counted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import attrs

from keyfold._nearest import did_you_mean
from keyfold.errors import AbsentMetricError

__all__ = ["SeriesOutcome", "SeriesReport"]


@attrs.frozen(order=False)
class SeriesOutcome:
    """One metric's smoothed value, and what it counted.

    `steps`, `absent` and `nonfinite` add up to the steps that the series looks at:
    those in a window, or all that an average was given.

    Attributes:
        value: The smoothed value, or None where no step gave one (*absent*).
        steps: How many steps gave a number that went into it.
        absent: How many steps had no value of the metric, or none that anything stands
            behind, or did not know the metric.
        nonfinite: How many steps had NaN or an infinity, and were passed over.
        weight: What the weights of the steps add up to, in steps, units or samples. In
            an average those of earlier steps are decayed; 0 where no step gave a value.
        idle: How many of the steps came after the last one that gave a number; all of
            them where none did.
    """

    value: float | None
    steps: int
    absent: int
    nonfinite: int
    weight: float
    idle: int


@attrs.frozen(order=False, eq=False, repr=False)
class SeriesReport(Mapping[str, float]):
    """Smoothed numbers by name; absent ones are not in the mapping.

    It is what the series said when it was asked, and does not change with it.

    Attributes:
        outcomes: Every metric's value and counts by name, the absent ones included.
    """

    outcomes: Mapping[str, SeriesOutcome]

    def outcome(self, name: str) -> SeriesOutcome:
        """Return a metric's smoothed value and counts, also where it is absent.

        Raises:
            AbsentMetricError: No step that the series looks at knew the metric.
        """
        try:
            return self.outcomes[name]
        except KeyError:
            raise self._unknown(name) from None

    def __getitem__(self, name: str) -> float:
        outcome = self.outcome(name)
        if outcome.value is None:
            raise AbsentMetricError(
                f"metric {name!r} is absent: of {outcome.idle} steps {outcome.absent} "
                f"had no value and {outcome.nonfinite} a non-finite one",
                hint=f".outcome({name!r}) gives its counts without a value",
            )
        return outcome.value

    def __iter__(self) -> Iterator[str]:
        return (name for name, it in self.outcomes.items() if it.value is not None)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __repr__(self) -> str:
        numbers = ", ".join(f"{name!r}: {value!r}" for name, value in self.items())
        return f"SeriesReport({{{numbers}}})"

    def _unknown(self, name: str) -> AbsentMetricError:
        known = ", ".join(map(repr, self.outcomes)) or "none"
        return AbsentMetricError(
            f"the series has no metric {name!r}; it has {known}",
            hint=did_you_mean(str(name), self.outcomes),
        )
