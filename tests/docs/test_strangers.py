"""Two strangers' tasks, from the documentation alone, each in fewer than 25 lines."""

import inspect
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import pytest

import retrosolve as rs
from tests.support.pages import DOCS, blocks
from tests.support.programs import started

MAX_LINES = 25
PAGE = (DOCS / "start" / "first-game.md").read_text("utf-8")


@pytest.mark.thorough
def test_rules_of_a_new_game_become_a_proven_table_a_plot_and_a_page(tmp_path: Path) -> None:
    """The program of the page about a game of one's own, and the command below it."""
    (program,) = blocks(PAGE, "python")
    assert len(program.splitlines()) < MAX_LINES
    (tmp_path / "bridge.py").write_text(program, "utf-8")
    done = subprocess.run(
        [sys.executable, "bridge.py"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout in PAGE
    assert done.stderr == ""
    assert "<svg" in (tmp_path / "bridge.svg").read_text("utf-8")
    with rs.open(tmp_path / "bridge") as opened:
        assert opened.verified
    serve = [sys.executable, "-m", "retrosolve", "serve", "bridge", "--trust-rules"]
    serve += ["--port", "0", "--no-browser"]
    with started(serve, cwd=tmp_path) as serving:
        assert serving.stdout is not None
        address = serving.stdout.readline().strip()
        page = urllib.request.urlopen(f"{address}g/bridge/", timeout=30).read().decode()
        serving.send_signal(signal.SIGINT)
        assert serving.wait(30) == 0
    assert "step +1" in page


def winners(edges: Any) -> Any:
    """From an edge list in a data frame to a data frame with winners."""
    graph = rs.Graph.from_pandas(edges, "from", "to")
    solution = rs.solve(graph)
    rs.verify(solution)
    frame = solution.to_pandas()
    return frame[frame["value"] == "win"]


def test_an_edge_list_becomes_a_data_frame_with_winners() -> None:
    import pandas as pd

    assert len(inspect.getsource(winners).splitlines()) < MAX_LINES
    edges = pd.DataFrame({"from": ["a", "b", "b", "c"], "to": ["b", "a", "c", "d"]})
    assert winners(edges)[["position", "best"]].to_numpy().tolist() == [["c", "d"]]
