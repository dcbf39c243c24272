"""The vocabulary of the package: words that were given up for the field's own do not come back."""

import ast

import pytest

from tests.architecture.source import PACKAGE, docstrings, identifiers, modules

# Old identifiers and what stands for them now. A leading dot restricts an entry to attributes and members
# of classes, the name of a class to its own members: elsewhere the word is fine.
WORDS = {
    # graphs, plans, solutions
    "Plan.edges": "num_edges",
    "Plan.bytes": "memory_bytes",
    "Solution.best": "best_successors",
    "Solution.packed": "the constructor",
    "Value.word": "label",
    ".vertices": "num_vertices",
    ".ends": "terminal(start, stop)",
    ".at_end": "terminals",
    "Ends": "TerminalMap",
    ".movers": "player(indices)",
    ".unsorted": "edge_list",
    ".answers": "table",
    ".swapped": "opposite",
    "write_graph": "write",
    "Checked": "CheckReport",
    "finished_games": "count_finished_games",
    "Report": "ProgressCallback",
    "silent": "no_progress",
    "Clock": "StageTimer",
    "most_moves": "max_moves",
    "most_predecessors": "max_predecessors",
    "reached_only": "reachable_only",
    "GOES_ON": "NOT_TERMINAL",
    "NO_POSITION": "INVALID",
    "UNREACHED": "INVALID",
    "defines": "implements",
    "PlainView": "InterpretedGame",
    "WatchedView": "InstrumentedGame",
    "trial": "smoke_test",
    "loop_free": "acyclic",
    "loop_free_only": "requires",
    # two tokens, built-in games
    "PursuitGame": "TwoTokenGame",
    ".opening": "initial",
    "Police": "PoliceAndThief",
    "Chase": "CopsPosition",
    "number_of_team": "rank_multiset",
    "team_of_number": "unrank_multiset",
    "BuiltIn": "GameSpec",
    "make_game": "parse_game",
    # tables
    "Answers": "Table",
    "Unpacked": "ArrayTable",
    "Packed": "PackedTable",
    "Planes": "BitplaneTable",
    ".plies": "remoteness",
    ".tally": "counts",
    ".lengths": "num_vertices",
    # csr
    "rows_from_edges": "edges_to_csr",
    "reversed_rows": "transpose",
    "better_unsorted": "prefers_edge_list",
    "Layout": "RadixLayout",
    "lot": "source",
    "BUCKETS": "TARGET_BUCKETS",
    "LOOKS": "LOCALITY_SAMPLE",
    "NEAR": "LOCAL_DISTANCE",
    "NEARLY_ALL": "LOCAL_SHARE",
    "MOST_TO_BEAT": "MAX_CORES_SERIAL",
    "factorised": "factorize",
    "number_names": "factorize_strings",
    "NOTHING": "PLACEHOLDER",
    "per_vertex": "vertex_array",
    "complete_owners": "all_or_none",
    # runtime
    "ThreadPool.parts": "chunks",
    "ThreadPool.each": "map",
    "Crew": "ThreadPool",
    "PARTS_A_THREAD": "CHUNKS_PER_THREAD",
    "WORK_A_THREAD": "MIN_WORK_PER_THREAD",
    "SMALLEST_PART": "MIN_CHUNK",
    "installed": "total",
    "leave_some": "check_headroom",
    "readable": "format_bytes",
    # spaces
    "Block.seen": "value_for_mover",
    "GraphLike": "StateSpace",
    "positions_only": "compact",
    "explicit": "materialize()",
    "ProductGraph": "ProductSpace",
    "Line": "ShiftLayout",
    "first_wrong": "first_violation",
    "IndexedGraph": "IndexedSpace",
    ".fitted": "kernels",
    "called": "call_rules",
    "climbs": "moves_leave_tier",
    "marked": "mark_reachable",
    "edges_guessed": "estimate_edges",
    "MOVES_GUESSED": "ASSUMED_BRANCHING",
    "SWAPPED": "OPPOSITE",
    # solving and verifying
    "underived": "first_mismatch",
    "_Derived": "_Fixpoint",
    "laid_out": "state_space",
    "fitted": "materialize",
    "chosen_within": "select_within_budget",
    ".takes": "requires",
    ".leaner": "low_memory_alternative",
    "first_look": "initial",
    "Bits": "SweepState",
    "Pushing": "Propagation",
    "all_seeds": "initial_frontiers",
    "queue_room": "queue_shape",
    "WIDEST_ALONE": "MAX_SERIAL_WIDTH",
    "LOOKS_AT_ALL": "MAX_FULL_SCANS",
    "NEXT_TO_NOTHING": "TINY_FRACTION",
    "HIGHEST_16": "MAX_LEVEL_UINT16",
    # kernels
    "run_levels": "propagate",
    "absorb": "apply_bins",
    "flip": "alternating",
    "joins": "side",
    "AT_ONCE": "SHORT_ROW",
    "NARROW": "MAX_NARROW",
    "told": "terminal_or_invalid",
    "Fitted": "SpecializedKernels",
    "standing_in": "overrides",
    "LARGE": "NOT_INLINED",
    "scattered": "mix",
    "refill": "rehash",
    "pass_level": "propagate_level",
    "pass_once": "solve_acyclic_tier",
    "look_open": "initialise_open",
    "FLOOR": "LOSS_NOT_BEFORE",
    "DUE_WIN": "PENDING_WIN",
    "DUE_LOSS": "PENDING_LOSS",
    "GAINED": "DELTA",
    "put_down": "write_remoteness",
    "put_row": "commit_row",
    "gain": "add_new",
    # rules, formats, command line
    "explored_graph": "explored_space",
    "check_folding": "checks.symmetry",
    "_blamed": "rules_error",
    "FILLS": "CANARIES",
    "IDLE_GAMES": "MAX_FRUITLESS_GAMES",
    "Document": "GraphFile",
    "built": "build_graph",
    "Part": "OutputFile",
    "FREE_VERTICES": "MAX_IMPLICIT_VERTICES",
    "Means": "SolverOptions",
    "Loaded": "LoadedInput",
    "screen": "text_report",
}

