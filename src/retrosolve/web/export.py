"""export_static(): a solved game as files for any web host, read in the browser.

OUT has the pages, the first with its script inside, and with its data where the game is small, so that
it opens from a disk too, in every language, and

- ``structure.html`` and the same page in each other language, ``structure.fa.html``;
- ``game.json``: title, start, counts, the offsets of the blocks, the words of each language;
- ``blocks.bin``: for each position its text, its outcome and its moves with theirs, best first: lists
  in JSON, BLOCK indices to a block, each block compressed by gzip, read by range requests. Moves and
  titles are as the rules write them: the page translates them. Where a representative stands for
  positions with the players exchanged, what such a position shows is there too, but for what the page
  makes of the other by exchanging words;
- ``texts.bin``: pairs of a hash of a text and an index, uint32 each, ascending, to find positions by
  their text;
- ``film.html``, the film of a small game, and ``draw-board.html`` and ``draw-graph.html``, editors that
  solve in the page: each opens from a disk too.
"""

from __future__ import annotations

import base64
import gzip
import json
import multiprocessing
import os
import re
import shutil
import threading
import warnings
from array import array
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager
from gettext import NullTranslations
from itertools import compress, pairwise
from pathlib import Path
from typing import Any, NamedTuple, cast
from urllib.parse import quote

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from retrosolve.arrays import row_bounds
from retrosolve.drawing.appearance import APPEARANCE, SYMBOLS
from retrosolve.drawing.picture import KINDS
from retrosolve.errors import StoreError
from retrosolve.explanation.tracing import MAX_MOVES
from retrosolve.games.table import GAMES as SPECS
from retrosolve.languages import LANGUAGES, NUMERALS, Language, side_name, translation
from retrosolve.languages.phrases import COMPILED, FROM_LINE, GAMES, PLAIN, WORDS
from retrosolve.objectives import Chance, Score
from retrosolve.objectives.base import VALUES
from retrosolve.runtime.context import ProgressCallback, counted, no_progress
from retrosolve.runtime.files import system_errors
from retrosolve.runtime.threads import cpu_count
from retrosolve.solution import Solution
from retrosolve.solution.bulk import UNLISTED, RankedEdges, ranked_edges
from retrosolve.solution.records import by_label
from retrosolve.solution.view import PLIES_COUNT
from retrosolve.spaces.base import RulesSpace, StateSpace
from retrosolve.spaces.rule_positions import CompiledRules
from retrosolve.tables.summary import first_vertices
from retrosolve.values import INVALID, Result
from retrosolve.web.address import position_at
from retrosolve.web.descriptions import BOARD, GRAPH
from retrosolve.web.library import Entry
from retrosolve.web.pages.home import card_of
from retrosolve.web.pages.position import MISTAKES, about_rules
from retrosolve.web.pages.structure import some_zugzwangs, structure
from retrosolve.web.phrasing import RESULTS, WON_BY, game_title, titled
from retrosolve.web.rendering import rendered
from retrosolve.web.standalone import as_data, bundled, content_source, drawing_file, film_file

FORMAT, VERSION = "retrosolve static export", 2
MAX_POSITIONS = 2 * 10**7
MAX_PICTURES = 200_000
MAX_ALONE = 200_000  # positions that one process exports
BLOCKS_AT_ONCE = 32
LEVEL, LEVEL_WITH_PICTURES = 6, 9  # of gzip: 9 takes five times as long to save 5 %, of pictures 20 %
PIECES = "first", "second"  # the kinds of both players in pictures of boards
MAX_INLINE = 2_000_000  # bytes of the files of a game that stand in its page too
BLOCK = 128
FNV_START, FNV_PRIME = 0x811C9DC5, 0x01000193
STATIC = Path(__file__).parent / "static"
FILES = ("explorer.css", "exported.css", "icon.svg")


