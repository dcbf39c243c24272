"""The solver of the pages in a real browser: it agrees with the specification, and reads what the package reads."""

import random
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page

import retrosolve as rs
from retrosolve.explanation import trace
from retrosolve.formats.board import parse_board
from retrosolve.pursuit.police import PoliceAndThief
from retrosolve.testing import STUCK, random_board, random_graph
from retrosolve.values import Value, stuck_value
from tests.support.marks import samples

# Each function takes a list and answers for each of it.
FUNCTIONS = """async ([name, all]) => {
  const [solver, pursuit, tracing, layout, position] = await Promise.all(
    ["solver", "pursuit", "trace", "layout", "film-position"].map((file) => import(`/static/${file}.js`)));
  const functions = {
    outcomes: ({ indptr, indices, owner, terminal, stuck, names }) => {
      const typed = { indptr: Int32Array.from(indptr), indices: Int32Array.from(indices),
        owner: owner && Uint8Array.from(owner), terminal: terminal && Uint8Array.from(terminal), stuck };
      const { value, remoteness } = solver.solve(typed);
      const { levels, successors } = tracing.trace({ indptr, indices, owner, terminal, stuck }, { names });
      return [[...value], [...remoteness], levels, successors];
    },
    boards: (text) => {
      const { game, start, cells } = pursuit.boardGame(pursuit.parseBoard(text, 20));
      const { value, remoteness } = solver.solve(game);
      const names = Array.from({ length: 2 * cells.length ** 2 }, (_, v) => String(v));
      const { levels, successors } = tracing.trace(game, { names, start });
      return [[...value], [...remoteness], levels, successors, start, cells];
    },
    places: (game) => layout.inColumns(...game),
    labels: position.labelOf,
    rows: (text) => { try { return pursuit.parseBoard(text, 20).join("\\n"); } catch { return null; } },
  };
  return all.map(functions[name]);
}"""
MILLION = """async ([n, m, isChain]) => {
  const { fromEdges, solve } = await import("/static/solver.js");
  const sources = new Int32Array(m), targets = new Int32Array(m);
  let seed = 1;
  const next = () => { seed = (Math.imul(seed, 1103515245) + 12345) >>> 0; return seed; };
  for (let e = 0; e < m; e += 1) {
    sources[e] = isChain ? e : next() % n;
    targets[e] = isChain ? Math.max(e - 1, 0) : next() % n;
  }
  const terminal = new Uint8Array(n);
  terminal[0] = 2;
  const { value, remoteness } = solve({ ...fromEdges(n, sources, targets), terminal });
  return [value.join(" "), remoteness.join(" ")];  // a list takes the browser many seconds to send
}"""


def in_page(page: Page, name: str, all_of_them: list[Any]) -> Any:
    page.goto("/edit/graph")
    return page.evaluate(FUNCTIONS, [name, all_of_them])


def expected(solution: rs.Solution) -> list[list[int]]:
    """Values and remoteness of all vertices, -1 for a draw."""
    value, remoteness = solution.table.values(), solution.table.remoteness().astype(np.int64)
    return [value.tolist(), np.where(value == Value.DRAW, -1, remoteness).tolist()]


def steps(traced: Any) -> list[Any]:
    return [traced.to_json()[key] for key in ("levels", "successors")]


def test_random_graphs_agree_with_the_specification_and_the_trace(page: Page) -> None:
    pairs = [(random_graph(seed), STUCK[seed % 3]) for seed in range(samples(300, 10_000))]
    pairs = [(graph, stuck) for graph, stuck in pairs if graph.num_vertices]
    described = [
        {"indptr": g.indptr.tolist(), "indices": g.indices.tolist(), "owner": None if g.owner is None else g.owner.tolist(),
         "terminal": None if g.terminals is None else g.terminals.tolist(), "stuck": int(stuck_value(stuck)),
         "names": [str(v) for v in range(g.num_vertices)]}
        for g, stuck in pairs
    ]  # fmt: skip
    for (graph, stuck), found in zip(pairs, in_page(page, "outcomes", described), strict=True):
        assert found[:2] == expected(rs.solve(graph, stuck=stuck, solver="reference")), (graph, stuck)
        assert found[2:] == steps(trace(graph, stuck=stuck))


@pytest.mark.long
def test_random_boards_agree_with_the_library(page: Page) -> None:
    chance = random.Random(4)
    texts = [random_board(chance, 1 + seed % 5) for seed in range(samples(40, 300))]
    for text, found in zip(texts, in_page(page, "boards", texts), strict=True):
        game = PoliceAndThief.from_text(text)
        solution = rs.solve(game)
        start = None if game.initial is None else game.index(game.initial)
        assert found[:2] == expected(solution), text
        assert found[4:] == [start, np.argwhere(game.board.free).tolist()]
        if solution.space.num_vertices <= 500:
            assert found[2:4] == steps(trace(solution))


