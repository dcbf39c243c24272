"""Games of other libraries as rules: ``openspiel()``."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from retrosolve.errors import GraphError, RulesError
from retrosolve.rules.contract import Game
from retrosolve.runtime.files import error_summary, import_library, short_repr
from retrosolve.values import Mover, Value

if TYPE_CHECKING:
    from pyspiel import Game as SpielGame
    from pyspiel import State as SpielState

MAX_PLIES = 500  # of random play from two states
COMPARED = 1000  # meetings of equal keys that are compared before only a sample is
COMPARED_OF = 64  # of so many later ones one is compared
MOST_FACES = 10**6  # the largest denominator of a probability

Key = Callable[["SpielState"], Hashable]

KEYS: dict[str, Key] = {
    "text": str,
    "observation": lambda state: (state.observation_string(0), state.observation_string(1)),
    "plies": lambda state: (str(state), len(state.history())),
    "history": lambda state: tuple(state.history()),
}


class OpenSpielPosition:
    """A state of a game of OpenSpiel; states with the same key and player are one position.

    Parameters
    ----------
    rules : OpenSpielGame
    state : pyspiel.State
    """

    __slots__ = ("_hash", "key", "rules", "state", "thrown")

    def __init__(self, rules: OpenSpielGame, state: SpielState) -> None:
        self.rules, self.state = rules, state
        returns = tuple(state.returns()) if state.is_terminal() else ()
        self.key = state.current_player(), returns, rules.key_of(state)
        self._hash = hash(self.key)
        self.thrown: list[tuple[str, OpenSpielPosition, int]] = []  # made once where chance moves

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, OpenSpielPosition) or self.key != other.key:
            return False
        self.rules.compare(self, other)
        return True

    def __reduce__(self) -> tuple[Any, ...]:
        return _reopened, (self.rules, self.state.serialize())

    def __repr__(self) -> str:
        return repr(str(self.state))


def _reopened(rules: OpenSpielGame, text: str) -> OpenSpielPosition:
    """Return the position of a state that was serialised."""
    return OpenSpielPosition(rules, rules.game.deserialize_state(text))


def _loaded(name: str) -> SpielGame:
    """Return a game by its name. Raises RulesError."""
    spiel = import_library("pyspiel", "openspiel()", "openspiel")
    try:
        return spiel.load_game(name)
    except Exception as error:  # whatever the library raises
        raise RulesError(f"OpenSpiel has no game {name!r}: {error_summary(error)}") from None


class OpenSpielGame(Game[OpenSpielPosition]):
    """A game of OpenSpiel as plain rules; see :func:`openspiel`."""

    def __init__(self, game: SpielGame, key: str | Key, start: str | Sequence[int]) -> None:
        self.game = game
        if isinstance(key, str) and key not in KEYS:
            raise RulesError(f"key={key!r}: expected {', '.join(KEYS)}, or a function of a state")
        self.key_of: Key = KEYS[key] if isinstance(key, str) else key
        self._meetings, self._rng = 0, random.Random(0)
        self._check_kind()
        self._start = self._started(start)

    def _check_kind(self) -> None:
        """Raise RulesError for a game that is none of two players, in turn, with nothing hidden."""
        kind = self.game.get_type()
        wrong = {
            "chance without probabilities": kind.chance_mode.name == "SAMPLED_STOCHASTIC",
            "moves at the same time": kind.dynamics.name != "SEQUENTIAL",
            "hidden information": kind.information.name != "PERFECT_INFORMATION",
            f"{self.game.num_players()} players": self.game.num_players() != 2,
            "a sum that is not zero": kind.utility.name not in ("ZERO_SUM", "CONSTANT_SUM"),
        }
        for what, is_wrong in wrong.items():
            if is_wrong:
                raise RulesError(
                    f"{kind.short_name} has {what}: expected a game of two players who move in turn, "
                    "with nothing hidden, in which one wins what the other loses"
                )

    def _started(self, start: str | Sequence[int]) -> SpielState:
        """Return the state that a text or some actions lead to. Raises RulesError for neither."""
        try:
            if isinstance(start, str):
                return self.game.new_initial_state(start)
            state = self.game.new_initial_state()
            for place, action in enumerate(start):
                if action not in state.legal_actions():
                    raise RulesError(f"start[{place}] is {action!r}: expected a legal action there")
                state.apply_action(int(action))
        except RulesError:
            raise
        except Exception as error:  # whatever the library raises
            what = error_summary(error)
            raise RulesError(f"the game does not start at {short_repr(start)}: {what}") from None
        return state

    def start(self) -> OpenSpielPosition:
        """Return the state that play begins at."""
        return OpenSpielPosition(self, self._start.clone())

    def moves(self, position: OpenSpielPosition) -> list[tuple[str, OpenSpielPosition]]:
        """Return the name and the state after each legal action."""
        state = position.state
        mover = state.current_player()
        return [
            (state.action_to_string(mover, action), OpenSpielPosition(self, state.child(action)))
            for action in state.legal_actions()
        ]

    def terminal(self, position: OpenSpielPosition) -> Value | None:
        """Return the result of player 0 where the game is over."""
        if not position.state.is_terminal():
            return None
        mine, others = position.state.returns()
        if mine == others:
            return Value.TIE
        return Value.WIN if mine > others else Value.LOSS

    def player(self, position: OpenSpielPosition) -> int:
        """Return the player to move; 0 where the game is over."""
        return max(0, int(position.state.current_player()))

    def text(self, position: OpenSpielPosition) -> str:
        """Return the state as OpenSpiel prints it, and who moves where it does not say so itself."""
        mover = position.state.current_player()
        return f"{position.state}".strip() + (f" [{mover}]" if mover >= 0 else "")

    def features(self, position: OpenSpielPosition) -> list[float]:
        """Return the observation of the player to move, or of player 0 where the game is over."""
        return list(position.state.observation_tensor(max(0, position.state.current_player())))

    def compare(self, one: OpenSpielPosition, other: OpenSpielPosition) -> None:
        """Compare two states with the same key, the first thousand pairs and then a sample.

        Both go on with the same random actions to the end of the game.

        Raises
        ------
        RulesError
            If they differ in what can happen from there.
        """
        self._meetings += 1
        if self._meetings > COMPARED and self._meetings % COMPARED_OF:
            return
        here, there, more = one.state.clone(), other.state.clone(), []
        for _ in range(MAX_PLIES):
            what = self._difference(here, there)
            if what or not here.legal_actions():
                break
            action = self._rng.choice(here.legal_actions())
            more.append(action)
            here.apply_action(action)
            there.apply_action(action)
        if not what:
            return
        played = f", and then {short_repr(more)}" if more else ""
        before = f"{short_repr(one.state.history())} and {short_repr(other.state.history())}"
        raise RulesError(
            f"two states are written {short_repr(str(one.state))}, but have {what} after the actions "
            f"{before}{played}: expected a key that says everything, such as key='observation', "
            "key='plies', key='history' or a function"
        )

    def _difference(self, here: SpielState, there: SpielState) -> str:
        """Return in what two states differ that should be the same; empty if in nothing."""
        if OpenSpielPosition(self, here).key != OpenSpielPosition(self, there).key:
            return "other keys"
        if not here.is_terminal() and here.legal_actions() != there.legal_actions():
            return "other legal actions"
        return ""


class OpenSpielDice(OpenSpielGame):
    """A game of OpenSpiel with dice as plain rules; see :func:`openspiel`."""

    def player(self, position: OpenSpielPosition) -> int:
        """Return the player to move, or ``rs.CHANCE``; 0 where the game is over."""
        return Mover.CHANCE if position.state.is_chance_node() else super().player(position)

    def moves(self, position: OpenSpielPosition) -> list[tuple[str, OpenSpielPosition]]:
        """Return the name and the state after each legal action, or after each throw."""
        if not position.state.is_chance_node():
            return super().moves(position)
        return [(name, target) for name, target, _ in self._thrown(position)]

    def weight(self, position: OpenSpielPosition, target: OpenSpielPosition) -> int:
        """Return how often a throw leads to a state."""
        rows = self._thrown(position)
        return next(weight for _, after, weight in rows if after.key == target.key)

    def _thrown(self, position: OpenSpielPosition) -> list[tuple[str, OpenSpielPosition, int]]:
        """Return the throws with different results, and the weight of each. Raises RulesError."""
        if position.thrown:
            return position.thrown
        state = position.state
        outcomes = state.chance_outcomes()
        exact = [Fraction(share).limit_denominator(MOST_FACES) for _, share in outcomes]
        if sum(exact) != 1 or any(
            abs(f - Fraction(x)) > 2**-50 for f, (_, x) in zip(exact, outcomes, strict=True)
        ):
            raise RulesError(
                f"the probabilities at {short_repr(str(state))} are {short_repr(outcomes)}: expected "
                f"fractions with a denominator of at most {MOST_FACES}"
            )
        whole = math.lcm(*(share.denominator for share in exact))
        names: dict[OpenSpielPosition, str] = {}
        weights: dict[OpenSpielPosition, int] = {}
        for (action, _), share in zip(outcomes, exact, strict=True):
            after = OpenSpielPosition(self, state.child(action))
            names.setdefault(after, state.action_to_string(state.current_player(), action))
            weights[after] = weights.get(after, 0) + int(share * whole)
        position.thrown = [(name, after, weights[after]) for after, name in names.items()]
        return position.thrown


def openspiel(
    game: str | SpielGame, key: str | Key = "text", start: str | Sequence[int] = ()
) -> OpenSpielGame:
    """Return a game of OpenSpiel as rules that :func:`retrosolve.solve` takes.

    Parameters
    ----------
    game : str or pyspiel.Game
        As ``pyspiel.load_game`` takes it: ``"breakthrough(rows=4,columns=4)"``.
    key : {"text", "observation", "plies", "history"} or callable
        What states are told apart by, besides the player to move: ``str(state)``; the observations of
        both players; the text and the number of actions so far, for games that end after some; the
        actions so far, which makes a tree of the game; or a function of the state. Where the key leaves
        out something that matters, such as the number of repetitions, states that it takes for one may
        differ.
    start : str or sequence of int
        Where play begins, to solve a part of a large game: a text that ``new_initial_state`` takes,
        such as a FEN of chess, or actions from the initial state.

    Returns
    -------
    Game
        Owners are OpenSpiel's players 0 and 1, and chance where dice are thrown; the value of a state
        without moves is that of its returns for player 0. Wins and ties count, points do not.

    Raises
    ------
    FormatError
        If pyspiel is not installed.
    RulesError
        For a game with hidden information, moves at the same time, chance without probabilities, or
        another number of players. While it is solved, for two states with the same key from which play
        differs: of the first thousand pairs that meet, and one in 64 of the others, both are played on
        alike, by random actions, to the end.

    Notes
    -----
    OpenSpiel is called for each state, which takes some tens of microseconds, and a state takes about
    a kilobyte.

    Examples
    --------
    ``rs.solve(openspiel("breakthrough(rows=4,columns=3)"))`` has 10,689 positions.

    >>> openspiel(3)
    Traceback (most recent call last):
    retrosolve.errors.GraphError: 3 is no game of OpenSpiel: expected its name, as text
    """
    if not isinstance(game, str) and not hasattr(game, "new_initial_state"):
        raise GraphError(f"{short_repr(game)} is no game of OpenSpiel: expected its name, as text")
    made: SpielGame = _loaded(game) if isinstance(game, str) else game
    has_dice = made.get_type().chance_mode.name == "EXPLICIT_STOCHASTIC"
    return (OpenSpielDice if has_dice else OpenSpielGame)(made, key, start)
