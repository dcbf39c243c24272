"""Nimbers against their definition and against solved sums, their proof, and all that shows them."""

from __future__ import annotations

import io
import json
import random
from pathlib import Path

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.cli import run
from retrosolve.objectives import Nimber, NimValue
from retrosolve.objectives.nimber import NimberCodec
from retrosolve.solution.playing import GamePlay, Quality
from retrosolve.tables.coded import coded_table
from retrosolve.testing import random_compiled_game
from retrosolve.testing.games import KINDS
from retrosolve.web.export import export_static
from retrosolve.web.library import Entry, Library
from tests.conftest import Tune
from tests.support.marks import samples
from tests.support.nimbers import heap, labelling, product, random_impartial, rows_of
from tests.web.drawn import request, serving

LOOP = rs.Graph.from_dict({3: [2, 1, 0], 2: [1, 0], 1: [0], "loop": ["loop", 2], "stay": ["stay"]})
REVERSED = rs.Graph.from_dict(
    {3: [2, 1, 0], 2: [1, 0], 1: [0], "up": ["up", 0], "back": ["up"], "on": ["stay"], "stay": ["stay"]}
)


def solved(graph: rs.Graph) -> rs.Solution:
    return rs.solve(graph, objective="nimber")


def content(solution: rs.Solution) -> list[tuple[NimValue, int]]:
    values = [outcome.value for outcome in solution.values()]
    remoteness = solution.table.remoteness()[solution.table.values() != 255]
    return list(zip(values, remoteness.tolist(), strict=True))


def with_content(graph: rs.Graph, entries: list[tuple[NimValue, int]]) -> rs.Solution:
    """A solution that claims these values and remotenesses."""
    codec = NimberCodec(list(dict.fromkeys(value for value, _ in entries)))
    values = np.array([codec.value(value) for value, _ in entries], np.uint8)
    table = coded_table(codec, values, np.array([plies for _, plies in entries]))
    return rs.Solution(graph, table, objective=Nimber())


# -- the solver ---------------------------------------------------------------------------------------


def test_random_graphs_agree_with_the_definition() -> None:
    rng = random.Random(20)
    for _ in range(samples(2000, 20_000)):
        graph = random_impartial(rng)
        solution = solved(graph)
        assert content(solution) == labelling(rows_of(graph)), rows_of(graph)
        rs.verify(solution)


@pytest.mark.thorough
def test_compiled_kernels_agree_with_the_definition(tune: Tune) -> None:
    tune(compile_from=0)
    rng = random.Random(21)
    for _ in range(samples(300, 5000)):
        graph = random_impartial(rng, most=14)
        assert content(solved(graph)) == labelling(rows_of(graph)), rows_of(graph)


def test_values_are_what_sums_with_heaps_say() -> None:
    rng = random.Random(22)
    nim = heap(4)
    for _ in range(samples(200, 4000)):
        graph = random_impartial(rng, most=7)
        outcomes = rs.solve(product(graph, nim)).table.values().reshape(-1, 5)
        for v, (value, _) in enumerate(content(solved(graph))):
            sums = [(value + NimValue(k)).kind for k in range(5)]
            assert outcomes[v].tolist() == sums, (rows_of(graph), v)


def test_sums_of_two_games_are_the_sums_of_their_values() -> None:
    rng = random.Random(23)
    for _ in range(samples(150, 3000)):
        one, other = random_impartial(rng, most=5), random_impartial(rng, most=5)
        outcomes = rs.solve(product(one, other)).table.values().tolist()
        first, second = content(solved(one)), content(solved(other))
        assert outcomes == [(x + y).kind for x, _ in first for y, _ in second]


def test_zeros_have_the_remoteness_of_losses() -> None:
    rng = random.Random(24)
    for _ in range(samples(300, 5000)):
        graph = random_impartial(rng, most=12)
        nimbers, outcomes = solved(graph), rs.solve(graph)
        for v in range(graph.num_vertices):
            assert nimbers[v].value.kind is outcomes[v].value
            if outcomes[v].value is rs.Value.LOSS:
                assert nimbers[v].remoteness == outcomes[v].remoteness
            else:
                assert nimbers[v].remoteness is None


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["successors", "tiers", "rank", "reachable"])
def test_compiled_rules_have_the_nimbers_of_their_graph(kind: str) -> None:
    rng, met = random.Random(25), 0
    for _ in range(samples(60, 600)):
        game = random_compiled_game(rng, kind)
        space = rs.solve(game).space
        graph = space.materialize()
        ended = graph.terminals is not None and ((graph.terminals % 255) != 0).any()
        if graph.owner is not None or ended:
            with pytest.raises(rs.GraphError, match="expected"):
                rs.solve(game, objective="nimber")
            continue
        solution = rs.solve(game, objective="nimber")
        rs.verify(solution)
        right = labelling(rows_of(graph))
        assert content(solution) == [right[v] for v in space.valid().tolist()]
        met += 1
    assert met > 0
    assert kind in KINDS


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


