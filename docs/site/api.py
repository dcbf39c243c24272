"""The pages about public names: which there are, and what of each class is public."""

from __future__ import annotations

import importlib
import inspect
from pathlib import Path
from typing import NamedTuple

import retrosolve as rs


class Page(NamedTuple):
    """A page about names of one module.

    Parameters
    ----------
    names : tuple of str
        The names, attributes of the module of the group.
    members : str
        The public methods and attributes of a class among them.
    title : str
        By default the first name with its module.
    """

    names: tuple[str, ...]
    members: str = ""
    title: str = ""


class Group(NamedTuple):
    """Pages under one heading."""

    title: str
    module: str
    pages: tuple[Page, ...]


def single(*names: str) -> tuple[Page, ...]:
    """Return a page for each name."""
    return tuple(Page((name,)) for name in names)


RULES = (
    "start, starts, terminal, player, payoff, reward, canonical, text, parse, svg, move_points, "
    "null_move, recipe, implements"
)
SOLUTION = (
    "get, keys, items, where, outcomes, best, regret, moves, best_moves, line, view, zugzwangs, "
    "with_start, winner, counts, counts_by_player, histogram, longest, examples, values, remoteness, "
    "best_successors, columns, to_pandas, to_arrow, to_polars, to_networkx, digest, save, "
    "num_edges, num_bytes, space, table"
)
GRAPH = (
    "from_edges, from_csr, from_dict, from_networkx, from_pandas, from_scipy, with_start, successors, "
    "neighbors, player, terminal, num_edges"
)
ERRORS = (
    "RetrosolveError",
    "ClusterError",
    "FormatError",
    "GraphError",
    "LimitError",
    "MemoryBudgetError",
    "PositionError",
    "RulesError",
    "StoreError",
    "UntrustedRulesError",
    "VerificationError",
)
TEST_GAMES = (
    "GraphGame",
    "CompiledGraphGame",
    "MirroredGame",
)
COMPILED = "rank, unrank, tier_targets, from_object, move_name, move_aliases, texts, move_names"

GROUPS = (
    Group(
        "Solve and prove",
        "retrosolve",
        (
            *single("solve"),
            Page(("verify", "VerificationReport")),
            *single("explain", "open", "write_film"),
            Page(("plan", "Plan")),
        ),
    ),
    Group(
        "Solutions",
        "retrosolve",
        (
            Page(("Solution",), SOLUTION),
            Page(("Value",), "label, opposite, parse"),
            *single("Outcome"),
            Page(("Outcomes",), "results, labels"),
            *single("Move", "BestMoves"),
            Page(("Regret",), "exploitability, optimal_share, keeping_share"),
            *single("LineOfPlay"),
            Page(("compare", "Comparison")),
            Page(("sum", "Sum")),
            *single("pack", "Progress"),
        ),
    ),
    Group(
        "Objectives",
        "retrosolve.objectives",
        (
            Page(("Outcome",), "end, seen, keys, choose, fold"),
            *single("WinLossDraw", "Conversion", "LimitedValue", "Nimber", "NimValue"),
            *single("Score", "Margin", "Chance", "Odds"),
        ),
    ),
    Group(
        "Graphs and files",
        "retrosolve",
        (
            Page(("Graph",), GRAPH),
            Page(("EdgeParts",), "num_edges, num_bytes, num_files"),
            *single("read_graph", "read_solution", "write"),
        ),
    ),
    Group("Attractors", "retrosolve", single("attractor", "buchi", "co_buchi")),
    Group(
        "Rules",
        "retrosolve",
        (
            Page(("Game",), f"moves, {RULES}"),
            Page(("Puzzle",), "solved"),
            Page(("CompiledGame",), f"{RULES}, {COMPILED}"),
            Page(("BoardGame",), "text, parse, move_name, caption, colours, board_text"),
            Page(("Board",), "grid, lined, steps, jumps, captures, lines, rows_of"),
            Page(("MovePattern",), "image"),
            *single("game", "check_game", "CheckReport", "perft"),
        ),
    ),
    Group("Games of other libraries", "retrosolve.adapters", single("openspiel")),
    Group("Errors", "retrosolve", (Page(ERRORS, title="Errors"),)),
    Group(
        "Pursuit",
        "retrosolve.pursuit",
        (
            Page(("PoliceAndThief",), "from_text, from_file"),
            Page(("CopsAndRobber",), "from_edges"),
            *single(
                "CopsPosition", "cop_number", "capture_time", "winning_placement", "cop_strategy",
                "robber_strategy", "dismantling_order", "is_dismantling_order",
            ),
        ),
    ),
    Group(
        "Ranking",
        "retrosolve.rules.ranking",
        (
            Page(
                ("binomials", "rank_subset", "unrank_subset", "subsets", "multiset_counts",
                 "rank_multiset", "unrank_multiset", "rank_pair", "unrank_pair"),
                title="Subsets and multisets",
            ),
            Page(
                ("Lanes", "pair_index", "pair_of_index"),
                "of, num_places, num_positions, tiers, most_plies",
                title="Places of two players",
            ),
            Page(
                ("TwoSets", "by_removal", "rank_two_sets", "unrank_two_sets", "canonical_two_sets",
                 "set_image"),
                title="Two sets",
            ),
            Page(
                ("rank_permutation", "unrank_permutation", "rank_digits", "unrank_digits"),
                title="Permutations and digits",
            ),
            Page(
                ("popcount", "permute_bits", "extract", "deposit", "extract_outside",
                 "deposit_outside"),
                title="Bits",
            ),
            Page(
                ("generate_group", "grid_symmetries", "subset_images", "smallest_images",
                 "order_by_group", "GroupedOrder", "distinct"),
                title="Symmetries",
            ),
        ),
    ),
    Group(
        "Plots",
        "retrosolve.solution.plots",
        single("histogram", "levels", "tiers", "history", "graph"),
    ),
    Group(
        "Explanations",
        "retrosolve.explanation",
        (Page(("trace", "Trace"), "state, deciding_moves, to_json"), Page(("Proof",), "walk")),
    ),
    Group(
        "Contents of files",
        "retrosolve.formats",
        single("read_graph_file", "GraphFile", "read_pgsolver_solution"),
    ),
    Group(
        "Built-in games",
        "retrosolve.games",
        (Page(("GameSpec",), "defaults"),),
    ),
    Group("Counting games", "retrosolve.rules.perft", single("count_finished_games")),
    Group(
        "Testing",
        "retrosolve.testing",
        (
            *single("assert_same_answers", "check_solver", "random_graph", "random_game",
                    "random_compiled_game", "random_board"),
            Page(
                ("random_tiered_graph", "random_component_graph", "reachable_vertices",
                 "without_owner"),
                title="Graphs for tests",
            ),
            Page(TEST_GAMES, title="Games on given graphs"),
        ),
    ),
)  # fmt: skip


