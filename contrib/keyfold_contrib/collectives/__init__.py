"""Collectives: partials of several processes, merged over what already connects them.

`torch_distributed` is for the ranks of a training job, `ray_tasks` for a Ray cluster
and `processes` for one machine. Each imports what it is for when it is called.
"""

from __future__ import annotations