# -- the proof ----------------------------------------------------------------------------------------


def test_every_change_of_one_value_is_refused() -> None:
    rng = random.Random(26)
    refused = 0
    for _ in range(samples(60, 1500)):
        graph = random_impartial(rng, most=6)
        right = content(solved(graph))
        rs.verify(with_content(graph, right))
        values = [NimValue(k) for k in range(4)]
        values += [NimValue.infinite(k) for k in ((), (0,), (1,), (0, 1), (0, 2))]
        for v in range(graph.num_vertices):
            for value in values:
                for plies in (-1,) if value.number is None else (0, 1, 2, 4):
                    if (value, plies) != right[v]:
                        wrong = with_content(graph, [*right[:v], (value, plies), *right[v + 1 :]])
                        with pytest.raises(rs.VerificationError, match=r"claimed"):
                            rs.verify(wrong)
                        refused += 1
    assert refused > 1000


def test_random_changes_of_several_values_are_refused() -> None:
    rng = random.Random(27)
    values = [NimValue(k) for k in range(3)] + [NimValue.infinite(k) for k in ((), (0,), (1,), (0, 1))]
    for _ in range(samples(300, 20_000)):
        graph = random_impartial(rng, most=6)
        right = content(solved(graph))
        other = list(right)
        for v in range(len(other)):
            if rng.random() < 0.5:
                value = rng.choice(values)
                other[v] = value, -1 if value.number is None else rng.choice((0, 2, 4))
        if other != right:
            with pytest.raises(rs.VerificationError):
                rs.verify(with_content(graph, other))


@pytest.mark.parametrize(
    ("v", "entry", "message"),
    [
        (3, (NimValue(2), 0), r"3 \(vertex 0\) is claimed \*2, but the least .* has is \*3"),
        (3, (NimValue(3), 2), r"3 .* claimed \*3 with the remoteness 2, but its moves make that 0"),
        (3, (NimValue(3), -1), r"3 .* claimed \*3 with the remoteness -1: expected one, 0 or more"),
        ("on", (NimValue(0), 0), r"on .* claimed \*0, but its follower stay has no move to .* \*0"),
        ("up", (NimValue.infinite([0]), 2), r"up .* with the remoteness 2: expected none"),
        ("stay", (NimValue.infinite([1]), -1), r"stay .* claimed ∞\(1\), but .* at most ∞\(\)"),
        (
            "back",
            (NimValue.infinite([]), -1),
            r"back .* ∞\(\), but of its followers each infinite one of them has a move to a position "
            r"of value \*0: expected \*0",
        ),
        (
            3,
            (NimValue.infinite([0, 1, 2]), -1),
            r"∞\(0,1,2\), but of .* none is infinite: expected \*3",
        ),
    ],
)
def test_proof_names_the_vertex_and_what_is_right(
    v: int | str, entry: tuple[NimValue, int], message: str
) -> None:
    entries = content(solved(REVERSED))
    entries[REVERSED.index(v)] = entry
    with pytest.raises(rs.VerificationError, match=message):
        rs.verify(with_content(REVERSED, entries))


def test_nimbers_of_a_game_with_owners_are_not_proven() -> None:
    owned = rs.Graph.from_edges([0], [1], owner=[0, 1])
    with pytest.raises(rs.VerificationError, match="has owners: expected none"):
        rs.verify(with_content(owned, [(NimValue(1), 0), (NimValue(0), 0)]))


