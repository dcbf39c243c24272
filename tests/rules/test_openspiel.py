"""Games of OpenSpiel as rules, by a stand-in with the same methods: a heap of stones."""

from __future__ import annotations

import pickle
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest

import retrosolve as rs
from retrosolve.adapters import openspiel


class Heap:
    """A game with the methods of pyspiel.Game; who takes the last of ``size`` stones wins."""

    def __init__(self, size: int = 5, forgets: str = "", **kind: str) -> None:
        self.size, self.forgets, self.kind = size, forgets, kind

    def get_type(self) -> Any:
        names = {
            "chance_mode": "DETERMINISTIC", "dynamics": "SEQUENTIAL",
            "information": "PERFECT_INFORMATION", "utility": "ZERO_SUM",
        } | self.kind  # fmt: skip
        return SimpleNamespace(
            short_name="heap", **{what: SimpleNamespace(name=name) for what, name in names.items()}
        )

    def num_players(self) -> int:
        return int(self.kind.get("players", 2))

    def new_initial_state(self) -> Stones:
        return Stones(self, ())

    def deserialize_state(self, text: str) -> Stones:
        return Stones(self, tuple(map(int, text.split())))


class Stones:
    """A state with the methods of pyspiel.State."""

    def __init__(self, game: Heap, actions: tuple[int, ...]) -> None:
        self.game, self.actions = game, actions
        self.left = game.size - sum(actions)

    def __str__(self) -> str:
        return "stones" if self.game.forgets == "stones" else f"{self.left} stones\n"

    def is_terminal(self) -> bool:
        return self.left == 0

    def current_player(self) -> int:
        return -4 if self.is_terminal() else len(self.actions) % 2

    def legal_actions(self) -> list[int]:
        longest = len(self.actions) if self.game.forgets == "moves" else 0
        return [] if longest > 3 else [n for n in (1, 2) if n <= self.left]

    def is_chance_node(self) -> bool:
        return False

    def action_to_string(self, player: int, action: int) -> str:
        return f"player {player} takes {action}"

    def child(self, action: int) -> Stones:
        return Stones(self.game, (*self.actions, action))

    def clone(self) -> Stones:
        return Stones(self.game, self.actions)

    def apply_action(self, action: int) -> None:
        self.__init__(self.game, (*self.actions, action))  # type: ignore[misc]

    def returns(self) -> list[float]:
        if self.game.forgets == "returns":
            return [1.0, -1.0] if self.actions[0] == 1 else [-1.0, 1.0]
        won = 1.0 if len(self.actions) % 2 else -1.0
        return [0.0, 0.0] if self.game.forgets == "ties" else [won, -won]

    def history(self) -> list[int]:
        return list(self.actions)

    def observation_string(self, player: int) -> str:
        return f"{player} sees {self.left}"

    def observation_tensor(self, player: int) -> list[float]:
        return [self.left, player]

    def serialize(self) -> str:
        return " ".join(map(str, self.actions))


@pytest.mark.parametrize("key", ["text", "observation", "history", lambda state: state.left])
def test_states_with_the_same_key_are_one_position(key: Any) -> None:
    solution = rs.solve(openspiel(Heap(), key))
    rs.verify(solution)
    # 5 stones with player 0, 0 when the game is over, others with either; or every sequence of actions
    assert len(solution) == (20 if key == "history" else 10)
    plain = rs.solve(rs.game("stones:n=5"))
    start = solution.start
    assert solution[start] == plain[5]
    assert [move.name for move in solution.best_moves(start)] == ["player 0 takes 2"]
    assert solution.moves(solution.space.text(start)) == solution.moves(start)


def test_positions_are_pickled_by_their_actions() -> None:
    game = openspiel(Heap())
    position = game.moves(game.start())[0][1]
    again = pickle.loads(pickle.dumps(position))
    assert again == position
    assert hash(again) == hash(position)
    assert again.state.history() == [1]


