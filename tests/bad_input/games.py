"""Parameters and positions of built-in games that there are not."""

from __future__ import annotations

import networkx as nx
import numpy as np

import retrosolve as rs
from retrosolve import pursuit
from retrosolve.games import parse_game
from retrosolve.games.chess import ChessEnding
from retrosolve.pursuit.cops import CopsAndRobber
from retrosolve.pursuit.police import PoliceAndThief
from tests.bad_input import Input, command

GAMES = (
    "stones:n=-1", "stones:take=0", "lgame:symmetry=true", "hexapawn:rows=1", "foxhounds:n=5",
    "foxhounds-plain:n=28", "morris3:n=3", "stones:n=1,n=2", "connect4:columns=9", "connect4:connect=1",
    "connect4:rows=7,columns=8", "queenpawns:n=2", "musketeers:size=4", "morris6:men=7", "morris9:men=2",
    "morris9:placing=no,lasker=yes", "baghchal:size=6", "baghchal:size=3", "baghchal:captures=21",
    "dobutsu:rows=6", "quoridor:n=2", "quoridor:n=3,walls=3", "quoridor:n=5,walls=5", "awari:seeds=0",
    "awari:seeds=48", "awari:seeds=31", "awari:grandslam=all", "dots:rows=0", "dots:rows=5,columns=5",
    "chess:KK", "chess:6men", "chess:KRK,board=9", "chess:KPK,board=4", "octal:code=0.8", "wythoff:n=-1",
    "octal:code=0." + 64 * "7", "turning:rule=tortoises", "turning:n=0", "nogo:rows=4,columns=5", "pig:goal=1",
    "bearoff:points=7", "rolls:checkers=16", "einstein:board=1", "einstein:board=5,stones=5",
    "einstein:board=2,stones=3", "race:die=0", "race:edges=a-", "race:edges=1-2-1", "ur:pieces=8",
    "ur:rules=none", "police:policeman=queen", "police:stay=yes", "police:exits=nobody", "cops:cops=0",
    "cops:cops=256",
)  # fmt: skip
POSITIONS = {
    "connect4:rows=2,columns=3": (".../..", "XX./...", "XO./X.O"),
    "foxhounds:n=4": ("F", ".F/../../HH nobody", "../F./../HH fox"),
    "queenpawns:n=3": ("Q../PPP/...", "QQ./PPP/... pawns", "Q../PPP/..P pawns"),
    "musketeers:size=3": ("MM./.../... enemies",),
    "morris6": ("......../........ 13",),
    "morris9:men=4": ("......../......../........ 9",),
    "morris9:men=4,lasker=yes": ("......../......../........ 8",),
    "baghchal": ("T...T/...../...../...../T.... 20 0 goats",),
    "baghchal:placing=no": ("T...T/...../...../...../T...T 20 0 goats",),
    "dobutsu": ("gll/.c./.C./ELG",),
    "teeko": ("X", "XXXX./OOO../...../...../....."),
    "quoridor:n=4,walls=1": (
        "c1 c4", "c1 c4 1 1 first a1h", "c1 c4 0 0 first a1h a1v", "c1 c4 1 0 first d1h"
    ),
    "awari:seeds=5": ("1,2", "9,9,9,9,9,9/0,0,0,0,0,0"),
    "kalah:pits=2,seeds=2": ("1,1/1,1 2",),
    "dots": ("x",),
    "chess:KQRK": (
        "8/8/8/8/8/8/8/KRk5", "8/8/8/8/8/8/KRk5 w", "8/8/8/8/8/8/8/KRk5 w", "8/8/8/8/8/8/8/KRR1k3 w",
        "8/8/8/8/8/8/8/KR6 w", "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
    ),
    "chess:KPK": ("8/8/8/8/8/2k5/8/K6P w",),
    "octal": ("3+x", "3+2000"),
    "wythoff": ("3",),
    "turning": ("HX",),
    "nogo:rows=2,columns=2": ("X../.", "XO/OX"),
    "pig:goal=20": ("20,0,0",),
    "bearoff": ("1,0/1,0",),
    "rolls": ("1,1+x",),
    "einstein": ("11./3.c/.ba",),
    "race": ("0,99",),
    "ur": ("1,1", "1,2,3,4+0/+0", "8+0/8+0"),
}  # fmt: skip
BOARDS = { "more rows promised": "2 3\nP.T", "a short row": "1 4\nP.T",
    "an unknown mark": "P.T\n.x.", "two policemen": "P..\n..P", "two thieves": "T..\n.T.",
    "an empty row": "P.T\n\n...", "too many rows promised": "99999999999999999999 2\n..", "bytes": b"\xff\xfe",
}  # fmt: skip


