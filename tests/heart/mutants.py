"""Faults to plant in a copy of the package: each has to fail tests that `make quick` runs."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

import retrosolve

SOURCES = Path(retrosolve.__file__).parent

HEART = ("tests/heart/test_proofs.py", "tests/heart/test_solvers.py")
_OBJECTIVES = "tests/objectives/test_"
SCORE = tuple(
    f"{_OBJECTIVES}score.py::test_{name}"
    for name in ("specification_computes_the_same", "scores_of_random_graphs_are_the_thresholds",
                 "loss_takes_the_longest_way_out_of_its_component",
                 "scores_without_remoteness_are_the_same_and_proven")
)  # fmt: skip
SCORE_BY_RULES = (
    f"{_OBJECTIVES}score.py::test_proof_by_rules_refuses_changes_of_any_few_vertices[False]",
)
POINTS, POINTS_BY_RULES = (
    (f"tests/verification/test_points.py::test_one_table_of_all_is_proven[{kind}]",)
    for kind in ("graph", "compiled")
)
SCORE_TIERS = tuple(
    f"{_OBJECTIVES}score.py::test_generated_moves_give_what_stored_moves_give[False-{kind}]"
    for kind in ("successors", "predecessors", "tiers")
)
NIMBER = tuple(
    f"{_OBJECTIVES}nimber.py::test_{name}"
    for name in ("random_graphs_agree_with_the_definition", "every_change_of_one_value_is_refused",
                 "random_changes_of_several_values_are_refused")
)  # fmt: skip
CHANCE = tuple(
    f"{_OBJECTIVES}chance.py::test_{name}"
    for name in ("positions_that_prove_each_other_are_refused",
                 "bounds_past_the_exact_value_are_refused", "random_games_agree_with_exact_arithmetic",
                 "means_are_rounded_against_the_claim")
)  # fmt: skip
CONVERSION = tuple(
    f"{_OBJECTIVES}conversion.py::test_{name}"
    for name in ("solvers_agree_with_the_definition", "other_words_are_refused")
)


class Mutant(NamedTuple):
    """A fault.

    Parameters
    ----------
    meaning : str
        The rule that it breaks.
    old, new : str
        A text that occurs once in the whole package, and what stands there instead.
    tests : tuple of str
        Which tests have to fail.
    """

    meaning: str
    old: str
    new: str
    tests: tuple[str, ...] = HEART


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
        "            if word != end_word(ZERO, stuck, p, data):",
        "            if False:",
    ),
    "compiled proof: unreachable": Mutant(
        "positions that play does not reach may be claimed",
        "if marks[i] == 0 and claimed_word(words, meaning, i) != INVALID_CODE:",
        "if False:",
    ),
    "preference: long losses": Mutant(
        "a loss is said to be as long as its nearest move makes it",
        "best = WORST - plies",
        "best = WORST + plies",
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
        "contradicts = seen != LOSS or plies > expected",
        "contradicts = seen != LOSS",
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
    # -- scores
    "score rule: rewards": Mutant(
        "what a move wins does not count",
        "np.where(edges.same, points, -points) + reward",
        "np.where(edges.same, points, -points)",
        SCORE,
    ),
    "score rule: long losses": Mutant(
        "a player who loses chooses the nearest loss",
        "late = np.where(points < 0, _LATEST - plies, np.where(",
        "late = np.where(points < 0, plies, np.where(",
        SCORE,
    ),
    "score: exits": Mutant(
        "a move out of a component is worth what the opponent wins there",
        "won = points[w] if owned and owner[v] == owner[w] else -points[w]",
        "won = points[w]",
        SCORE,
    ),
    "score: waiting exits": Mutant(
        "a loss inside a component is decided before a longer one outside",
        "if points[v] == -stake and exit_plies[v] > plies:",
        "if False:",
        SCORE,
    ),
    "score: counter": Mutant(
        "a loss is decided as soon as one move leads to it",
        "if open_moves[v] > 0 or points[v] > -stake:",
        "if points[v] > -stake:",
        SCORE,
    ),
    "points: loss": Mutant(
        "a loss without remoteness is derived from one move",
        "waits = np.where(points_of(claimed) < 0, number, np.minimum(number, 1))",
        "waits = np.minimum(number, 1)",
        POINTS,
    ),
    "points: endless": Mutant(
        "endless play waits for moves of its own kind",
        " & (plies_of(claimed[rows]) >= 0)",
        "",
        POINTS,
    ),
    "points: cycle": Mutant(
        "claims without remoteness may support each other in a cycle",
        "if jit.run(derive, size + num_moves, waits, sources, links, last, queue):",
        "if jit.run(derive, size + num_moves, waits, sources, links, last, queue) < 0:",
        POINTS,
    ),
    "points by rules: loss": Mutant(
        "by rules a loss without remoteness is derived from one move",
        "waits[i - below] = made - first if waits_for_all else min(made - first, 1)",
        "waits[i - below] = min(made - first, 1)",
        POINTS_BY_RULES,
    ),
    "points by rules: exits": Mutant(
        "by rules a win without remoteness waits though a move out of the tier wins as much",
        "made = first  # a move out of the tier is enough",
        "pass",
        POINTS_BY_RULES,
    ),
    "score proof by rules: rewards": Mutant(
        "plies are counted on past a move that wins points",
        "    if won != 0:\n        plies = np.int64(1)",
        "    if False:\n        plies = np.int64(1)",
        SCORE_BY_RULES,
    ),
    "score proof by rules: long losses": Mutant(
        "a loss is said to be as long as its nearest move makes it",
        "late = LATEST - plies if points < 0 else late",
        "late = LATEST + plies if points < 0 else late",
        SCORE_BY_RULES,
    ),
    "score tiers: counter": Mutant(
        "a position is lost while one move is still open",
        "if left > 1 or exit > bias - stake or exit == FOREVER:",
        "if exit > bias - stake or exit == FOREVER:",
        SCORE_TIERS,
    ),
    # -- nimbers
    "nimber: rounds": Mutant(
        "an answer takes no time",
        "latest = max(latest, reversed_in[indptr[w] + mex] + 1)",
        "latest = max(latest, reversed_in[indptr[w] + mex])",
        NIMBER,
    ),
    "nimber: due": Mutant(
        "a candidate does not wait for answers outside the cycles",
        "later = max(due[v], now + 1)",
        "later = now + 1",
        NIMBER,
    ),
    "nimber proof: smaller": Mutant(
        "smaller nimbers may be missing among the followers",
        "wrong |= finite & (smaller != number)",
        "wrong |= False",
        NIMBER,
    ),
    "nimber proof: answers": Mutant(
        "a nimber may lack an answer",
        "    if not exists.all():\n        edge",
        "    if False:\n        edge",
        NIMBER,
    ),
    "nimber proof: remoteness": Mutant(
        "the remoteness is not compared",
        "wrong = finite & (expected != claims.remoteness[span])",
        "wrong = finite & False",
        NIMBER,
    ),
    "nimber proof: infinite": Mutant(
        "an infinite value needs no infinite follower",
        "    if (infinite & ~free).any():",
        "    if False:",
        NIMBER,
    ),
    # -- chance
    "chance: throws": Mutant(
        "chance chooses what is best",
        "                if owned and owner[v] == CHANCE:\n                    error",
        "                if False:\n                    error",
        CHANCE,
    ),
    "chance: opponents": Mutant(
        "the opponent's bounds are one's own",
        "below, above = -high[w], -low[w]",
        "below, above = low[w], high[w]",
        CHANCE,
    ),
    "chance: weights": Mutant(
        "all throws have the same probability",
        "share = np.float64(weight[e]) if weighted else 1.0",
        "share = 1.0",
        CHANCE,
    ),
    "chance proof: upper bounds": Mutant(
        "upper bounds are not compared with the moves",
        "right &= (low <= allowed_low) & (high >= allowed_high)",
        "right &= low <= allowed_low",
        CHANCE,
    ),
    "chance proof: rounding": Mutant(
        "means of throws are not rounded against the claim",
        "ERROR = 2.0**-53  #",
        "ERROR = 0.0  #",
        CHANCE,
    ),
    "chance proof: endless play": Mutant(
        "bounds may count on play that never ends",
        "wrong = ~reached & (claims != -most) & ~np.isnan(claims)",
        "wrong = np.zeros(2 * n, bool)",
        CHANCE,
    ),
    # -- distances to conversion
    "conversion: limit": Mutant(
        "a win in as many plies as the limit is cursed",
        "beyond = remoteness_of(packed) > self.limit",
        "beyond = remoteness_of(packed) >= self.limit",
        CONVERSION,
    ),
    "conversion proof by rules: limit": Mutant(
        "a move beyond the limit is counted alone",
        "limit if remoteness_of(answer) > limit else np.int64(0)",
        "np.int64(0)",
        CONVERSION,
    ),
    "conversion proof by rules: tiers": Mutant(
        "a move that leaves its tier counts on",
        "    if gained > 0:\n        limit",
        "    if False:\n        limit",
        CONVERSION,
    ),
    "conversion proof: tiers": Mutant(
        "a move that leaves its tier counts on",
        "np.where(edges.leaves, self.anew(words), words)",
        "np.where(False, self.anew(words), words)",
        (f"{_OBJECTIVES}conversion.py::test_distances_read_from_a_file_are_proven",),
    ),
}


@cache
def sources() -> dict[Path, str]:
    """The text of each file of the package."""
    return {path: path.read_text(encoding="utf-8") for path in sorted(SOURCES.rglob("*.py"))}


def places(mutant: Mutant) -> list[Path]:
    """The file in which the text of a mutant occurs, once for each time."""
    return [path for path, text in sources().items() for _ in range(text.count(mutant.old))]
