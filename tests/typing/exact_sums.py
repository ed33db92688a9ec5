"""Exact sums, and the packed totals of many units."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_type

from keyfold import exact, totals
from keyfold.exact import EMPTY, Total, add, mean, total_mean, total_of, total_sum
from keyfold.totals import Totals, merged_totals, packed, totals_of

total = total_of([1.0, 2])
assert_type(total, Total)
assert_type(EMPTY, Total)
assert_type(add(total, EMPTY), Total)
assert_type(total_sum(total), float)
assert_type(total_mean(total), float)
assert_type(mean([1.0, 2]), float)
assert_type(total.parts, tuple[float, ...])
assert_type((total.count, total.carry, total.nans), tuple[int, int, int])
assert_type(exact.total_of(number for number in (0.5, 1)), Total)

of_units = totals_of([0, 1, 0], [1.0, 2.0, 3.0], 2)
assert_type(of_units, Totals)
assert_type(of_units[0], Total)
assert_type(of_units[:1], list[Total])
assert_type(iter(of_units), Iterator[Total])
assert_type(of_units.sums(), list[float | None])
assert_type(of_units.means(), list[float | None])
assert_type(merged_totals([([0], [total]), ([0, 1], of_units)], 2), Totals)
assert_type(packed([total, EMPTY]), Totals)
assert_type(totals.packed(of_units), Totals)

total_of(["1.0"])  # type: ignore[list-item]
total_of(1.0)  # type: ignore[arg-type]
mean(total)  # type: ignore[arg-type]
mean(number for number in (0.5, 1))  # type: ignore[arg-type]
add(total, 1.0)  # type: ignore[arg-type]
total_sum(1.0)  # type: ignore[arg-type]
total_mean([total])  # type: ignore[arg-type]
total + total  # type: ignore[operator]
total.count = 3  # type: ignore[misc]
totals_of([0], ["1.0"], 1)  # type: ignore[list-item]
totals_of([0], [1.0])  # type: ignore[call-arg]
packed([1.0])  # type: ignore[list-item]
merged_totals([of_units], 2)  # type: ignore[list-item]
of_units["math"]  # type: ignore[call-overload]
Total(count="1")  # type: ignore[arg-type]
EMPTY.parts = (1.0,)  # type: ignore[misc]
Totals([1.0])  # type: ignore[call-arg]
