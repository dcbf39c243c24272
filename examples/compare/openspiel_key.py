"""OpenSpiel 2.0.2: a table whose key leaves out the player to move.

``minimax_solver`` keeps values by the text of a state. In Dots and Boxes that text does not say whose
turn it is, so two positions share one value. Run it with ``pip install open-spiel``.
"""

from typing import Any

import pyspiel
from open_spiel.python.algorithms.minimax_solver import MinimaxSolver

GAME = "dots_and_boxes(num_rows=1,num_cols=3)"


def main() -> None:
    table = MinimaxSolver(GAME).solve()
    value: dict[tuple[str, int], float] = {}

    def first_player_gets(state: Any) -> float:
        """The value for player 0, by the same recursion with the player as a part of the key."""
        if state.is_terminal():
            return float(state.player_return(0))
        key = str(state), state.current_player()
        if key not in value:
            results = [first_player_gets(state.child(action)) for action in state.legal_actions()]
            value[key] = max(results) if key[1] == 0 else min(results)
        return value[key]

    first_player_gets(pyspiel.load_game(GAME).new_initial_state())
    wrong = {
        key: (claimed, right)
        for key, right in value.items()
        if key[0] in table and (claimed := table[key[0]].value * (1 - 2 * key[1])) != right
    }
    (text, player), (claimed, right) = next(iter(wrong.items()))
    print(f"{len(wrong)} of {len(value)} positions are wrong, one with player {player + 1} to move:")
    print(text.strip())
    print(f"claimed for player 1: {claimed:g}; right: {right:g}")


if __name__ == "__main__":
    main()