def export_static(
    solution: Solution,
    title: str,
    out: Path,
    language: str = "en",
    pictures: bool | None = None,
    progress: ProgressCallback = no_progress,
    home: str | None = None,
    workers: int | None = None,
) -> None:
    """Write a solution as files for any web host.

    Parameters
    ----------
    solution : Solution
    title : str
        For people.
    out : Path
        A folder that does not exist or is empty.
    language : str
        The language in which the pages open; readers may choose another one.
    pictures : bool, optional
        Whether to write the picture of each position, by default for at most 200,000 positions.
    progress : ProgressCallback
    home : str, optional
        The page with all games, if this is one of several, or its folder, with one in each language.
    workers : int, optional
        Processes that name moves, by default one for each processor from 200,000 positions on.

    Raises
    ------
    StoreError
        For more than MAX_POSITIONS positions, for a game of chance, for a folder with something in it,
        and if a process ends.

    Notes
    -----
    Moves are made by compiled rules, valued and ranked as arrays, and named in plain Python where rules
    have no ``move_names``: 10 to 40 microseconds of a processor per position, chess endings included.
    Pictures take 100 to 1,000 more.
    """
    solution = Entry("", title, solution).solution
    _check_exportable(solution)
    n, size = solution.table.num_vertices, len(solution)
    with _filled(out):
        drawn = size <= MAX_PICTURES if pictures is None else pictures
        report = counted(progress, "exporting", 0, n)
        if workers is None:
            workers = cpu_count() if size > MAX_ALONE else 1
        offsets, hashes = [0], array("Q")
        with (
            (out / "blocks.bin").open("wb") as blocks,
            closing(_packed_blocks(solution, drawn, workers)) as all_packed,
        ):
            for packed, pairs_of_block in all_packed:
                hashes.frombytes(pairs_of_block)
                offsets.append(offsets[-1] + blocks.write(packed))
                report(min((len(offsets) - 1) * BLOCK, n))
        pairs = np.sort(np.array(hashes, np.uint64))
        np.stack([pairs >> 32, pairs & 0xFFFFFFFF], axis=1).astype("<u4").tofile(out / "texts.bin")
        for name in FILES:
            shutil.copyfile(STATIC / name, out / name)
        game = _game(solution, title, offsets, len(hashes), language)
        (out / "game.json").write_text(json.dumps(game, ensure_ascii=False), encoding="utf-8")
        files = [out / name for name in ("blocks.bin", "texts.bin")]
        inline = None
        if sum(path.stat().st_size for path in files) <= MAX_INLINE:
            content = {path.name: base64.b64encode(path.read_bytes()).decode() for path in files}
            inline = as_data({"game": game, "files": content})
        _write_pages(solution, title, out, language, inline, home)


def export_site(
    solutions: Sequence[tuple[str, str, Solution]],
    out: Path,
    language: str = "en",
    pictures: bool | None = None,
    progress: ProgressCallback = no_progress,
    workers: int | None = None,
) -> None:
    """Write several solutions as files for any web host, with a page that leads to each of them.

    Parameters
    ----------
    solutions : sequence of (str, str, Solution)
        Of each game the name of its folder, its title for people, and its solution.
    out : Path
        A folder that does not exist or is empty.
    language, pictures, progress, workers
        As in :func:`export_static`.

    Raises
    ------
    StoreError
        As :func:`export_static`.
    """
    for _, _, solution in solutions:
        _check_exportable(solution)
    with _filled(out):
        drawings = set()
        for name, title, solution in solutions:
            export_static(solution, title, out / name, language, pictures, progress, "../", workers)
            drawn = solution.space.svg(position_at(solution, None)[0])
            if drawn is not None:
                (out / name / "start.svg").write_text(titled(drawn, translation(language)), "utf-8")
                drawings.add(name)
        for file in (*FILES, "home.css"):
            shutil.copyfile(STATIC / file, out / file)
        for code in LANGUAGES:
            to, cards = translation(code), []
            for name, title, solution in solutions:
                pages, entry = _Pages(language, code), Entry(name, title, solution)
                at, shown = f"{quote(name)}/", f"{name}/start.svg" if name in drawings else ""
                addresses = at + pages.game, quote(shown), at + pages.file("structure")
                cards.append(card_of(entry, to, *addresses))
            values = {"cards": cards, "source": "'self'", "pages": pages}
            page = rendered(code, "exported_index.html", **values)
            (out / pages.file("index")).write_text(page, encoding="utf-8")


