"""Makes the multi-LoRA example dump that ships beside this script.

    python docs/examples/make_multi_lora.py            # rewrites multi-lora/
    python docs/examples/make_multi_lora.py some/dir   # writes the same files there

Four training steps of two LoRA adapters, as JSON Lines: one training sample a line, in
the order that a trainer flattens them. The dump has the oddities of real ones:

- Both adapters number their prompt groups, rollouts and samples alike from zero.
- A rollout that fails goes on for longer, so that compaction splits it into more
  samples than one that succeeds: the mean over samples is far below that over rollouts.
- Some samples lack their rollout id, and a few of those their index too.
- Some rollouts were cut off before they were scored, and some rewards are a mapping.

The same bytes on every machine: the random numbers are seeded, and nothing but
`random.random` is drawn, whose sequence Python promises to keep.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

STEPS: Final = 4
GROUPS: Final = 4
ROLLOUTS_PER_GROUP: Final = 4
SEED: Final = 20456  # one of those with which both adapters visibly learn

ADAPTERS: Final = (
    {"name": "math-lora", "slot": 0},
    {"name": "code-lora", "slot": 1},
)
# How likely a rollout of each adapter succeeds, step by step: both learn.
SUCCESS: Final = {
    "math-lora": (0.40, 0.45, 0.50, 0.55),
    "code-lora": (0.25, 0.35, 0.35, 0.45),
}


class Draw:
    """Choices made from `random.random` alone."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed).random

    def chance(self, probability: float) -> bool:
        """Return True with a probability."""
        return self._random() < probability

    def between(self, low: int, high: int) -> int:
        """Return a whole number from low to high, both included."""
        return low + int(self._random() * (high - low + 1))


def samples_of_step(draw: Draw, step: int) -> Iterator[dict[str, Any]]:
    """Yield the samples of one step in the trainer's order."""
    for adapter in ADAPTERS:
        index = 0
        for group in range(GROUPS):
            for member in range(ROLLOUTS_PER_GROUP):
                rollout = group * ROLLOUTS_PER_GROUP + member
                for sample in samples_of_rollout(draw, step, str(adapter["name"])):
                    yield {
                        "step": step,
                        "adapter": adapter,
                        "group_index": group,
                        "rollout_id": rollout,
                        "index": index,
                        **sample,
                    }
                    index += 1


def samples_of_rollout(draw: Draw, step: int, adapter: str) -> Iterator[dict[str, Any]]:
    """Yield a rollout's samples: one or two of a success, two to five of a failure."""
    if draw.chance(0.04):
        scored: float | None = None
        pieces, status = draw.between(1, 2), "aborted"
    elif draw.chance(SUCCESS[adapter][step]):
        scored, pieces, status = 1.0, draw.between(1, 2), "completed"
    else:
        scored, pieces = 0.0, draw.between(2, 5)
        status = "truncated" if draw.chance(0.4) else "completed"
        if adapter == "code-lora" and draw.chance(0.25):
            scored = 0.25  # one of four unit tests passed
    for piece in range(pieces):
        reward: object = scored
        if scored is not None and draw.chance(0.008):
            reward = {"outcome": scored, "format": 1.0}
        yield {
            "reward": reward,
            "metadata": {"piece": piece, "pieces": pieces},
            "status": status,
            "response_length": draw.between(64, 2048),
            "response": f"(the text of piece {piece + 1} of {pieces})",
        }


def drop_ids(draw: Draw, sample: dict[str, Any]) -> dict[str, Any]:
    """Return the sample as an older writer or a restart would have left it."""
    if sample["metadata"]["pieces"] == 1 and draw.chance(0.35):
        sample = {**sample, "rollout_id": None}
        if draw.chance(0.4):
            sample["index"] = None
    return sample


def main(folder: Path) -> None:
    """Write the dump's files into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    draw = Draw(SEED)
    for step in range(STEPS):
        lines = [
            json.dumps(drop_ids(draw, sample)) + "\n"
            for sample in samples_of_step(draw, step)
        ]
        path = folder / f"step_{step:03}.jsonl"
        path.write_text("".join(lines), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    here = Path(__file__).resolve().parent
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else here / "multi-lora")
