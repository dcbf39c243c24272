"""What is to be solved in partitions, and what stays of it when workers are lost."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from retrosolve.runtime.checkpoint import Facts
from retrosolve.runtime.context import Context
from retrosolve.solvers.result import LevelUse
from retrosolve.spaces.base import Capability
from retrosolve.store.parts import SnapshotPart, delete
from retrosolve.values import Value

STAGE = "partitions"  # what is saved in snapshots
FOLDER = "parts"


class SavedLevel(NamedTuple):
    """A snapshot: everything up to ``level`` of a tier, in parts at a place."""

    tier: int
    ties: bool
    level: int
    place: str
    parts: Sequence[SnapshotPart]


@dataclass
class Goal:
    """What is to be solved, and what stays of it when workers are lost.

    Parameters
    ----------
    space : StateSpace
    stuck : Value
    context : Context
    partitions : int
    snapshots : str, optional
        Where partitions write snapshots; by default beside the directory that is solved into.

    Attributes
    ----------
    saved : SavedLevel or None
        The last snapshot, of a tier that is not finished.
    levels : list of LevelUse
        The levels so far, those that were run again included.
    """

    space: Any
    stuck: Value
    context: Context
    partitions: int
    snapshots: str | None = None
    saved: SavedLevel | None = None
    levels: list[LevelUse] = field(default_factory=list)

    def __post_init__(self) -> None:
        found = self.context.checkpoint.resumed(STAGE)
        if found is not None:
            facts: Any = found.facts
            parts = [SnapshotPart(*part) for part in json.loads(found.array("parts").tobytes())]
            ties = bool(facts["ties"])
            self.saved = SavedLevel(facts["tier"], ties, facts["level"], facts["place"], parts)

    @property
    def bounds(self) -> list[tuple[int, int]]:
        """What partitions share of each tier: vertices, or rows of a game of two tokens."""
        if Capability.BIT_ROWS in self.space.capabilities:
            return [(0, self.space.first.num_vertices)]
        return list(pairwise([*self.space.tiers, self.space.num_vertices]))

    def reached(self) -> tuple[int, int, int]:
        """Return what a new attempt begins from: the number of finished tiers, and a level."""
        tiers = self.context.checkpoint.tiers
        finished = 0 if tiers is None else tiers.num_finished
        return (finished, 0, 0) if self.saved is None else (finished, self.saved.ties, self.saved.level)

    def next_place(self) -> str:
        """Return where to write the next snapshot: not over the last one."""
        folder = self.snapshots or self.context.checkpoint.place
        last = "" if self.saved is None else self.saved.place[-1:]
        return f"{folder}/{FOLDER}-{1 if last == '0' else 0}"

    def keep(self, saved: SavedLevel) -> None:
        """Record a snapshot that is written, and delete the one before. Raises StoreError."""
        facts: Facts = {
            "stage": STAGE, "tier": saved.tier, "ties": int(saved.ties), "level": saved.level,
            "place": saved.place,
        }  # fmt: skip
        parts = np.frombuffer(json.dumps(saved.parts).encode(), np.uint8)
        self.context.checkpoint.save(facts, {"parts": parts})
        before, self.saved = self.saved, saved
        if before is not None and before.place != saved.place:
            delete(before.place)

    def forget(self) -> None:
        """Delete what snapshots have left elsewhere than beside the directory that is solved into."""
        if self.snapshots is not None:
            for number in (0, 1):
                delete(f"{self.snapshots}/{FOLDER}-{number}")
