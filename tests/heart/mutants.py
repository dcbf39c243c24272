"""Faults to plant in a copy of the package: each has to fail the tests of this folder."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

import retrosolve

SOURCES = Path(retrosolve.__file__).parent


class Mutant(NamedTuple):
    """A fault.

    Parameters
    ----------
    meaning : str
        The rule that it breaks.
    old, new : str
        A text that occurs once in the whole package, and what stands there instead.
    """

    meaning: str
    old: str
    new: str


MUTANTS = {
    # -- the proof of graphs
    "local proof: remoteness": Mutant(
        "the remoteness of a claim is not compared",
        "wrong = claimed != expected",
        "wrong = (claimed & 7) != (expected & 7)",
    ),
    "local proof: ends": Mutant(
        "a vertex at which the game is over may have any value",
        "wrong = claimed != expected",
        "wrong = ~ends & (claimed != expected)",
    ),
    "local proof: invalid target": Mutant(
        "a move may lead to what is claimed to be no position",
        "    if (values == INVALID).any():\n        _refuse_move",
        "    if False:\n        _refuse_move",
    ),
    "rule: long losses": Mutant(
        "a player who loses chooses the nearest loss",
        "np.where(np.arange(4) == LOSS, -1, 1)",
        "np.where(np.arange(4) == LOSS, 1, 1)",
    ),
    "rule: ties": Mutant(
        "a player prefers a draw to a tie",
        "np.argsort([WIN, TIE, DRAW, LOSS])",
        "np.argsort([WIN, DRAW, TIE, LOSS])",
    ),
    "rule: owners": Mutant(
        "a successor of the same player is seen as the opponent's",
        "np.where(same, _SAME[code], _OTHER[code])",
        "np.where(same, _OTHER[code], _OTHER[code])",
    ),
    "rule: stuck": Mutant(
        "who cannot move has lost, whatever the objective says",
        "np.where(terminal != 0, terminal, np.int64(self.stuck))",
        "np.where(terminal != 0, terminal, np.int64(LOSS))",
    ),
    # -- the proofs of games and of edges on disk
    "compiled proof: last position": Mutant(
        "the last position of a range is not compared with its moves",
        "        wrong = waiting\n    check_guard(",
        "        wrong = wrong\n    check_guard(",
    ),
    "compiled proof: stuck": Mutant(
        "a position without moves may have any value",
        "            if word != stuck:",
        "            if False:",
    ),
    "compiled proof: unreachable": Mutant(
        "positions that play does not reach may be claimed",
        "if marks[i] == 0 and claimed_word(words, meaning, i) != INVALID_CODE:",
        "if False:",
    ),
    "preference: long losses": Mutant(
        "a loss is said to be as long as its nearest move makes it",
        "PER_PLY = np.array([0, -1,",
        "PER_PLY = np.array([0, 1,",
    ),
    "two-token proof: ends": Mutant(
        "a terminal position may have any value",
        "            if word != given:",
        "            if False:",
    ),
    "values proof: losses": Mutant(
        "claimed losses are not compared with those that are derived",
        "wrong |= derived.set_of(claimed == LOSS) ^ lost",
        "wrong |= 0",
    ),
    "edge proof: losses": Mutant(
        "a loss may be claimed to be shorter than its moves",
        "contradicts = seen != 2 or plies > expected",
        "contradicts = seen != 2",
    ),
    # -- the solvers
    "specification: long losses": Mutant(
        "a loss is as near as possible",
        "1 + max(remoteness[w] for w in successors[v])",
        "1 + min(remoteness[w] for w in successors[v])",
    ),
    "specification: ties first": Mutant(
        "ties are propagated before wins and losses",
        "for rule in (win_or_loss, tie):",
        "for rule in (tie, win_or_loss):",
    ),
    "initial: invalid": Mutant(
        "an index that stands for no position has a remoteness",
        "remoteness[(value != 0) & (value != INVALID)] = 0",
        "remoteness[value != 0] = 0",
    ),
    "worklist: owners": Mutant(
        "players always alternate",
        "same = owned and owner[v] == owner[w]\n            if tied",
        "same = False\n            if tied",
    ),
    "worklist: counter": Mutant(
        "a vertex is lost while one move is still open",
        "                if count > 1:",
        "                if count > 2:",
    ),
    "acyclic: long losses": Mutant(
        "a loss is as near as possible",
        "plies = max(plies, r) if best == LOSS else min(plies, r)",
        "plies = min(plies, r)",
    ),
    "serial: counter": Mutant(
        "a vertex is lost while one move is still open",
        "if ties or side(s) == side(mark) or counter(s) == 1:",
        "if ties or side(s) == side(mark) or counter(s) <= 2:",
    ),
    "sweep: owners": Mutant(
        "both players want what player 0 wants",
        "good = join = 0 if owner[u64(v)] == 1 else 1",
        "good = join = 1",
    ),
    "frontier: counter": Mutant(
        "a vertex is lost while one move is still open",
        "if counter(s) > 1 and not ties and side(s) != on:",
        "if counter(s) > 2 and not ties and side(s) != on:",
    ),
    "retrograde: fresh": Mutant(
        "what a level has decided does not notify its predecessors",
        "            fresh[w] = zero\n",
        "            fresh[w] = 0\n",
    ),
    "generated: pending losses": Mutant(
        "a loss is decided before its longest move to an earlier tier",
        "return bound if counter_bits < 0 else bound & (np.int64(1) << counter_bits) - 1",
        "return np.int64(0)",
    ),
    "generated sweep: losses": Mutant(
        "a position is lost as soon as one of its moves is",
        "if good or (bad == count and not ties):",
        "if good or (bad > 0 and not ties):",
    ),
    "generated tiers: long losses": Mutant(
        "a loss is one ply long",
        "return pack(LOSS, loss)",
        "return pack(LOSS, np.int64(1))",
    ),
    "generated: owners": Mutant(
        "players always alternate",
        "if code == TIE or same_side(p, q, data):",
        "if code == TIE:",
    ),
    "bitset: losses": Mutant(
        "a position is lost as soon as one of its moves is",
        "            lost[i] = all_won\n",
        "",
    ),
}


@cache
def sources() -> dict[Path, str]:
    """The text of each file of the package."""
    return {path: path.read_text(encoding="utf-8") for path in sorted(SOURCES.rglob("*.py"))}


def places(mutant: Mutant) -> list[Path]:
    """The file in which the text of a mutant occurs, once for each time."""
    return [path for path, text in sources().items() for _ in range(text.count(mutant.old))]
