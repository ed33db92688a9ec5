"""What a computation gives: numbers by name, each with what it counted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, TypeAlias

import attrs

from keyfold._nearest import did_you_mean
from keyfold.errors import AbsentMetricError, KeyfoldError

__all__ = ["OnError", "Outcome", "Report"]

OnError: TypeAlias = Literal["raise", "report"]
"""What becomes of a metric that can't be computed: raise, or leave it out and tell."""


@attrs.frozen(order=False)
class Outcome:
    """One metric's value, and what it counted.

    Attributes:
        value: The value, or None where nothing was usable (*absent*).
        samples: How many samples there were. For an entry of a breakdown, how many of
            the selected ones belong to it.
        selected: How many of them the metric's selection takes.
        used: How many of those gave a number that went into the value.
        missing: How many had no value (None), whatever the policy made of them.
        rejected: How many had a value that is no number.
        nonfinite: How many gave NaN or an infinity, whatever the policy made of them.
        units: How many units went into the last reduction: those of the outermost
            level, or the used samples where the pipeline has no level.
        units_without_value: How many units of that kind had nothing usable.
        keyed_by: How many selected samples each strategy of the innermost key keyed.
        level_units: How many units with a value each level has, innermost first.
    """

    value: float | None
    samples: int
    selected: int
    used: int
    missing: int
    rejected: int
    nonfinite: int
    units: int
    units_without_value: int
    keyed_by: Mapping[str, int]
    level_units: tuple[int, ...] = ()


@attrs.frozen(order=False, eq=False, repr=False)
class Report(Mapping[str, float]):
    """The numbers of a computation by name; absent ones are not in the mapping.

    An entry of a breakdown stands under `<metric>/<label>`, where the label is the
    key's short text.

    Attributes:
        outcomes: Every metric's value and counts by name, the absent ones included.
        breakdowns: The entries of each metric that has a breakdown, by their labels;
            no name needs to be taken apart to find them.
        errors: The metrics that could not be computed, each with its error; always
            empty unless `compute` was told to report them.
    """

    outcomes: Mapping[str, Outcome]
    breakdowns: Mapping[str, Mapping[str, Outcome]] = attrs.field(
        factory=dict[str, Mapping[str, Outcome]]
    )
    errors: Mapping[str, KeyfoldError] = attrs.field(factory=dict[str, KeyfoldError])

    def outcome(self, name: str) -> Outcome:
        """Return a metric's value and counts, also where the value is absent.

        Raises:
            AbsentMetricError: The report has no metric of that name, or the metric
                could not be computed.
        """
        try:
            return self.outcomes[name]
        except KeyError:
            raise self._unknown(name) from self.errors.get(name)

    def __getitem__(self, name: str) -> float:
        value = self.outcome(name).value
        if value is None:
            raise AbsentMetricError(
                f"metric {name!r} is absent: no sample gave a usable value",
                hint=f"report.outcome({name!r}) says what was counted, and empty= in "
                "the pipeline gives such a metric a value",
            )
        return value

    def __iter__(self) -> Iterator[str]:
        return (name for name, it in self.outcomes.items() if it.value is not None)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __repr__(self) -> str:
        numbers = ", ".join(f"{name!r}: {value!r}" for name, value in self.items())
        return f"Report({{{numbers}}})"

    def _unknown(self, name: str) -> AbsentMetricError:
        if name in self.errors:
            error = self.errors[name]
            return AbsentMetricError(
                f"metric {name!r} could not be computed: {error.message}",
                hint=error.hint,
            )
        known = ", ".join(map(repr, self.outcomes)) or "none"
        return AbsentMetricError(
            f"the report has no metric {name!r}; it has {known}",
            hint=did_you_mean(str(name), self.outcomes),
        )