class _Pages(NamedTuple):
    """The addresses of pages in a language, of a site that opens in another one."""

    first: str
    code: str

    def file(self, name: str, code: str | None = None) -> str:
        """Return the file of a page that is written once for each language."""
        code = code or self.code
        return f"{name}.html" if code == self.first else f"{name}.{code}.html"

    @property
    def game(self) -> str:
        """The address of the page of positions, which has all languages."""
        return f"index.html?language={self.code}" if self.code != self.first else "index.html"


def _check_exportable(solution: Solution) -> None:
    """Raise StoreError for a solution that files of a site cannot show, before anything is written."""
    if isinstance(solution.objective, Chance):
        raise StoreError("games of chance cannot be exported: expected retrosolve serve or probe")
    if len(solution) > MAX_POSITIONS:
        raise StoreError(
            f"the game has {len(solution)} positions: expected at most {MAX_POSITIONS} to export"
        )


def check_site(out: Path) -> None:
    """Check, before any work, that a folder can be filled: it is empty, or can be made.

    Raises
    ------
    StoreError
    """
    with system_errors("export to", out):
        if out.exists() and not out.is_dir():
            raise StoreError(f"{out} is a file: expected an empty folder, or a new one")
        if out.exists() and any(out.iterdir()):
            raise StoreError(f"{out} is not empty: expected a folder that is, or that does not exist")
        place = Path(os.path.realpath(out))
        while not place.exists():
            place = place.parent
        if not place.is_dir() or not os.access(place, os.W_OK):
            raise StoreError(f"cannot export to {out}: {place} is no writable folder")


@contextmanager
def _filled(out: Path) -> Iterator[None]:
    """Make a folder to be filled, and leave nothing in it if that fails or is interrupted.

    Raises StoreError if there is something in it before, or the system cannot write.
    """
    check_site(out)
    was_there, place = out.exists(), Path(os.path.realpath(out))
    with system_errors("export to", out):
        place.mkdir(parents=True, exist_ok=was_there)
        try:
            yield
        except BaseException:
            shutil.rmtree(place, ignore_errors=True)
            if was_there:
                place.mkdir()
            raise


def _write_pages(
    solution: Solution, title: str, out: Path, language: str, data: Markup | None, home: str | None
) -> None:
    """Write the page of positions and that of the structure, whose links lead to examples."""
    entry, first = Entry("", title, solution), first_vertices(solution.table)
    filmed = entry.has_film and solution.num_edges <= MAX_MOVES  # which has_film estimates
    script, zugzwangs = bundled("exported.js"), some_zugzwangs(entry)
    about, _ = about_rules(solution.space.rules)
    zugzwang = f"#{solution.space.index(zugzwangs[0])}" if zugzwangs else None
    bodies: list[tuple[Language, str, Markup]] = []
    for code in (*(code for code in LANGUAGES if code != language), language):
        to, pages = translation(code), _Pages(language, code)
        values = {"entry": entry, "filmed": filmed, "home": home, "pages": pages}
        page = rendered(
            code, "exported.html", sides=_sides(solution, to), about=about, chances=MISTAKES, data=data,
            script=Markup(script), source=Markup(content_source(script)), bodies=bodies, **values,
        )  # fmt: skip
        body = page.partition("<body>")[2].partition("</footer>")[0]
        bodies.append((LANGUAGES[code], game_title(title, to), Markup(f"{body}</footer>")))
        shown = rendered(
            code,
            "structure.html",
            frame="exported_base.html",
            find=lambda value, plies, at=pages.game: f"{at}#{first[value][plies]}",
            random=None,
            source="'self'",
            zugzwang=zugzwang and pages.game + zugzwang,
            **{**structure(entry, to), **values},
        )
        (out / pages.file("structure")).write_text(shown, encoding="utf-8")
    (out / "index.html").write_text(page, encoding="utf-8")
    if filmed:
        (out / "film.html").write_text(film_file(solution, title, language), encoding="utf-8")
    back = ("index.html", game_title(title, to)), ("structure.html", to.gettext("Structure"))
    for kind in (BOARD, GRAPH):
        page = drawing_file(kind, language, back)
        (out / f"draw-{kind}.html").write_text(page, encoding="utf-8")