def test_play_may_begin_after_some_actions() -> None:
    solution = rs.solve(openspiel(Heap(7), start=[2, 1]))
    assert str(solution.start) == repr("4 stones\n")
    assert str(solution[solution.start]) == str(rs.solve(rs.game("stones:n=4"))[4])


def test_plies_are_a_key_of_games_that_end_after_some() -> None:
    """The text says how many stones there are, but play ends after four moves, which it leaves out."""
    solution = rs.solve(openspiel(Heap(7, "moves"), "plies"), stuck="tie")
    assert {len(position.state.history()) for position in solution} == {0, 1, 2, 3, 4}
    assert solution[solution.start] == rs.Outcome(rs.Value.TIE, 4)


def test_features_are_the_observation_of_the_player_to_move() -> None:
    solution = rs.solve(openspiel(Heap(3)))
    players = [max(0, position.state.current_player()) for position in solution]
    assert solution.features().tolist() == [
        [position.state.left, player] for position, player in zip(solution, players, strict=True)
    ]


class DiceHeap(Heap):
    """A die says how many stones may be taken at most; a player may decline a throw of 2."""

    def __init__(self, size: int, shares: tuple[float, ...] = (1 / 3, 1 / 2, 1 / 6)) -> None:
        super().__init__(size, chance_mode="EXPLICIT_STOCHASTIC")
        self.shares = shares

    def new_initial_state(self) -> Thrown:
        return Thrown(self, ())


class Thrown(Stones):
    """A throw and a move in turn; two of the faces of the die are the same."""

    game: DiceHeap

    def __init__(self, game: DiceHeap, actions: tuple[int, ...]) -> None:
        super().__init__(game, actions)
        self.left = game.size - sum(actions[1::2])

    def __str__(self) -> str:
        die = "" if self.is_chance_node() or self.is_terminal() else min(2, self.actions[-1])
        return f"{self.left} {die} {len(self.actions) // 2 % 2}"

    def is_chance_node(self) -> bool:
        return len(self.actions) % 2 == 0 and not self.is_terminal()

    def is_terminal(self) -> bool:
        return self.left == 0

    def current_player(self) -> int:
        if self.is_terminal():
            return -4
        return -1 if self.is_chance_node() else len(self.actions) // 2 % 2

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(face, share) for face, share in enumerate(self.game.shares, 1)]

    def legal_actions(self) -> list[int]:
        if self.is_chance_node():
            return [1, 2, 3]
        return (
            [] if self.is_terminal() else [n for n in (1, 2) if n <= min(self.left, self.actions[-1])]
        )

    def returns(self) -> list[float]:
        won = 1.0 if len(self.actions) // 2 % 2 else -1.0
        return [won, -won]

    def child(self, action: int) -> Thrown:
        return Thrown(self.game, (*self.actions, action))

    def clone(self) -> Thrown:
        return Thrown(self.game, self.actions)


def test_dice_have_the_probabilities_of_the_library() -> None:
    solution = rs.solve(openspiel(DiceHeap(4)))
    rs.verify(solution)
    lost = [Fraction(1)]  # the probability that who throws loses, by the stones
    for stones in range(1, 5):
        one = 1 - lost[stones - 1]
        two = min(one, 1 - lost[stones - 2]) if stones > 1 else one
        lost.append(one / 3 + two * Fraction(2, 3))
    start = solution.start
    assert start.state.is_chance_node()
    assert solution[start].value.middle == pytest.approx(float(1 - lost[4]), abs=1e-12)
    moves = {move.name: move for move in solution.moves(start)}
    assert set(moves) == {"player -1 takes 1", "player -1 takes 2"}  # 3 leads to the same as 2
    assert solution.space.positions.move_weights(start, [m.position for m in moves.values()]) in (
        [1, 2],
        [2, 4],
    )
    assert solution.best_moves(start) == []
    assert solution.features().shape[1] == 2
    assert len(solution) == len({(str(each), each.state.current_player()) for each in solution})
