"""The retrograde algorithm on a small game, step by step, in sentences.

Every sentence is a whole template, so that it can be translated: ``translate`` maps an English template
to one of another language with the same placeholders.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from gettext import NullTranslations
from html import escape
from itertools import chain
from typing import Any

from retrosolve.errors import GraphError
from retrosolve.explanation.tracing import (
    Event,
    Level,
    Phase,
    Rule,
    Trace,
    check_explained,
    trace,
)
from retrosolve.languages import Translate, digits
from retrosolve.languages.phrases import outcome_text, position_text
from retrosolve.objectives import Outcome
from retrosolve.runtime.text import mark
from retrosolve.spaces.base import solvable

MAX_VERTICES = 200

HEADINGS = {
    Phase.START: mark("At the start"),
    Phase.WINS: mark("Level {level}: looking back from what is decided in {previous}"),
    Phase.TIES: mark("Ties, level {level}: looking back from what is decided in {previous}"),
    Phase.DRAWS: mark("What is left: DRAW"),
}
"""The heading of a level, by its phase."""

SENTENCES = {
    "terminal": mark("{name} is terminal: {outcome}."),
    "stuck": mark("{name} has no move: {outcome}."),
    "win": mark("{name} can move to {target}, which is LOSS for the player to move there: {outcome}."),
    "win-same": mark("{name} can move to {target}, which is WIN for the same player: {outcome}."),
    "tie": mark("{name} can move to {target}, which is TIE: {outcome}."),
    "refuted": mark(
        "Moving from {name} to {target} would lose, since {target} is WIN for the player to move "
        "there; moves left to examine: {open} of {total}."
    ),
    "refuted-same": mark(
        "Moving from {name} to {target} would lose, since {target} is LOSS for the same player; "
        "moves left to examine: {open} of {total}."
    ),
    "loss": mark(
        "{name} has only moves to positions that are WIN for the other player ({moves}): {outcome}."
    ),
    "loss-owned": mark("{name} has only moves that lose ({moves}): {outcome}."),
    "draw": mark("{name} has no winning move, but can avoid losing by moving to {moves}."),
}
"""The sentence of an event, by its key."""

NO_START = mark("No position is terminal or without a move.")
SEPARATOR = mark(", ")


@dataclass
class Section:
    """A part of an explanation.

    Parameters
    ----------
    heading : str
    sentences : list of str
    """

    heading: str
    sentences: list[str] = field(default_factory=list)


class AlgorithmSteps(list[Section]):
    """The steps of the algorithm: a list of sections that prints as text."""

    def __str__(self) -> str:
        rows = [[part.heading, *(f"  {sentence}" for sentence in part.sentences)] for part in self]
        return "\n".join(chain.from_iterable(rows))

    def markdown(self) -> str:
        """Return a heading and a list for each section, as Markdown."""
        rows = [[f"## {part.heading}", "", *(f"- {x}" for x in part.sentences), ""] for part in self]
        return "\n".join(chain.from_iterable(rows)).rstrip()

    def _repr_html_(self) -> str:
        """Return a heading and a list for each section, for a notebook."""
        return "".join(
            f"<h2>{escape(part.heading)}</h2>"
            f"<ul>{''.join(f'<li>{escape(sentence)}</li>' for sentence in part.sentences)}</ul>"
            for part in self
        )


def algorithm_steps(
    subject: Any, stuck: str, to: NullTranslations, asked: str | None = None
) -> AlgorithmSteps:
    """Explain how every position of a small game is decided, level by level.

    Parameters
    ----------
    subject : Graph, Game or CompiledGame
    stuck : {"loss", "win", "tie"}
    to : NullTranslations
        The catalogue.
    asked : str, optional
        The name of the objective; by default that of the game.

    Raises
    ------
    GraphError
        For more than 200 positions, for an objective that other algorithms answer, or for arguments
        that are not valid.
    """
    of_rules: str = getattr(subject, "objective", Outcome.name)
    check_explained(asked or of_rules)
    space = solvable(subject).reachable_subspace()
    name = asked or space.default_objective
    check_explained(name)
    n = space.num_vertices
    if n > MAX_VERTICES:
        raise GraphError(
            f"{n} positions are too many to explain one by one: expected at most {MAX_VERTICES}, or a "
            "position to explain"
        )
    traced = translated(trace(space, stuck=stuck, objective=name), to)
    return steps_of(traced, to.gettext)


def translated(found: Trace, to: NullTranslations) -> Trace:
    """Return a trace with the words in the texts of its positions in the language of a catalogue."""
    return replace(found, names=tuple(position_text(name, to) for name in found.names))


def steps_of(found: Trace, translate: Translate = str) -> AlgorithmSteps:
    """Return a trace in sentences: a section for each level, a sentence for each event.

    Parameters
    ----------
    found : Trace
    translate : callable
        Maps an English sentence with placeholders to that of another language.

    Examples
    --------
    >>> import retrosolve as rs
    >>> print(steps_of(trace(rs.Graph.from_edges(["a"], ["b"]))))
    At the start
      b has no move: LOSS in 0.
    Level 1: looking back from what is decided in 0
      a can move to b, which is LOSS for the player to move there: WIN in 1.
    """
    sections = AlgorithmSteps()
    for level in found.levels:
        sentences = [sentence(found, event, translate) for event in level.events]
        if level.phase is Phase.START and not sentences:
            sentences.append(translate(NO_START))
        sections.append(Section(heading(level, translate), sentences))
    return sections


def heading(level: Level, translate: Translate = str) -> str:
    """Return the heading of a level.

    Examples
    --------
    >>> heading(Level(Phase.WINS, 2, ()))
    'Level 2: looking back from what is decided in 1'
    """
    number = level.remoteness or 0
    return translate(HEADINGS[level.phase]).format(
        level=digits(number, translate), previous=digits(number - 1, translate)
    )


def sentence_key(trace: Trace, event: Event) -> str:
    """Return which of the sentences says what an event does.

    Examples
    --------
    >>> import retrosolve as rs
    >>> from retrosolve.explanation import trace
    >>> found = trace(rs.Graph.from_edges([0], [1], owner=[0, 0], terminal={1: "win"}))
    >>> [sentence_key(found, event) for event in found.events]
    ['terminal', 'win-same']
    """
    rule = event.rule
    if rule is Rule.LOSS:
        return "loss" if trace.owner is None else "loss-owned"
    if rule in (Rule.WIN, Rule.REFUTED) and event.target is not None:
        return f"{rule}-same" if trace.same_player(event.vertex, event.target) else rule.value
    return rule.value


def sentence(trace: Trace, event: Event, translate: Translate = str) -> str:
    """Describe an event in a sentence.

    Parameters
    ----------
    trace : Trace
    event : Event
    translate : callable
        Maps an English template to that of another language.

    Examples
    --------
    >>> import retrosolve as rs
    >>> from retrosolve.explanation import trace
    >>> found = trace(rs.Graph.from_edges(["a"], ["b"]))
    >>> sentence(found, found.events[-1])
    'a can move to b, which is LOSS for the player to move there: WIN in 1.'
    """
    v = event.vertex
    moves = [trace.names[w] for _, w in trace.deciding_moves(event)]
    return translate(SENTENCES[sentence_key(trace, event)]).format(
        name=trace.names[v],
        target="" if event.target is None else trace.names[event.target],
        outcome="" if event.outcome is None else outcome_text(event.outcome, translate),
        moves=translate(SEPARATOR).join(dict.fromkeys(moves)),
        open=digits(event.open_moves, translate),
        total=digits(len(trace.successors[v]), translate),
    )