def _sides(solution: Solution, to: NullTranslations) -> list[str]:
    """Return the names of the players."""
    space = solution.space
    named = space.side_to_move(*position_at(solution, None)) is not None
    return [side_name(space.players, side, named, to) for side in (0, 1)]


def _packed_blocks(
    solution: Solution, drawn: bool, workers: int
) -> Generator[tuple[bytes, bytes], None, None]:
    """Yield each block, and its pairs of hash and index, in order. Raises StoreError if a process ends.

    A process runs one thread of Python at a time. Forked ones have the solution without a copy of it,
    and the files of a saved one may be read after a fork.
    """
    starts = range(0, solution.table.num_vertices, BLOCK * BLOCKS_AT_ONCE)
    if workers == 1:
        for start in starts:
            yield from _packed(solution, drawn, start)
        return
    _shared.append((solution, drawn))
    others = set(multiprocessing.active_children())
    context = multiprocessing.get_context("fork")
    pool = ProcessPoolExecutor(workers, context, initializer=_end_with_parent)
    try:
        with warnings.catch_warnings():
            # numpy's threads count as well, and it prepares them for a fork.
            warnings.simplefilter("ignore", DeprecationWarning)
            packed = pool.map(_packed_shared, starts)
        for blocks in packed:
            yield from blocks
    except BrokenProcessPool:
        raise StoreError(
            "a process of the export has ended: expected memory for all, or fewer --workers"
        ) from None
    finally:
        pool.shutdown(cancel_futures=True)
        # If the system refuses the second process, nobody tells the first one to end.
        for process in set(multiprocessing.active_children()) - others:
            process.terminate()
            process.join()
        _shared.clear()


def _end_with_parent() -> None:
    """End this process when the one that forked it is killed, since it would wait for work for ever."""
    parent = multiprocessing.parent_process()

    def end() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=end, daemon=True).start()


_shared: list[tuple[Solution, bool]] = []  # what forked processes export


def _packed_shared(start: int) -> list[tuple[bytes, bytes]]:
    return _packed(*_shared[0], start)


def _packed(solution: Solution, drawn: bool, start: int) -> list[tuple[bytes, bytes]]:
    """Return some blocks as JSON compressed by gzip, each with its pairs, uint64."""
    stop = min(start + BLOCK * BLOCKS_AT_ONCE, solution.table.num_vertices)
    vertices = start + np.flatnonzero(solution.table.values(slice(start, stop)) != INVALID)
    written, texts, named = _rows(solution, vertices, drawn)
    level = LEVEL_WITH_PICTURES if drawn else LEVEL
    pairs = text_hashes(texts) << np.uint64(32) | named.astype(np.uint64)
    rows = dict(zip(vertices.tolist(), written, strict=True))
    packed = []
    for first in range(start, stop, BLOCK):
        last = min(first + BLOCK, stop)
        data = f"[{','.join([rows.get(v, 'null') for v in range(first, last)])}]"
        begin, end = np.searchsorted(named, (first, last))
        packed.append((gzip.compress(data.encode(), level, mtime=0), pairs[begin:end].tobytes()))
    return packed


