"""Proofs of samples and of parts, and which of several wrong vertices is named."""

import io
import json
import random
from operator import attrgetter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.games import parse_game
from retrosolve.runtime import tuning
from retrosolve.runtime.context import Context, no_progress
from retrosolve.spaces.blocks import blocks
from retrosolve.tables import PackedTable
from retrosolve.tables.coded import coded_table
from retrosolve.testing import CompiledGraphGame, random_graph
from retrosolve.values import INVALID
from retrosolve.verification import local
from retrosolve.verification import words as proof_of_words
from tests.support.claims import with_claims, with_words


def test_wrong_shapes_and_codes_are_refused() -> None:
    solution = rs.solve(rs.Graph.from_edges([0], [1]))
    for values in (solution.table.values()[:1].copy(), np.array([7, 2], np.uint8)):
        with pytest.raises(rs.VerificationError):
            rs.verify(with_claims(solution, values, solution.remoteness().copy()))


def test_scores_of_a_file_are_proven_by_the_stuck_rule_of_their_objective() -> None:
    content = {
        "format": "retrosolve", "version": 1, "vertices": 2, "successors": [[1], []],
        "objective": "score:stuck=win,levels=no",
    }  # fmt: skip
    for score in (["1", "-1"], ["-1", "1"]):
        file = io.BytesIO(json.dumps(content | {"score": score}).encode())
        solution = rs.read_solution(file, format="json")
        assert solution.stuck is solution.objective.stuck is rs.Value.WIN
        if score == ["-1", "1"]:
            assert rs.verify(solution)
        else:
            with pytest.raises(rs.VerificationError):
                rs.verify(solution)


def test_another_stuck_rule_than_that_of_the_objective_is_refused() -> None:
    solution = rs.solve(rs.Graph.from_edges([0], [1]), objective="score", stuck="win")
    with pytest.raises(rs.GraphError):
        rs.Solution(solution.space, solution.table, rs.Value.LOSS, objective=solution.objective)


def test_blocks_of_any_size_have_the_same_edges(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(3)
    for _ in range(20):
        solution = rs.solve(random_graph(rng))
        whole = list(blocks(solution.space))
        pieces = list(blocks(solution.space, size=3))
        for field in ("target", "ends.terminal"):
            entries = attrgetter(field)
            together = [x for block in whole for x in entries(block).tolist()]
            assert together == [x for block in pieces for x in entries(block).tolist()]


@pytest.mark.parametrize("objective", ["outcome", "conversion", "conversion:limit=1", "score"])
def test_a_sample_of_compiled_rules_is_proven_at_random_places(
    monkeypatch: pytest.MonkeyPatch, objective: str
) -> None:
    monkeypatch.setattr(proof_of_words, "VERTICES_PER_SAMPLE", 4)
    graph = rs.Graph.from_edges(range(0, 400, 2), range(1, 401, 2))
    solution = rs.solve(CompiledGraphGame(graph), objective=objective)
    report = rs.verify(solution, sample=120)
    assert (report.sample, report.method, solution.verified) == (120, "generated", False)
    table = solution.table
    values, plies = table.values().copy(), table.remoteness().copy()
    places = np.flatnonzero(values != INVALID)
    values[places], plies[places] = np.roll(values[places], 1), np.roll(plies[places], 1)
    wrong = coded_table(table.codec, values, plies)
    with pytest.raises(rs.VerificationError):
        rs.verify(rs.Solution(solution.space, wrong, objective=solution.objective), sample=120)


def test_a_sample_is_at_the_same_places_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof_of_words, "VERTICES_PER_SAMPLE", 4)
    graph = rs.Graph.from_edges(range(0, 400, 2), range(1, 401, 2))
    solution = rs.solve(CompiledGraphGame(graph), solver="sweep")
    refused = []
    for v in range(0, 60, 2):
        words = solution.table.packed().copy()
        words[v] ^= 3
        damaged = rs.Solution(solution.space, PackedTable(words), solution.stuck)
        verdicts = set()
        for _ in range(4):
            try:
                rs.verify(damaged, sample=120)
                verdicts.add(False)
            except rs.VerificationError:
                verdicts.add(True)
        assert len(verdicts) == 1
        refused += verdicts
    assert set(refused) == {False, True}


def test_the_first_of_several_wrong_positions_is_named() -> None:
    # A claim about moves is compared while those of the next position are made, an end at once.
    rng = random.Random(4)
    graph = rs.Graph.from_edges(range(0, 60, 2), range(1, 61, 2))
    solution = rs.solve(CompiledGraphGame(graph), solver="sweep")
    decided = np.flatnonzero(solution.remoteness() >= 0).tolist()
    for _ in range(60):
        words = solution.table.packed().copy()
        words[rng.sample(decided, rng.randint(1, 4))] ^= 16
        damaged = rs.Solution(solution.space, PackedTable(words), solution.stuck)
        with pytest.raises(rs.VerificationError) as by_arrays:
            local.prove(damaged, Context(None, None, no_progress))
        with pytest.raises(rs.VerificationError) as by_kernels:
            rs.verify(damaged)
        assert str(by_kernels.value) == str(by_arrays.value)


