"""The solver of the pages in a real browser: it agrees with the specification and with the trace."""

import random
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser

import retrosolve as rs
from retrosolve.explanation import trace
from retrosolve.formats.board import parse_board
from retrosolve.pursuit.police import PoliceAndThief
from retrosolve.spaces.graph import Graph
from retrosolve.testing import random_board, random_graph
from retrosolve.values import Value, stuck_value
from tests.web.drawn import watched

STUCK = ("loss", "win", "tie")
MODULES = """
  const names = ["solver", "pursuit", "trace", "layout"];
  const [solver, pursuit, tracing, layout] = await Promise.all(names.map((name) => import(`/static/${name}.js`)));
"""
SOLVE = f"""async (games) => {{ {MODULES}
  return games.map(({{ indptr, indices, owner, terminal, stuck }}) => {{
    const found = solver.solve({{ indptr: Int32Array.from(indptr), indices: Int32Array.from(indices),
      owner: owner && Uint8Array.from(owner), terminal: terminal && Uint8Array.from(terminal), stuck }});
    return [[...found.value], [...found.remoteness]];
  }});
}}"""
TRACE = f"""async (games) => {{ {MODULES}
  return games.map(({{ names, ...game }}) => tracing.trace(game, {{ names }}));
}}"""
PLACES = f"""async (games) => {{ {MODULES}
  return games.map((game) => layout.inColumns(...game));
}}"""
BOARDS = f"""async (texts) => {{ {MODULES}
  return texts.map((text) => {{
    const {{ game, start, cells }} = pursuit.boardGame(pursuit.parseBoard(text, 20));
    const found = solver.solve(game);
    const numbers = Array.from({{ length: 2 * cells.length ** 2 }}, (_, v) => String(v));
    const {{ levels, successors }} = tracing.trace(game, {{ names: numbers, start }});
    return {{ value: [...found.value], remoteness: [...found.remoteness], start, cells, levels, successors }};
  }});
}}"""


ROWS = f"""async (texts) => {{ {MODULES}
  return texts.map((text) => {{
    try {{
      return pursuit.parseBoard(text, 20).join("\\n");
    }} catch (error) {{
      return null;
    }}
  }});
}}"""


def described(graph: Graph, stuck: str) -> dict[str, Any]:
    """A graph as the solver in the page takes it."""
    return {
        "indptr": graph.indptr.tolist(),
        "indices": graph.indices.tolist(),
        "owner": None if graph.owner is None else graph.owner.tolist(),
        "terminal": None if graph.terminals is None else graph.terminals.tolist(),
        "stuck": int(stuck_value(stuck)),
    }


def in_page(browser: Browser, address: str, script: str, argument: Any) -> Any:
    with watched(browser) as page:
        page.goto(f"{address}/edit/graph")
        return page.evaluate(script, argument)


def expected(solution: rs.Solution, n: int) -> list[list[int]]:
    """Values and remoteness of all vertices, -1 for a draw."""
    table = solution.table
    value = table.values(slice(0, n))
    remoteness = table.remoteness(slice(0, n)).astype(np.int64)
    return [value.tolist(), np.where(value == Value.DRAW, -1, remoteness).tolist()]


@pytest.mark.long
def test_ten_thousand_random_graphs_agree_with_the_specification(
    browser: Browser, address: str
) -> None:
    graphs = [(random_graph(seed), STUCK[seed % 3]) for seed in range(10_000)]
    found = in_page(browser, address, SOLVE, [described(*pair) for pair in graphs])
    assert len(found) == len(graphs)
    for (graph, stuck), outcomes in zip(graphs, found, strict=True):
        solution = rs.solve(graph, stuck=stuck, solver="reference")
        assert outcomes == expected(solution, graph.num_vertices), described(graph, stuck)


@pytest.mark.long
def test_three_hundred_boards_agree_with_the_library(browser: Browser, address: str) -> None:
    chance = random.Random(4)
    texts = [random_board(chance, 1 + seed % 6) for seed in range(300)]
    found = in_page(browser, address, BOARDS, texts)
    for text, outcomes in zip(texts, found, strict=True):
        game = PoliceAndThief.from_text(text)
        solution = rs.solve(game)
        n = solution.space.num_vertices
        assert [outcomes["value"], outcomes["remoteness"]] == expected(solution, n), text
        start = None if game.initial is None else game.index(game.initial)
        assert outcomes["start"] == start
        assert outcomes["cells"] == np.argwhere(game.board.free).tolist()
        if n <= 500:
            traced = trace(solution).to_json()
            assert (outcomes["levels"], outcomes["successors"]) == (
                traced["levels"],
                traced["successors"],
            )


@pytest.mark.long
def test_the_trace_of_a_graph_is_that_of_the_library(browser: Browser, address: str) -> None:
    graphs = [(random_graph(seed), STUCK[seed % 3]) for seed in range(400)]
    graphs = [(graph, stuck) for graph, stuck in graphs if graph.num_vertices]
    names = [[str(v) for v in range(graph.num_vertices)] for graph, _ in graphs]
    games = [described(*pair) | {"names": n} for pair, n in zip(graphs, names, strict=True)]
    found = in_page(browser, address, TRACE, games)
    for (graph, stuck), steps in zip(graphs, found, strict=True):
        whole = trace(graph, stuck=stuck).to_json()
        assert {key: steps[key] for key in ("levels", "successors", "owner")} == {
            key: whole[key] for key in ("levels", "successors", "owner")
        }