def _rows(
    solution: Solution, vertices: NDArray[np.int64], drawn: bool
) -> tuple[list[str], list[str], NDArray[np.int64]]:
    """Return a row in JSON of each of some positions; the texts to look up, and the index of each.

    A row is text, value, remoteness, who moves, moves and picture; a move is name, index, value for who
    moves or its points as text, remoteness of the target, rank, and points to click; ``~index`` stands
    where pages show another image of the target than the one that the move leads to. Where a move may
    begin a new count of plies, those by the move follow. A position that also stands for one with the
    players exchanged has what that shows at its end: text, name and points of each move, and picture,
    each null if the page makes it by exchanging words.
    """
    space, table = solution.space, solution.table
    edges = ranked_edges(solution, vertices)
    _check_sides(space, edges)
    texts = space.texts(edges.positions)
    movers, values = space.player(vertices), table.values(vertices)
    points, pictures = _pictures(space, edges.positions, edges.targets, edges.indptr, drawn)
    exchanged = _exchanged(space, edges, texts, points, pictures, drawn)
    targets = (
        np.where(_turned(space, edges), ~edges.vertices, edges.vertices) if drawn else edges.vertices
    )
    has_plies = table.codec != VALUES or solution.objective.name in PLIES_COUNT
    moves = [
        f"[{name},{target},{value},{left},{rank},{clicks}{by_move}]"
        for name, target, value, left, rank, clicks, by_move in zip(
            map(_json, edges.names),
            targets.tolist(),
            map(_code, edges.values.tolist()),
            _counts(edges.remoteness),
            edges.ranks.tolist(),
            map(_json, points),
            [f",{plies}" for plies in _counts(edges.plies)] if has_plies else [""] * len(edges.names),
            strict=True,
        )
    ]
    rows = [
        f"[{_json(text)},{value},{plies},{_json(side)},[{','.join(moves[begin:end])}],{picture}"
        f"{f',{_json(exchanged[row])}' if row in exchanged else ''}]"
        for row, (text, value, plies, side, (begin, end), picture) in enumerate(
            zip(
                texts,
                values.tolist(),
                table.codec.shown(values, table.remoteness(vertices)).tolist(),
                map(space.positions.side_to_move, edges.positions)
                if movers is None
                else movers.tolist(),
                pairwise(edges.indptr.tolist()),
                map(_json, pictures),
                strict=True,
            )
        )
    ]
    more = {row: text for row, (text, *_) in exchanged.items() if text is not None}
    named = np.concatenate([vertices, vertices[list(more)]])
    order = np.argsort(named, kind="stable")
    listed = [*texts, *more.values()]
    return rows, [listed[k] for k in order.tolist()], named[order]


def _pictures(
    space: StateSpace,
    positions: list[Any],
    targets: list[Any],
    indptr: NDArray[np.int64],
    drawn: bool,
) -> tuple[list[Any], list[str | None]]:
    """Return the points to click for each move, and the picture of each position, if they are drawn."""
    if not drawn:
        return [None] * len(targets), [None] * len(positions)
    origins = np.repeat(np.arange(len(positions)), np.diff(indptr)).tolist()
    points = [
        space.move_points(positions[k], target) for k, target in zip(origins, targets, strict=True)
    ]
    return points, list(map(space.svg, positions))


def _turned(space: StateSpace, edges: RankedEdges) -> NDArray[np.bool_]:
    """Return which moves lead to positions that look otherwise than their representatives."""
    turned = np.zeros(len(edges.targets), bool)
    rules, exchanging = space.rules, _exchanging(space)
    if rules is not None and rules.implements("canonical"):
        vertices, which = np.unique(edges.vertices, return_inverse=True)
        forms = space.positions_of(vertices).tolist()
        looks = [{text} for text in space.texts(forms)]
        for form, look in zip(forms, looks, strict=True):
            other = None if exchanging is None else exchanging.exchanged(form)
            if other is not None:
                look.add(space.text(other))
        texts = space.texts(edges.targets)
        turned[:] = [text not in looks[k] for text, k in zip(texts, which.tolist(), strict=True)]
    return turned


