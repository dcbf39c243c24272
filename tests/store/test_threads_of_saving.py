"""What is saved does not depend on how many threads save it, or in what order they read."""

from __future__ import annotations

import hashlib
import random
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from retrosolve.runtime import tuning
from retrosolve.runtime.threads import limited
from retrosolve.spaces.graph import Graph
from retrosolve.store import blocks, codec
from retrosolve.store.codec import OrderedDigest, write_table
from retrosolve.tables import ArrayTable, Table
from retrosolve.tables.base import values_only
from tests.support.saved import snapshot

N, PART = 700_003, 1 << 18


def random_table() -> Table:
    numbers = np.random.default_rng(0)
    value = numbers.integers(0, 3, N).astype(np.uint8)
    plies = np.where(value == 0, -1, numbers.integers(0, 70, N)).astype(np.int32)
    return ArrayTable(value, plies)


@pytest.mark.parametrize("has_remoteness", [True, False])
def test_files_counts_and_digest_are_the_same(
    has_remoteness: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blocks, "CODES_AT_ONCE", PART)
    monkeypatch.setattr(blocks, "PAIRS_AT_ONCE", PART)
    table = random_table() if has_remoteness else values_only(random_table())
    space, found = Graph.from_edges([N - 1], [0]), []
    with tuning.using(min_work_per_thread=1):
        for threads in (1, 2, 5):
            folder = tmp_path / str(threads)
            with limited(threads):
                record, distribution = write_table(blocks.ArrayWriter(folder, {}), space, table, 3)
                assert codec.digest(table) == record["digest"]
            found.append((record, distribution, snapshot(folder)))
    assert found[0] == found[1] == found[2]
    assert sum(found[0][1].counts().values()) == N


def test_a_digest_is_of_the_parts_in_their_order() -> None:
    content = bytes(range(256))
    cuts = [0, 1, 2, 50, 50, 51, 200, 256]
    parts = [(a, b) for a, b in pairwise(cuts) if a < b]
    for seed in range(20):
        random.Random(seed).shuffle(parts)
        digest = OrderedDigest(b"head")
        for start, stop in parts:
            digest.add(start, stop, content[start:stop])
        assert digest.hexdigest() == hashlib.sha256(b"head" + content).hexdigest()
