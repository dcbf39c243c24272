"""The page about formats says what happens."""

import doctest
from pathlib import Path

import pytest

PAGE = Path(__file__).parent.parent.parent / "docs" / "formats.md"


def test_the_examples_of_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    example = doctest.DocTestParser().get_doctest(
        PAGE.read_text("utf-8").replace("```", ""), {"open": opened}, "formats.md", str(PAGE), 0
    )
    assert len(example.examples) > 25
    said: list[str] = []
    result = doctest.DocTestRunner().run(example, out=said.append)
    assert result.failed == 0, "".join(said)


class opened:  # noqa: N801  # stands in for open, and closes what it opened
    def __init__(self, path: str) -> None:
        self.path = path

    def read(self) -> str:
        return Path(self.path).read_text("utf-8")