def test_the_layout_is_one_place_a_position_by_remoteness(browser: Browser, address: str) -> None:
    traces = [trace(random_graph(seed)) for seed in range(1, 200)]
    levels = [[outcome.remoteness for outcome in found.outcomes] for found in traces]
    moves = [[(v, w) for v, row in enumerate(found.successors) for w in row] for found in traces]
    games = [[*game, divided] for game in zip(levels, moves, strict=True) for divided in (True, False)]
    found = in_page(browser, address, PLACES, [*games, [[0] * 150, []]])
    *drawn, long = [[tuple(place) for place in places] for places in found]
    for (remoteness, _, divided), places in zip(games, drawn, strict=True):
        assert len(set(places)) == len(places) == len(remoteness)
        columns = [
            (level is not None, -(level or 0), column)
            for level, (column, _) in zip(remoteness, places, strict=True)
        ]
        assert [column for *_, column in sorted(columns)] == sorted(column for column, _ in places)
        if not divided:
            assert len({level for level in remoteness if level is not None}) == len(
                {column for known, _, column in columns if known}
            )
    assert len(set(long)) == 150
    assert max(column for column, _ in long) > 5
    assert max(row for _, row in long) <= 5


def test_a_label_is_the_rows_of_a_board_or_a_short_text(browser: Browser, address: str) -> None:
    script = """async (texts) => texts.map((await import("/static/film-position.js")).labelOf)"""
    texts = ["BBB/.W./W.W black to move", "a vertex with a long name"]
    expected = [["BBB", ".W.", "W.W"], ["a vertex wit\N{HORIZONTAL ELLIPSIS}"]]
    assert in_page(browser, address, script, texts) == expected


def numbers(count: int) -> np.ndarray:
    """The first numbers of the page's generator, ``x = 1103515245 x + 12345`` modulo 2^32, from 1 on."""
    power = np.cumprod(np.full(count, 1103515245, np.uint32), dtype=np.uint32)
    before = np.concatenate([np.ones(1, np.uint32), power[:-1]])
    return power + np.uint32(12345) * np.cumsum(before, dtype=np.uint32)


@pytest.mark.long
@pytest.mark.parametrize("shape", ["chain", "random"])
def test_a_million_moves_are_solved_in_the_page(browser: Browser, address: str, shape: str) -> None:
    # A chain has as many levels as vertices: its queue never holds more than one vertex.
    n, m = (1_000_000, 1_000_000) if shape == "chain" else (200_000, 1_000_000)
    # The answer comes as text: a list of a million numbers takes the browser many seconds to send.
    script = """async ([n, m, shape]) => {
      const { fromEdges, solve } = await import("/static/solver.js");
      const sources = new Int32Array(m), targets = new Int32Array(m);
      let seed = 1;
      const next = () => { seed = (Math.imul(seed, 1103515245) + 12345) >>> 0; return seed; };
      for (let e = 0; e < m; e += 1) {
        sources[e] = shape === "chain" ? e : next() % n;
        targets[e] = shape === "chain" ? Math.max(e - 1, 0) : next() % n;
      }
      const terminal = new Uint8Array(n);
      terminal[0] = 2;
      const { value, remoteness } = solve({ ...fromEdges(n, sources, targets), terminal });
      return [value.join(" "), remoteness.join(" ")];
    }"""
    with watched(browser) as page:
        page.goto(f"{address}/edit/graph")
        value, remoteness = (
            list(map(int, text.split())) for text in page.evaluate(script, [n, m, shape])
        )
    if shape == "chain":
        assert remoteness == list(range(n))
        assert value == [2, 1] * (n // 2)
        return
    terminal = np.zeros(n, np.uint8)
    terminal[0] = Value.LOSS
    source, target = (numbers(2 * m) % np.uint32(n)).astype(np.int32).reshape(-1, 2).T
    graph = Graph.from_edges(source, target, n, None, terminal)
    assert [value, remoteness] == expected(rs.solve(graph), n)


def test_the_page_reads_the_text_of_boards_as_the_package_does(browser: Browser, address: str) -> None:
    rng = random.Random(41)
    texts = [
        "2\n3\nP.*\n.TE",
        "2 3\n P . *\n\n. T E\n",
        "P.T\n\n...",
        " P.T\n...",
        "1 2\nP\u00e4",
        "2 2\nP T\n.E",
    ]
    for _ in range(3000):
        rows, width = rng.randint(1, 3), rng.randint(1, 3)
        size = rng.choice([f"{rows} {width}\n", f" {rows}\n{width} \n", "2 2\n", ""])
        cells = [rng.choice(".*EPT.*." * 9 + "p") for _ in range(rows * width)]
        gaps = (
            rng.choices(["", " ", "\t"], [4, 2, 1], k=len(cells))
            if rng.random() < 0.5
            else [rng.choice(["", " "])] * len(cells)
        )
        ends = rng.choices(["\n", " \n", "\n  ", "\n\n", "\r\n"], [8, 1, 1, 1, 1], k=len(cells))
        texts.append(
            size
            + "".join(
                cell + (ends[i] if (i + 1) % width == 0 else gaps[i]) for i, cell in enumerate(cells)
            )
        )
    read: list[str | None] = []
    for text in texts:
        try:
            read.append(str(parse_board(text)))
        except rs.FormatError:
            read.append(None)
    assert len(set(read)) > 500
    assert in_page(browser, address, ROWS, texts) == read
