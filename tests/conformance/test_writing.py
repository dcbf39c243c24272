"""A solution that is saved, or written while it is solved, says what the one in memory does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import retrosolve as rs
from retrosolve.store import resume
from tests.conformance.subjects import GAMES, SAVED, SHORT, Case, cases
from tests.conftest import Tune
from tests.support.saved import says_the_same, snapshot
from tests.support.stopping import Stopped, stop_in

EARLY = 1e-9  # seconds, so that every tier and snapshot is written as soon as it can be


def agree(written: rs.Solution, expected: rs.Solution) -> None:
    """Check that a solution says the same as another of each position, and is proven."""
    says_the_same(written, expected, count=5)
    rs.verify(written)


def game_of(case: Case, name: str) -> Any:
    """What has to be given to open a saved solution: rules of a function, and not what it can make itself."""
    known = (
        isinstance(case.subject, rs.Graph) or name in GAMES[:-1] or name.startswith(("two", "edges"))
    )
    return None if known else case.subject


@pytest.mark.parametrize("name", [name for name in SAVED if name in SHORT])
def test_what_is_opened_is_what_was_saved(name: str, tmp_path: Path, interpreted: None) -> None:
    for number, case in enumerate(cases(name, tmp_path, 3)):
        solution, game = case.solve(), game_of(case, name)
        paths = [tmp_path / f"{number}-{form}" for form in ("saved", "packed", "again")]
        rs.verify(solution)
        solution.save(paths[0])
        rs.pack(paths[0], paths[1], level=1)
        with rs.open(paths[1], game=game) as opened:
            opened.save(paths[2])
        for path in paths:
            with rs.open(path, check=True, game=game) as opened:
                says_the_same(opened, solution)
        assert snapshot(paths[0] / "space") == snapshot(paths[2] / "space")


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
@pytest.mark.parametrize("name", [name for name in SAVED if name != "edges on disk"])
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
        rs.pack(folder / "early", folder / "packed.zip")
        with rs.open(folder / "packed.zip", check=True, game=game_of(case, name)) as packed:
            agree(packed, expected)