def test_the_layout_is_one_place_a_position_by_remoteness(page: Page) -> None:
    traces = [trace(random_graph(seed)) for seed in range(1, 100)]
    levels = [[outcome.remoteness for outcome in found.outcomes] for found in traces]
    moves = [[(v, w) for v, row in enumerate(found.successors) for w in row] for found in traces]
    games = [[*game, divided] for game in zip(levels, moves, strict=True) for divided in (True, False)]
    found = in_page(page, "places", [*games, [[0] * 150, []]])
    *drawn, long = [[tuple(place) for place in places] for places in found]
    for (remoteness, _, divided), places in zip(games, drawn, strict=True):
        assert len(set(places)) == len(places) == len(remoteness)
        columns = sorted(
            (level is not None, -(level or 0), x)
            for level, (x, _) in zip(remoteness, places, strict=True)
        )
        assert [x for *_, x in columns] == sorted(x for x, _ in places)
        if not divided:
            assert len({*remoteness} - {None}) == len({x for known, _, x in columns if known})
    assert len(set(long)) == 150
    assert max(column for column, _ in long) > 5
    assert max(row for _, row in long) <= 5
    texts = ["BBB/.W./W.W black to move", "a vertex with a long name"]
    board, name = in_page(page, "labels", texts)
    assert (board, name) == (["BBB", ".W.", "W.W"], ["a vertex wit\N{HORIZONTAL ELLIPSIS}"])


@pytest.mark.long
@pytest.mark.parametrize("shape", ["chain", "random"])
def test_a_million_moves_are_solved_in_the_page(page: Page, shape: str) -> None:
    # A chain has as many levels as vertices: its queue never holds more than one vertex.
    n, m = (1_000_000, 1_000_000) if shape == "chain" else (200_000, 1_000_000)
    page.goto("/edit/graph")
    found = page.evaluate(MILLION, [n, m, shape == "chain"])
    value, remoteness = (np.fromstring(text, int, sep=" ").tolist() for text in found)
    if shape == "chain":
        assert (remoteness, value) == ([*range(n)], [2, 1] * (n // 2))
        return
    # The numbers of the page: x = 1103515245 x + 12345 modulo 2^32, from 1 on.
    power = np.cumprod(np.full(2 * m, 1103515245, np.uint32), dtype=np.uint32)
    before = np.concatenate([np.ones(1, np.uint32), power[:-1]])
    numbers = power + np.uint32(12345) * np.cumsum(before, dtype=np.uint32)
    terminal = np.zeros(n, np.uint8)
    terminal[0] = Value.LOSS
    source, target = (numbers % np.uint32(n)).astype(np.int32).reshape(-1, 2).T
    graph = rs.Graph.from_edges(source, target, n, None, terminal)
    assert [value, remoteness] == expected(rs.solve(graph))


@pytest.mark.long
def test_the_page_reads_the_text_of_boards_as_the_package_does(page: Page) -> None:
    rng = random.Random(41)
    texts = [
        "2\n3\nP.*\n.TE",
        "2 3\n P . *\n\n. T E\n",
        "P.T\n\n...",
        " P.T\n...",
        "1 2\nP\u00e4",
        "2 2\nP T\n.E",
    ]
    for _ in range(1000):
        rows, width = rng.randint(1, 3), rng.randint(1, 3)
        size = rng.choice([f"{rows} {width}\n", f" {rows}\n{width} \n", "2 2\n", ""])
        cells = [rng.choice(".*EPT.*." * 9 + "p") for _ in range(rows * width)]
        gap = [rng.choice(["", " "])] * len(cells)
        gaps = rng.choices(["", " ", "\t"], [4, 2, 1], k=len(cells)) if rng.random() < 0.5 else gap
        ends = rng.choices(["\n", " \n", "\n  ", "\n\n", "\r\n"], [8, 1, 1, 1, 1], k=len(cells))
        after = [ends[i] if (i + 1) % width == 0 else gaps[i] for i in range(len(cells))]
        texts.append(size + "".join(cell + end for cell, end in zip(cells, after, strict=True)))
    read: list[str | None] = []
    for text in texts:
        try:
            read.append(str(parse_board(text)))
        except rs.FormatError:
            read.append(None)
    assert len(set(read)) > 200
    assert in_page(page, "rows", texts) == read
