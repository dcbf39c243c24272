"""The retrograde algorithm on a small game, step by step, in sentences."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from retrosolve.errors import GraphError
from retrosolve.explanation.tracing import Phase, Trace, trace
from retrosolve.explanation.words import NO_START, Translate, heading, sentence
from retrosolve.spaces.solvable import solvable

MAX_VERTICES = 200


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


def algorithm_steps(subject: Any, stuck: str, translate: Translate = str) -> AlgorithmSteps:
    """Explain how every position of a small game is decided, level by level.

    Parameters
    ----------
    subject : Graph, Game or CompiledGame
    stuck : {"loss", "win", "tie"}
    translate : callable
        Maps an English sentence with placeholders to that of another language.

    Raises
    ------
    GraphError
        For more than 200 positions, or arguments that are not valid.
    """
    space = solvable(subject).reachable_subspace()
    n = space.num_vertices
    if n > MAX_VERTICES:
        raise GraphError(
            f"{n} positions are too many to explain one by one: expected at most {MAX_VERTICES}, or a "
            "position to explain"
        )
    return steps_of(trace(space, stuck=stuck), translate)


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
