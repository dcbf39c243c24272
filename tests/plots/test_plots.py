"""Pictures by Matplotlib, tested by what they are made of."""

import resource
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from matplotlib.figure import Figure

import retrosolve as rs
from retrosolve.cli import run
from retrosolve.cli.files import KINDS
from retrosolve.drawing.appearance import APPEARANCE
from retrosolve.games import parse_game
from retrosolve.values import Value


def new_axes() -> Any:
    return Figure().subplots()


@pytest.fixture(scope="module")
def tictactoe() -> rs.Solution:
    return rs.solve(parse_game("tictactoe"))


@pytest.fixture(scope="module")
def star() -> rs.Solution:
    return rs.solve(parse_game("mutorere:symmetry=yes"))


def labels(ax: Any) -> list[str]:
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_the_histogram_has_a_bar_for_each_value_and_remoteness(star: rs.Solution) -> None:
    ax = new_axes()
    assert rs.plots.histogram(star, ax=ax) is ax
    counted = star.histogram()
    heights = [[bar.get_height() for bar in bars] for bars in ax.containers]
    assert heights == [list(counted[value].values()) for value in (Value.WIN, Value.LOSS)]
    assert set(labels(ax)) == {"▲ win", "▼ loss", "∞ draw: 62"}
    assert ax.get_xlabel() == "remoteness (plies)"
    assert ax.get_yscale() == "linear"


def test_the_histogram_of_no_positions_has_no_legend() -> None:
    empty = rs.solve(rs.Graph.from_edges([], []))
    assert rs.plots.histogram(empty, new_axes()).get_legend() is None


def test_small_counts_beside_large_ones_are_on_a_logarithmic_scale(tictactoe: rs.Solution) -> None:
    assert rs.plots.histogram(tictactoe, ax=new_axes()).get_yscale() == "log"


def test_values_differ_by_colour_and_by_hatching(tictactoe: rs.Solution) -> None:
    ax = rs.plots.histogram(tictactoe, ax=new_axes())
    bars = {bars.get_label()[2:]: bars[0] for bars in ax.containers}
    for value in (Value.WIN, Value.LOSS, Value.TIE):
        red, green, blue, _ = bars[value.label].get_facecolor()
        shown = "#" + "".join(f"{round(255 * part):02x}" for part in (red, green, blue))
        assert shown == APPEARANCE[value].fill
    assert len({bar.get_hatch() for bar in bars.values()}) == 3


def test_levels_add_up_to_what_is_decided(star: rs.Solution, tictactoe: rs.Solution) -> None:
    for solution, share in ((tictactoe, 1.0), (star, 24 / 86)):
        ax = rs.plots.levels(solution, ax=new_axes())
        assert max(
            area.get_paths()[0].vertices[:, 1].max() for area in ax.collections
        ) == pytest.approx(share)
    assert labels(ax) == ["▲ win", "▼ loss"]


def test_tiers_are_bars_of_all_positions(tictactoe: rs.Solution) -> None:
    game = parse_game("connect4:rows=3,columns=3,connect=3")
    solution = rs.solve(game)
    ax = rs.plots.tiers(solution, ax=new_axes())
    assert {len(bars) for bars in ax.containers} == {len(game.tiers)}
    widths = sum(bar.get_width() for bars in ax.containers for bar in bars)
    assert widths == len(solution)
    assert [len(bars) for bars in rs.plots.tiers(tictactoe, ax=new_axes()).containers] == [1, 1, 1]


def test_the_history_shows_mistakes_from_the_first_players_side() -> None:
    solution = rs.solve(parse_game("stones:n=7"))
    bad = [solution.moves(7)[0], solution.moves(6)[0]]
    assert [move.position for move in bad] == [6, 5]
    ax = rs.plots.history(solution, bad, ax=new_axes())
    heights = list(ax.lines[0].get_ydata())
    assert heights[0] > 0
    assert len(heights) == 3
    worse = [solution.moves(7)[1]]
    heights = rs.plots.history(solution, worse, ax=new_axes()).lines[0].get_ydata()
    assert heights[0] > 0 > heights[1]
    perfect = rs.plots.history(solution, ax=new_axes()).lines[0].get_ydata()
    assert len(perfect) == solution[7].remoteness + 1
    assert perfect[-1] == 1
    owners = rs.solve(parse_game("police"))
    line = owners.line(owners.start)
    assert (rs.plots.history(owners, line, ax=new_axes()).lines[0].get_ydata() > 0).all()


def test_a_graph_has_a_disc_for_each_position_and_an_arrow_for_each_move() -> None:
    solution = rs.solve(rs.Graph.from_edges(["a", "b", "b", "c"], ["b", "a", "c", "c"]))
    ax = rs.plots.graph(solution, ax=new_axes())
    discs = {d.get_label(): len(d.get_offsets()) for d in ax.collections}
    assert discs == {"∞ draw": 3}
    assert len(ax.patches) == 4
    assert {text.get_text() for text in ax.texts} == {"a", "b", "c", "∞"}


def test_a_new_figure_is_made_where_none_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MPLBACKEND", "agg")
    from matplotlib import pyplot

    ax = rs.plots.histogram(rs.solve(rs.Graph.from_edges([0], [1])))
    assert ax.figure.number in pyplot.get_fignums()
    pyplot.close(ax.figure)


def test_matplotlib_is_loaded_for_a_picture_only() -> None:
    code = (
        "import sys, retrosolve as rs; rs.plots.histogram; "
        "solution = rs.solve(rs.Graph.from_edges([0], [1])); solution._repr_html_(); "
        "print('matplotlib' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


@pytest.mark.long(but=1)
@pytest.mark.parametrize("kind", KINDS)
def test_plot_writes_the_same_svg_each_time(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [tmp_path / "one.svg", tmp_path / "two.svg"]
    for file in files:
        assert run(["plot", "stones:n=6", str(file), "--kind", kind]) == 0
    assert capsys.readouterr().out.splitlines() == [f"wrote {file}" for file in files]
    assert files[0].read_bytes() == files[1].read_bytes()
    assert ElementTree.parse(files[0]).getroot().tag.endswith("svg")


def test_plot_reads_a_saved_solution(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rs.solve(parse_game("stones")).save(tmp_path / "saved")
    assert run(["plot", str(tmp_path / "saved"), str(tmp_path / "a.png"), "--kind", "graph"]) == 0
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


def test_a_plot_that_cannot_be_written_leaves_the_earlier_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.svg"
    file.write_text("earlier")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    try:
        assert run(["plot", "stones", str(file)]) == 2
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert capsys.readouterr().err == f"retrosolve: cannot write {file}: File too large\n"
    assert [(path, path.read_text()) for path in tmp_path.iterdir()] == [(file, "earlier")]
