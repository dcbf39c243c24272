"""The tables of the documentation, made of the figures in ``results``.

The site shows one where a page says ``{measured} games``, ``python benchmarks/tables.py games`` prints
it, and the programs show rows as they come.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "results"

# What a benchmark has found of one case, and a row of a table, by the headings.
Case = dict[str, Any]
Row = dict[str, str]


def seconds_of(run: Case) -> float:
    """Build and solve together, in seconds."""
    return float(run["build"] + run["solve"])


def milliseconds(seconds: float) -> str:
    """Write a time in milliseconds, to two places where it is short."""
    return f"{1000 * seconds:.0f}" if seconds >= 0.01 else f"{1000 * seconds:.2f}"


def megabytes(count: float | None, form: str = ".1f") -> str:
    """Write a number of bytes, a dash if it is unknown."""
    return "-" if count is None else f"{count / 1e6:{form}}"


def graphs(case: Case, cores: int, before: Case | None) -> Row:
    """Ratios say how many times slower the other program is."""
    ours: Case = case["ours"]
    seconds, alone = seconds_of(ours), seconds_of(case.get("ours_1", ours))

    def ratios(of: float, *names: str, form: str = ".1f") -> str:
        return " / ".join(f"{seconds_of(case[n]) / of:{form}}" if n in case else "-" for n in names)

    fast = ratios(seconds, "textbook", "flat")
    slow = ratios(seconds, "plain", "storm", form=".0f")
    return {
        "family": case["family"],
        "edges": f"{case['edges']:.2g}",
        "build ms": milliseconds(ours["build"]),
        "solve ms": milliseconds(ours["solve"]),
        "Medges/s a core": f"{case['edges'] / seconds / cores / 1e6:.1f}",
        "from edges: textbook / flat / plain / Storm": fast + " / " + slow,
        "from rows: textbook / flat": ratios(ours["solve"], "textbook", "flat"),
        "on one thread: textbook / flat": ratios(alone, "textbook", "flat"),
        "of the floor": f"{seconds / seconds_of(case['floor']):.0f}",
        f"1 to {cores} threads": f"{alone / seconds:.2f}" if "ours_1" in case else "-",
        "peak MB": f"{ours['peak_bytes'] / 1e6:.0f}",
        "bytes an edge": f"{ours['peak_bytes'] / case['edges']:.1f}",
    }


def exploring(case: Case, cores: int, before: Case | None) -> Row:
    """Plain rules beside a dictionary loop."""
    seconds, positions = case["seconds"], case["positions"]
    plain, one, two = (positions / seconds[name] for name in ("dictionary", "workers=1", "workers=2"))
    return {
        "game": case["game"],
        "positions": f"{positions:,}",
        "moves": f"{case['moves']:,}",
        "dictionary, positions/s": f"{plain:,.0f}",
        "retrosolve": f"{one:,.0f}",
        "of the dictionary": f"{one / plain:.2f}",
        "two workers": f"{two:,.0f}",
        "of one": f"{two / one:.2f}",
    }


def games(case: Case, cores: int, before: Case | None) -> Row:
    """Built-in games solved whole."""
    return {
        "game": case["game"],
        "positions": f"{case['positions']:,}",
        "moves": f"{case['edges']:,}",
        "start": case["start"],
        "levels": str(case["levels"]),
        "cold s": f"{case['cold']:.1f}",
        "warm s": f"{case['first']:.2f}",
        "solve s": f"{case['solve']:.2f}",
        "positions/s": f"{case['positions'] / case['solve']:,.0f}",
        "proof s": f"{case['verify']:.2f}",
        "peak MB": megabytes(case["peak_bytes"]),
        "planned MB": megabytes(case["planned_bytes"]),
        "bytes an index": f"{case['peak_bytes'] / case['indices']:.1f}",
    }


STAGES = ("finding positions", "tiers in one pass", "initialisation", "propagation", "ties and draws")


def big_games(case: Case, cores: int, before: Case | None) -> Row:
    """The largest built-in games."""
    seconds = case["seconds"]
    shares = [100 * case["stages"].get(stage, 0) / seconds for stage in STAGES]
    shares.append(100 - sum(shares))  # making the game, the plan, and preparing
    stages = "finding / one pass / initialisation / propagation / ties / other, %"
    return {
        "game": case["game"],
        "positions": f"{case['positions']:,}",
        "indices": f"{case['indices']:,}",
        "start": case["start"],
        "levels": str(case["levels"]),
        "seconds": f"{seconds:.1f}",
        stages: " / ".join(f"{share:.0f}" for share in shares),
        "positions/s a core": f"{case['positions'] / seconds / cores:,.0f}",
        "bytes a position": f"{case['peak_bytes'] / case['positions']:.1f}",
        "peak MB": megabytes(case["peak_bytes"], ".0f"),
        "planned MB": megabytes(case["planned_bytes"], ".0f"),
        "proof s": f"{case['verify']:.1f}",
    }


def records(case: Case, cores: int, before: Case | None) -> Row:
    """The largest games, solved into a folder."""
    return {
        "game": case["game"],
        "positions": f"{case['positions']:,}",
        "longest, plies": str(case["longest"]),
        "seconds": f"{case['seconds']:.0f}",
        "s of processor": f"{case['cpu_seconds']:.0f}",
        "peak MB": megabytes(case["peak_bytes"], ".0f"),
        "MB on disk": megabytes(case["disk_bytes"]),
        "positions/s of processor": f"{case['positions'] / case['cpu_seconds']:,.0f}",
    }


def scores(case: Case, cores: int, before: Case | None) -> Row:
    """Awari beside a C++ program."""
    ours, cpp = case["ours"], case["cpp"]
    boards, inner = cpp["positions"], cpp["inner"]

    def figures(run: Case, program: str) -> Row:
        return {
            program + ("s" if program else "seconds"): f"{run['seconds']:.2f}",
            program + "boards/s": f"{boards / run['seconds']:,.0f}",
            program + "ns a move": f"{1e9 * run['seconds'] / inner:.0f}",
            program + "bytes a board": f"{run['peak_bytes'] / boards:.1f}",
        }

    return {
        "seeds": str(case["seeds"]),
        "boards": f"{boards:,}",
        "moves inside": f"{inner:,}",
        "found": case["found"],
        **figures(ours, ""),
        **figures(cpp, "C++ "),
        "C++ times faster": f"{ours['seconds'] / cpp['seconds']:.2f}",
    }


def kalah(case: Case, cores: int, before: Case | None) -> Row:
    """Kalah for points."""
    alone = "" if case["objective"] == "score" else ", the score alone"
    return {
        "kalah": case["game"].removeprefix("kalah:") + alone,
        "positions": f"{case['positions']:,}",
        "margin": str(case["margin"]),
        "s of processor": f"{case['cpu_seconds']:.1f}",
        "ns a position": f"{1e9 * case['cpu_seconds'] / case['positions']:.0f}",
        "peak MB": megabytes(case["peak_bytes"], ".0f"),
        "proof, s of processor": _figure(case, "verify_cpu_seconds", ".1f"),
    }


def pursuit(case: Case, cores: int, before: Case | None) -> Row:
    """Policeman and thief, boards of growing size."""
    run, other = case["ours"], case.get("textbook")
    seconds, positions = run["seconds"], run["positions"]
    growth = "-"
    if before and before["mode"] == case["mode"]:
        last = before["ours"]
        growth = f"{seconds / last['seconds']:.1f} / {positions / last['positions']:.1f}"
    return {
        "board": f"{case['side']}x{case['side']}",
        "found": "values and plies" if case["mode"] == "plies" else "values",
        "positions": f"{positions:,}",
        "levels": "-" if run["levels"] is None else str(run["levels"]),
        "seconds": f"{seconds:.3f}",
        "positions/s": f"{positions / seconds:,.0f}",
        "growth of seconds / positions": growth,
        f"1 to {cores} threads": f"{case['ours_1']['seconds'] / seconds:.2f}"
        if "ours_1" in case
        else "-",
        "proof s": "-" if run["verify"] is None else f"{run['verify']:.2f}",
        "peak MB": megabytes(run["peak_bytes"]),
        "planned MB": megabytes(run["planned_bytes"]),
        "bytes a position": f"{run['peak_bytes'] / positions:.2f}",
        "C++ s": f"{seconds_of(other):.3f}" if other else "-",
        "times faster": f"{seconds_of(other) / seconds:.0f}" if other else "-",
    }


# Seconds that a game of OpenSpiel may take, and those of the solvers that OpenSpiel has.
OPENSPIEL_SECONDS, SECONDS_OF_OTHERS = 60, 30


def openspiel(case: Case, cores: int, before: Case | None) -> Row:
    """Games of OpenSpiel, with what its own solvers say."""
    start = case["start"]
    solved = "error" not in case
    if solved:
        said = _agreement(case, case["searched"])
    elif case["error"] == "more time" or "timeout" in case["error"]:
        said = f"more than {OPENSPIEL_SECONDS} s"
    else:
        said = "the text is no key"
    return {
        "game": f"`{case['game']}`",
        "start": f"`{start}`" if isinstance(start, str) else f"{start} actions" if start else "",
        "key": case["key"],
        "positions": f"{case['positions']:,}" if solved else "-",
        "value of the start": case["value"] if solved else "-",
        "s": f"{case['seconds']:.1f}" if solved else "-",
        "agreement with OpenSpiel": said,
        "": case["note"],
    }


def _agreement(case: Case, searched: float | None) -> str:
    """In words, what OpenSpiel's solvers say."""
    said = []
    if "compared" in case:
        said.append(f"table: {case['compared'] - case['different']:,} of {case['compared']:,}")
    if searched is not None:
        sign = {1: "WIN", 0: "TIE", -1: "LOSS"}[(searched > 0) - (searched < 0)]
        said.append("search: " + ("same" if case["value"].startswith(sign) else sign))
    return "; ".join(said) or f"search: not in {SECONDS_OF_OTHERS} s"


