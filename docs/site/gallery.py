"""The gallery: a card and a page for every built-in game, with its picture and its result."""

from __future__ import annotations

import hashlib
import inspect
import json
import shutil
import sys
from functools import cache
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

import retrosolve as rs
from benchmarks.tables import read
from retrosolve.drawing.picture import Picture
from retrosolve.games import GAMES, GameSpec, parse_game
from retrosolve.objectives.score import Margin
from retrosolve.rules.contract import CompiledGame, Game
from retrosolve.values import NimValue, Outcome
from retrosolve.web.export import export_static

ROOT = Path(__file__).parent.parent.parent
PACKAGE = ROOT / "src" / "retrosolve"
DATA = ROOT / "tests" / "data" / "published.json"
BENCHMARKS = ("games", "big_games", "records")
HEAD = """# Gallery

Every built-in game, compared with published results by the tests. **Play** opens the solved game in the
browser, without a server: all values, a perfect or a fallible opponent, and for small games the film of
the solve. [A notebook](notebook.md) shows solutions too, and [the registry](registry.md) has counts,
times and digests to compare.
"""
PLAYED = {
    "stones": "stones",
    "tictactoe": "tictactoe",
    "wythoff": "wythoff",
    "turning": "turning",
    "mutorere": "mutorere",
    "morris3": "morris3",
    "hexapawn": "hexapawn",
    "foxhounds-plain": "foxhounds-plain:n=4",
    "foxhounds": "foxhounds:n=4",
    "police": "police",
    "chess": "chess:KRK,board=4",
    "awari": "awari:seeds=9,pits=3",
    "kalah": "kalah:pits=2,seeds=2",
    "baghchal": "baghchal:size=3,goats=5,captures=2",
    "musketeers": "musketeers:size=3",
}
"""The games that can be played in the site, most of them on a smaller board."""


HEAPS = {
    "octal": (8,),
    "grundy": (4, 3),
    "wythoff": (6, 4),
    "turning": (8,),
    "ur": (4, 3),
    "pig": (6,),
    "bearoff": (5, 4),
    "rolls": (5,),
    "einstein": (3, 3),
    "race": (7,),
}
"""The heaps that stand for games without a picture."""


class Published(NamedTuple):
    """A published figure of a game.

    Parameters
    ----------
    what : str
        In words.
    item : str
        The item of ``tests/data/published.json`` that has it.
    path : tuple of str
        The keys below the figures of the item.
    """

    what: str
    item: str
    path: tuple[str, ...]


def rows(item: str, **figures: str) -> tuple[Published, ...]:
    """Return the figures of an item: the path, its keys separated by two underscores, and the words."""
    return tuple(Published(what, item, tuple(path.split("__"))) for path, what in figures.items())


PUBLISHED = {
    "tictactoe": rows(
        "tic-tac-toe",
        positions="positions", up_to_D4="up to symmetry", terminal="in which the game is over",
        X_wins="of these won by X", O_wins="won by O", terminal_draws="tied", games="games",
    ),
    "mutorere": rows(
        "mu-torere-E",
        positions="positions", wins="won", losses="lost", draws="drawn",
        max_remoteness="longest win, in plies", up_to_dihedral__states="up to symmetry",
        all_placements__states="all placements",
    ),
    "lgame": rows(
        "l-game",
        positions="positions", canonical_D4="up to symmetry", wins="won", losses="lost", draws="drawn",
        lost_at_0_canonical="final positions, up to symmetry",
    ),
    "morris3": rows(
        "three-mens-morris",
        start="start", opening__centre="first man in the centre", opening__corner="in a corner",
        opening__edge="at an edge",
    ),
    "hexapawn": (
        Published("3x3", "hexapawn", ("3x3",)),
        Published("4x4", "hexapawn", ("4x4",)),
    ),
    "foxhounds-plain": (
        Published("n=4, start", "fox-and-hounds", ("4", "start")),
        Published("n=4, positions", "fox-and-hounds", ("4", "positions")),
        Published("n=6, start", "fox-and-hounds", ("6", "start")),
        Published("n=6, positions", "fox-and-hounds", ("6", "positions")),
    ),
    "foxhounds": (
        Published("n=8, start", "fox-and-hounds", ("8", "start")),
        Published("n=8, positions", "fox-and-hounds", ("8", "positions")),
        Published("n=10, start", "fox-and-hounds", ("10", "start")),
        Published("n=10, positions", "fox-and-hounds", ("10", "positions")),
    ),
    "kalah": tuple(
        Published(f"pits={pits}, seeds={seeds}, margin of the first player", "kalah", ("margin", key))
        for key in ("4,2", "4,3", "4,4", "5,2", "5,3")
        for pits, seeds in [key.split(",")]
    ),
    "chess": (
        Published("KRK, black to move", "chess-krk-bt", ("total",)),
        Published("of these drawn", "chess-krk-bt", ("draw",)),
        Published("KRK, white to move, all won", "chess-krk-wt", ("total",)),
        *(
            Published(f"longest mate of {men}, in plies", "chess-3-4-men", ("longest_mate_plies", men))
            for men in ("KQK", "KRK", "KBBK", "KBNK", "KQKR")
        ),
    ),
    "connect4": tuple(
        Published(f"{size} (width x height), positions", "connect4-counts", ("w x h", size))
        for size in ("4x4", "5x4", "4x6", "5x5", "6x4", "7x6")
    ),
    "dobutsu": (
        *rows("dobutsu", reachable="positions, those at the end included",
              nonterminal_W="won before the end", nonterminal_L="lost", nonterminal_D="drawn",
              start="start", start_plies="in plies",
              max_plies="longest win, in plies"),
        *rows("dobutsu-5x3", reachable="five rows: positions", start_value="start",
              max_plies="longest win, in plies"),
    ),
    "queenpawns": tuple(
        Published(f"n={n}, {what}", "queen-and-pawns", (n, what))
        for n in "5678" for what in ("positions", "start")
    ),
    "morris6": rows("six-mens-morris", reachable="positions, symmetric ones apart", start="start"),
    "morris9": rows("nine-mens-morris", value="start"),
    "baghchal": rows(
        "bagh-chal", sliding_positions_up_to_symmetry="positions without goats in hand, up to symmetry",
        placing_positions_up_to_symmetry="with goats in hand", start="start",
    ),
    "musketeers": rows("three-musketeers", positions_up_to_symmetry="positions up to symmetry"),
    "teeko": (
        Published("standard game", "teeko", ("standard 44 goals",)),
        Published("advanced game", "teeko", ("advanced 58 goals",)),
        Published("placements of the moving phase", "teeko", ("movement_phase_placements",)),
    ),
    "quoridor": tuple(
        Published(f"{size}: won, lost and drawn", "quoridor", (f"{size}",))
        for size in ("6x6,w=0", "6x6,w=1", "6x6,w=2")
    ),
}  # fmt: skip
"""The published figures that the page of a game shows; the tests compare the game with all of them."""


