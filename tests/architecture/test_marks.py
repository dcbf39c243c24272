"""What `make quick` leaves out says so where it stands."""

import pytest

from tests.conftest import LEFT_OUT, MISNAMED, ROOT, is_thorough
from tests.support.marks import is_long


@pytest.mark.parametrize(
    "path", ["tests/web", "tests/web/test_api.py", "tests/games/test_chess_tables.py"]
)
def test_marked_files_and_folders_are_left_out_of_quick(path: str) -> None:
    assert is_thorough(ROOT / path)


@pytest.mark.parametrize(
    "path", ["tests", "tests/heart", "tests/heart/test_proofs.py", "tests/games/test_plain.py"]
)
def test_other_files_and_folders_are_in_quick(path: str) -> None:
    assert not is_thorough(ROOT / path)


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("import pytest\n\npytestmark = pytest.mark.thorough\n", True),
        ("pytestmark = [THOROUGH, COMPILED]\n", True),
        ("@THOROUGH\ndef test_it(): ...\n", False),
        ("# pytestmark = pytest.mark.thorough\n", False),
        ('pytestmark = pytest.mark.usefixtures("interpreted")\n', False),
    ],
)
def test_mark_is_read_from_the_text(text: str, marked: bool) -> None:
    assert bool(LEFT_OUT.search(text)) == marked


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
