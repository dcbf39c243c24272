"""What pages and their files cannot show."""

import retrosolve as rs
from tests.bad_input import Input, command

INPUTS: dict[str, Input] = {
    "film of points": command("film", "dots:rows=1,columns=1", "film.html"),
    "film of chances": lambda folder: rs.write_film(
        rs.solve(rs.game("rolls:points=1,checkers=1")), folder / "film.html"
    ),
    "film of distances to conversion": lambda folder: rs.write_film(
        rs.solve(rs.game("chess:KRK,board=3"), objective="conversion"), folder / "film.html"
    ),
    "steps of rules that throw dice": lambda folder: rs.explain(rs.game("rolls:points=1,checkers=1")),
}