@cache
def items() -> dict[str, dict[str, Any]]:
    """Return the published items by identifier."""
    return {item["id"]: item for item in json.loads(DATA.read_text("utf-8"))["items"]}


def figure(published: Published) -> str:
    """Return a published figure as a page shows it."""
    found: Any = items()[published.item]["figures"]
    for key in published.path:
        found = found[key]
    text = f"{found:,}" if isinstance(found, int) else str(found)
    return " / ".join(f"{int(part):,}" for part in text.split("/")) if "/" in text else text


def in_words(spec: GameSpec) -> str:
    """Return the outcome of the start with the winner in words.

    >>> in_words(GAMES["hexapawn"]), in_words(GAMES["lgame"])
    ('the second player wins in 6 plies', 'draw: nobody can force an end')
    """
    outcome = spec.outcome
    match outcome.value:
        case Margin() as margin:
            return f"the first player wins by {margin.points}" if margin.points else "even"
        case NimValue() as nimber:
            return f"nimber {nimber.number}: the {'first' if nimber.number else 'second'} player wins"
        case rs.Value():
            return _of_value(outcome)
    return f"the first player wins {float(str(outcome.value).split()[0]):.2f} % of the games"


def _of_value(outcome: Outcome) -> str:
    """Return one of the four values in words."""
    plies = "1 ply" if outcome.remoteness == 1 else f"{outcome.remoteness} plies"
    match outcome.value:
        case rs.Value.WIN:
            return f"the first player wins in {plies}"
        case rs.Value.LOSS:
            return f"the second player wins in {plies}"
        case rs.Value.TIE:
            return f"tie in {plies}"
    return "draw: nobody can force an end"


def index_page() -> str:
    """Return the page with a card for each game."""
    cards = "\n".join(_card(spec) for spec in GAMES.values())
    places = "\n".join(f"games/{name}" for name in GAMES)
    tree = f"```{{toctree}}\n:hidden:\n\nnotebook\nregistry\n{places}\n```"
    return f'{HEAD}\n{tree}\n\n```{{raw}} html\n<div class="cards">\n{cards}\n</div>\n```\n'


def _card(spec: GameSpec) -> str:
    """Return the card of a game."""
    play = (
        f'<a class="play" href="../play/{spec.name}/index.html">Play</a>' if spec.name in PLAYED else ""
    )
    return (
        f'<div class="card game-card"><div class="picture" aria-hidden="true">{picture(spec)}</div>'
        f'<p><strong><a href="games/{spec.name}.html">{escape(title(spec))}</a></strong></p>'
        f"<p>{escape(in_words(spec))}</p><p>{spec.positions:,} positions</p>{play}</div>"
    )


def title(spec: GameSpec) -> str:
    """Return the name of a game in words; that of the same game in plain Python says so."""
    return f"{spec.title}, in plain Python" if spec.name.endswith("-plain") else spec.title


