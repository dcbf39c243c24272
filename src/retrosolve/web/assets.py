"""The scripts, styles and pictures of the pages: compressed once, and kept by browsers for a year.

An address of a file contains a digest of all of them, ``/static/DIGEST/position.js``, so that a new
version has new addresses, also those that scripts import from each other. Without the digest a file is
asked for again each time.
"""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from functools import cache
from pathlib import Path
from typing import NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

STATIC = Path(__file__).parent / "static"
PREFIX = "/static/"
DIGITS = 12  # of the digest
FOR_A_YEAR = "public, max-age=31536000, immutable"
MIN_COMPRESSED = 500  # bytes; shorter files are sent as they are
TYPES = {".js": "text/javascript", ".mjs": "text/javascript", ".svg": "image/svg+xml"}


class Asset(NamedTuple):
    """A file as it is sent.

    Parameters
    ----------
    kind : str
        Its media type.
    plain, packed : bytes
        Its content, and the same compressed by gzip.
    """

    kind: str
    plain: bytes
    packed: bytes


@cache
def digest() -> str:
    """Return the digest of all files."""
    whole = hashlib.sha256()
    for path in sorted(path for path in STATIC.rglob("*") if path.is_file()):
        whole.update(path.relative_to(STATIC).as_posix().encode() + b"\0" + path.read_bytes())
    return whole.hexdigest()[:DIGITS]


@cache
def names() -> frozenset[str]:
    """Return the names of the files, which no other file can be asked for by."""
    return frozenset(
        path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*") if path.is_file()
    )


@cache
def asset(name: str) -> Asset:
    """Return a file by its name, one of ``names()``."""
    path = STATIC / name
    plain = path.read_bytes()
    kind = TYPES.get(path.suffix) or mimetypes.guess_type(name)[0] or "text/plain"
    kind += "; charset=utf-8" if kind.startswith("text/") else ""
    return Asset(kind, plain, gzip.compress(plain, 9, mtime=0))


def with_digest(source: str) -> str:
    """Return a template in which the addresses of files have the digest.

    >>> with_digest('<script src="/static/film.js">') == f'<script src="/static/{digest()}/film.js">'
    True
    """
    return source.replace(f'"{PREFIX}', f'"{PREFIX}{digest()}/')


async def send(request: Request) -> Response:
    """Send a file."""
    path: str = request.path_params["path"]
    first, _, rest = path.partition("/")
    is_current = first == digest()
    name = rest if is_current else path
    if name not in names():
        raise HTTPException(404)
    found, tag = asset(name), f'"{digest()}"'
    headers = {
        "Cache-Control": FOR_A_YEAR if is_current else "no-cache",
        "ETag": tag,
        "Vary": "Accept-Encoding",
    }
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    takes = "gzip" in request.headers.get("accept-encoding", "")
    if not takes or len(found.plain) < MIN_COMPRESSED:
        return Response(found.plain, headers=headers, media_type=found.kind)
    headers["Content-Encoding"] = "gzip"
    return Response(found.packed, headers=headers, media_type=found.kind)
