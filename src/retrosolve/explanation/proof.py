"""Proof: why a position has its value, as a tree of the moves that decide it.

A WIN needs one move, the best. A LOSS, a TIE and a DRAW need all moves, since none of them may do
better, and so do points. A nimber needs a move to each smaller one, and that no move keeps it. Where
dice are thrown, the best move after each throw is needed, and where chance moves, all its moves. A
position that play reaches in several ways is explained once, where it is nearest to the root.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from gettext import NullTranslations
from html import escape
from operator import attrgetter
from typing import Any, NamedTuple, overload

import numpy as np

from retrosolve.errors import GraphError, one_line
from retrosolve.explanation.steps import SEPARATOR, AlgorithmSteps, algorithm_steps
from retrosolve.languages import DEFAULT, LANGUAGES, digits, percent, player_name, translation
from retrosolve.languages.phrases import outcome_text, phrase, position_text
from retrosolve.objectives import Chance, ChoiceObjective, Conversion, LimitedValue, Nimber, NimValue
from retrosolve.objectives.chance import Odds
from retrosolve.runtime.context import whole_number
from retrosolve.runtime.text import mark
from retrosolve.solution import Solution, preference
from retrosolve.solution.preference import RankedMove
from retrosolve.solution.view import board_of, count
from retrosolve.solving import solve
from retrosolve.spaces.base import Capability, StateSpace
from retrosolve.values import Move, Outcome, Result, Value, clock_of

DEPTH, WIDTH = 3, 8


@overload
def explain(
    subject: Any, position: None = None, *, stuck: str = ..., language: str = ...
) -> AlgorithmSteps: ...
@overload
def explain(
    subject: Any,
    position: Hashable,
    *,
    depth: int = ...,
    width: int = ...,
    stuck: str = ...,
    language: str = ...,
) -> Proof: ...
def explain(
    subject: Any,
    position: Hashable = None,
    *,
    depth: int = DEPTH,
    width: int = WIDTH,
    stuck: str = "loss",
    language: str = DEFAULT,
) -> AlgorithmSteps | Proof:
    """Explain why a position has its value, or how every position of a small game is decided.

    Parameters
    ----------
    subject : Solution, Graph, Game or CompiledGame
        A game is solved first if a position of it is to be explained.
    position : hashable, optional
        The position to explain. By default the algorithm is explained, on all positions of a game of
        at most 200; of a game with a start, only reachable positions count.
    depth : int
        How many plies to explain.
    width : int
        How many moves of a position to show, the best first.
    stuck : {"loss", "win", "tie"}
        The value of a position without moves for the player to move. A solution has its own.
    language : {"en", "fa", "ru", "tr", "vi"}
        The language of the sentences.

    Returns
    -------
    Proof or AlgorithmSteps
        For a position, a tree: a WIN has its best move below it, a LOSS, a TIE and a DRAW all their
        moves, as have points and nimbers, and a throw the best move after each result. A position that
        play reaches in several ways is explained once. Otherwise a list of sections: the initial
        positions, one for each level, and the draws. Both print as text; a proof also shows itself in
        a notebook, with pictures where the rules draw them.

    Raises
    ------
    GraphError
        For more than 200 positions, or another objective than outcome or win-loss-draw, if no position
        is given; for a position and a solution without remoteness, except for one of heaps; or for
        arguments that are not valid.
    PositionError
        If the solution does not contain the position.

    Notes
    -----
    A proof takes time and memory for the positions that it shows, at most 1000, however large the game.

    Examples
    --------
    >>> import retrosolve as rs
    >>> graph = rs.Graph.from_edges(["a", "a", "b", "c"], ["b", "c", "d", "e"])
    >>> print(explain(graph, "a"))
    a is LOSS in 2, because every move loses:
      `b` leads to WIN in 1, because the only move wins:
        `d` leads to LOSS in 0, because there is no move.
      `c` leads to WIN in 1, because the only move wins:
        `e` leads to LOSS in 0, because there is no move.
    Each value is for the player to move there.
    >>> for section in explain(rs.Graph.from_edges(["a", "b"], ["b", "c"])):
    ...     print(section.heading, *section.sentences, sep="\\n  ")
    At the start
      c has no move: LOSS in 0.
    Level 1: looking back from what is decided in 0
      b can move to c, which is LOSS for the player to move there: WIN in 1.
    Level 2: looking back from what is decided in 1
      a has only moves to positions that are WIN for the other player (b): LOSS in 2.
    """
    depth, width = whole_number("depth", depth), whole_number("width", width)
    to = translation(language)
    solution = subject if isinstance(subject, Solution) else None
    if position is None:
        if solution is None:
            return algorithm_steps(subject, stuck, to)
        return algorithm_steps(solution.space, solution.stuck.label, to, solution.objective.name)
    if solution is None:
        solution = solve(subject, stuck=stuck)
    return prove(solution, position, depth, width, language)


MAX_POSITIONS = 1000
MAX_NIMBERS = 4  # that a sentence lists
QUOTED, CODE = re.compile("`([^`]+)`"), r"<code>\1</code>"
INDENT = "  "
NOTE = mark("Each value is for the player to move there.")
NOTE_CONVERSION = mark("Plies count to the next move that leaves its tier, and from there anew.")
NOTE_CHANCE = mark("Where chance moves, a value is for the first player.")
NOTE_CUT = mark("... is left out: a larger depth or width shows more.")

# What a place of the tree shows: the root, or the move that leads there.
ROOT = mark("{name} is {outcome}")
ROOT_PLAYER = mark("{name}, {player} to move, is {outcome}")
MOVE = mark("`{move}` leads to {outcome}")
MOVE_NAME = mark("`{move}` leads to {name}, {outcome}")
MOVE_PLAYER = mark("`{move}` leads to {name}, {player} to move, {outcome}")

# Why it is so.
AGAIN = mark("{claim}: the same position again, so play need not end.")
AGAIN_BY_CHANCE = mark("{claim}: the same position again, which its value takes into account.")
ABOVE, BELOW = mark("{claim}, as above."), mark("{claim}, as below.")
ABOVE_NAME, BELOW_NAME = mark("{claim}, as above: {name}."), mark("{claim}, as below: {name}.")
CUT = mark("{claim}, because {reason} ...")
SHARE = mark("{claim}, because {reason} ({shown} of {total} shown ...):")
MOVES_FOLLOW = mark("{claim}, because {reason}:")
NO_MOVES_FOLLOW = mark("{claim}, because {reason}.")

# What decides a position, by its value where that matters.
TERMINAL = mark("the rules end the game here")
STUCK = mark("there is no move")
ONLY_MOVE = {
    Value.WIN: mark("the only move wins"),
    Value.LOSS: mark("the only move loses"),
    Value.TIE: mark("the only move ties"),
    Value.DRAW: mark("the only move keeps the draw"),
}
EVERY_MOVE = {
    Value.WIN: mark("every move wins, none sooner than {move}"),
    Value.LOSS: mark("every move loses"),
    Value.TIE: mark("every move ties"),
    Value.DRAW: mark("every move keeps the draw"),
}
ONE_MOVE = {
    Value.WIN: mark("only {move} wins"),
    Value.TIE: mark("{move} ties and no move wins"),
    Value.DRAW: mark("{move} keeps the draw and every other move loses"),
}
BEST_MOVE = mark("no move is better than {move}")
MEAN = mark("it is the mean of what chance may do")
MEAN_OF_BEST = mark("it is the mean of the best moves after each throw")
# What gives a position its nimber; "{own}" is that, or for ∞ the only one that it could have.
NIM_SUM = mark("it is the sum of {parts}")
NIM_ZERO = mark("no move leads to {own}")
NIM = mark("moves lead to {smaller}, and none to {own}")
NIM_ZERO_LOOP = mark("no move leads to {own}, and infinite positions are answered by a move back to it")
NIM_LOOP = mark(
    "moves lead to {smaller}, none to {own}, and infinite positions are answered by a move back to it"
)
INFINITE = mark("it could only be {own}, but after {move} no move leads to {own}")
SOME_MOVES = {
    Value.WIN: mark("{move} wins ({same} of {total} moves do)"),
    Value.TIE: mark("{move} ties ({same} of {total} moves do) and no move wins"),
    Value.DRAW: mark("{move} keeps the draw ({same} of {total} moves do) and every other move loses"),
}


@dataclass(eq=False, repr=False)
class Proof:
    """Why a position has its value: the moves that decide it, and why their targets have theirs.

    ``print(proof)`` shows the whole tree.

    Parameters
    ----------
    position : hashable
    text : str
        The position as text.
    outcome : Outcome
    player : str or None
        Who moves; None where the players alternate.
    reason : str
        What decides the position: the part of a sentence after "because".
    steps : list of Step
        The moves shown, best first. Empty where the game is over, where the same position is explained
        elsewhere in the tree (``repeats``), and where the explanation stops (``is_cut``).
    hidden_moves : int
        The number of moves that the proof needs but does not show.
    is_cut : bool
        Whether the moves are left out because of the depth or the size of the tree.
    repeats : Proof, optional
        The same position where it is explained.
    board : list of str
        The rows of the board, if the rules or the text of the position show one; only at the root and
        along the best play, like ``svg``.
    svg : str, optional
        The picture that the rules draw of the position.
    language : str
        The language of ``reason`` and of the text.
    notes : tuple of str
        Sentences below the tree, in English.
    share : float, optional
        How likely the throw is that leads to the position, where dice are thrown.

    Examples
    --------
    >>> import retrosolve as rs
    >>> proof = rs.explain(rs.solve(rs.Graph.from_edges(["a"], ["b"])), "a")
    >>> str(proof.outcome), proof.reason, [step.move.name for step in proof.steps]
    ('WIN in 1', 'the only move wins', ['b'])
    """

    position: Hashable
    text: str
    outcome: Outcome
    player: str | None = None
    reason: str = ""
    steps: list[Step] = field(default_factory=list)
    hidden_moves: int = 0
    is_cut: bool = False
    repeats: Proof | None = None
    board: list[str] = field(default_factory=list)
    svg: str | None = None
    language: str = DEFAULT
    notes: tuple[str, ...] = (NOTE,)
    share: float | None = None

    def walk(self) -> Iterator[Place]:
        """Yield every place of the tree, each before the places below it."""
        stack = [Place(0, None, self, is_main=True)]
        while stack:
            place = stack.pop()
            yield place
            below = [
                Place(place.level + 1, step.move, step.proof, is_main=place.is_main and not number)
                for number, step in enumerate(place.proof.steps)
            ]
            stack.extend(reversed(below))

    def rows(self) -> Iterator[str]:
        """Yield the text a line at a time: a sentence for each place, boards along the best play."""
        for place, sentence in _sentences(self):
            yield INDENT * place.level + sentence
            for row in place.proof.board:
                yield INDENT * (place.level + 2) + row
        yield from self._notes()

    def markdown(self) -> str:
        """Return the tree as nested lists of Markdown, boards as blocks of text."""
        rows = []
        for place, sentence in _sentences(self):
            inside = INDENT * (place.level + 1)
            rows.append(f"{INDENT * place.level}- {sentence}")
            if place.proof.board:
                fence = [inside + "```text", *(inside + row for row in place.proof.board)]
                rows += ["", *fence, inside + "```", ""]
        return "\n".join([*rows, "", *self._notes()])

    def _notes(self) -> list[str]:
        """Return the sentences below the tree."""
        translate = translation(self.language).gettext
        is_cut = any(place.proof.is_cut or place.proof.hidden_moves for place in self.walk())
        return [translate(note) for note in (*self.notes, *((NOTE_CUT,) if is_cut else ()))]

    def __str__(self) -> str:
        return "\n".join(self.rows())

    def __repr__(self) -> str:
        return f"Proof({one_line(self.text)}: {self.outcome}, {count(self.steps)})"

    def _repr_html_(self) -> str:
        """Return the tree as nested lists, with pictures of the best play, for a notebook."""
        parts: list[str] = []
        level = -1
        for place, sentence in _sentences(self):
            parts.append(
                "<ul>" if place.level > level else "</li>" + "</ul></li>" * (level - place.level)
            )
            level = place.level
            parts.append(f"<li>{QUOTED.sub(CODE, escape(sentence))}{_picture(place)}")
        tree = "".join(parts) + "</li></ul>" * (level + 1)
        language, notes = LANGUAGES[self.language], escape(" ".join(self._notes()))
        return f'<div lang="{language.code}" dir="{language.direction}">{tree}<p>{notes}</p></div>'


class Step(NamedTuple):
    """A move, and why the position that it leads to has its value."""

    move: Move
    proof: Proof


class Place(NamedTuple):
    """A position in a tree.

    Parameters
    ----------
    level : int
        The number of moves from the root.
    move : Move or None
        The move that leads to the position; None for the root.
    proof : Proof
    is_main : bool
        Whether all moves from the root are the best ones.
    """

    level: int
    move: Move | None
    proof: Proof
    is_main: bool


def prove(
    solution: Solution, position: Hashable, depth: int, width: int, language: str = DEFAULT
) -> Proof:
    """Return the proof of a position, of a number of plies and of moves of each position.

    Raises
    ------
    GraphError
        For a solution without remoteness, in which the proof of a win could refer to itself.
    PositionError
        If the solution does not contain the position.
    """
    notes, nimbers = _notes_of(solution), isinstance(solution.objective, Nimber)
    space = solution.space
    to = translation(language)
    position, vertex = space.resolved(position)
    root = _proof(space, position, preference.outcome_at(solution, position))
    root.language, root.notes = language, notes
    at: Hashable = position if space.has_sums else (vertex, clock_of(position))
    known: dict[Hashable, Proof] = {at: root}
    queue = deque([(root, depth)])
    while queue:
        proof, plies = queue.popleft()
        moves = preference.ranked_moves(solution, proof.position)
        if nimbers:
            proof.reason, needed = _nimber_reason(solution, proof, moves, to)
        elif moves and moves[0].throw is not None:
            proof.reason, needed = _mean_of(moves, to)
        else:
            proof.reason = _reason(space, proof, moves, to)
            needed = moves[:1] if _plain(proof.outcome.value) is Value.WIN else moves
        proof.is_cut = bool(needed) and (plies == 0 or len(known) > MAX_POSITIONS)
        if proof.is_cut:
            continue
        proof.hidden_moves = max(0, len(needed) - width)
        for ranked in needed[:width]:
            move = ranked.move
            at = move.position if space.has_sums else (ranked.vertex, clock_of(move.position))
            child = _proof(space, move.position, move.outcome)
            if at in known and move.outcome.remoteness != 0:
                child.repeats = known[at]
            else:
                known.setdefault(at, child)
                queue.append((child, plies - 1))
            child.share = None if ranked.throw is None else ranked.share
            proof.steps.append(Step(move, child))
    for place in root.walk():
        if place.is_main:
            place.proof.svg = space.svg(place.proof.position)
            place.proof.board = board_of(space, place.proof.position)
    return root


def _notes_of(solution: Solution) -> tuple[str, ...]:
    """Return the sentences below a tree. Raises GraphError where a solution has no such tree."""
    objective = solution.objective
    if isinstance(objective, Nimber):
        return ()
    if isinstance(objective, Chance):
        return (NOTE, *([NOTE_CHANCE] if Capability.OWNED in solution.space.capabilities else []))
    if not isinstance(objective, ChoiceObjective):
        raise GraphError(f"a proof tree for {objective!r}: expected a solution of another objective")
    if not solution.table.has_remoteness:
        raise GraphError(
            f"a proof needs remoteness: expected a solution that has it, not {objective!r}"
        )
    return (NOTE, NOTE_CONVERSION) if isinstance(objective, Conversion) else (NOTE,)


def _proof(space: StateSpace, position: Hashable, outcome: Outcome) -> Proof:
    """Return the proof of a position without its moves."""
    movers = None if space.has_sums else space.player(np.array([space.index(position)]))
    player = None if movers is None else space.owners[int(movers[0])]
    return Proof(position, space.text(position), outcome, player)


def _reason(space: StateSpace, proof: Proof, moves: list[RankedMove], to: NullTranslations) -> str:
    """Return the reason for the value of a position, given its moves, best first."""
    value, total = _plain(proof.outcome.value), len(moves)
    if not moves:
        vertex = space.index(proof.position)
        ends = space.terminal(vertex, vertex + 1)[0] != 0
        return to.gettext(TERMINAL if ends else STUCK)
    same = sum(_plain(ranked.value) == value for ranked in moves)
    if total == 1 and not isinstance(value, Odds):
        template = ONLY_MOVE[value.kind]
    elif not isinstance(value, Value):
        template = BEST_MOVE
    elif same == total:
        template = EVERY_MOVE[value]
    else:
        template = (ONE_MOVE if same == 1 else SOME_MOVES)[value]
    name = _move_name(moves[0], to)
    translate = to.gettext
    return translate(template).format(
        move=name, same=digits(same, translate), total=digits(total, translate)
    )


def _mean_of(moves: list[RankedMove], to: NullTranslations) -> tuple[str, list[RankedMove]]:
    """Return the reason for the value of a throw, and the moves that count: one for each result."""
    if not moves[0].is_choice:
        return to.gettext(MEAN), sorted(moves, key=attrgetter("place"))
    best = {ranked.throw: ranked for ranked in reversed(moves)}
    return to.gettext(MEAN_OF_BEST), [best[throw] for throw in sorted(best, key=lambda k: k or 0)]


def _move_name(ranked: RankedMove, to: NullTranslations) -> str:
    """Return the name of a move in a sentence."""
    return f"`{phrase(one_line(ranked.move.name), to)}`"


def _plain(value: Result) -> Result:
    """Return the value of a result under a limit of plies that is won or lost as without the limit."""
    is_same = isinstance(value, LimitedValue) and value.ends and not value.detail
    return value.kind if is_same else value


def _nimber_reason(
    solution: Solution, proof: Proof, moves: list[RankedMove], to: NullTranslations
) -> tuple[str, list[RankedMove]]:
    """Return the reason for a nimber or ∞, and the moves, those that it names first."""
    space, value, translate = solution.space, proof.outcome.value, to.gettext
    parts = space.summands(proof.position) if space.has_sums else ()
    if len(parts) > 1:
        values = [preference.outcome(solution.table, vertex).value.name for vertex in parts]
        return translate(NIM_SUM).format(parts=" + ".join(values)), []
    if not moves:
        return translate(STUCK), []
    by_value = {ranked.move.outcome.value: ranked for ranked in reversed(moves)}
    numbers = sorted(after.number for after in by_value if after.number is not None)
    least = next(k for k in range(len(numbers) + 1) if k not in numbers)
    named = [by_value[NimValue(k)] for k in range(least)]
    infinite = [ranked for ranked in moves if ranked.move.outcome.value.number is None]
    own, move = NimValue(least).name, ""
    if value.number is None:
        template, answered = INFINITE, NimValue(least)
        escapes = (
            ranked
            for ranked in infinite
            if all(move.outcome.value != answered for move in solution.moves(ranked.move.position))
        )
        named = [next(escapes), *named]
        move = _move_name(named[0], to)
    elif infinite:
        template = NIM_LOOP if least else NIM_ZERO_LOOP
    else:
        template = NIM if least else NIM_ZERO
    smaller = [NimValue(k).name for k in range(least)]
    if least > MAX_NIMBERS:
        smaller[1:-1] = ["..."]
    reason = translate(template).format(own=own, smaller=translate(SEPARATOR).join(smaller), move=move)
    places = {ranked.place for ranked in named}
    return reason, [*named, *(ranked for ranked in moves if ranked.place not in places)]


def _sentences(proof: Proof) -> Iterator[tuple[Place, str]]:
    """Yield every place of a proof with what it says."""
    to = translation(proof.language)
    shown: set[int] = set()
    path: list[int] = []
    for place in proof.walk():
        del path[place.level :]
        path.append(id(place.proof.repeats or place.proof))
        template, values = _predicate(place.proof, shown, path[:-1], to)
        share = "" if place.proof.share is None else f"{percent(place.proof.share, to.gettext, 1)}: "
        yield place, share + to.gettext(template).format(claim=_claim(place, to), **values)
        shown.add(id(place.proof))


def _claim(place: Place, to: NullTranslations) -> str:
    """Return the first part of a sentence: the move, the position, who moves, the outcome."""
    translate = to.gettext
    proof, name = place.proof, _inline(position_text(place.proof.text, to))
    move = None if place.move is None else _inline(phrase(place.move.name, to))
    shows_player = proof.player is not None and "to move" not in proof.text
    if move is None:
        template = ROOT_PLAYER if shows_player else ROOT
    elif shows_player:
        template = MOVE_PLAYER
    else:
        template = MOVE if move == name else MOVE_NAME
    return translate(template).format(
        name=name,
        move=move,
        player=player_name(_inline(proof.player or ""), to),
        outcome=outcome_text(proof.outcome, to.gettext),
    )


def _predicate(
    proof: Proof, shown: set[int], path: list[int], to: NullTranslations
) -> tuple[str, dict[str, object]]:
    """Return the template of the whole sentence, and what it needs besides the claim."""
    if proof.repeats is not None:
        if id(proof.repeats) in path:
            return (AGAIN_BY_CHANCE if isinstance(proof.outcome.value, Odds) else AGAIN), {}
        is_above, is_same = id(proof.repeats) in shown, proof.repeats.text == proof.text
        if is_same:
            return (ABOVE if is_above else BELOW), {}
        return (ABOVE_NAME if is_above else BELOW_NAME), {
            "name": _inline(position_text(proof.repeats.text, to))
        }
    values: dict[str, object] = {"reason": proof.reason}
    if proof.is_cut:
        return CUT, values
    if proof.hidden_moves:
        shares = {"shown": len(proof.steps), "total": len(proof.steps) + proof.hidden_moves}
        return SHARE, values | {key: digits(n, to.gettext) for key, n in shares.items()}
    return (MOVES_FOLLOW if proof.steps else NO_MOVES_FOLLOW), values


def _inline(text: str) -> str:
    """Return a text on one line, the lines of a board between slashes."""
    return one_line(" / ".join(text.splitlines()))


def _picture(place: Place) -> str:
    """Return the picture of a place, or else its board as text."""
    if place.proof.svg:
        return f"<div>{place.proof.svg}</div>"
    return f"<pre>{escape(chr(10).join(place.proof.board))}</pre>" if place.proof.board else ""
