"""The words of the DOT language: ids, signs and arrows, comments left out."""

from __future__ import annotations

import re
from typing import NamedTuple

from retrosolve.errors import FormatError
from retrosolve.formats.files import Source, shown

KEYWORDS = ("strict", "graph", "digraph", "subgraph", "node", "edge")
LETTER = "A-Za-z_\u0080-\U0010ffff"
TOKEN = re.compile(
    r"(?P<blank>(?:[ \t\r\n\f\v]+|//[^\n]*|/\*.*?\*/|(?<![^\n])\#[^\n]*)+)"
    r'|"(?P<quoted>[^"\\]*(?:\\.[^"\\]*)*)"'
    r"|(?P<arrow>->|--)"
    r"|(?P<sign>[{}\[\];,=:+])"
    rf"|(?P<number>-?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?))(?![{LETTER}0-9.])"
    rf"|(?P<word>[{LETTER}][{LETTER}0-9]*)"
    r"|(?P<html><)",
    re.DOTALL,
)
ESCAPED = re.compile(r"\\(\r\n|.)", re.DOTALL)


class Token(NamedTuple):
    """One word: its kind (id, arrow, sign, end), its text, its line, its keyword if it is one."""

    kind: str
    text: str
    line: int
    keyword: str | None = None

    @property
    def is_id(self) -> bool:
        """Whether it can name something."""
        return self.kind == "id" and self.keyword is None


class Tokens:
    """The tokens of a file, ``next`` the one to come."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.text = source.text()
        self.place = 0
        self.line = 1
        self.doubled_backslashes = False
        self.next = self._scan()

    def sign(self, text: str) -> bool:
        """Tell whether this sign comes next."""
        return self.next.kind == "sign" and self.next.text == text

    def take(self, sign: str | None = None) -> Token:
        """Take the next token, which must be this sign if one is given."""
        token = self.next
        if sign is not None and not self.sign(sign):
            raise self.error(token, repr(sign))
        if token.kind == "end":
            raise self.error(token, "more")
        self.next = self._scan()
        return token

    def take_id(self) -> Token:
        """Take an id; quoted ones may be put together with ``+``."""
        token = self.take()
        if not token.is_id:
            raise self.error(token, "a name")
        while self.sign("+"):
            self.take()
            more = self.take()
            if more.kind != "id":
                raise self.error(more, "a text in quotes")
            token = token._replace(text=token.text + more.text)
        return token

    def error(self, token: Token, expected: str) -> FormatError:
        """Make the error at a token."""
        found = "the end of the file" if token.kind == "end" else shown(token.text)
        return self.source.error(f"{found}: expected {expected}", token.line)

    def _scan(self) -> Token:
        found = TOKEN.match(self.text, self.place)
        while found and found.lastgroup == "blank":
            self._advance(found.end())
            found = TOKEN.match(self.text, self.place)
        line = self.line
        if found is None:
            if self.place == len(self.text):
                return Token("end", "", line)
            raise self._odd(line)
        kind, text = found.lastgroup, found[0]
        if kind == "html":
            return Token("id", self._html(line), line)
        self._advance(found.end())
        if kind == "quoted":
            return Token("id", ESCAPED.sub(self._unescaped, found["quoted"]), line)
        if kind in ("word", "number"):
            return Token("id", text, line, text.lower() if text.lower() in KEYWORDS else None)
        return Token(str(kind), text, line)

    def _advance(self, place: int) -> None:
        self.line += self.text.count("\n", self.place, place)
        self.place = place

    def _unescaped(self, found: re.Match[str]) -> str:
        """Undo an escape: only a quote and a line end are escaped in Graphviz's own files."""
        after = found[1]
        if after == '"' or (after == "\\" and self.doubled_backslashes):
            return after
        return "" if after in ("\n", "\r\n") else found[0]

    def _html(self, line: int) -> str:
        """Read ``<...>``, the brackets within it paired."""
        depth = 0
        for found in re.compile("[<>]").finditer(self.text, self.place):
            depth += 1 if found[0] == "<" else -1
            if depth == 0:
                text = self.text[self.place + 1 : found.start()]
                self._advance(found.end())
                return text
        raise self.source.error("'<' is never closed: expected '>'", line)

    def _odd(self, line: int) -> FormatError:
        rest = self.text[self.place : self.place + 100].partition("\n")[0]
        if rest.startswith('"'):
            return self.source.error("a text in quotes is never closed: expected '\"'", line)
        if rest.startswith("/*"):
            return self.source.error("a comment is never closed: expected '*/'", line)
        return self.source.error(f"{shown(rest)}: expected a name, a bracket or an arrow", line)
