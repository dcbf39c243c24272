"""Board games by tables of their moves: the index of two sets, and rules told twice."""

import random
from itertools import product

import numpy as np
import pytest

import retrosolve as rs
from retrosolve import ranking
from retrosolve.rules.board import MovePattern
from retrosolve.values import INVALID
from tests.support.marks import ALL, THOROUGH

Text = tuple[str, str]

# -- the index ------------------------------------------------------------------------------------

SYMMETRIES = {
    "none": None,
    "grid": ranking.grid_symmetries(3, 4),
    "turns": ranking.generate_group([[(s + 3) % 12 for s in range(12)]]),
}


@pytest.mark.thorough
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
    with pytest.raises(rs.RulesError, match="is no block of 9 points, or occurs twice"):
        ranking.TwoSets(9, [[(0, 5, 5)]])
    with pytest.raises(rs.RulesError, match="is no block of 9 points, or occurs twice"):
        ranking.TwoSets(9, [[(0, 1, 2)], [(0, 1, 2)]])
    with pytest.raises(rs.RulesError, match="expected at most 31 points"):
        ranking.TwoSets(32, [[(0, 1, 1)]])


# -- rules told twice: on the kit, and in plain Python on the text of a board ---------------------


class Told(rs.Game[Text]):
    """The same rules, on the marks of all points in turn and who moves; nothing is folded."""

    def __init__(self, game: "Variant") -> None:
        self.game = game

    def start(self) -> Text:
        return self.marks(self.game.text(self.game.start()))

    def marks(self, text: str) -> Text:
        rows, *_, mover = text.split(" ")
        by_point = dict(
            zip([s for row in self.game.board.rows for s in row], rows.replace("/", ""), strict=True)
        )
        hand = text.split(" ")[1] if text.count(" ") == 2 else ""
        return "".join(by_point[s] for s in range(len(by_point))), f"{hand} {mover}"

    def in_hand(self, position: Text) -> int:
        if position[1].split(" ")[0]:
            return int(position[1].split(" ")[0])
        men = 2 * self.game.told["men"] - len(position[0].replace(".", ""))
        return men if self.game.told["men"] else 0

    def after(self, marks: list[str], position: Text) -> Text:
        hand, mover = position[1].split(" ")
        hand = str(int(hand) - (self.in_hand(position) > 0)) if hand else ""
        return "".join(marks), f"{hand} {'XO'[mover == 'X']}"

    def terminal(self, position: Text) -> rs.Value | None:
        marks, mover, told = position[0], position[1][-1], self.game.told
        enemy = "XO"[mover == "X"]
        if self.in_hand(position) == 0 and marks.count(mover) < told["fewest"]:
            return rs.Value.LOSS
        held = [line for line in told["lines"] if self.holds(marks, line, enemy)]
        if held and not told["mills"]:
            return rs.Value.LOSS
        goal = range(6, 9) if enemy == "X" else range(3)
        if told["race"] and any(marks[s] == enemy for s in goal):
            return rs.Value.LOSS
        return None

    def holds(self, marks: str, line: tuple[int, ...], mark: str) -> bool:
        return all(marks[s] == mark for s in line)

    def moves(self, position: Text) -> list[tuple[str, Text]]:
        marks, mover, told = list(position[0]), position[1][-1], self.game.told
        enemy = "XO"[mover == "X"]
        quiet, taking = [], []
        if self.in_hand(position):
            for to in (s for s in range(9) if marks[s] == "."):
                quiet.append((self.put(marks, {to: mover}), to))
        else:
            men = [s for s in range(9) if marks[s] == mover]
            for man in men:
                for to in range(9):
                    row, column = to // 3 - man // 3, to % 3 - man % 3
                    far = max(abs(row), abs(column))
                    ahead = row == (1 if mover == "X" else -1)
                    between = (man + to) // 2
                    if marks[to] == "." and (
                        (told["flying"] >= len(men))
                        or (told["race"] and ahead and column == 0)
                        or (not told["race"] and far == 1 and row * column == 0)
                    ):
                        quiet.append((self.put(marks, {man: ".", to: mover}), to))
                    if told["race"] and ahead and abs(column) == 1 and marks[to] == enemy:
                        taking.append((self.put(marks, {man: ".", to: mover}), to))
                    jumps = told["jumps"] and far == 2 and row * column == 0
                    if jumps and marks[to] == "." and marks[between] == enemy:
                        taking.append((self.put(marks, {man: ".", between: ".", to: mover}), to))
        if not (told["compulsory"] and taking):
            taking = quiet + taking
        return [
            ("", self.after(list(m), position)) for found in taking for m in self.mill(*found, mover)
        ]

    def put(self, marks: list[str], changes: dict[int, str]) -> list[str]:
        return [changes.get(s, mark) for s, mark in enumerate(marks)]

    def mill(self, marks: list[str], to: int, mover: str) -> list[list[str]]:
        enemy, lines = "XO"[mover == "X"], self.game.told["lines"]
        men = {s for s, mark in enumerate(marks) if mark == enemy}
        closed = any(to in line and self.holds("".join(marks), line, mover) for line in lines)
        if not self.game.told["mills"] or not closed or not men:
            return [marks]
        held = {s for line in lines if self.holds("".join(marks), line, enemy) for s in line}
        return [self.put(marks, {s: "."}) for s in men - held or men]


LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8)]
PLAIN = {"men": 0, "lines": [], "mills": False, "flying": 0, "fewest": 0, "compulsory": False,
         "jumps": False, "race": False, "start": ""}  # fmt: skip
VARIANTS = {
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
        self.told = told = PLAIN | VARIANTS[name]
        board = rs.Board.grid(3, 3)
        moves = board.steps("orthogonal") + (board.jumps("orthogonal") if told["jumps"] else [])
        race = {}
        if told["race"]:
            moves = board.steps("forward") + board.captures("forward diagonal")
            turn = [s % 3 + 6 - s // 3 * 3 for s in range(9)]
            race = {"goals": (0b111 << 6, 0b111 if sides == "unlike" else 0), "turn": turn}
            if sides == "unlike":
                del race["turn"]
                moves = moves, board.steps("backward") + board.captures("backward diagonal")
        super().__init__(
            board, moves, start=told["start"], men=told["men"],
            lines=[sum(1 << s for s in line) for line in told["lines"]], mills=told["mills"],
            fewest=told["fewest"], flying=told["flying"], compulsory=told["compulsory"],
            symmetry=symmetry, sides=sides, **race,
        )  # fmt: skip


FORMS = [("alike", False), ("alike", True), ("unlike", False), ("unlike", True)]


@pytest.mark.long
@pytest.mark.parametrize("name", VARIANTS)
def test_the_kit_and_plain_rules_give_the_same_answers(name: str) -> None:
    """Each position is compared in one of the forms, by turns; all of them with all slow tests."""
    plain = list(rs.solve(Told(Variant(name))).items())
    for turn, (sides, symmetry) in enumerate(FORMS):
        game = Variant(name, sides, symmetry)
        solution = rs.solve(game)
        rs.verify(solution)
        told = Told(game)
        for (marks, rest), outcome in plain if ALL else plain[turn :: len(FORMS)]:
            hand, mover = rest.split(" ")
            rows = "/".join("".join(marks[s] for s in row) for row in game.board.rows)
            text = " ".join(filter(None, (rows, hand, mover)))
            assert solution[text] == outcome, (sides, symmetry, text)
            targets = {target for _, target in game.named_moves(game.parse(text))}
            over = game.terminal(game.parse(text), game.plain_data) or not targets
            assert over or {told.marks(game.text(t)) for t in targets} == {
                target for _, target in told.moves((marks, rest))
            }


@pytest.mark.long(but=1)
@THOROUGH
@pytest.mark.parametrize(("name", "form"), list(product(VARIANTS, FORMS)))
def test_tables_keep_the_contract_of_compiled_rules(name: str, form: tuple[str, bool]) -> None:
    report = rs.check_game(Variant(name, *form), samples=150)
    assert {"successors", "predecessors", "rank", "parse", "move_names"} <= set(report.rules)


@pytest.mark.thorough
@pytest.mark.parametrize("name", VARIANTS)
def test_moves_lead_to_the_tiers_that_are_declared(name: str) -> None:
    for sides, symmetry in FORMS:
        game = Variant(name, sides, symmetry)
        targets = [set(game.tier_targets(tier)) | {tier} for tier in range(len(game.tiers))]
        out = np.zeros(game.max_moves, np.int64)
        for index in random.Random(0).sample(range(game.size), min(game.size, 200)):
            position = game.unrank(index, game.plain_data)
            if game.canonical(position, game.plain_data) != position:
                continue
            if game.terminal(position, game.plain_data):
                continue
            count = game.successors(position, out, game.plain_data)
            tier = int(np.searchsorted(game.tiers, index, side="right")) - 1
            for target in out[:count].tolist():
                after = game.rank(game.canonical(target, game.plain_data), game.plain_data)
                assert int(np.searchsorted(game.tiers, after, side="right")) - 1 in targets[tier]


@pytest.mark.thorough
@pytest.mark.long("compulsory", "flying", "race")
@pytest.mark.parametrize("name", ["flying", "compulsory", "race", "few"])
def test_zugzwangs_are_positions_that_are_not_won_by_either_player_to_move(name: str) -> None:
    for sides, symmetry in FORMS:
        game = Variant(name, sides, symmetry)
        solution = rs.solve(game)
        found = {game.text(position) for pair in solution.zugzwangs() for position in pair}
        expected = set()
        for position, outcome in solution.items():
            rows, *rest, mover = game.text(position).split(" ")
            passed = " ".join([rows, *rest, "XO"[mover == "X"]])
            if outcome.value is rs.Value.LOSS and passed in solution and rest in ([], ["0"]):
                ends = [
                    game.terminal(game.parse(t), game.plain_data) for t in (game.text(position), passed)
                ]
                if not any(ends) and solution[passed].value is not rs.Value.WIN:
                    expected |= {
                        game.text(solution.space.position(solution.space.index(t)))
                        for t in (game.text(position), passed)
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


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("OOO/.../XXX", "does not end in X or O, who moves"),
        ("OOO/.../XX X", "expected rows of 3, 3, 3 points"),
        ("OOO/.../XXY X", "X, O or a dot"),
        ("OOO/X../XXX X", "expected numbers of men that play can lead to"),
        ("OOO/.../XXX 3 X", "expected numbers of men that play can lead to"),
    ],
)
def test_text_of_no_position_raises(text: str, complaint: str) -> None:
    with pytest.raises(rs.PositionError, match=complaint):
        Variant("jumps").parse(text)


def test_what_has_been_won_is_no_position_of_the_winner() -> None:
    game = Variant("lines")
    with pytest.raises(rs.PositionError, match="the player to move has won already"):
        game.parse("XXX/.OO/O.. X")
    assert game.terminal(0b111, game.plain_data) == INVALID


# -- what is refused ------------------------------------------------------------------------------


def test_a_symmetry_that_changes_the_moves_is_left_out_or_refused() -> None:
    board = rs.Board.grid(3, 3)
    turn = [s % 3 + 6 - s // 3 * 3 for s in range(9)]
    given = {"start": "OOO/.../XXX", "turn": turn}
    game = rs.BoardGame(board, board.steps("forward"), symmetry=True, **given)
    assert game.data.sets[ranking.ORDER_AT] == 2
    with pytest.raises(rs.RulesError, match="changes the moves, lines or goals"):
        rs.BoardGame(board, board.steps("forward"), symmetry=board.symmetries, **given)


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"sides": "both"}, "sides='both': expected mover, alike, unlike|sides='both'"),
        ({"turn": [1, 2, 3, 0]}, "expected an exchange of points in pairs"),
        ({"turn": [0, 1, 2, 3], "sides": "unlike"}, "expected an exchange of points in pairs"),
        ({"goals": (1, 2)}, "the players have different moves or goals"),
        ({"start": "XO/X"}, "expected rows of 2, 2 points"),
    ],
)
def test_a_game_that_contradicts_itself_is_refused(given: dict[str, object], complaint: str) -> None:
    board = rs.Board.grid(2, 2)
    with pytest.raises((rs.RulesError, rs.PositionError), match=complaint):
        rs.BoardGame(board, board.steps(), **{"start": "OO/XX", **given})


def test_a_board_names_its_directions() -> None:
    board = rs.Board.grid(2, 3)
    assert len(board.steps("orthogonal")) == 14
    assert board.captures("up left")[0] == MovePattern(1, 3, other=8, taken=8)
    assert board.jumps("right", over="own", onto="other")[0] == MovePattern(0, 2, 2, 4, 0, 4)
    assert board.rows_of(3, "orthogonal") == [0b111, 0b111000]
    with pytest.raises(rs.RulesError, match="'north' is no direction of this board: expected orth"):
        board.steps("north")
    with pytest.raises(rs.RulesError, match="expected 1 to 31 points"):
        rs.Board.grid(6, 6)
    with pytest.raises(rs.RulesError, match="expected over own or other"):
        board.jumps(over="free")
