"""Board games by tables of their moves: the index of two sets, games on a grid, and their text."""

from itertools import product
from typing import Any

import numpy as np
import pytest

import retrosolve as rs
from retrosolve import ranking
from retrosolve.rules.board import MovePattern

# -- the index ------------------------------------------------------------------------------------

SYMMETRIES = {
    "none": None,
    "grid": ranking.grid_symmetries(3, 4),
    "turns": ranking.generate_group([[(s + 3) % 12 for s in range(12)]]),
}


@pytest.mark.parametrize("name", SYMMETRIES)
def test_every_position_has_one_index_and_its_images_have_the_same(name: str) -> None:
    group = SYMMETRIES[name]
    tiers = ranking.by_removal([(0, 1, 1), (0, 1, 2), (0, 2, 1), (0, 2, 2), (3, 0, 2), (0, 0, 3)])
    sets = ranking.TwoSets(12, tiers, group)
    every = {
        above << 24 | sum(1 << s for s in mine) | sum(1 << 12 + s for s in theirs)
        for (above, own, other) in (kind for tier in tiers for kind in tier)
        for mine in combinations_of(12, own)
        for theirs in combinations_of(12, other)
        if not set(mine) & set(theirs)
    }
    indices = set()
    for position in every:
        ways = [list(range(12))] if group is None else group.tolist()
        images = {
            (position >> 24 << 24)
            | ranking.permute_bits(position & 4095, way)
            | ranking.permute_bits(position >> 12 & 4095, way) << 12
            for way in ways
        }
        smallest = min(images, key=lambda p: (p & 4095, p))
        assert ranking.canonical_two_sets(position, sets.data) == smallest
        index = ranking.rank_two_sets(smallest, sets.data)
        assert ranking.unrank_two_sets(index, sets.data) == smallest
        tier = int(np.searchsorted(sets.tiers, index, side="right")) - 1
        kind = smallest >> 24, (smallest & 4095).bit_count(), (smallest >> 12 & 4095).bit_count()
        assert sets.tier_of[kind] == tier
        indices.add(index)
    assert max(indices) < sets.size
    assert group is not None or indices == set(range(sets.size))


def combinations_of(n: int, k: int) -> list[tuple[int, ...]]:
    return [tuple(s for s in range(n) if subset >> s & 1) for subset in ranking.subsets(n, k).tolist()]


def test_what_has_no_block_has_no_index() -> None:
    sets = ranking.TwoSets(9, [[(0, 2, 2)], [(1, 2, 2)]])
    assert ranking.rank_two_sets(0b000000100_000000011, sets.data) == -1
    folded = ranking.TwoSets(9, [[(0, 2, 2)]], ranking.grid_symmetries(3, 3)).data
    for position in (0b111000000_000000111, 2 << 18 | 0b11000_00000011, 0b111111111):
        assert ranking.rank_two_sets(ranking.canonical_two_sets(position, folded), folded) == -1


# -- games on a grid ------------------------------------------------------------------------------


LINES = [0b111, 0b111000, 0b111000000, 0b1001001, 0b10010010, 0b100100100]
VARIANTS: dict[str, dict[str, Any]] = {
    "lines": {"men": 3, "lines": LINES},
    "mills": {"men": 4, "lines": LINES, "mills": True, "fewest": 2},
    "flying": {"men": 3, "lines": LINES, "mills": True, "fewest": 2, "flying": 2},
    "jumps": {"jumps": True, "start": "OOO/.../XXX"},
    "compulsory": {"jumps": True, "compulsory": True, "start": "OOO/O.X/XXX"},
    "race": {"race": True, "start": "OOO/.../XXX"},
    "few": {"jumps": True, "start": "OO./.../.XX", "fewest": 2},
}