def picture(spec: GameSpec) -> str:
    """Return the drawing of the start, if the rules have one."""
    game: Game | CompiledGame = parse_game(spec.name)
    start = next(iter(game.starts()), None)
    return (None if start is None else game.svg(start)) or str(heaps(spec.title, *HEAPS[spec.name]))


def heaps(title: str, *sizes: int) -> Picture:
    """Return a picture of heaps, a row of stones each, for games whose rules draw none."""
    drawn = Picture(30 * max(sizes) + 8, 38 * len(sizes), title)
    for row, size in enumerate(sizes):
        for column in range(size):
            drawn.disc(19 + 30 * column, 19 + 38 * row, 11.4, "piece neutral")
    return drawn


def write_pages(folder: Path) -> dict[Path, str]:
    """Return the text of the page of each game."""
    return {folder / f"{spec.name}.md": page(spec) for spec in GAMES.values()}


def page(spec: GameSpec) -> str:
    """Return the page of a game."""
    defaults = ",".join(f"{name}={value}" for name, value in spec.defaults().items() if value)
    command = f"retrosolve solve {spec.name}" + (f":{defaults}" if defaults else "")
    module = sys.modules[parse_game(spec.name).__class__.__module__]
    paragraphs = (inspect.getdoc(module) or "").replace("``", "`").split("\n\n")[1:]
    if spec.name in PUBLISHED:  # the table has these figures
        paragraphs = [text for text in paragraphs if not text.startswith(("Known", "- "))]
    notes = "\n\n".join(paragraphs)
    drawn = picture(spec)
    facts = [
        ("Start", f"{in_words(spec)} ({spec.outcome} for the player to move)"),
        ("Positions", f"{spec.positions:,}"),
        ("Source", spec.source),
        ("Rules", f"`{spec.location.partition(':')[0]}`"),
        ("Command", f"`{command}`"),
    ]
    parts = [f"# {title(spec)}", "", spec.rules, ""]
    if drawn:
        parts += ["```{raw} html", f'<div class="drawn">{drawn}</div>', "```", ""]
    if spec.name in PLAYED:
        text = PLAYED[spec.name]
        size = "" if text == spec.name else f" (`{text}`)"
        link = f'<a href="../../play/{spec.name}/index.html">Play it in the browser</a>'
        parts += [f"{link}{size}.", ""]
    parts += [
        f"| game | `{spec.name}` |",
        "|---|---|",
        *(f"| {key} | {value} |" for key, value in facts),
        "",
    ]
    parts += [*_published(spec.name), *_measured(spec.name)]
    return "\n".join([*parts, "## Notes", "", notes, ""] if notes else parts)


def _published(name: str) -> list[str]:
    """Return the table of published figures."""
    if name not in PUBLISHED:
        return []
    lines = ["## Published figures", "", "| what | figure |", "|---|---|"]
    return [*lines, *(f"| {one.what} | {figure(one)} |" for one in PUBLISHED[name]), ""]


def _measured(name: str) -> list[str]:
    """Return the table of what solving the game took, on the machines of the benchmarks."""
    lines = []
    for benchmark in BENCHMARKS:
        measured = read(benchmark)
        for case in measured["cases"]:
            if case["game"].partition(":")[0] == name:
                seconds = case["solve"] if "solve" in case else case["seconds"]
                start = case.get("start") or ""
                took = f"{seconds:.3g}" if seconds < 100 else f"{seconds:,.0f}"
                lines.append(f"| `{case['game']}` | {case['positions']:,} | {start} | {took} |")
    if not lines:
        return []
    head = ["## Measured", "", "| game | positions | start | solve, s |", "|---|---|---|---|"]
    return [*head, *lines, "", "[Performance](../../performance.md) names the machines.", ""]


def write_games(out: Path, kept: Path) -> None:
    """Write the games that can be played into the site.

    Parameters
    ----------
    out : Path
        Their folder in the site.
    kept : Path
        A folder in which they stay between builds, until the package changes.
    """
    digest = package_digest()
    for name, text in PLAYED.items():
        folder, stamp = kept / name, kept / f"{name}.txt"
        told = f"{digest} {text}"
        if not stamp.exists() or stamp.read_text("utf-8") != told:
            shutil.rmtree(folder, ignore_errors=True)
            title = GAMES[name].title
            export_static(rs.solve(parse_game(text)), title, folder, home="../../gallery/games.html")
            stamp.write_text(told, "utf-8")
        shutil.copytree(folder, out / name, dirs_exist_ok=True)


def package_digest() -> str:
    """Return the digest of all files of the package from which exported games are made."""
    whole = hashlib.sha256()
    for path in sorted(path for path in PACKAGE.rglob("*") if path.is_file()):
        if path.suffix != ".pyc":
            whole.update(path.relative_to(PACKAGE).as_posix().encode() + b"\0" + path.read_bytes())
    return whole.hexdigest()
