"""Distances to the next move that leaves its tier: limits, clocks, and all that shows them."""

from __future__ import annotations

import copy
import io
import itertools
import json
import pickle
import re
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.cli import run
from retrosolve.objectives import Conversion, LimitedValue, Outcome
from retrosolve.solution.preference import ranked_moves
from retrosolve.tables.coded import CodedTable, CodesInMemory, Dictionary
from retrosolve.testing.games import CompiledGraphGame, random_tiered_graph
from retrosolve.values import DRAW, INVALID, LOSS, TIE, WIN
from retrosolve.web.library import Entry, Library
from tests.web.drawn import request, serving

KPK = "chess:KPK,board=5"
limited_kpk = cache(lambda: rs.solve(rs.game(KPK), objective=Conversion(limit=4)))


def test_without_a_limit_the_values_are_those_of_outcomes() -> None:
    solution = rs.solve(rs.game(KPK), objective="conversion")
    assert solution.counts() == rs.solve(rs.game(KPK)).counts()
    assert all(
        plies <= rest for plies, rest in zip(
            solution.remoteness().tolist(), rs.solve(rs.game(KPK)).remoteness().tolist(), strict=True
        )
    )  # fmt: skip


@pytest.mark.long
def test_limited_solution_is_saved_and_probed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(tmp_path / "s")
    assert run(["solve", KPK, "--objective", "conversion:limit=4", "--out", path]) == 0
    solution = rs.open(path, check=True)
    assert solution.objective == Conversion(limit=4)
    assert solution.counts()[LimitedValue.CURSED_WIN] > 0
    assert rs.compare(solution, rs.solve(rs.game(KPK), objective=Conversion(limit=4))).equal
    rs.verify(solution)
    position = next(solution.where("cursed-win"))
    capsys.readouterr()
    assert run(["probe", path, solution.space.text(position), "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert (record["value"], record["remoteness"]) == ("cursed-win", solution[position].remoteness)
    assert record["moves"][0]["value"] == "blessed-loss"
    assert run(["probe", path, solution.space.text(position)]) == 0
    shown = capsys.readouterr().out.splitlines()[0]
    plies = solution[position].remoteness
    assert shown.endswith(f": CURSED WIN in {plies} plies, a draw by the limit of plies")
    assert run(["stats", path, "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert list(record["counts"]) == ["win", "cursed-win", "tie", "draw", "blessed-loss", "loss"]
    assert record["counts"]["cursed-win"] == sum(record["histogram"]["cursed-win"].values())
    assert min(map(int, record["histogram"]["cursed-win"])) > 4


@pytest.mark.parametrize("limit", [3, 8])
def test_a_cursed_win_is_no_win_of_a_mutual_zugzwang(limit: int) -> None:
    solution = rs.solve(rs.game(KPK), objective=Conversion(limit=limit))
    null_move = solution.space.positions.null_move
    expected = set()
    for position in solution.where("loss"):
        v = solution.space.index(position)
        passed = null_move(v)
        if passed >= 0 and solution.table.outcome(passed)[0] not in (INVALID, WIN):
            expected.add(frozenset((v, passed)))
    pairs = [tuple(map(solution.space.index, pair)) for pair in solution.zugzwangs()]
    assert len(pairs) == len(expected) > 0
    assert set(map(frozenset, pairs)) == expected


def test_plies_of_the_best_move_are_those_of_its_position() -> None:
    solution = limited_kpk()
    for value in ("win", "cursed-win", "blessed-loss", "loss"):
        for position in list(solution.where(value))[::97]:
            moves = ranked_moves(solution, position)
            assert (moves[0].plies if moves else 0) == solution[position].remoteness


def winners_with_clocks(solution: rs.Solution, limit: int) -> np.ndarray[Any, Any]:
    """Return who wins by index and clock, in the game whose positions have clocks, drawn at a limit."""
    space, sources, targets = solution.space, [], []
    terminal = np.zeros((space.num_vertices, limit + 1), np.uint8)
    for position in solution:
        v = space.index(position)
        moves = [space.index(target) for _, target in space.moves(position)]
        terminal[v] = space.terminal(v, v + 1)[0] or (0 if moves else LOSS)
        if terminal[v, 0] == 0:
            terminal[v, limit] = TIE
            first = max(tier for tier in space.tiers if tier <= v)
            for clock, w in itertools.product(range(limit), moves):
                sources.append(v * (limit + 1) + clock)
                targets.append(w * (limit + 1) + (0 if w < first else clock + 1))
    graph = rs.Graph.from_edges(sources, targets, vertices=terminal.size, terminal=terminal.ravel())
    values = rs.solve(graph).table.values()
    return np.where((values == WIN) | (values == LOSS), values, DRAW).reshape(terminal.shape)


def test_a_clock_turns_those_wins_into_draws_for_which_too_few_plies_are_left() -> None:
    solution, limit = limited_kpk(), 4
    space, exact = solution.space, winners_with_clocks(solution, limit)
    changed = 0
    for position in solution:
        text, plain = space.text(position), solution[position]
        for clock in range(1, limit + 1):
            found = solution[f"{text} {clock} 1" if " - " in text else f"{text} - - {clock} 1"]
            kind = found.value.kind
            assert (DRAW if kind == TIE else kind) == exact[space.index(position), clock]
            assert found.remoteness == plain.remoteness
            changed += found.value != plain.value
    assert changed > 1000


def test_moves_lines_and_many_answers_keep_the_clock_that_a_fen_has() -> None:
    solution = rs.solve(rs.game("chess:KPK"), objective="conversion:limit=100")
    space = solution.space
    fens = [f"8/8/8/6k1/8/8/1P4K1/8 w - - {clock} 120" for clock in (0, 80, 81, 82, 99)]
    assert [str(solution[fen]) for fen in fens] == ["WIN in 19"] * 3 + ["CURSED WIN in 19"] * 2
    assert list(solution.outcomes([*fens, "no"], missing_ok=True)) == [*map(solution.get, fens), None]
    for fen in fens:
        for ranked in ranked_moves(solution, fen):
            assert ranked.move.outcome == solution[space.text(ranked.move.position)]
    line = solution.line(fens[2])
    turned = [place for place, move in enumerate(line) if " - - " not in space.text(move.position)]
    assert (len(line) >= 19, turned[0]) == (True, 18)  # the conversion, on the last ply that counts
    position = space.parse(fens[3])
    assert position == space.parse(fens[0])
    assert pickle.loads(pickle.dumps(position)).clock == copy.copy(position).clock == 82
    proof = str(rs.explain(solution, fens[3], depth=1))
    assert f"{space.text(position)} is CURSED WIN in 19" in proof


def test_a_clock_is_said_by_commands_and_pages_and_does_not_count_without_a_limit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fen, ending = "8/8/8/8/8/2k5/8/R3K3 w - - 90 120", rs.game("chess:KRK")
    for objective, value, counts, said in (
        ("conversion:limit=100", "cursed-win", True, "stands at 90 of 100 plies"),
        ("conversion", "win", False, "90, does not count"),
        ("outcome", "win", False, "90, does not count"),
    ):
        solution = rs.solve(ending, objective=objective)
        solution.save(tmp_path / "krk")
        assert run(["probe", str(tmp_path / "krk"), fen, "--json"]) == 0
        record = json.loads(capsys.readouterr().out)
        clock = {"plies": 90, "counts": counts}
        assert (record["value"], record["remoteness"], record["clock"]) == (value, 21, clock)
        assert ("clock" in record["moves"][0]) is counts
        assert run(["probe", str(tmp_path / "krk"), fen]) == 0
        assert f"the halfmove clock{' ' if counts else ', '}{said}" in capsys.readouterr().out
        with serving(Library([Entry("krk", "krk", solution)])) as address:
            shown = request(f"{address}/g/krk/?at={quote(fen)}")[1]
            answer = request(f"{address}/api/games/krk/position?at={quote(fen)}")[1]
        assert said in shown
        assert ("Draw by the limit of plies (cursed win)" in shown) is counts
        assert (answer["value"], answer["clock"]) == (value, clock)


def test_pages_and_play_say_what_plies_count_to(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    solution = limited_kpk()
    texts = {value: solution.space.text(next(solution.where(value))) for value in ("win", "cursed-win")}
    with serving(Library([Entry("kpk", "kpk", solution)])) as address:
        pages = {
            value: request(f"{address}/g/kpk/?at={quote(text)}")[1] for value, text in texts.items()
        }
    assert "to the next conversion" in pages["win"]
    assert "Draw by the limit of plies (cursed win)" in pages["cursed-win"]
    monkeypatch.setattr("sys.stdin", io.StringIO("q\n"))
    solution.save(tmp_path / "kpk")
    assert run(["play", str(tmp_path / "kpk"), "--start", texts["win"]]) == 0
    shown = capsys.readouterr().out
    plies = solution[solution.space.parse(texts["win"])].remoteness
    assert re.search(rf"You win \(to the next conversion: {plies} pl(y|ies)\)", shown)


def test_moves_are_in_the_order_of_the_fold() -> None:
    solution = limited_kpk()
    outcomes = rs.solve(rs.game(KPK), objective=Outcome())
    for position in list(solution.where("win"))[::97]:
        best = solution.best_moves(position)[0]
        assert best.outcome.value is LimitedValue.LOSS or best.outcome.remoteness == 0
        assert outcomes[position].value is rs.Value.WIN


@pytest.mark.parametrize("seed", range(3))
def test_distances_read_from_a_file_are_proven(seed: int, tmp_path: Path) -> None:
    graph, tiers = random_tiered_graph(seed)
    game = CompiledGraphGame(graph, "predecessors", tiers=tiers)
    rs.write(rs.solve(game, objective=Conversion(limit=2)), tmp_path / "graph.json")
    assert rs.verify(rs.read_solution(tmp_path / "graph.json")).method == "local"


@pytest.mark.long
@pytest.mark.parametrize(("real", "claimed"), [("CURSED_WIN", "WIN"), ("LOSS", "BLESSED_LOSS")])
def test_values_that_contradict_their_distance_are_refused(real: str, claimed: str) -> None:
    solution = limited_kpk()
    pairs = np.stack([solution.table.values(), solution.table.remoteness()], axis=1)
    known, codes = np.unique(pairs, axis=0, return_inverse=True)
    value = known[:, 0].astype(np.uint8)
    wrong = np.flatnonzero(value == LimitedValue[real])[0]
    value[wrong] = LimitedValue[claimed]
    dictionary = Dictionary(value, known[:, 1].astype(np.int64))
    table = CodedTable([CodesInMemory(codes.ravel())], dictionary, True, solution.table.codec)
    assert rs.verify(solution).method == "generated"
    with pytest.raises(rs.VerificationError):
        rs.verify(rs.Solution(solution.space, table, objective=solution.objective))
