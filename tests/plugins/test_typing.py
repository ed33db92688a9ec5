"""Type checkers see the types of an installed distribution of plugins."""

from __future__ import annotations

import re
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from tests.plugins.environments import Environment

USES = (Path(__file__).parent / "own_metric.py").read_text(encoding="utf-8")

MISTAKES = """

@dataclass
class Turnless:
    group_index: int
    rollout_id: int
    reward: float


over(Turnless).value(Reward()).within(Turn(), Mean())  # wrong: no turn
over(Step).value(ToolCalls())  # wrong: no tool_calls
Turn(first=1)  # wrong: no such argument
Spread().fold(None, ["a"])  # wrong: no numbers
over(Step).value(Reward()).within(Turn(), Spread()).within(Turn(), Mean())
"""

# .ci/run has pyright look at such a file where it runs these tests without it.
CHECKERS = [name for name in ("mypy", "pyright") if find_spec(name)]
COMMANDS = {
    "mypy": ("--strict", "--config-file=", "--python-executable"),
    "pyright": ("--pythonpath",),
}


@pytest.mark.parametrize("checker", CHECKERS)
def test_right_uses_pass_and_each_mistake_is_flagged(
    environment: Environment, checker: str
) -> None:
    environment.write("right.py", USES)
    environment.write("wrong.py", USES + MISTAKES)
    environment.write("pyrightconfig.json", '{"typeCheckingMode": "strict"}\n')
    lines = (USES + MISTAKES).splitlines()
    planted = [n for n, line in enumerate(lines, 1) if "# wrong" in line]

    done = environment.run(
        [
            *(sys.executable, "-m", checker, *COMMANDS[checker]),
            *(str(environment.python), "right.py", "wrong.py"),
        ]
    )

    assert done.stderr == ""
    flagged = re.findall(r"(\w+\.py):(\d+):(?:\d+ -)? error", done.stdout)
    expected = [("wrong.py", str(line)) for line in planted]
    assert flagged == expected, done.stdout
    assert done.code == 1


def test_what_passes_also_runs(environment: Environment) -> None:
    environment.write("right.py", USES)

    done = environment.run([str(environment.python), "right.py"])

    assert (done.code, done.stdout, done.stderr) == (0, "0.75 2.0 2.0\n", "")
