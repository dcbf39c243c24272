"""Faults to plant in a copy of the package: each has to fail the tests that its row names."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

import retrosolve

SOURCES = Path(retrosolve.__file__).parent

HEART = ("tests/heart/test_proofs.py", "tests/heart/test_solvers.py")
_LAWS = "tests/conformance/test_"
ANSWERS = _LAWS + "answers.py::test_every_solver_is_right_and_proven[{}-interpreted]"
REFUSED = _LAWS + "refusal.py::test_changes_of_a_few_values_are_refused[{}-interpreted]"
SCORE = (
    ANSWERS.format("score"), REFUSED.format("score"), REFUSED.format("score, no levels"),
    "tests/objectives/test_score.py::test_loss_takes_the_longest_way_out_of_its_component",
)  # fmt: skip
SCORE_BY_RULES = (REFUSED.format("score, compiled"), ANSWERS.format("score, compiled"))
POINTS, POINTS_BY_RULES = (
    (f"tests/verification/test_points.py::test_one_table_of_all_is_proven[{kind}]",)
    for kind in ("graph", "compiled")
)
SCORE_TIERS = (ANSWERS.format("score, compiled"),)
NIMBER = (
    ANSWERS.format("nimber"), REFUSED.format("nimber"),
    "tests/objectives/test_nimber.py::test_zero_waits_for_its_latest_answer_outside_the_cycles",
)  # fmt: skip
CHANCE = (
    ANSWERS.format("chance"), REFUSED.format("chance"),
    *(f"tests/objectives/test_chance.py::test_{name}"
      for name in ("positions_that_prove_each_other_are_refused", "bounds_past_the_exact_value_are_refused",
                   "means_are_rounded_against_the_claim")),
)  # fmt: skip
CONVERSION = (ANSWERS.format("conversion"), REFUSED.format("conversion"))
_GAMES = "tests/games/test_laws.py::test_"
MESSAGES = "tests/test_messages.py::test_bad_input_is_answered_by_its_sentence"


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
        ("tests/objectives/test_conversion.py::test_distances_read_from_a_file_are_proven",),
    ),
    # -- files
    "parity games: sinks": Mutant(
        "a sink of a parity game is won by the player of its parity",
        "wins = file.priority % 2 == file.owner",
        "wins = file.priority % 2 != file.owner",
        (
            "tests/formats/test_foreign_files.py::test_foreign_file_is_read_as_the_table_says[pg: ladder]",
        ),
    ),
    "saved answers: remoteness": Mutant(
        "in a file, only a draw is without remoteness",
        "wrong = (value == Value.DRAW) != (remoteness == -1)",
        "wrong = (value == Value.DRAW) & (remoteness != -1)",
        (
            "tests/formats/test_foreign_files.py::test_foreign_file_is_read_as_the_table_says[table: loss without remoteness]",
        ),
    ),
    "edge lists: padded numbers": Mutant(
        "007 and 7 are two vertices",
        "if reader.padded and not forced:",
        "if reader.padded and forced:",
        ("tests/formats/test_edge_list.py::test_numbers_with_leading_zeros_are_names",),
    ),
    "DOT: strict graphs": Mutant(
        "a strict undirected graph has one edge between two vertices",
        "frozenset((a, b)) if both_ways else (a, b)",
        "(a, b)",
        (
            "tests/formats/test_foreign_files.py::test_foreign_file_is_read_as_the_table_says[dot: strict, undirected]",
        ),
    ),
    "tables: rows twice": Mutant(
        "a table of vertices has one row for each",
        "    _refuse_repeated(at)\n",
        "",
        (f"{MESSAGES}[tables: table: row twice]",),
    ),
    "edges on disk: names twice": Mutant(
        "a table of named vertices on disk has one row for each",
        "if np.count_nonzero(named) < len(numbers):",
        "if np.count_nonzero(named) < 0:",
        (f"{MESSAGES}[edges_on_disk: table with a name twice]",),
    ),
    # -- saved solutions, and what is asked of solutions
    "store: declared size": Mutant(
        "a block that says it is larger than it is is not decompressed",
        "if declared not in (-1, size):",
        "if declared == -1:",
        (
            "tests/store/test_trust.py::test_a_block_that_says_it_is_larger_is_not_decompressed[4398046511104]",
        ),
    ),
    "store: other rules": Mutant(
        "rules run only if they are those that were saved",
        "if source_digest(source) != digest:",
        "if not digest:",
        ("tests/store/test_trust.py::test_hostile_solutions_are_read_by_index_and_nothing_runs",),
    ),
    "store: other files": Mutant(
        "a save replaces nothing but a saved solution: other files there stay",
        "for name in sorted(_files_below(target)):",
        "for name in sorted(known):",
        ("tests/store/test_store.py::test_only_a_saved_solution_is_replaced",),
    ),
    "sums: progress": Mutant(
        "the winning move in a sum of games makes progress, so that no play goes round",
        "min(choices, key=lambda choice: choice[:2])",
        "max(choices, key=lambda choice: choice[:2])",
        ("tests/solution/test_sums.py::test_winning_move_out_of_a_loop_makes_progress",),
    ),
    "regret: rewards": Mutant(
        "what a move of a policy loses counts the points that it wins",
        "loss[row] = worth[row] - reward - np.where(turns, -after, after)",
        "loss[row] = worth[row] - np.where(turns, -after, after)",
        ("tests/solution/test_regret.py::test_of_moves_to_one_position_the_named_one_counts[rich-0]",),
    ),
    "store: counts of codes": Mutant(
        "codes are counted as often as they are written",
        "counts[u64(at) & u64(3), code] += 1",
        "counts[u64(at) & u64(3), code] = 1",
        ("tests/store/test_recoding.py::test_codes_and_their_counts_are_those_of_numpy",),
    ),
    # -- rules and their compilation
    "rules: a move to a later tier": Mutant(
        "the check of compiled rules lets a move lead to a later tier",
        '            if there > here:\n                raise self.view.broken(\n                    "successors"',
        '            if there > here + 1:\n                raise self.view.broken(\n                    "successors"',
        (f"{MESSAGES}[compiled_rules: moves to a later tier]",),
    ),
    "rules: a move that is taken back": Mutant(
        "two moves of a list that are both the very object that was passed are taken as they are",
        "is_itself = len(kept) > 1 and",
        "is_itself = len(kept) > 2 and",
        (
            "tests/rules/test_make_unmake.py::test_targets_that_change_after_they_are_yielded_are_refused[ByContent-in a list]",
        ),
    ),
    "rules: a player late in a game": Mutant(
        "a third player is let through where positions are checked in batches",
        "if not 0 <= min(players) <= highest <= CHANCE:",
        "if not 0 <= min(players) <= highest:",
        (
            "tests/rules/test_plain.py::test_rules_that_break_late_are_refused_as_those_that_break_at_the_start[player]",
        ),
    ),
    "compilation: a cache of others": Mutant(
        "compiled kernels are read from a folder that all may write to",
        "WRITABLE_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH",
        "WRITABLE_BY_OTHERS = stat.S_IWGRP",
        ("tests/compilation/test_cache.py::test_a_folder_that_others_may_write_to_is_not_used[1-455]",),
    ),
    "runtime: a timeout": Mutant(
        "a solve ends before its timeout and goes on after it",
        "        if time.monotonic() > end:",
        "        if time.monotonic() < end:",
        ("tests/runtime/test_timeout.py::test_a_solve_ends_after_its_timeout",),
    ),
    "testing: one wrong answer": Mutant(
        "solutions that differ in one answer agree",
        "            wrong |= left.remoteness() != right.remoteness()",
        "            wrong &= left.remoteness() != right.remoteness()",
        ("tests/testing/test_answers.py::test_any_difference_is_named",),
    ),
    # -- solvers, spaces and explanations
    "attractor: ends": Mutant(
        "play goes on where the game is over",
        "self.over |= graph.terminals != 0",
        "self.over |= False",
        ("tests/solvers/test_attractors.py::test_dead_ends_are_lost_by_buchi_and_won_by_co_buchi",),
    ),
    "proof tree: needed moves": Mutant(
        "one move is enough to show a loss or a draw",
        "needed = moves[:1] if _plain(proof.outcome.value) is Value.WIN else moves",
        "needed = moves[:1]",
        ("tests/explanation/test_proof.py::test_a_draw_is_explained_by_an_escape_and_its_refutations",),
    ),
    "film: counters": Mutant(
        "a move that loses stays to be examined",
        "            if self.open_moves[v]:\n                return Event(Rule.REFUTED",
        "            if True:\n                return Event(Rule.REFUTED",
        ("tests/explanation/test_tracing.py::test_the_sentences_say_why",),
    ),
    "positions without gaps: rank": Mutant(
        "the bits of the last block before an index are not counted",
        "return int(self._ranks[block]) + int(self.bits(block * BLOCK, index).sum())",
        "return int(self._ranks[block])",
        ("tests/solvers/test_tiers_on_disk.py::test_bit_vector_rank_and_select",),
    ),
    "tier window: release": Mutant(
        "tiers that no move leads to any more stay in memory",
        "for tier in self._tiers - needed:\n            self.release",
        "for tier in set():\n            self.release",
        ("tests/solvers/test_tiers_on_disk.py::test_memory_holds_the_tiers_that_moves_lead_to",),
    ),
    # -- built-in games, their pictures, pursuit
    "awari: what captured is taken back": Mutant(
        "a board before a capture of three is said to lead to the board where they still lie",
        "captures = place >= pits and (there == 2 or there == 3)",
        "captures = place >= pits and there == 2",
        (f"{_GAMES}rules_index_texts_and_pictures_keep_their_contract[awari]",),
    ),
    "dobutsu: the last row of chicks": Mutant(
        "a chick that steps onto the last row stays a chick",
        "if k >= 2 * CHICKS and to < WIDTH:",
        "if k >= 2 * CHICKS and to < 0:",
        (f"{_GAMES}moves_and_ends_are_those_of_the_rules_as_told[dobutsu]",),
    ),
    "quoridor: jumps": Mutant(
        "a pawn behind which a wall stands may be jumped over straight on",
        "            elif there >> way & 1:\n",
        "            elif True:\n",
        (f"{_GAMES}positions_have_the_outcomes_of_the_rules_as_told[quoridor:n=3,walls=1]",),
    ),
    "einstein: the nearest stone": Mutant(
        "for a stone that is lost only the next smaller one may move",
        "for choice in range(1 if lower == higher else 2):",
        "for choice in range(1 if lower >= 0 else 2):",
        ("tests/games/test_dice.py::test_throws_and_moves_of_einstein_are_those_of_the_rules_as_told",),
    ),
    "pig: points of a turn": Mutant(
        "a 1 loses the turn, but keeps its points",
        "out[0] = 1 + (theirs * goal + mine) * goal\n            return 1",
        "out[0] = 1 + (theirs * goal + min(mine + turn, goal - 1)) * goal\n            return 1",
        ("tests/games/test_dice.py::test_positions_have_the_bounds_of_the_rules_as_told[pig]",),
    ),
    "pursuit: certificates": Mutant(
        "a vertex may be taken away beside one that does not dominate it",
        "if v == w or not {v, w} <= remaining or not near[v] & remaining <= near[w]:",
        "if v == w or not {v, w} <= remaining:",
        ("tests/pursuit/test_cops.py::test_a_false_certificate_is_refused",),
    ),
    "score proof by rules: players": Mutant(
        "by rules players always alternate",
        "points = (points if stays else -points) + won",
        "points = -points + won",
        (ANSWERS.format("score, compiled"),),
    ),
    "score proof by rules: endless play": Mutant(
        "endless play is preferred to every end",
        "    late = LATEST if plies < 0 else plies\n",
        "    late = plies\n",
        (ANSWERS.format("score, compiled"),),
    ),
    "conversion: beyond": Mutant(
        "what lies beyond the limit is counted anew by a move that leaves its tier",
        "before = np.where(level > self.limit, self.limit, 0) if self.limit is not None else 0 * level",
        "before = 0 * level",
        (ANSWERS.format("conversion"),),
    ),
    "conversion proof: cursed wins": Mutant(
        "a win in more plies than the limit may be claimed",
        "wrong = decided & ((plain != values) != (remoteness > self.limit))",
        "wrong = decided & False",
        (REFUSED.format("conversion"),),
    ),
    "throws proof: the same player": Mutant(
        "who moves again after a throw is taken for the other player",
        "value = low[j] if again else -high[j]",
        "value = -high[j]",
        (ANSWERS.format("chance, compiled"),),
    ),
    "throws proof: weights": Mutant(
        "the proof takes all throws for equally likely",
        "below += share * best_low",
        "below += best_low",
        (ANSWERS.format("chance, compiled"),),
    ),
    # -- the command line and languages
    "command line: input kept": Mutant(
        "a saved solution may be saved over itself",
        "if path.exists() and any(path.samefile(other) for other in inputs):",
        "if path.exists() and all(path.samefile(other) for other in ()):",
        ("tests/cli/test_bad_input.py::test_a_saved_solution_is_not_saved_over_itself",),
    ),
    "command line: last index": Mutant(
        "the index after the last one is looked up",
        "len(text) < 20 and int(text) < n):",
        "len(text) < 20 and int(text) <= n):",
        (f"{MESSAGES}[command_line: probe stones --index 11]",),
    ),
    "command line: a sample proves": Mutant(
        "a sample or a part that is proven is reported as the whole",
        "whole = result.sample is None and result.part is None",
        "whole = result.sample is None or result.part is None",
        (
            "tests/cli/test_cli.py::test_verify_solves_what_is_not_solved_and_reads_samples_and_parts_of_what_is",
        ),
    ),
    "command line: part of parts": Mutant(
        "the last of several parts is refused",
        "and 0 < int(number) <= int(parts)):",
        "and 0 < int(number) < int(parts)):",
        (
            "tests/cli/test_cli.py::test_verify_solves_what_is_not_solved_and_reads_samples_and_parts_of_what_is",
        ),
    ),
    "command line: full disk": Mutant(
        "what is written after an error is tried again",
        "                self.failed = True\n                raise OutputError(error) from None",
        "                raise OutputError(error) from None",
        (
            "tests/cli/test_streams.py::test_full_output_is_one_sentence_for_every_command[solve stones]",
        ),
    ),
    "languages: digits": Mutant(
        "numbers have Latin digits in every language",
        "    return text.translate(str.maketrans(ASCII[:10], numerals[:10]))",
        "    return text",
        ("tests/languages/test_commands.py::test_persian_numbers_are_in_persian_digits",),
    ),
    # -- pages and pictures
    "pages: another site": Mutant(
        "a page of another site makes the explorer work",
        "return site not in OWN",
        "return False",
        (f"{MESSAGES}[pages: ask from another site]",),
    ),
    "pages: two lines": Mutant(
        "an address has a line twice, and one of them is passed over",
        "if line and played:",
        "if line is played:",
        (f"{MESSAGES}[pages: ask for two lines]",),
    ),
    "pages: long lines": Mutant(
        "an address has a line of any length, whose positions are all looked up",
        "if len(parts) > MAX_PLIES:",
        "if len(parts) > 10 * MAX_PLIES:",
        (f"{MESSAGES}[pages: ask for a long line]",),
    ),
    "pages: drawn owners": Mutant(
        "a drawing has owners for some vertices, and nobody moves at the others",
        "if any(owners) and not all(owners):",
        "if any(owners) and not any(owners):",
        (f"{MESSAGES}[pages: ask for a drawn owner]",),
    ),
    "export: over files": Mutant(
        "an export fills a folder in which files are",
        "if out.exists() and any(out.iterdir()):",
        "if out.exists() and not out.is_dir():",
        (f"{MESSAGES}[pages: export over files]",),
    ),
    "pictures: names": Mutant(
        "a name of a position is markup in its picture",
        'return escape(NOT_XML.sub("?", text))',
        'return NOT_XML.sub("?", text)',
        ("tests/drawing/test_drawing.py::test_any_text_is_escaped",),
    ),
}


@cache
def sources() -> dict[Path, str]:
    """The text of each file of the package."""
    return {path: path.read_text(encoding="utf-8") for path in sorted(SOURCES.rglob("*.py"))}


def places(mutant: Mutant) -> list[Path]:
    """The file in which the text of a mutant occurs, once for each time."""
    return [path for path, text in sources().items() for _ in range(text.count(mutant.old))]