def registry(case: Case, cores: int, before: Case | None) -> Row:
    """A game with its times, and what solving it again has shown."""
    counts = case.get("counts") or {}
    if isinstance(counts, list):  # Quoridor: won by the players, not by the player to move
        counts = {}
    values = {"won": "win", "lost": "loss", "tied": "tie", "drawn": "draw"}
    seconds = case["solve"] if "solve" in case else case["seconds"]
    return {
        "game": f"`{case['game']}`",
        "positions": f"{case['positions']:,}",
        **{head: _figure(counts, value, ",") for head, value in values.items()},
        "start": str(case.get("start") or "-"),
        "longest win, plies": _figure(case, "longest", ""),
        "s": f"{seconds:.3g}" if seconds < 100 else f"{seconds:,.0f}",
        "peak MB": megabytes(case["peak_bytes"], ",.0f"),
        "MB on disk": megabytes(case.get("disk_bytes"), ",.1f"),
    }


def digests(case: Case, cores: int, before: Case | None) -> Row:
    """The digest of a game of the registry."""
    example = case["example"].replace("|", "\\|").replace("\n", " / ")
    return {
        "game": f"`{case['game']}`",
        "digest": f"`{case['digest']}`",
        "one of the longest wins or losses": f"`{example}`",
    }


def endings(case: Case, cores: int, before: Case | None) -> Row:
    """Chess endings, counted for each side."""
    sides = [
        " / ".join(f"{int(count):,}" if count != "-" else count for count in side.split("/"))
        for side in case.get("wins/draws/losses", "- | -").split(" | ")
    ]
    return {
        "ending": case["game"].removeprefix("chess:"),
        "positions": _figure(case, "positions", ","),
        "White to move: won / drawn / lost": sides[0],
        "Black to move: won / drawn / lost": sides[1],
        "longest win, plies": str(case["longest_of_ending"]),
        **_disk_and_digest(case),
    }


