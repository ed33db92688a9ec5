"""mypy and pyright accept what is right, and flag every mistake, on its line.

The other files of this folder are never run. Each shows the types of one part of the
public API; a line that ends in an ignore is a mistake that both checkers must find.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.typing.checkers import INSTALLED, complaints

ROOT = Path(__file__).parents[2]
PROBE = """\
from __future__ import annotations

from typing import assert_type

from keyfold import compute, over
from keyfold_strategies import Mean, Reward, Sample

metric = over(Sample).value(Reward()).across(Mean())
compute([Sample()], {"m": metric})  # type: ignore[arg-type]
compute([Sample()], {"m": Mean()})  # type: ignore[dict-item]
compute([Sample()], {"m": Mean()})
assert_type(metric, int)
"""


@pytest.mark.parametrize("checker", INSTALLED)
def test_the_public_api_has_the_types_that_are_shown_here(checker: str) -> None:
    assert complaints(checker, ROOT / "tests" / "typing", project=ROOT) == ""


@pytest.mark.parametrize("checker", INSTALLED)
def test_a_needless_ignore_is_flagged_as_a_mistake_is(
    checker: str, tmp_path: Path
) -> None:
    probe = tmp_path / "probe.py"
    probe.write_text(PROBE, encoding="utf-8")
    found = complaints(checker, probe, project=ROOT)
    lines = re.findall(r"probe\.py:(\d+)(?::\d+)?(?: -|:) error", found)
    assert lines == ["9", "11", "12"]
