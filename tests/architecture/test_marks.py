"""What `make test` leaves out and what `make quick` chooses."""

from pathlib import Path

import pytest

import retrosolve
from tests.conftest import MISNAMED, ROOT
from tests.rooms import ALWAYS, ROOMS, belonging
from tests.support.marks import is_long

PACKAGE = Path(retrosolve.__file__).parent


@pytest.mark.parametrize(
    ("mark", "long"),
    [
        (pytest.mark.long, ["a", "b", "ab", ""]),
        (pytest.mark.long(but=2), ["ab", ""]),
        (pytest.mark.long("a"), ["a"]),
        (pytest.mark.long("*b", ""), ["b", "ab", ""]),
    ],
)
def test_long_cases_are_those_of_the_mark(mark: pytest.MarkDecorator, long: list[str]) -> None:
    cases = ["a", "b", "ab", ""]
    assert [case for before, case in enumerate(cases) if is_long(mark.mark, case, before)] == long


def test_every_case_that_a_mark_names_exists(request: pytest.FixtureRequest) -> None:
    assert request.config.stash[MISNAMED] == []


def test_every_room_has_its_tests() -> None:
    rooms = {
        path.stem
        for path in PACKAGE.iterdir()
        if path.suffix == ".py" or (path / "__init__.py").exists()
    }
    assert rooms - {"__init__", "__main__"} == set(ROOMS)
    named = [*ALWAYS, *(test for tests in ROOMS.values() for test in tests)]
    assert [test for test in named if not (ROOT / "tests" / test).exists()] == []


@pytest.mark.parametrize(
    ("changed", "tests"),
    [
        ("src/retrosolve/web/static/film.js", ROOMS["web"]),
        ("src/retrosolve/values.py", ROOMS["values"]),
        ("tests/store/test_resume.py", ("store/test_resume.py",)),
        ("tests/web/conftest.py", ("web",)),
        ("tests/support/marks.py", ()),
        ("tests/conftest.py", ()),
        ("docs/index.md", ("docs",)),
        ("pyproject.toml", ("package", "architecture")),
    ],
)
def test_changed_file_runs_the_belonging_its_room(changed: str, tests: tuple[str, ...]) -> None:
    assert belonging(changed) == tests