def refused(spec: str, text: str) -> Input:
    return lambda folder: parse_game(spec).state_space().parse(text)


def chase(graph: object, cops: object = 1) -> Input:
    return lambda folder: CopsAndRobber(graph, cops)  # type: ignore[arg-type]


def empty(vertices: int) -> rs.Graph:
    return rs.Graph.from_csr(np.zeros(vertices + 1, int), [])


def police(work: object) -> Input:
    return lambda folder: work(PoliceAndThief.from_text("..E\n.*."))  # type: ignore[operator]


KAYLES = "octal:code=0.77,n=9"
INPUTS: dict[str, Input] = {
    **{f"game {spec}": lambda folder, spec=spec: parse_game(spec) for spec in GAMES},
    **{
        f"position {text!r} of {spec}": refused(spec, text)
        for spec, texts in POSITIONS.items()
        for text in texts
    },
    **{f"board with {name}": command("solve", "b.txt", **{"b.txt": b}) for name, b in BOARDS.items()},
    "board without rows": lambda folder: PoliceAndThief.from_text("3 3\n"),
    "board with a blank between cells": lambda folder: PoliceAndThief.from_text("P T"),
    "board of a number": lambda folder: PoliceAndThief.from_text(7),  # type: ignore[arg-type]
    "whole number as a fraction": lambda folder: rs.game("octal:n=1.5"),
    "board of python-chess without its kings": lambda folder: ChessEnding("KRK").parse(
        "8/8/8/8/8/8/8/8 w"
    ),
    "position of chess that is None": lambda folder: rs.solve(ChessEnding("KQK", 3))[None],
    "cops on a number": chase(7),
    "cops on no vertices": chase([]),
    "cops that are a fraction": chase([(0, 1)], 1.0),
    "cops past 64 bits": chase(empty(1000), 400),
    "position of cops": lambda folder: rs.solve(CopsAndRobber([("a", "b")]))[("a", "c", "cops")],
    "dismantling a directed graph": lambda folder: pursuit.dismantling_order(nx.DiGraph([(0, 1)])),
    "dismantling by None": lambda folder: pursuit.is_dismantling_order([(0, 1)], None),  # type: ignore[arg-type]
    "dismantling by three": lambda folder: pursuit.is_dismantling_order([(0, 1)], [(1, 2, 3)]),  # type: ignore[list-item]
    "start of a board without tokens": police(lambda game: game.start()),
    "position of a board": police(lambda game: rs.solve(game)[(1, 1), (2, 2), "thief"]),
    "heaps for outcomes": lambda folder: rs.solve(rs.game(KAYLES), objective="outcome"),
    "heaps without a win": lambda folder: rs.solve(rs.game(KAYLES), stuck="win"),
    "heaps that are none": lambda folder: rs.solve(rs.game(KAYLES))[()],
    "heaps, misere": command("solve", KAYLES, "--objective", "outcome", "--misere"),
    "heaps by a solver": command("solve", KAYLES, "--solver", "retrograde"),
    "heaps as a graph": command("solve", KAYLES, "-o", "o.csv"),
    "heaps as rows": command("convert", KAYLES, "o.csv", "--solve"),
    "plot of a graph": lambda folder: rs.plots.levels(rs.Graph.from_edges([0], [1])),  # type: ignore[arg-type]
    "plot without plies": lambda folder: rs.plots.levels(
        rs.solve(rs.game("police"), objective="win-loss-draw")
    ),
    "plot without a start": lambda folder: rs.plots.history(rs.solve(rs.Graph.from_edges([0], [1]))),
    "plot of too many": lambda folder: rs.plots.graph(rs.solve(rs.Graph.from_edges([], [], 201))),
    "plot in an unknown format": command("plot", "teeko", "plot.doc"),
    "plot in no folder": command("plot", "teeko", "none/a.svg"),
}
