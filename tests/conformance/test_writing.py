"""A table that is written while it is solved is the table in memory, however it is written."""

from __future__ import annotations

from pathlib import Path

import pytest

import retrosolve as rs
from retrosolve.store import resume
from tests.conformance.subjects import GAMES, SUBJECTS, Case, cases
from tests.conftest import Tune
from tests.support.stopping import Stopped, stop_in

pytestmark = pytest.mark.thorough

EARLY = 1e-9  # seconds, so that every tier and snapshot is written as soon as it can be


def agree(written: rs.Solution, expected: rs.Solution) -> None:
    """Check that a solution says the same as another of each position, and is proven."""
    assert list(written.values()) == list(expected.values())
    assert written.digest() == expected.digest()
    rs.verify(written)


def stopped(case: Case, path: Path, share: float) -> None:
    """Solve until a share is done, as a process does that is killed."""
    try:
        case.solve(out=path, checkpoint_every=EARLY, progress=stop_in("solving", share)).close()
    except Stopped:
        with pytest.raises(rs.StoreError):
            rs.open(path)


# Where tiers are held they are written together; otherwise small ones wait for others, and large ones do not.
WAYS: dict[str, dict[str, int]] = {
    "held": {}, "windows": {"max_held_bytes": 0}, "large tiers": {"max_held_bytes": 0},
}  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", [name for name in SUBJECTS if name != "edges on disk"])
def test_table_that_is_written_is_the_table_in_memory(
    name: str, way: str, tmp_path: Path, interpreted: None, tune: Tune, monkeypatch: pytest.MonkeyPatch
) -> None:
    if way == "large tiers":
        monkeypatch.setattr(resume, "WORDS_PER_PART", 1)
    snapshots = 20 if name == "long lines" else 0  # a snapshot of each of its levels takes minutes
    for number, case in enumerate(cases(name, tmp_path, 3)):
        expected, folder = case.solve(), tmp_path / str(number)
        folder.mkdir()
        tune(checkpoint_cost_share=snapshots, edges_per_report=1, min_collected=0, **WAYS[way])
        with case.solve(out=folder / "end") as written:
            agree(written, expected)
        with case.solve(out=folder / "early", checkpoint_every=EARLY) as written:
            agree(written, expected)
        for share in (0.0, 0.5) if name != "long lines" else (0.5,):
            stopped(case, folder / str(share), share)
            with case.solve(out=folder / str(share), resume=True, checkpoint_every=EARLY) as written:
                agree(written, expected)
        known = isinstance(case.subject, rs.Graph) or name in GAMES[:-1] or name.startswith("two")
        rs.pack(folder / "early", folder / "packed.zip")
        with rs.open(folder / "packed.zip", check=True, game=None if known else case.subject) as packed:
            agree(packed, expected)
