"""Nimbers against solved sums, and all that shows them."""

from __future__ import annotations

import io
import json
import random
from pathlib import Path

import pytest

import retrosolve as rs
from retrosolve.cli import run
from retrosolve.objectives import NimValue
from retrosolve.solution.playing import GamePlay, Quality
from retrosolve.web.export import export_static
from retrosolve.web.library import Entry, Library
from tests.support.marks import samples
from tests.support.nimbers import heap, product, random_impartial, rows_of
from tests.web.drawn import request, serving

LOOP = rs.Graph.from_dict({3: [2, 1, 0], 2: [1, 0], 1: [0], "loop": ["loop", 2], "stay": ["stay"]})


def solved(graph: rs.Graph) -> rs.Solution:
    return rs.solve(graph, objective="nimber")


def content(solution: rs.Solution) -> list[tuple[NimValue, int]]:
    values = [outcome.value for outcome in solution.values()]
    remoteness = solution.table.remoteness()[solution.table.values() != 255]
    return list(zip(values, remoteness.tolist(), strict=True))


# -- the solver ---------------------------------------------------------------------------------------


def test_values_are_what_sums_with_heaps_say() -> None:
    rng = random.Random(22)
    nim = heap(4)
    for _ in range(samples(60, 4000)):
        graph = random_impartial(rng, most=7)
        outcomes = rs.solve(product(graph, nim)).table.values().reshape(-1, 5)
        for v, (value, _) in enumerate(content(solved(graph))):
            sums = [(value + NimValue(k)).kind for k in range(5)]
            assert outcomes[v].tolist() == sums, (rows_of(graph), v)


def test_zero_waits_for_its_latest_answer_outside_the_cycles() -> None:
    moves = {"v": ["loop", "a"], "loop": ["loop", "end"], "a": ["b"], "b": ["c"], "c": ["end"]}
    solution = solved(rs.Graph.from_dict(moves))
    assert str(solution["v"]) == "*0 in 4"
    rs.verify(solution)


def test_plain_rules_are_solved() -> None:
    solution = rs.solve(rs.game("stones:n=20,take=1+2+3"), objective="nimber")
    assert [solution[n].value.number for n in range(21)] == [n % 4 for n in range(21)]
    assert solution.best_moves(7)[0].name == "take 3"


def test_more_than_255_values_are_saved(tmp_path: Path) -> None:
    solution = solved(heap(300))
    rs.verify(solution)
    assert [solution[n].value.number for n in range(301)] == list(range(301))
    solution.save(tmp_path / "nim")
    with rs.open(tmp_path / "nim") as saved:
        assert dict(saved) == dict(solution)
        assert saved.digest() == solution.digest()


# -- what is refused ----------------------------------------------------------------------------------


@pytest.mark.parametrize("label", ["", "-1", "x", "∞", "∞(", "∞(1,0)", "∞(0,0)", "01", "∞(0, 1)"])
def test_label_of_no_value_is_refused(label: str) -> None:
    with pytest.raises(rs.GraphError):
        NimValue.parse(label)


@pytest.mark.parametrize("label", ["0", "12", "∞()", "∞(0)", "∞(0,2,17)"])
def test_label_is_parsed_to_the_value_that_has_it(label: str) -> None:
    assert NimValue.parse(label).label == label


# -- what shows them ----------------------------------------------------------------------------------


def test_moves_of_play_are_judged_by_who_wins() -> None:
    game = GamePlay(rs.solve(rs.game("stones:n=7"), objective="nimber"), 7)
    assert [move.move.name for move in game.moves] == ["take 1", "take 2"]
    game.make(game.moves[1])
    assert game.played[0].quality is Quality.MISTAKE
    game.make(game.moves[0])
    assert game.played[1].quality is Quality.BEST


def test_command_line_prints_and_probes_nimbers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edges = tmp_path / "g.csv"
    edges.write_text("source,target\n3,2\n3,1\n3,0\n2,1\n2,0\n1,0\n4,4\n4,2\n")
    options = "--objective", "nimber"
    assert run(["solve", str(edges), *options, "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["counts"] == {"0": 1, "1": 1, "2": 1, "3": 1, "∞(2)": 1}
    assert record["verified"] is True
    assert run(["probe", str(edges), "3", "4", "0", *options]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if not line.startswith(" ")]
    assert lines == [
        "3: *3, the player to move wins",
        "4: ∞(2), perfect play never ends",
        "0: *0 in 0 plies, the player to move loses",
    ]


def test_pages_and_static_export_show_who_wins(tmp_path: Path) -> None:
    with serving(Library([Entry("loop", "loop", solved(LOOP))])) as address:
        for page in ("", "g/loop/", "g/loop/structure", "g/loop/?at=3", "g/loop/graph"):
            assert request(f"{address}/{page}")[0] == 200, page
        assert 'class="in">*2<' in request(f"{address}/g/loop/?at=loop")[1]
        assert "∞(2)" in request(f"{address}/g/loop/?at=loop")[1]
        why = request(f"{address}/g/loop/explanation?at=loop")[1]
        assert "loop is ∞(2), because it could only be *0" in why
        record = request(f"{address}/api/games/loop/position?at=loop")[1]
        assert (record["value"], len(record["moves"])) == ("∞(2)", 2)
        assert [move["value"] for move in record["moves"]] == ["∞(2)", "2"]
        assert [move["value_for_mover"] for move in record["moves"]] == ["draw", "loss"]
    export_static(solved(LOOP), "loop", tmp_path / "pages")
    assert '"win":' in (tmp_path / "pages" / "game.json").read_text("utf-8")


def test_game_in_the_terminal_says_who_wins(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for game in ("loop", "octal:n=3"):
        if game == "loop":
            solved(LOOP).with_start(3).save(tmp_path / "loop")
        monkeypatch.setattr("sys.stdin", io.StringIO("1\n"))
        assert run(["play", str(tmp_path / "loop") if game == "loop" else game]) == 0
        assert "You win (*3)" in capsys.readouterr().out
