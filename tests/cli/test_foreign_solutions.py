"""Solutions that somebody else made, under every command: none of their code runs."""

from __future__ import annotations

import io
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from retrosolve.cli import COMMANDS, run
from retrosolve.pursuit import police
from tests.support.hostile import INSIDE, OUTSIDE, Place, hostile_solutions

# The arguments of each command: DIR is the solution, OUT a path that may be written.
ARGUMENTS = {
    "solve": ["solve", "DIR"],
    "solve into": ["solve", "DIR", "-o", "OUT"],
    "plan": ["plan", "DIR"],
    "probe": ["probe", "DIR", "7"],
    "probe --index": ["probe", "DIR", "--index", "7", "8"],
    "stats": ["stats", "DIR", "--digest"],
    "stats --zugzwangs": ["stats", "DIR", "--zugzwangs"],
    "compare": ["compare", "DIR", "DIR"],
    "verify": ["verify", "DIR"],
    "convert": ["convert", "DIR", "OUT.csv"],
    "dataset": ["dataset", "DIR", "OUT.parquet"],
    "pack": ["pack", "DIR", "OUT"],
    "pack --no-remoteness": ["pack", "DIR", "OUT", "--no-remoteness"],
    "explain": ["explain", "DIR"],
    "film": ["film", "DIR", "OUT.html"],
    "play": ["play", "DIR"],
    "plot": ["plot", "DIR", "OUT.svg"],
    "plot --kind tiers": ["plot", "DIR", "OUT.svg", "--kind", "tiers"],
    "check": ["check", "DIR"],
    "serve": ["serve", "DIR", "--no-browser", "--port", "0"],
    "serve a folder": ["serve", "PARENT", "--no-browser", "--port", "0"],
    "export": ["export", "DIR", "--static", "OUT"],
}
NEED_NO_RULES = {"probe --index", "stats", "pack", "plot"}
# Honest rules, of which the spec names a module that is another, or something that makes no game.
OF_HONEST_FILES = {name for name in OUTSIDE if name.startswith("module")} | {"class method", "no game"}


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> tuple[Place, dict[str, Path]]:
    return hostile_solutions(tmp_path_factory.mktemp("hostile"))


@pytest.fixture
def place(hostile: tuple[Place, dict[str, Path]], monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    at, _ = hostile
    monkeypatch.chdir(at.folder)
    monkeypatch.syspath_prepend(str(at.folder))
    monkeypatch.setattr(police, "read_board", lambda _path: at.canary.touch())
    monkeypatch.setattr("retrosolve.web.server.run", close)
    monkeypatch.setattr("sys.stdin", io.StringIO("q\n"))
    yield at
    assert not at.canary.exists()


def close(_: object, listening: list[socket.socket]) -> None:
    """Serve nobody."""
    for one in listening:
        one.close()


def ran(arguments: list[str], solution: Path, out: Path) -> int:
    """Run a command on a solution and return its status."""
    names = {"DIR": str(solution), "PARENT": str(solution.parent)}
    return run([names.get(a, a.replace("OUT", str(out))) for a in arguments])


def test_every_command_that_opens_solutions_is_tried() -> None:
    assert {arguments[0] for arguments in ARGUMENTS.values()} == {*COMMANDS} - {
        "games",
        "check-solution",
    }


@pytest.mark.parametrize("command", ARGUMENTS)
def test_hostile_rules_do_not_run_with_or_without_consent(
    command: str, hostile: tuple[Place, dict[str, Path]], place: Place, tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """Those of files, and what a built-in game is asked for; plotting is slow."""
    for number, name in enumerate([*OUTSIDE, *INSIDE] if command != "plot" else [*OUTSIDE][:1]):
        if name in INSIDE and command == "serve a folder":
            continue
        for consent in ([], ["--trust-rules"]):
            status = ran([*ARGUMENTS[command], *consent], hostile[1][name], tmp_path / str(number))
            out, err = capsys.readouterr()
            assert not place.canary.exists(), name
            assert status == 0 or (status, out, len(err.splitlines())) == (2, "", 1), (name, err)
            reads = command in NEED_NO_RULES
            if name in INSIDE:
                reads = (
                    reads and not (command == "stats" and name != "other module")
                ) or command == "serve"
            elif consent:
                reads = name in OF_HONEST_FILES and command in (*NEED_NO_RULES, "serve")
            else:
                assert reads or "which run only if you trust them" in err or "game=" in err, err
                assert (status, out != "") == ((0, True) if reads else (2, False)), (name, err)
            assert reads or status == 2, (name, err)


def test_the_sentence_names_the_file_and_the_command_that_trusts_it(
    hostile: tuple[Place, dict[str, Path]], place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    path = place.solution("honest")
    assert run(["probe", str(path), "7"]) == 2
    _, err = capsys.readouterr()
    rules = place.folder / "heap.py"
    digest = place.rules(rules, rules.read_text())["digest"]
    assert err == (
        f"retrosolve: positions and moves of Heap need the rules in {rules} (SHA-256 {digest}), which "
        f"run only if you trust them: expected retrosolve probe --trust-rules {path} 7\n"
    )
    assert run(["stats", str(path)]) == 0
    assert capsys.readouterr().err.endswith("run only if you trust them: expected --trust-rules\n")
    assert run(err.strip().partition("expected retrosolve ")[2].split()) == 0
    assert capsys.readouterr().out.startswith("7: WIN in 5 plies, the player to move wins\n")


def test_numbers_are_read_without_rules(
    hostile: tuple[Place, dict[str, Path]], place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(hostile[1]["relative"])
    assert run(["stats", path, "--digest"]) == 0
    out, err = capsys.readouterr()
    assert "all               7     4    0     0\nlongest, plies    7     6    -     -" in out
    assert "digest " in out
    assert "example" not in out
    assert err.startswith("note: no examples, the path of the rules is 'relative.py': expected an abso")
    assert run(["probe", path, "--index", "3", "0"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "index 3: WIN in 5 plies, the player to move wins",
        "index 0: WIN in 7 plies, the player to move wins",
    ]
    assert run(["probe", path, "--index", "11"]) == 2
    assert "'11' is no index: expected a number from 0 to 10" in capsys.readouterr().err
