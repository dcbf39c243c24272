"""The store against a dictionary: random saves, overwrites, openings and damage."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, rule

import retrosolve as rs
from tests.support.graph_files import solutions

pytestmark = pytest.mark.thorough

NAMES = st.sampled_from(["a", "b", "c", "ä b", ".hidden"])


class StoreMachine(RuleBasedStateMachine):
    """Saved solutions by name, and opened ones with what they were when they were opened."""

    opened = Bundle("opened")

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.model: dict[str, rs.Solution] = {}

    def teardown(self) -> None:
        shutil.rmtree(self.folder)

    @rule(name=NAMES, solution=solutions())
    def save(self, name: str, solution: rs.Solution) -> None:
        solution.save(self.folder / name)
        self.model[name] = solution

    @rule(target=opened, name=NAMES, check=st.booleans())
    def open(self, name: str, check: bool) -> Any:
        if name not in self.model:
            try:
                rs.open(self.folder / name)
            except rs.StoreError:
                return None
            raise AssertionError(name)
        return rs.open(self.folder / name, check=check), self.model[name]

    @rule(name=NAMES)
    def delete(self, name: str) -> None:
        if self.model.pop(name, None) is not None:
            shutil.rmtree(self.folder / name)

    @rule(pair=opened, name=NAMES)
    def save_what_is_open(self, pair: Any, name: str) -> None:
        if pair is not None:
            pair[0].save(self.folder / name)
            self.model[name] = pair[1]

    @rule(pair=opened, seed=st.integers(0, 99))
    def probe(self, pair: Any, seed: int) -> None:
        if pair is None:
            return
        found, solution = pair
        n = solution.space.num_vertices
        assert (len(found), found.counts()) == (len(solution), solution.counts())
        assert found.histogram() == solution.histogram()
        assert (found.start, found.stuck) == (solution.start, solution.stuck)
        if n:
            at = np.random.default_rng(seed).integers(0, n, 5)
            assert found.table.values(at).tolist() == solution.table.values(at).tolist()
            assert found.table.remoteness(at).tolist() == solution.table.remoteness(at).tolist()

    @rule(pair=consumes(opened))
    def close(self, pair: Any) -> None:
        if pair is not None:
            pair[0].close()

    @invariant()
    def nothing_else_is_there(self) -> None:
        assert {path.name for path in self.folder.iterdir()} == set(self.model)


TestStore = StoreMachine.TestCase
TestStore.settings = settings(max_examples=15, stateful_step_count=12, deadline=None)