def conversions(case: Case, cores: int, before: Case | None) -> Row:
    """Chess endings with distances to a conversion."""
    counts = case["counts"]
    return {
        "ending": case["game"].removeprefix("chess:"),
        "longest, plies": str(case["longest_of_ending"]),
        "wins": f"{counts['win']:,}",
        "cursed wins": f"{counts['cursed-win']:,}",
        "blessed losses": f"{counts['blessed-loss']:,}",
        "losses": f"{counts['loss']:,}",
        **_disk_and_digest(case),
    }


def _disk_and_digest(case: Case) -> Row:
    """The last two cells, dashes for an ending that was not solved alone."""
    digest = f"`{case['digest']}`" if "digest" in case else "-"
    return {"MB on disk": megabytes(case.get("disk_bytes")), "digest": digest}


def _figure(case: Case, key: str, form: str) -> str:
    """Write a figure, a dash if there is none."""
    return f"{case[key]:{form}}" if key in case else "-"


TABLES: dict[str, Callable[[Case, int, Case | None], Row]] = {
    "graphs": graphs,
    "exploring": exploring,
    "games": games,
    "big_games": big_games,
    "records": records,
    "scores": scores,
    "kalah": kalah,
    "pursuit": pursuit,
    "openspiel": openspiel,
    "registry": registry,
    "digests": digests,
    "endings": endings,
    "conversions": conversions,
}