class Variant(rs.BoardGame):
    """A game on 3x3 points with some of the rules that the kit has."""

    def __init__(self, name: str, sides: str = "alike", symmetry: bool = False) -> None:
        given = dict(VARIANTS[name])
        board = rs.Board.grid(3, 3)
        moves = board.steps("orthogonal") + (board.jumps("orthogonal") if given.pop("jumps", 0) else [])
        if given.pop("race", False):
            moves = board.steps("forward") + board.captures("forward diagonal")
            given["goals"] = (0b111 << 6, 0b111 if sides == "unlike" else 0)
            if sides == "unlike":
                moves = moves, board.steps("backward") + board.captures("backward diagonal")
            else:
                given["turn"] = [s % 3 + 6 - s // 3 * 3 for s in range(9)]
        super().__init__(board, moves, symmetry=symmetry, sides=sides, **given)


FORMS = [("alike", False), ("alike", True), ("unlike", False), ("unlike", True)]


@pytest.mark.long(but=6)
@pytest.mark.parametrize(("name", "form"), list(product(VARIANTS, FORMS)))
def test_tables_keep_the_contract_of_compiled_rules(name: str, form: tuple[str, bool]) -> None:
    report = rs.check_game(Variant(name, *form), samples=150)
    assert {"successors", "predecessors", "rank", "parse", "move_names"} <= set(report.rules)


def test_zugzwangs_are_positions_that_are_not_won_by_either_player_to_move(interpreted: None) -> None:
    for sides, symmetry in FORMS[1:]:
        game = Variant("few", sides, symmetry)
        solution = rs.solve(game)
        found = {game.text(position) for pair in solution.zugzwangs() for position in pair}
        expected = set()
        for position, outcome in solution.items():
            both = [
                game.text(position),
                game.text(position)[:-1] + "XO"[game.text(position)[-1] == "X"],
            ]
            if outcome.value is rs.Value.LOSS and both[1] in solution:
                over = any(game.terminal(game.parse(text), game.plain_data) for text in both)
                if not over and solution[both[1]].value is not rs.Value.WIN:
                    expected |= {
                        game.text(solution.space.position(solution.space.index(t))) for t in both
                    }
        assert found == expected != set()


# -- text, names and pictures ---------------------------------------------------------------------


def test_colours_stay_along_a_line_of_play() -> None:
    game = Variant("jumps")
    position = game.start()
    assert game.text(position) == "OOO/.../XXX X"
    (first,) = [t for name, t in game.named_moves(position) if name == "a1-a2"]
    assert game.text(first) == "OOO/X../.XX O"
    (second,) = [t for name, t in game.named_moves(first) if name == "a3-a1xa2"]
    assert game.text(second) == ".OO/.../OXX X"
    assert [game.side_to_move(p) for p in (position, first, second)] == [0, 1, 0]
    solution = rs.solve(game)
    assert solution["OOO/X../.XX O"] == solution[game.canonical(first, game.plain_data)]
    assert "data-point" in str(solution.view(first).svg)
    assert game.caption(position) == "Variant: OOO/.../XXX X, X to move"
    assert game.caption(first) == "Variant: OOO/X../.XX O, O to move"


def test_a_symmetry_that_changes_the_moves_is_left_out() -> None:
    board = rs.Board.grid(3, 3)
    turn = [s % 3 + 6 - s // 3 * 3 for s in range(9)]
    given = {"start": "OOO/.../XXX", "turn": turn}
    game = rs.BoardGame(board, board.steps("forward"), symmetry=True, **given)
    assert game.data.sets[ranking.ORDER_AT] == 2


def test_a_board_names_its_directions() -> None:
    board = rs.Board.grid(2, 3)
    assert len(board.steps("orthogonal")) == 14
    assert board.captures("up left")[0] == MovePattern(1, 3, other=8, taken=8)
    assert board.jumps("right", over="own", onto="other")[0] == MovePattern(0, 2, 2, 4, 0, 4)
    assert board.rows_of(3, "orthogonal") == [0b111, 0b111000]
