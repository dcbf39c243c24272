"""The random graphs, games and boards: what they are made of, and that they say what their graphs say."""

import random
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given, settings

import retrosolve as rs
from retrosolve import testing
from retrosolve.pursuit.police import PoliceAndThief
from retrosolve.testing import games, strategies
from tests.support.marks import samples

MAKERS = (
    testing.random_graph,
    testing.random_tiered_graph,
    testing.random_board,
)


@pytest.mark.parametrize("make", MAKERS)
def test_a_seed_stands_for_one_object(make: object) -> None:
    assert callable(make)
    made = [make(seed) for seed in range(40)]
    assert made == [make(seed) for seed in range(40)]
    rng = random.Random(3)
    assert [make(3), make(4)] != [make(rng), make(rng)]
    assert make(random.Random(3)) == make(3)
    assert sum(one != made[0] for one in made) > 30


def test_random_graphs_hold_everything_that_a_graph_can() -> None:
    graphs = [testing.random_graph(seed) for seed in range(200)]
    degrees = [graph.out_degrees() for graph in graphs]
    rows = [
        [graph.neighbors(v).tolist() for v in range(len(degree))]
        for graph, degree in zip(graphs, degrees, strict=True)
    ]
    assert {len(degree) for degree in degrees} == set(range(13))
    assert any(0 in degree for degree in degrees)
    assert any(v in row for graph in rows for v, row in enumerate(graph))
    assert any(len(row) > len(set(row)) for graph in rows for row in graph)
    for name in ("owner", "terminals"):
        given = [graph for graph in graphs if getattr(graph, name) is not None]
        assert 60 < len(given) < 140
    codes = {int(code) for graph in graphs if graph.terminals is not None for code in graph.terminals}
    assert codes == {0, 1, 2, 3}


def test_acyclic_graphs_have_no_draw() -> None:
    drawn = 0
    for seed in range(200):
        counts = rs.solve(testing.random_graph(seed, acyclic=True)).counts()
        assert counts[rs.Value.DRAW] == 0
        drawn += rs.solve(testing.random_graph(seed)).counts()[rs.Value.DRAW] > 0
    assert drawn > 20


def test_edges_of_tiers_lead_to_the_same_tier_or_an_earlier_one() -> None:
    several = 0
    for seed in range(100):
        graph, tiers = testing.random_tiered_graph(seed)
        n = len(graph.out_degrees())
        assert tiers[0] == 0
        assert list(tiers) == sorted({*tiers} & {*range(n)})
        bounds = (*tiers[1:], n)
        for v in range(n):
            end = next(bound for bound in bounds if v < bound)
            assert all(w < end for w in graph.neighbors(v).tolist())
        several += len(tiers) > 1
    assert several > 50


@pytest.mark.parametrize("kind", games.KINDS)
def test_compiled_games_pass_their_checks_and_agree_with_the_specification(kind: str) -> None:
    for seed in range(samples(15, 300)):
        game = testing.random_compiled_game(seed, kind)
        solution = rs.solve(game)
        rs.verify(solution)
        testing.assert_same_answers(solution, rs.solve(game, solver="reference"))
        assert solution.counts()[rs.Value.WIN] <= len(solution)


def test_a_kind_left_out_is_any_of_them() -> None:
    def kind(game: Any) -> Any:
        whole = game.tiers is None, game.component_size is None, game.size is None
        return type(game), game.rules - {"player"}, whole, game.reachable_only

    drawn = {kind(testing.random_compiled_game(seed)) for seed in range(100)}
    assert len(drawn) >= len(games.KINDS) - 1
    with pytest.raises(ValueError, match="kind='canon'"):
        testing.random_compiled_game(0, "canon")
    with pytest.raises(ValueError, match="inverse"):
        testing.CompiledGraphGame(rs.Graph.from_edges([0], [1]), "inverse")


@given(strategies.games(), strategies.compiled_games(), strategies.stuck_values(), strategies.boards())
@settings(max_examples=30)
def test_drawn_games_agree_with_their_graphs_and_are_proven(
    game: testing.GraphGame, compiled: rs.CompiledGame, stuck: str, board: str
) -> None:
    testing.assert_same_answers(rs.solve(game, stuck=stuck), rs.solve(game.graph, stuck=stuck))
    rs.verify(rs.solve(compiled, stuck=stuck))
    rs.verify(rs.solve(PoliceAndThief.from_text(board)))


def test_random_boards_have_a_free_cell_and_stay_small() -> None:
    for seed in range(100):
        text = testing.random_board(seed, 4)
        rows = [row for row in text.split("\n") if " " not in row]
        assert 1 <= len(rows) <= 4
        assert {len(row) for row in rows} <= {1, 2, 3, 4}
        assert set("".join(rows)) & set(".EPT")


def test_only_the_strategies_need_hypothesis() -> None:
    code = (
        "import sys; sys.modules['hypothesis'] = None\n"
        "import retrosolve.testing\n"
        "retrosolve.testing.random_compiled_game(1)\n"
        "try:\n"
        "    import retrosolve.testing.strategies\n"
        "except ImportError as error:\n"
        "    print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    expected = "retrosolve.testing.strategies needs hypothesis: pip install hypothesis\n"
    assert (done.stdout, done.stderr) == (expected, "")
