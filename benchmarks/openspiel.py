"""Every game of OpenSpiel of two players without chance, at a size that is solved within a minute.

    make bench-openspiel

Needs a Python with open_spiel. Puts all figures into ``benchmarks/results/openspiel.json``,
of which the site makes its table. Games with boards of one size are solved from a position near
their end, which actions at random lead to, or from a position as text. Values are compared with two
solvers of OpenSpiel: ``alpha_beta_search``, which looks at the tree of all actions, and
``MinimaxSolver``, which keeps the value of each text and player, where the text of a state is a key.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import time
from collections.abc import Hashable, Iterator
from typing import Any, NamedTuple

from running import HERE, Table
from tables import OPENSPIEL_SECONDS as SECONDS
from tables import SECONDS_OF_OTHERS

ONE_SIZE = "one size only"
REPEATS = "repetition counts"
ENDS = "ends after a number of moves"


class Case(NamedTuple):
    """A game to solve.

    ``start`` is a number of random actions, or a text; ``note`` says why it is solved in this way.
    """

    game: str
    key: str = "text"
    start: int | str = 0
    note: str = ""


CASES = (
    Case("amazons(board_size=6)", "turn", 60, "smallest board; the text leaves out half a move"),
    Case("antichess", "text", "8/1p6/8/8/8/P7/8/8 w - - 0 1", ONE_SIZE),
    Case("breakthrough(rows=4,columns=3)", note="the text leaves out the player"),
    Case("checkers(rows=8,columns=4)", "capturing", 90, "the text leaves out who must go on capturing"),
    Case("chess", "history", "7k/8/5K2/6Q1/8/8/8/8 w - - 96 120", f"{ONE_SIZE}; {REPEATS}"),
    Case("chinese_checkers(max_moves=2)", "history", 0, f"{ONE_SIZE}; the text leaves out half a move"),
    Case("clobber(rows=3,columns=4)"),
    Case("connect_four(rows=4,columns=4)"),
    Case(
        "crazyhouse",
        "text",
        "7k/8/5K2/6Q1/8/8/8/8[] w - - 0 1",
        f"{ONE_SIZE}; only repetition ends play, and no limit of moves",
    ),
    Case("cursor_go(board_size=2,max_cursor_moves=0)", "history", 0, REPEATS),
    Case("dots_and_boxes(num_rows=2,num_cols=2)", "text", 0, "the text leaves out the player"),
    Case("go(board_size=2,max_game_length=7)", "history", 0, REPEATS),
    Case("gomoku(size=3,connect=3)"),
    Case("havannah(board_size=2)"),
    Case("hex(num_rows=4,num_cols=3)"),
    Case("hive", "history", 498, f"{ONE_SIZE}; {ENDS}"),
    Case("lines_of_action(max_game_length=43)", "plies", 40, f"{ONE_SIZE}; {ENDS}"),
    Case("mancala", "text", 40, ONE_SIZE),
    Case("mnk(m=3,n=3,k=3)"),
    Case("nim"),
    Case("nine_mens_morris", "plies", 208, f"{ONE_SIZE}; {ENDS}"),
    Case("othello", "text", 50, ONE_SIZE),
    Case("oware(num_houses_per_player=2,num_seeds_per_house=1)", "boards", 0, REPEATS),
    Case("pentago", "text", 32, ONE_SIZE),
    Case("quoridor(board_size=3,wall_count=1)", "plies", 0, ENDS),
    Case(
        "shogi",
        "text",
        "8k/9/8K/9/9/9/9/9/9 b G 1",
        f"{ONE_SIZE}; only repetition ends play, and no limit of moves",
    ),
    Case("tic_tac_toe"),
    Case("twixt(board_size=5)", "text", 8),
    Case("ultimate_tic_tac_toe", "text", 60, ONE_SIZE),
    Case("xiangqi", "plies", 496, f"{ONE_SIZE}; {ENDS}"),
    Case("y(board_size=4)"),
)


def body(state: Any) -> str:
    """The board of a state, without a first line that counts moves."""
    return str(state).partition("\n")[2] or str(state)


def with_boards(state: Any) -> Hashable:
    """The text of a state and all boards so far, which repetition depends on."""
    again, seen = state.get_game().new_initial_state(), []
    for action in state.history():
        seen.append(body(again))
        again.apply_action(action)
    return str(state), tuple(sorted(seen))


def with_turn(state: Any) -> Hashable:
    """The text of a state and the actions of a turn of three, which is not over."""
    history = state.history()
    return str(state), tuple(history[len(history) // 3 * 3 :])


def with_capturing(state: Any) -> Hashable:
    """The text of a state, the actions so far and those that are legal, which go on capturing."""
    return str(state), len(state.history()), tuple(state.legal_actions())


KEYS: dict[str, Any] = {"boards": with_boards, "capturing": with_capturing, "turn": with_turn}


def start_of(case: Case) -> Any:
    """The start: a text, or the random actions of the first seed that does not end the game."""
    import pyspiel

    if isinstance(case.start, str):
        return case.start
    game = pyspiel.load_game(case.game)
    for seed in range(1000):
        rng, state = random.Random(seed), game.new_initial_state()
        while len(state.history()) < case.start and not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
        if not state.is_terminal():
            return state.history()
    raise ValueError(f"no random play of {case.game} has {case.start} actions")


def solve(case: Case) -> dict[str, Any]:
    """Solve a game; compare all values with those of MinimaxSolver where texts are keys."""
    from open_spiel.python.algorithms.minimax_solver import MinimaxSolver

    import retrosolve as rs

    rules: Any = rs.adapters.openspiel(case.game, KEYS.get(case.key, case.key), start_of(case))
    began = time.perf_counter()
    solution = rs.solve(rules, timeout=SECONDS, workers=1)
    seconds = time.perf_counter() - began
    rs.verify(solution)
    record: dict[str, Any] = {
        "positions": len(solution), "value": str(solution[solution.start]), "seconds": seconds,
        "player": rules.player(solution.start),
    }  # fmt: skip
    print(json.dumps(record), flush=True)
    if case.key != "text" or rules.start().state.is_terminal():
        return record
    sys.setrecursionlimit(1 << 16)
    table = MinimaxSolver(case.game)
    table._create_table(rules.start().state)
    compared = different = 0
    positions: Iterator[Any] = iter(solution)
    for position in positions:
        if not position.state.is_terminal():
            entry = table._table.get(str(position.state))
            claim = None if entry is None else round(float(entry.value))
            right = {rs.Value.WIN: 1, rs.Value.LOSS: -1}.get(solution[position].value, 0)
            compared += 1
            different += claim is None or (claim > 0) - (claim < 0) != right
    record |= {"compared": compared, "different": different}
    print(json.dumps(record), flush=True)
    return record


def search(case: Case) -> None:
    """Print what alpha_beta_search says about the start, for the player to move."""
    import pyspiel
    from open_spiel.python.algorithms.minimax import alpha_beta_search

    game, start = pyspiel.load_game(case.game), start_of(case)
    state = game.new_initial_state(*([start] if isinstance(start, str) else []))
    for action in [] if isinstance(start, str) else start:
        state.apply_action(action)
    value, _ = alpha_beta_search(
        game, state=state, maximum_depth=10_000, maximizing_player_id=state.current_player()
    )
    print(json.dumps(value), flush=True)


def told(*arguments: str, seconds: float) -> tuple[list[Any], str]:
    """Run this program; return the lines that it prints in time, and the last line of its errors."""
    command = [sys.executable, str(HERE / "openspiel.py"), *arguments]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
        out, error = done.stdout, done.stderr.strip().rpartition("\n")[2]
    except subprocess.TimeoutExpired as late:
        out, error = (late.stdout or b"").decode(), "more time"
    return [json.loads(line) for line in out.splitlines() if line[:1] in "{-0123456789"], error


def solved(case: Case) -> dict[str, Any]:
    """Solve a game in processes of their own; return its figures, or why there are none."""
    place = str(CASES.index(case))
    records, error = told("--one", place, seconds=2 * SECONDS + SECONDS_OF_OTHERS)
    if not records:
        return case._asdict() | {"error": error}
    searched, _ = told("--search", place, seconds=SECONDS_OF_OTHERS)
    found: dict[str, Any] = records[-1]
    return case._asdict() | found | {"searched": searched[0] if searched else None}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--one", type=int, help="solve only this case, and print its figures")
    parser.add_argument("--search", type=int, help="print what alpha-beta search says about this case")
    parser.add_argument(
        "--game", action="append", default=[], help="anew only games whose name begins so"
    )
    given = parser.parse_args()
    if given.one is not None:
        solve(CASES[given.one])
    elif given.search is not None:
        search(CASES[given.search])
    else:
        table = Table("openspiel")
        before = HERE / "results" / "openspiel.json"
        kept = {r["game"]: r for r in json.loads(before.read_text())["cases"]} if given.game else {}
        records = []
        for case in CASES:
            anew = case.game not in kept or case.game.startswith(tuple(given.game))
            records.append(solved(case) if anew else kept[case.game])
            table.add(records[-1])
        table.keep()


if __name__ == "__main__":
    main()
