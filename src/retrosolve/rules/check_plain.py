"""Plain rules: are they the same each time, and do they leave everything as it was?"""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterable
from typing import Any

from retrosolve.errors import RulesError
from retrosolve.rules.explore import moves_of
from retrosolve.rules.game import Game
from retrosolve.values import Value

LONGEST_WALK = 200


def sampled(
    game: Game, samples: int, seed: int, starts: Iterable[Any] | None = None
) -> tuple[list[Any], bool]:
    """Find up to ``samples`` positions; tell whether there are no others."""
    first = list(game.starts() if starts is None else starts)
    known = _distinct(game, first)
    order = list(known)
    for position in order:
        if len(order) > samples // 2:
            break
        for target in _targets(game, position):
            if target not in known:
                known[target] = None
                order.append(target)
    else:
        return order[:samples], starts is None and len(order) <= samples
    rng = random.Random(seed)
    for _ in range(samples):
        position = rng.choice(first)
        for _ in range(LONGEST_WALK):
            known[position] = None
            targets = _targets(game, position)
            if not targets or len(known) >= samples:
                break
            position = rng.choice(targets)
    return list(known)[:samples], False


def _distinct(game: Game, positions: Iterable[Any]) -> dict[Hashable, None]:
    try:
        return dict.fromkeys(positions)
    except TypeError:
        raise RulesError(
            f"{type(game).__name__} starts from what cannot be hashed: expected hashable positions"
        ) from None


def _targets(game: Game, position: Any) -> list[Any]:
    if game.defines("terminal") and asked(game, "terminal", position) is not None:
        return []
    targets = [target for _, target in moves_of(game, position)]
    for target in targets:
        try:
            hash(target)
        except TypeError:
            raise RulesError(
                f"{position!r} leads to {target!r}, which cannot be hashed: "
                "expected a hashable position"
            ) from None
    return targets


def asked(game: Game, rule: str, position: Any) -> Any:
    """Ask one rule; an exception in it is shown with its position."""
    try:
        return getattr(game, rule)(position)
    except RulesError:
        raise
    except Exception as error:
        what = f"{type(error).__name__}: {error}"
        raise RulesError(f"{type(game).__name__}.{rule}({position!r}) raised {what}") from error


def check_plain(game: Game, positions: list[Any]) -> None:
    """Ask everything twice, forwards and then backwards, and compare."""
    seen = [_answers(game, position) for position in positions]
    for position, before in zip(reversed(positions), reversed(seen), strict=True):
        after = _answers(game, position)
        for rule, value in before.items():
            if after[rule] != value:
                raise RulesError(
                    f"{rule}({position!r}) gave {value!r} and then {after[rule]!r}: "
                    "expected the same each time"
                )
    if game.defines("canonical"):
        for position, answers in zip(positions, seen, strict=True):
            _check_canonical(game, position, answers)


def _answers(game: Game, position: Any) -> dict[str, Any]:
    """Ask every rule about a position, and see whether that changes it."""
    written, number = repr(position), hash(position)
    answers: dict[str, Any] = {}
    if game.defines("terminal"):
        answers["terminal"] = asked(game, "terminal", position)
        if answers["terminal"] not in (None, Value.WIN, Value.LOSS, Value.TIE) or isinstance(
            answers["terminal"], bool
        ):
            raise RulesError(
                f"terminal({position!r}) gave {answers['terminal']!r}: "
                "expected Value.WIN, LOSS, TIE or None"
            )
    if game.defines("player"):
        answers["player"] = asked(game, "player", position)
        if isinstance(answers["player"], bool) or answers["player"] not in (0, 1):
            raise RulesError(f"player({position!r}) gave {answers['player']!r}: expected 0 or 1")
    if game.defines("canonical"):
        answers["canonical"] = asked(game, "canonical", position)
    if answers.get("terminal") is None:
        answers["moves"] = moves_of(game, position)
    if repr(position) != written or hash(position) != number:
        raise RulesError(f"the rules changed the position {written} to {position!r}: expected it kept")
    return answers


def _check_canonical(game: Game, position: Any, answers: dict[str, Any]) -> None:
    """A representative stays what it is, and ends and is played as what it stands for."""
    own = answers["canonical"]
    again = asked(game, "canonical", own)
    if again != own:
        raise RulesError(
            f"canonical({position!r}) gave {own!r}, and canonical of that {again!r}: expected it kept"
        )
    other = _answers(game, own)
    for rule in ("terminal", "player"):
        if answers.get(rule) != other.get(rule):
            raise RulesError(
                f"{rule} gives {answers[rule]!r} for {position!r} and {other[rule]!r} for its "
                f"canonical form {own!r}: expected the same"
            )
    forms = [
        {asked(game, "canonical", target) for _, target in given.get("moves", [])}
        for given in (answers, other)
    ]
    if forms[0] != forms[1]:
        odd = next(iter(forms[0] ^ forms[1]))
        raise RulesError(
            f"{position!r} and its canonical form {own!r} are not played alike: only one of them has "
            f"a move to {odd!r} or what it stands for"
        )
