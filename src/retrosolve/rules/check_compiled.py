"""Compiled rules, called uncompiled: do their functions keep to their room, and to one another?"""

from __future__ import annotations

import random
from bisect import bisect_right
from typing import Any

import numpy as np

from retrosolve.errors import RulesError
from retrosolve.rules.compiled import GOES_ON, LOSS, NO_POSITION, TIE, WIN, CompiledGame

CODES = (GOES_ON, WIN, LOSS, TIE, NO_POSITION)
UNTOUCHED = -7_777_777
ROOM_BEYOND = 64
TRIALS = 16


def sampled_indices(game: CompiledGame, samples: int, seed: int) -> list[int] | None:
    """Give the positions of some indices, where there is a dense index, and the starts; else None."""
    if game.size is None:
        return None
    rng = random.Random(seed)
    indices = range(game.size) if game.size <= samples else rng.sample(range(game.size), samples)
    starts = [int(start) for start in game.starts()] if game.defines("start") else []
    positions = (_whole(game, "unrank", index, _asked(game, "unrank", index)) for index in indices)
    return starts + [p for p in positions if _is_position(game, p)]


def trial(game: CompiledGame) -> None:
    """Try a few indices before anything is compiled: compiled, an array that is left goes unnoticed."""
    for position in sampled_indices(game, TRIALS, 0) or ():
        _check_moves(game, position)
        _check_rank(game, position)


def check_compiled(game: CompiledGame, positions: list[int]) -> list[str]:
    """Check the functions that only compiled rules have; give what was checked."""
    kept = [np.array(part) for part in _arrays(game)]
    checked = ["successors"]
    for position in positions:
        _check_moves(game, position)
    if game.defines("predecessors"):
        checked.append("predecessors")
        for position in positions:
            _check_origins(game, position)
    if game.size is not None:
        checked.append("rank")
        for position in positions:
            _check_rank(game, position)
    for before, after in zip(kept, _arrays(game), strict=True):
        if not np.array_equal(before, after):
            raise RulesError(f"the rules of {type(game).__name__} change data: expected it kept")
    return checked


def _arrays(game: CompiledGame) -> list[Any]:
    data = game.data if isinstance(game.data, tuple) else (game.data,)
    return [part for part in data if isinstance(part, np.ndarray)]


def _asked(game: CompiledGame, rule: str, *given: Any) -> Any:
    """Call one of the author's functions; an exception in it is shown with what it was given."""
    try:
        return getattr(type(game), rule)(*given, game.data)
    except Exception as error:
        what = f"{type(error).__name__}: {error}"
        raise RulesError(f"{type(game).__name__}.{rule}({given[0]}) raised {what}") from error


def _whole(game: CompiledGame, rule: str, given: Any, answer: Any) -> int:
    if isinstance(answer, bool) or not isinstance(answer, int | np.integer) or answer < 0:
        raise RulesError(
            f"{type(game).__name__}.{rule}({given}) gave {answer!r}: expected a whole number, 0 or more"
        )
    return int(answer)


def _is_position(game: CompiledGame, position: int) -> bool:
    """Tell whether a number is a position of its own, not one that another stands for."""
    code = int(_asked(game, "terminal", position))
    if code not in CODES:
        raise RulesError(
            f"terminal({position}) gave {code}: expected GOES_ON, WIN, LOSS, TIE or NO_POSITION"
        )
    return code != NO_POSITION and int(_asked(game, "canonical", position)) == position


def _written(game: CompiledGame, rule: str, most: int, position: int) -> list[int]:
    """Ask for successors or predecessors with room to spare, to see whether they keep to theirs."""
    out = np.full(most + ROOM_BEYOND, UNTOUCHED, np.int64)
    count = _whole(game, rule, position, _asked(game, rule, position, out))
    if count > most or (out[most:] != UNTOUCHED).any():
        raise RulesError(
            f"{rule}({position}) writes more than most_{'moves' if rule == 'successors' else rule} "
            f"= {most} positions: expected at most so many"
        )
    for written in out[:count].tolist():
        if written == UNTOUCHED:
            raise RulesError(f"{rule}({position}) gave {count}, but wrote fewer positions")
        _whole(game, rule, position, written)
    positions: list[int] = out[:count].tolist()
    return positions


def _moves(game: CompiledGame, position: int) -> list[int]:
    if int(_asked(game, "terminal", position)) != GOES_ON:
        return []
    return _written(game, "successors", game.most_moves, position)


def _canonical(game: CompiledGame, position: int) -> int:
    return _whole(game, "canonical", position, _asked(game, "canonical", position))


def _check_moves(game: CompiledGame, position: int) -> None:
    """No move leads to what is none, or up the tiers."""
    for target in _moves(game, position):
        own = _canonical(game, target)
        if int(_asked(game, "terminal", own)) == NO_POSITION:
            raise RulesError(
                f"{position} leads to {target}, which terminal() says is no position: "
                "expected moves to positions only"
            )
        if game.size is not None and game.tiers is not None:
            here, there = (
                bisect_right(game.tiers, int(_asked(game, "rank", p)))
                for p in (_canonical(game, position), own)
            )
            if there > here:
                raise RulesError(
                    f"{position} of tier {here - 1} leads to {target} of tier {there - 1}: "
                    "expected its own tier or an earlier one"
                )


def _check_origins(game: CompiledGame, position: int) -> None:
    """What a move leads to has the position it comes from among its predecessors, and back."""
    own = _canonical(game, position)
    for target in _moves(game, own):
        there = _canonical(game, target)
        if not _same_tier(game, own, there):
            continue
        origins = _written(game, "predecessors", game.most_predecessors, there)
        if own not in {_canonical(game, origin) for origin in origins}:
            raise RulesError(
                f"{own} has a move to {target}, but predecessors({there}) leaves it out: "
                "expected every position with a move to there"
            )
    for origin in _written(game, "predecessors", game.most_predecessors, own):
        if int(_asked(game, "terminal", origin)) != GOES_ON:
            continue
        if own not in {_canonical(game, target) for target in _moves(game, origin)}:
            raise RulesError(
                f"predecessors({own}) gives {origin}, which has no move to there: "
                "expected positions with one"
            )


def _same_tier(game: CompiledGame, left: int, right: int) -> bool:
    if game.size is None or game.tiers is None:
        return True
    tiers = (bisect_right(game.tiers, int(_asked(game, "rank", p))) for p in (left, right))
    return next(tiers) == next(tiers)


def _check_rank(game: CompiledGame, position: int) -> None:
    """The index of a position is within the size, and leads back to it."""
    own = _canonical(game, position)
    index = _asked(game, "rank", own)
    if not isinstance(index, int | np.integer) or not 0 <= index < (game.size or 0):
        raise RulesError(f"rank({own}) gave {index!r}: expected a whole number below {game.size}")
    again = _asked(game, "unrank", int(index))
    if again != own:
        raise RulesError(f"rank({own}) gave {index}, but unrank({index}) gives {again}")