# -- what is refused ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("graph", "options", "message"),
    [
        (
            rs.Graph.from_edges([0], [1], owner=[0, 1]),
            {},
            "whose positions have owners: expected the same moves for both players",
        ),
        (
            rs.Graph.from_dict({"a": ["b"]}, terminal={"b": "loss"}),
            {},
            "nimbers of a game with terminal values, as at 'b': expected none",
        ),
        (LOOP, {"stuck": "win"}, "stuck='win' with the objective nimber: expected 'loss'"),
        (LOOP, {"stuck": "tie"}, "stuck='tie' with the objective nimber: expected 'loss'"),
        (LOOP, {"solver": "retrograde"}, r"retrograde solver does not answer Nimber\(\) for "),
        (LOOP, {"solver": "ray"}, r"ray solver does not answer Nimber\(\) for "),
    ],
)
def test_other_games_are_refused_in_one_sentence(
    graph: rs.Graph, options: dict[str, str], message: str
) -> None:
    with pytest.raises(rs.GraphError, match=message):
        rs.solve(graph, objective="nimber", **options)


def test_edges_on_disk_are_refused_in_one_sentence(tmp_path: Path) -> None:
    np.save(tmp_path / "0.npy", np.array([[0, 1], [1, 0], [1, 2]], np.int32))
    with pytest.raises(
        rs.GraphError, match=r"^edges on disk have no Nimber\(\): expected the objective outcome"
    ):
        rs.solve(rs.EdgeParts(tmp_path), objective="nimber")


@pytest.mark.parametrize("label", ["", "-1", "x", "∞", "∞(", "∞(1,0)", "∞(0,0)", "01", "∞(0, 1)"])
def test_label_of_no_value_is_refused(label: str) -> None:
    with pytest.raises(rs.GraphError, match="is no value of an impartial game"):
        NimValue.parse(label)


@pytest.mark.parametrize("label", ["0", "12", "∞()", "∞(0)", "∞(0,2,17)"])
def test_label_is_parsed_to_the_value_that_has_it(label: str) -> None:
    assert NimValue.parse(label).label == label


# -- what shows them ----------------------------------------------------------------------------------


def test_solution_is_saved_opened_compared_and_listed(tmp_path: Path) -> None:
    solution = solved(LOOP)
    rs.verify(solution)
    solution.save(tmp_path / "loop")
    with rs.open(tmp_path / "loop", check=True) as saved:
        assert saved.verified
        assert saved.objective == Nimber()
        assert dict(saved) == dict(solution)
        assert rs.compare(saved, solution).equal
        assert list(saved.where("∞(2)")) == ["loop"]
        assert saved.counts()[NimValue(0)] == 1
        rs.verify(saved)
    rs.pack(tmp_path / "loop")
    with rs.open(tmp_path / "loop") as saved:
        assert dict(saved) == dict(solution)
    frame = solution.to_pandas()
    assert frame["value"].tolist() == ["3", "2", "1", "∞(2)", "∞()", "0"]
    assert frame["best"].tolist()[:4] == ["0", "0", "0", "loop"]
    assert str(solution.view(3)).splitlines()[:2] == ["3: ▲ *3", "  ▲ 0  (*0 in 0)"]


def test_solve_into_a_folder_returns_the_saved_solution(tmp_path: Path) -> None:
    solution = rs.solve(LOOP, objective="nimber", out=tmp_path / "loop")
    assert dict(solution) == dict(solved(LOOP))
    again = rs.solve(LOOP, objective="nimber", out=tmp_path / "loop", resume=True)
    assert dict(again) == dict(solution)


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
    assert run(["solve", str(edges), *options, "--misere"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.thorough
def test_pages_and_static_export_show_who_wins(tmp_path: Path) -> None:
    with serving(Library([Entry("loop", "loop", solved(LOOP))])) as address:
        for page in (
            "",
            "g/loop/",
            "g/loop/structure",
            "g/loop/?at=3",
            "g/loop/?at=loop",
            "g/loop/graph",
        ):
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
    with pytest.raises(
        rs.GraphError,
        match="has no pages, since a move may leave several heaps: expected retrosolve probe or play",
    ):
        Entry("kayles", "kayles", rs.solve(rs.game("octal:n=9")))


def test_game_in_the_terminal_says_who_wins(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for game in ("loop", "octal:n=3"):
        if game == "loop":
            solved(LOOP).with_start(3).save(tmp_path / "loop")
        monkeypatch.setattr("sys.stdin", io.StringIO("1\n"))
        assert run(["play", str(tmp_path / "loop") if game == "loop" else game]) == 0
        assert "You win (*3)" in capsys.readouterr().out