def public_names() -> list[tuple[str, str]]:
    """Return the module and the name of all that has a page, members of classes included."""
    return [
        (group.module, name + (f".{member}" if member else ""))
        for group in GROUPS
        for page in group.pages
        for name in page.names
        for member in ("", *(_members(page) if name[0].isupper() else ()))
    ]


def _members(page: Page) -> list[str]:
    """Return the public members of the class of a page."""
    return page.members.split(", ") if page.members else []


def path_of(group: Group, page: Page) -> str:
    """Return the place of a page in the folder of these pages."""
    name = page.names[0] if not page.title else page.title.lower().replace(" ", "-")
    return ".".join([*group.module.split(".")[-1:], name]) if "." in group.module else name


def pages_of(module: str) -> dict[str, str]:
    """Return the page of each name of a module."""
    return {
        name: path_of(group, page)
        for group in GROUPS
        if group.module == module
        for page in group.pages
        for name in page.names
    }


def write_pages(folder: Path) -> dict[Path, str]:
    """Return the text of each page and of their index."""
    index = ["# Python", "", "`import retrosolve as rs` gives every name that begins with `rs.`; "
             "the others are imported from their modules.", ""]  # fmt: skip
    texts = {}
    for group in GROUPS:
        index += [f"## {group.title}", "", "| | |", "|---|---|"]
        for page in group.pages:
            index += [_row(group, page, name) for name in page.names]
            texts[folder / f"{path_of(group, page)}.md"] = _page(group, page)
        paths = [path_of(group, page) for page in group.pages]
        index += ["", "```{toctree}", ":hidden:", "", *paths, "```", ""]
    texts[folder / "index.md"] = "\n".join(index)
    return texts


def _row(group: Group, page: Page, name: str) -> str:
    """Return a row of the index: a name, and what it is in a sentence."""
    found = getattr(importlib.import_module(group.module), name)
    summary = (inspect.getdoc(found) or "").split("\n\n", maxsplit=1)[0].replace("\n", " ")
    last = group.module.split(".")[-1]
    shown = "rs" if "." not in group.module else group.module
    if last in rs.__all__:
        shown = f"rs.{last}"
    # The summary is reStructuredText: literals have two backquotes, and names of classes a role.
    summary = summary.replace("``", "`").replace(":class:", "")
    return f"| [`{shown}.{name}`]({path_of(group, page)}.md) | {summary} |"


def _page(group: Group, page: Page) -> str:
    """Return the text of a page."""
    title = page.title or f"{group.module}.{page.names[0]}"
    parts = [f"# {title}", ""]
    for name in page.names:
        found = getattr(importlib.import_module(group.module), name)
        if inspect.isclass(found):
            kind = "autoexception" if issubclass(found, BaseException) else "autoclass"
        else:
            kind = "autofunction"
        parts += ["```{eval-rst}", f".. {kind}:: {group.module}.{name}"]
        if page.members and inspect.isclass(found):
            parts.append(f"   :members: {page.members}")
        parts += ["```", ""]
    return "\n".join(parts)