def test_threads_name_the_first_wrong_vertex(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "LEAST_SHARED", 10)
    monkeypatch.setattr(local, "VERTICES_PER_BLOCK", 30)
    rng = random.Random(5)
    solution = rs.solve(rs.Graph.from_edges(range(300), range(1, 301)))
    for _ in range(40):
        value, remoteness = solution.table.values().copy(), solution.remoteness().copy()
        wrong = rng.sample(range(300), 3)
        remoteness[wrong] += 2
        damaged = with_claims(solution, value, remoteness)
        with tuning.using(min_work_per_thread=1), pytest.raises(rs.VerificationError) as shared:
            rs.verify(damaged, threads=4)
        with pytest.raises(rs.VerificationError) as alone:
            rs.verify(damaged, threads=1)
        assert str(shared.value) == str(alone.value)


def test_sample_of_more_positions_than_there_are_is_all_of_them() -> None:
    solution = rs.solve(rs.game("chess:KRK,board=4"))
    report = rs.verify(solution, sample=10**6)
    assert report.sample == report.positions == len(solution)


@pytest.mark.parametrize("on_disk", [False, True])
def test_a_wrong_word_is_refused_by_its_part_alone(on_disk: bool, tmp_path: Path) -> None:
    """In a game of tiers, whose borders are not those of the parts."""
    solution = rs.solve(rs.game("chess:KRK,board=4"))
    n, parts = solution.space.num_vertices, 7
    reports = [rs.verify(solution, part=(number, parts)) for number in range(1, parts + 1)]
    assert repr(reports[2]).startswith(f"part 3 of 7 of {len(solution)} positions proven")
    assert not solution.verified
    won = np.flatnonzero(solution.table.values() == rs.Value.WIN)
    for v in won[:: len(won) // 5].tolist():
        words = solution.table.packed().copy()
        words[v] = rs.Value.LOSS  # at once
        damaged = with_words(solution, words)
        if on_disk:
            damaged.save(tmp_path / "damaged")
            damaged = rs.open(tmp_path / "damaged")
        for number in range(1, parts + 1):
            if n * (number - 1) // parts <= v < n * number // parts:
                with pytest.raises(rs.VerificationError):
                    rs.verify(damaged, part=(number, parts))


def test_a_proof_of_a_part_counts_no_positions_of_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of a table of billions would take longer than a small part of it."""
    rs.solve(rs.game("kalah:pits=2,seeds=1"), out=tmp_path / "saved")
    opened = rs.open(tmp_path / "saved")
    table, read = type(opened.table), list[tuple[int, int]]()
    values = table.values

    def noted(self: Any, at: Any = slice(None)) -> Any:
        if isinstance(at, slice):
            read.append((at.start, at.stop))
        return values(self, at)

    monkeypatch.setattr(table, "values", noted)
    report = rs.verify(opened, part=(2, 3))
    n = opened.space.num_vertices
    assert read == [(n // 3, n * 2 // 3)]
    assert report.positions == len(opened)


def test_a_wrong_word_that_is_called_uncompiled_first_is_no_fault_of_the_rules() -> None:
    solution = rs.solve(rs.game("chess:KRK,board=4"))
    n = solution.space.num_vertices
    rng = np.random.default_rng(proof_of_words.SAMPLE_SEED)
    called = rng.integers(0, n, proof_of_words.INTERPRETED_SAMPLE)
    v = int(called[solution.table.values()[called] == rs.Value.WIN].min())
    words = solution.table.packed().copy()
    words[v] = rs.Value.LOSS  # at once
    damaged = with_words(solution, words)
    messages = []
    with tuning.using(compile_from=0, compile_again_from=0):
        for which in [{"sample": 1}, *({"part": (number, 7)} for number in range(1, 8))]:
            try:
                rs.verify(damaged, **which)  # type: ignore[arg-type]
            except rs.VerificationError as error:
                messages.append(str(error))
    assert 2 <= len(messages) < 8  # some parts have neither the vertex nor one that leads to it
    assert not any("uncompiled" in message for message in messages)


def test_parts_that_do_not_exist_raise() -> None:
    compiled = rs.solve(rs.game("stones"))
    for part in [(0, 2), (3, 2), (1, 2, 3), 2, "1/2", (True, 2), (1.0, 2)]:
        with pytest.raises(rs.GraphError):
            rs.verify(compiled, part=part)  # type: ignore[arg-type]


@pytest.mark.parametrize("threads", [1, 3])
def test_the_first_remoteness_that_no_value_has_is_named(
    threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proof_of_words, "VERTICES_PER_PART", 10)
    solution = rs.solve(parse_game("connect4:rows=3,columns=3,connect=3"))
    value, remoteness = solution.table.values().copy(), solution.remoteness().copy()
    wrong = np.flatnonzero(value == rs.Value.WIN)[[5, 50, 200]]
    remoteness[wrong] = -1
    with (
        tuning.using(min_work_per_thread=1),
        pytest.raises(rs.VerificationError, match=f"^vertex {wrong[0]} "),
    ):
        rs.verify(with_claims(solution, value, remoteness), threads=threads)