class _Exchange:
    """The words that an exchange of the players exchanges in texts, names of moves and pictures."""

    def __init__(self, rules: CompiledRules) -> None:
        colours = [" ".join(f'{k}="{v}"' for k, v in KINDS[kind].items()) for kind in PIECES]
        pairs = [rules.players, tuple(getattr(rules, "marks", rules.players)), PIECES, colours]
        self.words = {one: other for a, b in pairs for one, other in ((a, b), (b, a))}
        self.pattern = "|".join(map(re.escape, sorted(self.words, key=len, reverse=True)))

    def of(self, text: str) -> str:
        """Return a text with the players exchanged."""
        return re.sub(self.pattern, lambda word: self.words[word[0]], text)


def _exchanging(space: StateSpace) -> CompiledRules | None:
    """Return the rules if a representative may stand for positions with the players exchanged."""
    rules = cast(CompiledRules, space.rules) if isinstance(space, RulesSpace) else None
    return rules if rules is not None and rules.implements("exchanged") else None


def _exchanged(
    space: StateSpace,
    edges: RankedEdges,
    texts: list[str],
    points: list[Any],
    pictures: list[str | None],
    drawn: bool,
) -> dict[int, list[Any]]:
    """Return the texts, moves and pictures with the players exchanged, by place; see :func:`_rows`."""
    rules = _exchanging(space)
    if rules is None:
        return {}
    others = list(map(rules.exchanged, edges.positions))
    stands = np.array([other is not None for other in others], bool)
    positions = list(compress(others, stands))
    counts = np.diff(edges.indptr)
    kept = np.repeat(stands, counts)
    targets = list(map(rules.exchanged, compress(edges.targets, kept)))
    indptr = row_bounds(counts[stands])
    origins = np.repeat(np.array(positions, np.int64), counts[stands])
    names = rules.move_names(origins, np.array(targets, np.int64), edges.results[kept])
    clicks, drawings = _pictures(space, positions, targets, indptr, drawn)
    exchange, moves = _Exchange(rules), list(zip(names, clicks, strict=True))
    made = [
        (exchange.of(name), clicked)
        for name, clicked in compress(zip(edges.names, points, strict=True), kept)
    ]
    shown = {}
    for place, text, (begin, end), picture in zip(
        np.flatnonzero(stands).tolist(),
        space.texts(positions),
        pairwise(indptr.tolist()),
        drawings,
        strict=True,
    ):
        before = pictures[place]
        shown[place] = [
            None if text == exchange.of(texts[place]) else text,
            None if moves[begin:end] == made[begin:end] else moves[begin:end],
            None if before is None or picture == exchange.of(before) else picture,
        ]
    return shown


def _check_sides(space: StateSpace, edges: RankedEdges) -> None:
    """Raise StoreError if players are exchanged in representatives, and rules do not say how."""
    rules, side = space.rules, space.positions.side_to_move
    known = [] if rules is None else map(rules.implements, ("canonical", "side_to_move"))
    if not (isinstance(space, RulesSpace) and all(known)) or _exchanging(space) is not None:
        return
    vertices, first = np.unique(edges.vertices, return_index=True)
    targets = [edges.targets[k] for k in first.tolist()]
    for position, target in zip(space.positions_of(vertices).tolist(), targets, strict=True):
        if side(position) != side(target):
            raise StoreError(
                f"{space.text(target)!r} is solved as {space.text(position)!r}, in which the other "
                f"player is to move: expected {type(rules).__name__}.exchanged() for an export"
            )


def _counts(numbers: NDArray[np.int64]) -> list[str]:
    """Return numbers as JSON, null for those below 0."""
    return ["null" if number < 0 else str(number) for number in numbers.tolist()]


_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def text_hashes(texts: Sequence[str]) -> NDArray[np.uint64]:
    """Return 32 evenly spread bits of each text: FNV-1a, mixed as in MurmurHash3.

    >>> text_hashes(["a", ""]).tolist()
    [444641715, 2872998923]
    """
    encoded = [text.encode() for text in texts]
    lengths = np.array([len(each) for each in encoded])
    longest = int(lengths.max(initial=1))
    letters = np.array(encoded, f"S{longest}").view(np.uint8).reshape(len(texts), longest)
    bits, low = np.full(len(texts), FNV_START, np.uint64), np.uint64(0xFFFFFFFF)
    for place, column in enumerate(letters.T.astype(np.uint64)):
        bits = np.where(place < lengths, (bits ^ column) * np.uint64(FNV_PRIME) & low, bits)
    bits = (bits ^ bits >> np.uint64(16)) * np.uint64(0x85EBCA6B) & low
    bits = (bits ^ bits >> np.uint64(13)) * np.uint64(0xC2B2AE35) & low
    return bits ^ bits >> np.uint64(16)