# A row of the registry has the last of them that has its game.
MEASURED = ("games", "big_games", "records")


def read(name: str) -> dict[str, Any]:
    """Return the machine and the cases of a benchmark."""
    found: dict[str, Any] = json.loads((RESULTS / f"{name}.json").read_text("utf-8"))
    return found


def results(name: str) -> dict[str, Case]:
    """Return the figures that a benchmark has written, by game, each with the machine it was."""
    written = read(name)
    machine = machine_line(written["machine"])
    return {case["game"]: {"measured": machine, **case} for case in written["cases"]}


def measured() -> dict[str, Case]:
    """Return what the benchmarks have of each built-in game, by its text, the smallest first."""
    from retrosolve.games import GAMES

    found: dict[str, Case] = {}
    for name in MEASURED:
        found |= {text: case for text, case in results(name).items() if text.partition(":")[0] in GAMES}
    return dict(sorted(found.items(), key=lambda item: (item[1]["positions"], item[0])))


def machine_line(machine: dict[str, Any]) -> str:
    """What stands below a table: figures of different machines are not compared."""
    return "Measured {date} on {cores} cores, {processor}; Python {python}.".format(**machine)


def machines_line(written: dict[str, Any]) -> str:
    """What stands below a table of figures of this run and of earlier ones."""
    machine = machine_line(written["machine"])
    return " ".join(dict.fromkeys(case.get("measured", machine) for case in written["cases"]))


def lines(name: str, cases: Iterable[Case], cores: int) -> Iterator[str]:
    """Yield the lines of a table."""
    before = None
    for case in cases:
        row = TABLES[name](case, cores, before)
        if before is None:
            yield f"| {' | '.join(row)} |".replace("|  |", "| |")
            yield "|" + len(row) * "---|"
        yield f"| {' | '.join(row.values())} |"
        before = case


def markdown(name: str) -> str:
    """Return a table, and below it the machines that its figures are of."""
    written = read("registry" if name == "digests" else name)
    cases = written["cases"]
    if name in ("registry", "digests"):
        known = {case["game"]: case for case in cases}
        both = {text: case | known.get(text, {}) for text, case in measured().items()}
        cases = [case for text, case in both.items() if name == "registry" or text in known]
    table = "\n".join(lines(name, cases, written["machine"]["cores"]))
    return f"{table}\n\n{machines_line(written)}"


if __name__ == "__main__":
    print(markdown(sys.argv[1]))
