"""check_game: tests of the contract of rules on a sample of positions.

Results of plain rules are valid and deterministic, and positions do not change. Besides these checks
and those of compiled rules there are those of symmetry, which solve a small game twice, of pictures and
of ``parse``.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import combinations, islice, zip_longest
from string import whitespace
from typing import Any
from xml.etree import ElementTree

import numpy as np

from retrosolve import objectives
from retrosolve.errors import LimitError, PositionError, RulesError
from retrosolve.rules.calls import (
    MAX_STARTS,
    broken,
    call_rule,
    can_change,
    canonical_of,
    changed_result,
    hashable,
    moves_of,
    player_of,
    points_of,
    start_positions,
    terminal_code,
    text_of,
)
from retrosolve.rules.checks.compiled import (
    InstrumentedGame,
    check_compiled,
    check_compiles,
    sampled_indices,
)
from retrosolve.rules.contract import CompiledGame, Game
from retrosolve.rules.exploring import explored_space
from retrosolve.rules.indexing import checked_declarations, functions_of, indexed_space
from retrosolve.rules.interpreted import InterpretedGame
from retrosolve.runtime.context import Context, whole_number
from retrosolve.runtime.files import safe_repr, short_repr
from retrosolve.solvers import select
from retrosolve.spaces.base import StateSpace
from retrosolve.spaces.csr.validation import end_of_nobody
from retrosolve.spaces.rule_positions import stacked_features
from retrosolve.values import CHANCE, STUCK_VALUES, Outcome, Value, print_as_text

MAX_PICTURES = 50
MAX_TEXTS = 200
CHANGES = 4  # of each text
MAX_EDITS = 3
MAX_PLIES = 200  # of a game that is played at random
MAX_FRUITLESS_GAMES = 50
MAX_COMPARED = 300  # positions of which all pairs are compared

Results = dict[str, Any]


@dataclass(frozen=True)
class CheckReport:
    """The result of :func:`check_game`.

    Parameters
    ----------
    positions : int
        The number of positions checked.
    complete : bool
        Whether these are all positions of the game.
    rules : tuple of str
        The rules checked.
    symmetry_checked : bool
        Whether the game was solved with and without ``canonical`` and all outcomes compared.
    findings : tuple of str
        The first violation of each kind, with the rule and the position that show it; empty if the
        rules keep their contract.
    notes : tuple of str
        What is allowed and seldom meant: two moves to one object of a type that can change, or a move
        to the very object that ``moves`` was called with.

    Examples
    --------
    >>> print(CheckReport(3, True, ("moves", "terminal")))
    all 3 positions: moves, terminal
    """

    positions: int
    complete: bool
    rules: tuple[str, ...]
    symmetry_checked: bool = False
    findings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    _repr_pretty_ = print_as_text

    def __str__(self) -> str:
        how_many = f"all {self.positions}" if self.complete else f"{self.positions} of the"
        noted = (f"note: {note}" for note in self.notes)
        return "\n".join([f"{how_many} positions: {', '.join(self.rules)}", *self.findings, *noted])


def check_game(
    game: Game | CompiledGame,
    *,
    samples: int = 2000,
    seed: int = 0,
    limit: int = 10_000,
    collect: bool = False,
    compiles: bool = False,
) -> CheckReport:
    """Test the contract of :class:`Game` or :class:`CompiledGame` on a sample of positions.

    Parameters
    ----------
    game : Game or CompiledGame
        Compiled rules are called as plain Python.
    samples : int
        The approximate number of positions to check.
    seed : int
        Seed of the random choices. The same seed checks the same positions.
    limit : int
        The largest number of positions for which the symmetry is tested by solving the game twice.
    collect : bool
        Whether to go on after a violation and collect the first one of each kind in
        ``CheckReport.findings``, instead of raising it.
    compiles : bool
        Whether to compile the functions of compiled rules too, as a solve would. It takes seconds.

    Returns
    -------
    CheckReport
        What was checked.

    Raises
    ------
    RulesError
        For the first violation, with the rule and the position that show it. With ``collect`` only if
        the rules cannot be called at all, because they give no start, for example.
    GraphError
        For invalid arguments.

    Notes
    -----
    Two thirds of the positions are the first ones in a breadth-first search from the start, the others
    are reached by random play. For a game with a dense index a third are random indices.

    For all rules it checks that

    - moves are pairs of a name and a hashable position, and all rules return valid results;
    - rules return the same result when called again, and do not change positions, nor a position that
      ``moves`` has yielded;
    - equal positions have equal hashes;
    - ``canonical`` is idempotent and preserves the terminal value, the player and the canonical
      targets of moves. A game of at most ``limit`` positions is also solved with and without it, and
      every value and remoteness is compared;
    - ``svg`` returns well-formed XML for up to 50 of the positions, and the points of each move are in
      the picture and are those of no move to another position;
    - ``parse`` reads the text of up to 200 of the positions as that position;
    - ``features`` returns as many numbers for each position.

    For compiled rules it also checks that

    - ``successors`` and ``predecessors`` write within bounds, read no entry that they have not written,
      and agree with each other;
    - ``rank`` and ``unrank`` are inverse, for positions that ``predecessors`` writes too;
    - ``parse`` accepts no text with a few characters changed that is no position of a dense index;
    - no move leads to an INVALID position, beyond the index or to a later tier;
    - ``texts`` and ``move_names`` say of many what ``text`` and ``move_name`` say of one;
    - ``data`` does not change.

    Calls each rule a few times per sample, about ten times with ``predecessors``, and twice more with
    ``canonical``, for up to ``limit`` positions.

    Examples
    --------
    >>> from retrosolve.games.tictactoe import TicTacToe
    >>> print(check_game(TicTacToe(), samples=100))
    100 of the positions: moves, terminal, player, svg, move_points, features

    Two violations at once:

    >>> import retrosolve as rs
    >>> class Countdown(rs.Game):
    ...     def start(self):
    ...         return 3
    ...     def moves(self, n):
    ...         return [("one", n - 1), "two"] if n else []
    ...     def player(self, n):
    ...         return n
    >>> for finding in check_game(Countdown(), collect=True).findings:
    ...     print(finding.partition(", ")[0].partition(" (")[0])
    player(3) gave 3: expected two players: 0 and 1; rs.CHANCE for dice
    moves(3) gave 'two' and
    """
    samples, seed = whole_number("samples", samples), whole_number("seed", seed, 0)
    limit = whole_number("limit", limit, 0)
    if not isinstance(game, Game | CompiledGame):
        raise RulesError(f"{short_repr(game)} has no rules: expected a Game or a CompiledGame")
    rules: Game = game if isinstance(game, Game) else InstrumentedGame(checked_declarations(game))
    starts = (
        rules.starts()
        if isinstance(rules, InstrumentedGame)
        else list(islice(start_positions(rules), MAX_STARTS))
    )
    drawn: list[int] = []
    every_index = True
    if isinstance(rules, InstrumentedGame):
        drawn, every_index = sampled_indices(rules, max(1, samples // 3), seed)
    findings = Findings(collect)
    check = PlainCheck(rules, findings)
    complete = check.sample([*starts, *drawn], samples, seed) and every_index
    check.check()
    optional = ("terminal", "player", "payoff", "reward", "canonical")
    checked = ["moves", *(name for name in optional if rules.implements(name))]
    positions = list(check.first)
    if isinstance(rules, InstrumentedGame):
        with findings.catch("compiled rules"):
            checked += check_compiled(rules, positions, complete, seed)
        with findings.catch("texts"):
            checked += check_many(rules, positions)
        if compiles:
            with findings.catch("compiling"):
                check_compiles(rules.name, functions_of(rules.game), rules.game.compiled_data)
    if rules.implements("text"):
        with findings.catch("text"):
            check_texts(rules, positions)
    if rules.implements("svg"):
        checked += [name for name in ("svg", "move_points") if rules.implements(name)]
        with findings.catch("svg"):
            check_pictures(rules, positions)
    if rules.implements("parse"):
        checked.append("parse")
        with findings.catch("parse"):
            check_parse(rules, positions, seed)
    if rules.implements("features"):
        checked.append("features")
        with findings.catch("features"):
            stacked_features(rules.text, rules.features, positions)
    symmetric = False
    if rules.implements("canonical") and starts and not findings.messages:
        with findings.catch("symmetry"):
            symmetric = check_symmetry(game if isinstance(game, Game) else InterpretedGame(game), limit)
    found = findings.messages, tuple(check.shared)
    return CheckReport(len(positions), complete, tuple(checked), symmetric, *found)


# -- plain rules -------------------------------------------------------------------------------------


class Findings:
    """Collects the first violation of each kind, or raises the first one of all.

    Parameters
    ----------
    collect : bool
        Whether to collect.

    Examples
    --------
    >>> findings = Findings(collect=True)
    >>> for position in (7, 8):
    ...     with findings.catch("terminal"):
    ...         raise RulesError(f"terminal({position}) gave 5")
    >>> findings.messages
    ('terminal(7) gave 5',)
    """

    def __init__(self, collect: bool) -> None:
        self.collect = collect
        self._first: dict[str, str] = {}

    @property
    def messages(self) -> tuple[str, ...]:
        """The first violation of each kind."""
        return tuple(dict.fromkeys(self._first.values()))

    @contextmanager
    def catch(self, kind: str) -> Iterator[None]:
        """Collect a RulesError that the block raises, unless there is one of this kind."""
        try:
            yield
        except RulesError as error:
            if not self.collect:
                raise
            self._first.setdefault(kind, str(error))


class PlainCheck:
    """A sample of positions, with the results of the rules at the first call.

    Parameters
    ----------
    game : Game
    findings : Findings
        Receives the violations.
    """

    def __init__(self, game: Game, findings: Findings) -> None:
        self.game = game
        self.findings = findings
        self.first: dict[Any, Results] = {}
        self.shared: list[str] = []  # a sentence about the first moves to one object
        self.written: list[tuple[Any, str, int]] = []
        self._has_moved = False  # then moves have shown whether they have names

    def sample(self, starts: Iterable[Any], samples: int, seed: int) -> bool:
        """Visit up to ``samples`` positions; return whether these are all positions of the game.

        Two thirds are visited breadth-first, the rest by random play, which also reaches positions deep
        in the game.
        """
        order = dict.fromkeys(starts)
        discovered = list(order)
        todo = iter(discovered)
        if self._breadth_first(todo, discovered, order, samples * 2 // 3):
            return True
        self._play_at_random(discovered, samples, random.Random(seed))
        return self._breadth_first(todo, discovered, order, samples)

    def _breadth_first(
        self, todo: Iterator[Any], discovered: list[Any], order: dict[Any, None], samples: int
    ) -> bool:
        """Visit positions in the order of discovery; return whether all positions have been visited."""
        while len(self.first) < samples:
            position = next(todo, self)
            if position is self:
                return True
            for target in self.targets(position):
                if target not in order:
                    order[target] = None
                    discovered.append(target)
        return all(position in self.first for position in discovered)

    def _play_at_random(self, discovered: list[Any], samples: int, rng: random.Random) -> None:
        """Play at random until there are ``samples`` positions, or no new one for some games."""
        idle = 0
        while idle < MAX_FRUITLESS_GAMES and len(self.first) < samples:
            before = len(self.first)
            position = rng.choice(discovered)
            for _ in range(MAX_PLIES):
                targets = self.targets(position)
                if not targets or len(self.first) >= samples:
                    break
                position = rng.choice(targets)
            idle = 0 if len(self.first) > before else idle + 1

    def targets(self, position: Any) -> list[Any]:
        """Return the targets of the moves from a position."""
        return [target for _, target in self.visit(position).get("moves", ())]

    def visit(self, position: Any) -> Results:
        """Return the results of the rules at a position, calling them if this is the first visit."""
        if position not in self.first:
            written, number = safe_repr(position), hash(position)
            self.first[position] = self._results(position)
            self.written.append((position, written, number))
            with self.findings.catch("changed position"):
                _check_unchanged(position, written, number)
        return self.first[position]

    def check(self) -> None:
        """Call every rule again, last position first, and compare. Raises RulesError."""
        visited = list(self.first.items())
        for position, before in reversed(visited):
            after = self._results(position)
            for rule, result in before.items():
                with self.findings.catch(f"changed {rule}"):
                    if rule not in after or after[rule] != result:
                        raise _changed_result(rule, position, result, after.get(rule))
        with self.findings.catch("changed position"):
            for position, written, number in self.written:
                _check_unchanged(position, written, number)
        with self.findings.catch("hash"):
            _check_hashes([position for position, _ in visited[:MAX_COMPARED]])
        if self.game.implements("canonical"):
            for position, results in visited:
                with self.findings.catch("symmetry"):
                    self._check_canonical(position, results)

    def _results(self, position: Any) -> Results:
        """Return the result of every rule at a position."""
        results: Results = {}
        for rule, ask in (
            ("terminal", terminal_code),
            ("player", player_of),
            ("canonical", canonical_of),
        ):
            if self.game.implements(rule):
                with self.findings.catch(rule):
                    results[rule] = self._ask(ask, position)
        by_chance = results.get("player") == CHANCE
        if not results.get("terminal"):
            with self.findings.catch("moves"):
                moves = self._ask(partial(moves_of, is_first=not self._has_moved), position)
                self._has_moved |= bool(moves)
                for _, target in moves:
                    hashable(self.game, target, position)
                results["moves"] = moves
                self._note_shared(position, [target for _, target in moves])
                for rule, asked in (("reward", self.game.implements("reward")), ("weight", by_chance)):
                    if asked:
                        results[rule] = [
                            points_of(self.game, rule, position, target) for _, target in moves
                        ]
        if self.game.implements("payoff") and not results.get("moves"):
            with self.findings.catch("payoff"):
                results["payoff"] = points_of(self.game, "payoff", position)
        if by_chance:
            with self.findings.catch("end of nobody"):
                self._check_end_at_chance(position, results)
        return results

    def _note_shared(self, position: Any, targets: list[Any]) -> None:
        """Note a target that is the position itself, or that of an earlier move, and may be changed."""
        known = {id(position)}
        for target in targets:
            if not self.shared and id(target) in known and can_change(type(target)):
                itself = "is the object that it was called with"
                why = itself if target is position else "is one object for two moves"
                self.shared.append(
                    f"moves({safe_repr(position)}) leads to {safe_repr(target)}, which {why}: expected "
                    "a copy for each move, unless that is meant"
                )
            known.add(id(target))

    def _check_end_at_chance(self, position: Any, results: Results) -> None:
        """Check that where chance moves it has moves, unless the game ends, and then no player wins."""
        if results.get("moves") == [] and not results.get("terminal"):
            raise RulesError(f"chance moves at {position!r}, which has no moves: expected some")
        points = results.get("payoff", 0)
        if points:
            raise RulesError(end_of_nobody(position, f"the payoff {points}"))
        if results.get("terminal") in (Value.WIN, Value.LOSS) and "payoff" not in results:
            raise RulesError(end_of_nobody(position, results["terminal"].name))

    def _ask(self, ask: Callable[[Game, Any], Any], position: Any) -> Any:
        """Call one rule; an error that a view of compiled rules raises is raised unchanged."""
        try:
            return ask(self.game, position)
        except RulesError as error:
            if isinstance(self.game, InterpretedGame) and isinstance(error.__cause__, RulesError):
                raise error.__cause__ from None
            raise

    def _check_canonical(self, position: Any, results: Results) -> None:
        """Check that ``canonical`` is idempotent and preserves results and moves."""
        if "canonical" not in results:
            return
        form = results["canonical"]
        other = results if form == position else self._results(form)
        if other.get("canonical") != form:
            raise RulesError(
                f"canonical({position!r}) gave {form!r}, and canonical of that "
                f"{other.get('canonical')!r}: expected it kept"
            )
        for rule in ("terminal", "player", "payoff"):
            if results.get(rule) != other.get(rule):
                raise RulesError(
                    f"{rule}({position!r}) and {rule}({form!r}), its canonical form, differ: "
                    "expected the same"
                )
        mine, theirs = (
            dict.fromkeys(self._ask(canonical_of, target) for _, target in visit.get("moves", ()))
            for visit in (results, other)
        )
        for odd in (*mine, *theirs):
            if (odd in mine) != (odd in theirs):
                raise RulesError(
                    f"{position!r} and its canonical form {form!r} are not played alike: only "
                    f"{position if odd in mine else form!r} has a move to {odd!r} or its like"
                )


def _check_unchanged(position: Any, written: str, number: int) -> None:
    """Check that the repr and the hash of a position are those of the first visit."""
    if safe_repr(position) != written or hash(position) != number:
        raise RulesError(f"the rules changed the position {written} to {position!r}: expected it kept")


def _changed_result(rule: str, position: Any, before: Any, after: Any) -> RulesError:
    """Return the error for a rule whose result has changed."""
    if rule == "moves" and (
        repr(before) == repr(after)
        or any(hash(target) == object.__hash__(target) for _, target in before)
    ):
        return RulesError(
            f"moves({position!r}) gave {before!r} twice, and they are not equal: "
            "expected positions that have __eq__ and __hash__"
        )
    return changed_result(rule, position, before, after)


def _check_hashes(positions: list[Any]) -> None:
    """Check that equal positions have equal hashes: a dict would not find them otherwise."""
    for left, right in combinations(positions, 2):
        if left == right:
            raise RulesError(
                f"{left!r} and {right!r} are equal, but their hashes are {hash(left)} and "
                f"{hash(right)}: expected the same"
            )


# -- symmetry ----------------------------------------------------------------------------------------


def check_symmetry(game: Game, limit: int) -> bool:
    """Compare the outcomes with and without ``canonical``; return whether that was possible.

    Parameters
    ----------
    game : Game
    limit : int
        The largest number of positions; a larger game is not compared.

    Raises
    ------
    RulesError
        If an outcome differs, or a representative is not reachable.
    """
    try:
        full = explored_space(game, Context(workers=1, limit=limit), symmetry=False)
        reduced = explored_space(game, Context(workers=1))
    except LimitError:
        return False
    for stuck, value in STUCK_VALUES.items():
        expected, outcomes = _outcomes(full, value), _outcomes(reduced, value)
        for vertex, position in enumerate(map(full.position, range(full.num_vertices))):
            try:
                outcome = outcomes[reduced.index(position)]
            except PositionError:
                raise RulesError(
                    f"canonical({position!r}) gave {game.canonical(position)!r}, which no moves lead "
                    "to: expected a form that moves of canonical forms lead to"
                ) from None
            if outcome != expected[vertex]:
                raise RulesError(
                    f"{position!r} is {expected[vertex]}, but {outcome} when solved with canonical() "
                    f"(stuck={stuck!r}): expected the same"
                )
    return True


def _outcomes(space: StateSpace, stuck: Value) -> list[Outcome]:
    """Return the outcome of every position of a space."""
    table = select(space).solver.run(space, objectives.Outcome(stuck), Context(threads=1)).table
    return [table.codec.outcome(*pair) for pair in table.outcomes(np.arange(table.num_vertices))]


# -- pictures ----------------------------------------------------------------------------------------


def check_pictures(game: Game, positions: Sequence[Any]) -> None:
    """Check the pictures of a sample of positions. Raises RulesError.

    Parameters
    ----------
    game : Game
    positions : sequence of hashable
        MAX_PICTURES of them are drawn, at equal distances.
    """
    for position in positions[:: max(1, len(positions) // MAX_PICTURES)]:
        points = _points(position, game.svg(position))
        if game.implements("move_points") and points is not None and not game.terminal(position):
            _check_moves(game, position, points)


def _points(position: Any, svg: Any) -> set[str] | None:
    """Return the labels of the points in a picture; None for a position without a picture."""
    if svg is None:
        return None
    if not isinstance(svg, str):
        raise RulesError(f"svg({position!r}) gave {svg!r}: expected text or None")
    try:
        root = ElementTree.fromstring(svg)
    except ElementTree.ParseError as error:
        raise RulesError(f"svg({position!r}) is not well-formed XML: {error}") from None
    if root.tag.rpartition("}")[2] != "svg":
        raise RulesError(f"svg({position!r}) is a <{root.tag}>: expected <svg>")
    return {label for element in root.iter() if (label := element.get("data-point")) is not None}


def _check_moves(game: Game, position: Any, points: set[str]) -> None:
    """Check that the points of each move, if it has any, are in the picture and tell it from others."""
    targets: dict[tuple[str, ...], Any] = {}
    for _, target in moves_of(game, position):
        labels = game.move_points(position, target)
        clicked = None if labels is None or isinstance(labels, str) else tuple(labels)
        if clicked == ():
            continue
        what = f"move_points({position!r}, {target!r}) gave {labels!r}"
        if clicked is None or not set(clicked) <= points:
            raise RulesError(f"{what}: expected one or more points of the picture")
        if any(not label or set(label) & set(whitespace) for label in clicked):
            raise RulesError(f"{what}: expected labels without blanks")
        if targets.setdefault(clicked, target) != target:
            raise RulesError(f"{what}, as for the move to {targets[clicked]!r}: expected other points")
    for clicked, target in targets.items():
        for length in range(1, len(clicked)):
            if clicked[:length] in targets:
                raise RulesError(
                    f"move_points({position!r}, {target!r}) gave {clicked!r}, which begins with the "
                    f"points of the move to {targets[clicked[:length]]!r}: expected other points"
                )


# -- text --------------------------------------------------------------------------------------------


def check_many(view: InstrumentedGame, positions: Sequence[int]) -> list[str]:
    """Check that ``texts`` and ``move_names`` say of many what ``text`` and ``move_name`` say of one.

    Returns the names of those that the rules define. Raises RulesError.
    """
    game = view.game
    numbers = np.array(positions, np.int64)
    moves = [(p, target) for p in positions if view.goes_on(p) for target in view.targets(p)]
    both = np.array(moves, np.int64).reshape(-1, 2).T
    checked = []
    for rule, alone, asked, arrays in (
        ("texts", "text", list(zip(positions, strict=True)), [numbers]),
        ("move_names", "move_name", moves, [*both, np.array([view.code(t) for t in both[1].tolist()])]),
    ):
        if not game.implements(rule):
            continue
        checked.append(rule)
        many = call_rule(game, rule, *arrays)
        for arguments, one in zip_longest(asked, many[: len(asked)]):
            expected = call_rule(game, alone, *arguments)
            if one != expected:
                called = f"{rule}() gave {one!r} for {', '.join(map(str, arguments))}"
                broken(game, f"{called}: expected {expected!r}, as {alone}() has it", rule)
    return checked


def check_texts(game: Game, positions: Sequence[Any]) -> None:
    """Check that ``text`` returns text, which tells positions apart that are looked up by it.

    Raises
    ------
    RulesError
    """
    written: dict[str, Any] = {}
    for position in positions:
        text = text_of(game, position)
        if isinstance(game, InstrumentedGame) or game.implements("parse"):
            continue
        form = canonical_of(game, position)
        if written.setdefault(text, form) != form:
            both = f"text gave {text!r} for both {written[text]!r} and {form!r}"
            broken(game, f"{both}: expected texts that tell them apart", "text")


def check_parse(game: Game, positions: Sequence[Any], seed: int) -> None:
    """Check that ``parse`` is the inverse of ``text``, and refuses what is no position.

    Parameters
    ----------
    game : Game
        That of compiled rules with a dense index is also given texts with a few characters changed.
    positions : sequence of hashable
        MAX_TEXTS of them are written and read, at equal distances.
    seed : int

    Raises
    ------
    RulesError
    """
    rules = game.game if isinstance(game, InstrumentedGame) else game
    chosen = positions[:: max(1, len(positions) // MAX_TEXTS)]
    texts = [text_of(rules, position) for position in chosen]
    for position, text in zip(chosen, texts, strict=True):
        parsed = call_rule(rules, "parse", text)
        if canonical_of(game, parsed) != canonical_of(game, position):
            written = f"parse({text!r}) gave {parsed!r}, but text({position!r}) is that"
            broken(rules, f"{written}: expected {position!r}", "parse")
    if isinstance(game, InstrumentedGame) and game.game.size is not None:
        space = indexed_space(game.game, tested=True)
        for text in changed_texts(texts, random.Random(seed)):
            _check_refused(game.game, space, text)


def changed_texts(texts: Sequence[str], rng: random.Random) -> Iterator[str]:
    """Yield each text several times with characters deleted, doubled, replaced or exchanged.

    Examples
    --------
    >>> len(list(changed_texts(["XO./...", "O../X.."], random.Random(1))))
    8
    """
    alphabet = sorted({mark for text in texts for mark in text})
    for text in texts:
        for _ in range(CHANGES):
            marks = list(text)
            for _ in range(rng.randint(1, MAX_EDITS)):
                _edit(marks, alphabet, rng)
            yield "".join(marks)


def _edit(marks: list[str], alphabet: Sequence[str], rng: random.Random) -> None:
    """Change a character."""
    if not marks:
        return
    place, other = rng.randrange(len(marks)), rng.randrange(len(marks))
    match rng.randrange(4):
        case 0:
            del marks[place]
        case 1:
            marks.insert(place, marks[other])
        case 2:
            marks[place] = rng.choice(alphabet)
        case _:
            marks[place], marks[other] = marks[other], marks[place]


def _check_refused(rules: CompiledGame, space: StateSpace, text: str) -> None:
    """Check that a text is refused, or is that of a position with an index."""
    try:
        parsed: Any = rules.parse(text)
    except Exception:  # a look-up makes a PositionError of whatever parse() raises
        return
    try:
        space.resolved(parsed)
        return
    except PositionError as error:
        sentence = f"parse({text!r}) gave {parsed!r}: expected PositionError, because {error}"
    broken(rules, sentence, "parse")