SPACES = ("StateSpace", "Graph", "ProductSpace", "GeneratedSpace", "IndexedSpace")
WORDS |= {
    f"{space}.{old}": new
    for space in SPACES
    for old, new in {
        "edges": "num_edges",
        "rows": "successors(start, stop)",
        "found": "index_table",
        "origins": "max_predecessors",
        "stored": "csr",
        "counted": "num_edges",
        "reached": "reachable",
    }.items()
}

NOT_IMPERATIVE = ("Give ", "Gives ", "Tell ", "Tells ", "Say ", "Says ")


def old_words(tree: ast.Module) -> set[str]:
    return WORDS.keys() & set(identifiers(tree))


def odd_docstrings(tree: ast.Module) -> list[str]:
    return [text for text in docstrings(tree) if text.startswith(NOT_IMPERATIVE)]


def test_old_words_do_not_come_back() -> None:
    found: dict[str, list[str]] = {}
    for name, tree in modules().items():
        for word in old_words(tree) | WORDS.keys() & {*name.split(".")} - {PACKAGE}:
            found.setdefault(word, []).append(name)
    assert found == {}


def test_docstrings_begin_in_the_imperative() -> None:
    odd = {name: texts for name, tree in modules().items() if (texts := odd_docstrings(tree))}
    assert odd == {}


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("def told(): ...", {"told"}),
        ("async def told(): ...", {"told"}),
        ("class Crew: ...", {"Crew"}),
        ("def f(told): ...", {"told"}),
        ("def f(*, told=1): ...", {"told"}),
        ("lambda told: 1", {"told"}),
        ("f(told=1)", {"told"}),
        ("told = 1", {"told"}),
        ("x = y.told", {"told"}),
        ("from a.told import b", {"told"}),
        ("import a.told as c", {"told"}),
        ("from a import b as told", {"told"}),
        ("from a import told", {"told"}),
        ("n = graph.vertices", {".vertices"}),
        ("class G:\n    def ends(self): ...", {".ends"}),
        ("class G:\n    vertices: int", {".vertices"}),
        ("class G:\n    vertices = 0", {".vertices"}),
        ("class G:\n    __slots__ = ('x', 'vertices')", {".vertices"}),
        ("class Plan:\n    bytes: int", {"Plan.bytes"}),
        ("class Graph:\n    def f(self):\n        self.rows = 1", {"Graph.rows"}),
        ("class G:\n    def f(self):\n        self.rows = board.edges", set()),
        ("vertices = ends = best = 1", set()),
        ("def f(vertices, edges): return retold", set()),
        ("'told'  # told", set()),
    ],
)
def test_a_planted_word_is_found(source: str, words: set[str]) -> None:
    assert old_words(ast.parse(source)) == words


@pytest.mark.parametrize(
    ("text", "odd"),
    [
        ("Give the size.", 1),
        ("Gives the size.", 1),
        ("Tell whether it is over.", 1),
        ("Say who wins.", 1),
        ("Return what rules give.", 0),
        ("Given a graph, solve it.", 0),
    ],
)
def test_a_planted_docstring_is_found(text: str, odd: int) -> None:
    for source in (f'"""{text}"""', f'def f():\n    """{text}"""', f'class A:\n    """{text}"""'):
        assert len(odd_docstrings(ast.parse(source))) == odd


def test_new_words_are_not_old_ones() -> None:
    old = {word.removeprefix(".") for word in WORDS if not word.startswith(".")}
    assert {new for new in WORDS.values() if new in old} == set()