def _game(
    solution: Solution, title: str, offsets: list[int], texts: int, language: str
) -> dict[str, Any]:
    """Return the facts of the game that the page reads before positions."""
    codec, rules = solution.table.codec, solution.space.rules
    exchanging = _exchanging(solution.space)
    return {
        "format": FORMAT,
        "version": VERSION,
        "title": title,
        "start": position_at(solution, None)[1],
        "indices": solution.table.num_vertices,
        "counts": by_label(solution.counts()),
        "block": BLOCK,
        "texts": texts,
        "values": {codec.value(v): _value(v) for v in codec.reported},
        "symbols": SYMBOLS,
        "points": isinstance(solution.objective, Score),
        "turned": rules is not None and rules.turns_board,
        "pieces": rules.piece_kinds if rules else None,
        **({} if exchanging is None else {"exchange": vars(_Exchange(exchanging))}),
        "language": language,
        "languages": {code: _speech(solution, translation(code)) for code in LANGUAGES},
        "offsets": offsets,
    }


def _speech(solution: Solution, to: NullTranslations) -> dict[str, Any]:
    """Return the names of the players and the sentences of the page, in a language."""
    counted = PLIES_COUNT.get(solution.objective.name, "")
    counted = counted and to.gettext(counted)
    speech = {"players": _sides(solution, to), "counted": counted, "words": _words(to)}
    if to is PLAIN:
        return speech
    names = (*GAMES, *WORDS, *(spec.title for spec in SPECS.values()), *solution.space.players)
    words = {name: to.gettext(name) for name in names if name and to.gettext(name) != name}
    patterns = [
        (looks.pattern.replace("(?P<", "(?<"), to.gettext(text)) for text, looks in COMPILED.items()
    ]
    turn, comma = to.gettext("{player} to move"), to.gettext(", ")
    return speech | {"phrases": {"words": words, "patterns": patterns, "turn": turn, "comma": comma}}


def _value(result: Result) -> list[str]:
    """Return the label and the symbol of a result; and its details for its player and the other one."""
    details = [result.detail, result.opposite().detail]
    return [result.kind.label, APPEARANCE[result].symbol, *(details if any(details) else [])]


def _words(to: NullTranslations) -> dict[str, Any]:
    """Return the sentences of the page."""
    return {
        **{value.label: to.gettext(alone) for value, (alone, _) in RESULTS.items()},
        **{f"{v.label} in": to.gettext(counted) for v, (_, counted) in RESULTS.items() if v.value},
        "win for": to.gettext(WON_BY[0]),
        "win for in": to.gettext(WON_BY[1]),
        "over": to.gettext("The game is over."),
        "to move": to.gettext("To move: {player}"),
        "yours": to.gettext("It is your turn."),
        "theirs": to.gettext("It is your opponent's turn."),
        "mistake": to.gettext("mistake: {move} was better"),
        "faster": to.gettext("{move} was faster"),
        "lasted": to.gettext("{move} would have lasted longer"),
        "digits": to.gettext(NUMERALS)[:10],
        "no position": to.gettext("There is no such position."),
        "ply": to.gettext("ply"),
        "taken": to.gettext("Points taken: {player} {points}, {opponent} {others}"),
        "rest": to.gettext("the rest: {points}"),
        "from line": to.gettext(FROM_LINE),
        "you": to.gettext("You"),
        "opponent": to.gettext("Opponent"),
    }


def _code(value: int) -> str:
    """Return the value of a move in JSON: points that no position is worth as text."""
    return f'"{value - UNLISTED}"' if value > UNLISTED // 2 else str(value)
