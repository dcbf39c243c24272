"""The names of the attributes of vertices, in tables, networks and files.

A column ``Owner`` is the attribute ``owner``: case, blanks and underscores do not count. A column such
as ``to_move`` or ``result`` is none, but whoever named it so may expect it to be used, and a graph
without owners or terminal values has other answers. Readers therefore report it and do not ignore it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from retrosolve.arrays import IntArray
from retrosolve.errors import GraphError
from retrosolve.runtime.files import short_repr
from retrosolve.spaces.csr.validation import Owners, is_chance
from retrosolve.values import CHANCE, Value

PLAYERS = ("0", "1")  # where nobody names them
ENDS = (
    ("source", "target"), ("from", "to"), ("src", "dst"), ("tail", "head"), ("u", "v"),
    ("source", "destination"), ("origin", "destination"), ("src", "dest"), ("parent", "child"),
    ("start", "end"),
)  # fmt: skip
"""The names of the columns of edges, in tables of every kind."""
NOT_DIRECTED = re.compile(
    r"(un|non-?|not |bi)directed|bidirectional|mutual|(non? )?(orient|dirig)\w+|(un)?gerichtet",
    re.IGNORECASE,
)
SYNONYMS = {
    "owner": (
        "owner", "owners", "ownedby", "player", "players", "playertomove", "mover", "turn", "whoseturn",
        "tomove", "toplay", "side", "sidetomove",
    ),
    "terminal": (
        "terminal", "terminals", "terminalvalue", "isterminal", "payoff", "payoffs", "result",
        "results", "outcome", "outcomes", "goal", "goals", "isgoal", "target", "targets", "istarget",
        "final", "isfinal", "accepting",
    ),
}  # fmt: skip
PRIORITIES = ("priority", "priorities")
OF_EDGES = {"reward": 0, "weight": 1}
"""The attributes of edges, and what stands for a missing one in networks."""
LIKE_WEIGHTS = (
    "weights", "probability", "probabilities", "prob", "probs", "p", "chance", "odds", "frequency",
)  # fmt: skip
VALUE_ALONE = "{what} {name} is not used without 'remoteness': expected 'terminal' where the game ends"
EXPECTED = {
    "owner": "0 or 1",
    "terminal": "win, loss, tie or nothing",
}


class ColumnNames(NamedTuple):
    """The columns of edges and vertices in a file, where they have other names than usual.

    Parameters
    ----------
    source, target : str, optional
        The columns of edges with the ends of each, by default "source" and "target" and the like. One
        goes with the other.
    vertex, owner, terminal : str, optional
        The columns of vertices with their names or numbers, with who moves and with terminal values.

    Raises
    ------
    GraphError
        By :meth:`checked`, for a name that is no text, and for ``source`` without ``target``.
    """

    source: str | None = None
    target: str | None = None
    vertex: str | None = None
    owner: str | None = None
    terminal: str | None = None

    def checked(self) -> ColumnNames:
        """Return the names if they make sense together."""
        for what, name in self._asdict().items():
            if name is not None and (not isinstance(name, str) or not name):
                raise GraphError(f"{what}={name!r}: expected the name of a column")
        if (self.source is None) != (self.target is None):
            one, other = ("source", "target") if self.target is None else ("target", "source")
            raise GraphError(
                f"{one}={self[one == 'target']!r} without {other}: expected the columns of both ends"
            )
        if self.source is not None and self.source == self.target:
            raise GraphError(f"source={self.source!r} and target are one column: expected two")
        return self

    @property
    def has_ends(self) -> bool:
        """Whether the columns of edges are named."""
        return self.source is not None

    @property
    def of_vertices(self) -> bool:
        """Whether a column of vertices is named."""
        return self[2:] != (None, None, None)

    def in_edges(self, header: Sequence[str], fault: Callable[[str], Exception]) -> list[str]:
        """Return the header of edges with the usual names for these; see :meth:`in_vertices`."""
        usual = {"source": self.source, "target": self.target}
        return _renamed(header, {name: word for word, name in usual.items() if name}, usual, fault)

    def in_vertices(
        self, header: Sequence[str], fault: Callable[[str], Exception], vertex: str, owner: str
    ) -> list[str]:
        """Return the header of vertices with the usual names for these.

        Columns that have the usual names already are marked as not used.

        Parameters
        ----------
        header : sequence of str
        fault : callable
            Makes the error for a column that is not there.
        vertex, owner : str
            The usual names of these columns.
        """
        usual = {vertex: self.vertex, owner: self.owner, "terminal": self.terminal}
        hidden = ["vertex", "name", "id"] if self.vertex else []
        hidden += ["owner", "player"] if self.owner else []
        wanted = {name: word for word, name in usual.items() if name}
        return _renamed(header, wanted, [*hidden, *wanted.values()], fault)


def _renamed(
    header: Sequence[str], wanted: dict[str, str], hidden: Iterable[str],
    fault: Callable[[str], Exception],
) -> list[str]:  # fmt: skip
    """Return a header with ``wanted`` names for others, and without ``hidden`` ones that it had."""
    if not wanted:
        return list(header)
    cells = [cell if cell in wanted else cell.strip() for cell in header]
    for name in wanted:
        if cells.count(name) != 1:
            found = "no column" if name not in cells else "two columns"
            raise fault(f"{found} {name!r}: expected one of {', '.join(map(repr, cells))}")
    hidden = set(hidden)
    return [
        wanted[cell] if cell in wanted else f"{cell} (not used)" if plain_name(cell) in hidden else cell
        for cell in cells
    ]


USUAL = ColumnNames()


class Attributes(NamedTuple):
    """What the names of columns mean.

    Parameters
    ----------
    columns : dict of str to name
        The column of each attribute.
    unused : list of str
        A sentence about each column that looks like an attribute and is none.
    """

    columns: dict[str, Any]
    unused: list[str]


def find_attributes(
    names: Iterable[Any],
    known: Sequence[str],
    fault: Callable[[str], Exception],
    what: str = "column",
    cells: Callable[[Any], Iterable[Any]] | None = None,
) -> Attributes:
    """Return the columns of a table of vertices that are attributes, by their names.

    Parameters
    ----------
    names : iterable
        The names of the columns; what is no text is no attribute.
    known : sequence of str
        The attributes that the reader uses.
    fault : callable
        Makes the error for two columns that are the same attribute.
    what : str
        The word for a column in sentences.
    cells : callable, optional
        Returns the cells of a column. Then a column ``value`` of words, without ``remoteness``, is
        reported too: it is no solution, and may stand for ``terminal``.

    Examples
    --------
    >>> find_attributes(["Owner", "result", "colour"], ("owner", "terminal"), ValueError)
    Attributes(columns={'owner': 'Owner'}, unused=["column 'result' is not used: expected 'terminal' \
(win, loss, tie or nothing), or another name"])
    """
    plain = [(name, plain_name(name)) for name in names if isinstance(name, str)]
    columns: dict[str, Any] = {}
    for name, word in plain:
        if word in columns:
            before = columns[word]
            if name == before:
                raise fault(f"two {what}s {name!r}: expected one")
            raise fault(f"{what}s {short_repr(before)} and {short_repr(name)}: expected one of them")
        if word in known:
            columns[word] = name
    unused = []
    for name, word in plain:
        for attribute, synonyms in SYNONYMS.items():
            there = attribute in columns or (attribute == "owner" and "player" in columns)
            if attribute in known and word in synonyms and not there and word not in known:
                unused.append(
                    f"{what} {short_repr(name)} is not used: expected {attribute!r} "
                    f"({EXPECTED[attribute]}), or another name"
                )
        if word in PRIORITIES and "terminal" in known:
            unused.append(
                f"{what} {short_repr(name)} is not used: expected another name, since parity games are "
                "not solved"
            )
    words = {word: name for name, word in plain}
    alone = "value" in words and "remoteness" not in words and "terminal" not in columns
    if cells is not None and alone and "terminal" in known and _are_words(cells(words["value"])):
        unused.append(VALUE_ALONE.format(what=what, name=short_repr(words["value"])))
    return Attributes(columns, unused)


def find_edge_attributes(
    names: Iterable[Any],
    has_chance: bool,
    fault: Callable[[str], Exception],
    what: str = "column",
    given: Iterable[str] = (),
) -> Attributes:
    """Return the columns of a table of edges that are attributes, by their names.

    Parameters
    ----------
    names, fault, what
        See :func:`find_attributes`.
    has_chance : bool
        Whether chance moves; weights count only then.
    given : iterable of str
        The attributes that are known already.

    Examples
    --------
    >>> find_edge_attributes(["Reward", "prob"], True, ValueError)
    Attributes(columns={'reward': 'Reward'}, unused=["column 'prob' is not used: expected 'weight' \
(a whole number for each edge of chance), or another name"])
    """
    names = [name for name in names if isinstance(name, str)]
    counting = OF_EDGES if has_chance else ("reward",)
    known = [attribute for attribute in counting if attribute not in given]
    found = find_attributes(names, known, fault, what)
    if "weight" in known and "weight" not in found.columns:
        found.unused.extend(
            f"{what} {short_repr(name)} is not used: expected 'weight' (a whole number for each edge "
            "of chance), or another name"
            for name in names
            if plain_name(name) in LIKE_WEIGHTS
        )
    return found


def are_players(players: object) -> bool:
    """Return whether something is the names of two players: a tuple or a list of two different texts.

    >>> are_players(("Ann", "Bob")), are_players("ab"), are_players(["Ann", "Ann"])
    (True, False, False)
    """
    if not isinstance(players, tuple | list) or len(players) != 2:
        return False
    return all(isinstance(name, str) for name in players) and players[0] != players[1]


def _are_words(cells: Iterable[Any]) -> bool:
    """Return whether a column has names of values, and no other text."""
    labels = {value.label for value in Value}
    words = [cell.strip().lower() for cell in cells if isinstance(cell, str) and cell.strip()]
    return bool(words) and set(words) <= labels


def find_ends(names: Sequence[Any], fault: Callable[[str], Exception]) -> tuple[int, int] | None:
    """Return the places of the columns with the ends of edges, None if no pair of ``ENDS`` is there.

    Parameters
    ----------
    names : sequence
        The names of the columns of edges; case and blanks around them do not count.
    fault : callable
        Makes the error for two columns of one name.
    """
    words = [name.strip().lower() if isinstance(name, str) else None for name in names]
    for source, target in ENDS:
        if source in words and target in words:
            for word in (source, target):
                if words.count(word) > 1:
                    raise fault(f"two columns {word!r}: expected one")
            return words.index(source), words.index(target)
    if len(words) == 2 and words[0] == words[1] and words[0] in {*chain.from_iterable(ENDS)}:
        raise fault(f"two columns {words[0]!r}: expected both ends of edges, such as source and target")
    return None


def types_of_edges(names: Iterable[Any]) -> list[Any]:
    """Return the columns of edges that say, as those of Gephi do, whether an edge has a direction."""
    return [name for name in names if isinstance(name, str) and plain_name(name) == "type"]


def check_directed(column: object, words: Iterable[Any], fault: Callable[[str], Exception]) -> None:
    """Raise an error if a word in a column of types of edges may say that it goes both ways.

    >>> check_directed("Type", ["Directed", "road", None], ValueError)
    >>> check_directed("Type", ["Directed", "Undirected"], ValueError)
    Traceback (most recent call last):
    ...
    ValueError: column 'Type' has 'Undirected': expected Directed, and two rows for an edge both ways
    """
    for word in words:
        if isinstance(word, str) and NOT_DIRECTED.fullmatch(word.strip()):
            raise fault(
                f"column {short_repr(column)} has {short_repr(word.strip())}: "
                "expected Directed, and two rows for an edge both ways"
            )


def unused_in_edges(names: Iterable[Any]) -> list[str]:
    """Return a sentence about each column of edges that looks like an attribute of vertices."""
    known = {*chain.from_iterable(SYNONYMS.values())} - {*chain.from_iterable(ENDS)}
    return [
        f"column {short_repr(name)} of the edges is not used: expected it in a table of vertices"
        for name in names
        if isinstance(name, str) and plain_name(name) in known
    ]


def plain_name(name: str) -> str:
    """Return a name without case, blanks, hyphens and underscores."""
    return "".join(letter for letter in name.casefold() if letter not in " _-\t")


def owners_and_players(
    owner: IntArray | None,
    labels: Iterable[tuple[int, str]],
    num_vertices: int,
    fault: Callable[[int, str], Exception],
) -> tuple[IntArray | None, tuple[str, str]]:
    """Return the owners, and the names of the players, from the attributes ``owner`` and ``player``.

    Parameters
    ----------
    owner : integers [n] or None
        0 or 1, where there is the attribute ``owner``.
    labels : iterable of (int, str)
        The player of each vertex that has one. Without owners, "0" and "1" are these, "chance" is
        chance, and two other names are numbered in the order in which they appear.
    num_vertices : int
    fault : callable
        ``fault(vertex, text)`` makes the error for the player of a vertex.

    Returns
    -------
    owners : integers [n] or None
    players : tuple of two str
    """
    owners = None if owner is None else np.asanyarray(owner)
    given = dict(labels)
    thrown = [vertex for vertex, name in given.items() if is_chance(name)]
    if owners is None:
        if not given:
            return None, PLAYERS
        distinct = list(dict.fromkeys(name for name in given.values() if not is_chance(name)))
        numbers = {name: number for number, name in enumerate(distinct)}
        if set(distinct) <= set(PLAYERS):
            numbers = {name: int(name) for name in distinct}
        for vertex, name in given.items():
            if numbers.get(name, 0) > 1:
                first, second = map(short_repr, distinct[:2])
                raise fault(
                    vertex,
                    f"player {short_repr(name)} after {first} and {second}: expected two players",
                )
        if len(given) < num_vertices:
            vertex = next(v for v in range(num_vertices) if v not in given)
            raise fault(vertex, "no player, others have one: expected all or none")
        codes = (numbers.get(given[v], CHANCE) for v in range(num_vertices))
        owners = np.fromiter(codes, np.uint8, num_vertices)
    if thrown and np.count_nonzero(owners == CHANCE) == np.count_nonzero(owners[thrown] == CHANCE):
        owners = owners.view(Owners)
    met: dict[int, str] = {}
    for vertex, name in given.items():
        number = int(owners[vertex])
        if number not in (0, 1):
            continue  # which is refused where owners are
        known = met.setdefault(number, name)
        if known != name:
            raise fault(
                vertex,
                f"player {short_repr(name)} after {short_repr(known)} for owner {number}: "
                "expected one name for each",
            )
        if met.get(1 - number) == name:
            raise fault(
                vertex, f"player {short_repr(name)} for owners 0 and 1: expected two names that differ"
            )
    if len(met) == 1:  # the other player has a usual name, but not the same
        ((number, name),) = met.items()
        met[1 - number] = PLAYERS[number] if name == PLAYERS[1 - number] else PLAYERS[1 - number]
    return owners, (met.get(0, PLAYERS[0]), met.get(1, PLAYERS[1]))
