"""Every proof accepts right solutions and refuses wrong ones, on subjects of a few vertices."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.objectives.words import DRAW, INVALID_CODE, LOSS, TIE, WIN, pack
from retrosolve.pursuit.police import PoliceAndThief
from retrosolve.runtime.context import Context
from retrosolve.spaces.base import Capability
from retrosolve.tables import PackedTable
from retrosolve.tables.base import values_only
from retrosolve.testing import STUCK, random_compiled_game, random_graph
from retrosolve.verification.verify import PROVERS
from tests.support.claims import refuse_every_change, refuse_every_claim, with_words
from tests.support.edge_files import pairs_of
from tests.support.solving import KINDS

pytestmark = pytest.mark.usefixtures("interpreted")

# Two vertices that move to each other, a third one that is lost, and a fourth one that is won.
LOOP = rs.Graph.from_edges([0, 1, 1, 2, 3], [1, 0, 2, 3, 4])


@pytest.mark.parametrize("stuck", STUCK)
def test_graph_proof_refuses_every_single_change(stuck: str) -> None:
    rng, refused = random.Random(1), 0
    while refused < 600:
        refused += refuse_every_claim(rs.solve(random_graph(rng), stuck=stuck))


@pytest.mark.parametrize("kind", KINDS)
def test_compiled_game_proof_refuses_every_single_change(kind: str) -> None:
    rng, refused = random.Random(2), 0
    while refused < 200:
        game = random_compiled_game(rng, kind)
        refused += refuse_every_change(rs.solve(game, stuck=rng.choice(STUCK)))


def test_two_token_proof_refuses_every_single_change() -> None:
    provers = [p for p in PROVERS if p.requires == Capability.BIT_ROWS and p.objective == "outcome"]
    assert provers
    rng, refused = random.Random(3), 0
    while refused < 300:
        board = "\n".join("".join(rng.choice("...*E") for _ in range(2)) for _ in range(2))
        solution = rs.solve(PoliceAndThief.from_text(board), stuck=rng.choice(STUCK))
        for prover in provers:
            refused += refuse_every_change(solution, lambda s, p=prover: p.prove(s, Context()))


def test_two_token_proof_without_remoteness_refuses_every_single_change() -> None:
    rng, refused = random.Random(4), 0
    while refused < 100:
        board = "\n".join("".join(rng.choice("...*E") for _ in range(2)) for _ in range(2))
        solution = rs.solve(PoliceAndThief.from_text(board), objective="win-loss-draw")
        rs.verify(solution)
        values = solution.table.values()
        for v in range(len(values)):
            for code in {DRAW, WIN, LOSS} - {values[v]}:
                words = values.astype(np.uint16)
                words[v] = code
                wrong = rs.Solution(solution.space, values_only(PackedTable(words)), solution.stuck)
                with pytest.raises(rs.VerificationError):
                    rs.verify(wrong)
                refused += 1


def test_proof_of_edges_on_disk_refuses_every_single_change(tmp_path: Path) -> None:
    rng, refused = random.Random(5), 0
    while refused < 200:
        graph = random_graph(rng)
        if graph.num_edges == 0:
            continue
        folder = tmp_path / str(refused)
        folder.mkdir()
        np.save(folder / "0.npy", pairs_of(graph))
        refused += refuse_every_claim(rs.solve(rs.EdgeParts(folder), stuck=rng.choice(STUCK)))


@pytest.mark.parametrize("plies", [(1, 2), (3, 2), (1, 0)])
def test_wins_that_only_support_each_other_are_refused(plies: tuple[int, int]) -> None:
    loop = rs.Graph.from_edges([0, 1], [1, 0])
    words = pack(np.array([WIN, LOSS]), np.array(plies)).astype(np.uint16)
    with pytest.raises(rs.VerificationError):
        rs.verify(with_words(rs.solve(loop), words))


@pytest.mark.parametrize("codes", [(WIN, LOSS), (TIE, TIE)])
def test_values_that_nothing_decides_are_refused(codes: tuple[int, int]) -> None:
    solution = rs.solve(rs.Graph.from_edges([0, 1], [1, 0]))
    assert solution.counts()[rs.Value.DRAW] == 2
    for first in range(6):
        for second in range(6):
            words = pack(np.array(codes), np.array([first, second])).astype(np.uint16)
            with pytest.raises(rs.VerificationError):
                rs.verify(with_words(solution, words))


def test_all_claimed_draw_is_refused() -> None:
    with pytest.raises(rs.VerificationError, match="is claimed DRAW, but"):
        rs.verify(with_words(rs.solve(LOOP), np.zeros(5, np.uint16)))


def test_claim_of_another_stuck_rule_is_refused() -> None:
    solution = rs.solve(LOOP)
    for other in (rs.Value.WIN, rs.Value.TIE):
        with pytest.raises(rs.VerificationError):
            rs.verify(rs.Solution(solution.space, solution.table, other))


def test_move_to_an_index_claimed_to_be_no_position_is_refused() -> None:
    graph = rs.Graph.from_edges([0, 1, 1], [1, 0, 2])
    words = np.array([DRAW, DRAW, INVALID_CODE], np.uint16)
    with pytest.raises(rs.VerificationError, match="has a move to what is claimed to be no position"):
        rs.verify(with_words(rs.solve(graph), words))
