"""Pages from templates, in the language of the reader, and the answers to requests that fail."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable, Mapping
from functools import cache, lru_cache, partial
from gettext import NullTranslations
from html import escape
from http import HTTPStatus
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from markupsafe import escape as escape_unless_markup
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from retrosolve.drawing.appearance import APPEARANCE, SYMBOLS
from retrosolve.errors import PositionError, RetrosolveError
from retrosolve.languages import LANGUAGES, count, digits, percent, preferred, translation
from retrosolve.languages.phrases import proven_text
from retrosolve.runtime.release import __version__
from retrosolve.runtime.text import mark
from retrosolve.web.address import AddressError
from retrosolve.web.assets import PREFIX, digest, with_digest
from retrosolve.web.jobs import BusyError
from retrosolve.web.library import Entry, NoSuchGameError, StillSolvingError, once_in_turn
from retrosolve.web.phrasing import game_title

LANGUAGE_KEY = "language"
MARK = "\0"  # stands in no text that a page shows
SENTENCE = re.compile(r"""\{\{ _\((["'])((?:(?!\1)[^\\])*)\1\) \}\}""")


def entry_of(request: Request) -> Entry:
    """Return the game that the address names. Raises NoSuchGameError and StillSolvingError."""
    entry: Entry = request.app.state.library.entry(request.path_params["name"])
    return entry


def asked_language(request: Request) -> str | None:
    """Return the language that the address of a page asks for, if there is one and it is known."""
    asked = request.query_params.get(LANGUAGE_KEY)
    return asked if asked in LANGUAGES else None


def language_of(request: Request) -> str:
    """Return the language of a page: of its address, of the command line, or of the browser."""
    asked = asked_language(request)
    if asked is not None:
        return asked
    fixed: str | None = request.app.state.language
    return fixed or preferred(request.headers.get("accept-language", ""))


def catalogue(request: Request) -> NullTranslations:
    """Return the catalogue of the language of a page."""
    return translation(language_of(request))


class TranslatedLoader(PackageLoader):
    """The templates, with their fixed sentences translated as they are loaded and not for each page.

    Parameters
    ----------
    to : NullTranslations
        The catalogue.
    """

    def __init__(self, to: NullTranslations) -> None:
        super().__init__("retrosolve.web")
        self._to = to

    def get_source(self, environment: Environment, template: str) -> Any:
        """Return a template with its sentences translated, and addresses of files that can be kept."""
        source, *rest = super().get_source(environment, template)
        source = SENTENCE.sub(lambda match: escape(self._to.gettext(match[2])), source)
        return with_digest(source), *rest


@cache
def environment(language: str) -> Environment:
    """Return the templates in one language."""
    templates = Environment(
        loader=TranslatedLoader(translation(language)),
        auto_reload=False,
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    to = translation(language)
    templates.globals.update(
        _=to.gettext,
        ngettext=to.ngettext,
        digits=partial(digits, translate=to.gettext),
        count=partial(count, translate=to.gettext),
        percent=partial(percent, translate=to.gettext),
        game_title=partial(game_title, to=to),
        proven_text=partial(proven_text, to=to),
        language=LANGUAGES[language],
        languages=LANGUAGES,
        appearance=APPEARANCE,
        symbols=SYMBOLS,
        signs=Markup(json.dumps(SYMBOLS)),
        static=f"{PREFIX}{digest()}/",
        version=__version__,
    )
    for part in ("footer", "switches"):
        templates.globals[part] = Markup(templates.get_template(f"{part}.html").render())
    return templates


def rendered(language: str, template: str, /, **values: Any) -> str:
    """Return a template in a language, filled with values."""
    return environment(language).get_template(template).render(values)


def render(request: Request, template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """Return a page.

    Parameters
    ----------
    request : Request
    template : str
        The name of a file in ``templates``.
    status : int
        The HTTP status.
    **values
        What the template needs.
    """
    language = language_of(request)
    values.setdefault("asked_language", asked_language(request))
    text = rendered(language, template, **values)
    return HTMLResponse(text, status, {"Content-Language": language})


async def render_once(request: Request, make: Callable[[Entry, str, str | None], str]) -> HTMLResponse:
    """Return a page of a game that takes long, kept for later readers.

    Parameters
    ----------
    request : Request
    make : callable
        Returns the page of a game in a language, and with the language that its address asks for.
    """
    entry = await run_in_threadpool(entry_of, request)
    language, asked = language_of(request), asked_language(request)
    made = partial(make, entry, language, asked)
    text = await once_in_turn(entry, (make, language, asked), made)
    return HTMLResponse(text, headers={"Content-Language": language})


class CachedPage:
    """A page that is rendered once, with slots for the parts that differ from reader to reader.

    Filling slots takes a tenth of the time of a template.

    Parameters
    ----------
    text : str
        The page, with ``slot(name)`` for each missing part.

    Examples
    --------
    >>> CachedPage(f"<p>{slot('one')}</p>").filled({"one": "1 < 2"})
    b'<p>1 &lt; 2</p>'
    """

    def __init__(self, text: str) -> None:
        fixed = text.split(MARK)
        self._names = fixed[1::2]
        self._parts = [part.encode() for part in fixed]

    def filled(self, values: Mapping[str, str]) -> bytes:
        """Return the page; text is escaped unless it is markup."""
        parts = self._parts.copy()
        parts[1::2] = [escape_unless_markup(values[name]).encode() for name in self._names]
        return b"".join(parts)


def slot(name: str) -> Markup:
    """Return the mark of a slot in a template."""
    return Markup(f"{MARK}{name}{MARK}")


@lru_cache(maxsize=1 << 9)
def cached_page(language: str, template: str, slots: tuple[str, ...], **values: Any) -> CachedPage:
    """Return a page with slots from the cache; the values that it needs are hashable."""
    missing = {name: slot(name) for name in slots}
    return CachedPage(rendered(language, template, **values, **missing))


API = "/api/"
PAGES = ("/g/", "/edit/")
MOMENT = 1.5  # seconds: solves of small games are over then
FORBIDDEN = 403  # to another site, not to the reader who asks again
log = logging.getLogger(__name__)

HEADINGS = {404: mark("Not found"), 500: mark("Something went wrong")}
REFUSED = mark("This request cannot be answered")
SENTENCES = {
    404: "there is no such page: expected one that the explorer links to",
    405: "this page is only read: expected GET",
}


def refuse(request: Request, error: Exception) -> Response:
    """Return the answer to a request that HTTP or a page refuses."""
    status = error.status_code if isinstance(error, HTTPException) else status_of(error)
    sentence = str(error.detail if isinstance(error, HTTPException) else error)
    if isinstance(error, HTTPException) and sentence == HTTPStatus(status).phrase:
        sentence = SENTENCES.get(status, sentence)
    headers = dict(getattr(error, "headers", None) or {})
    return _answer(request, status, sentence, headers)


async def wait(request: Request, error: StillSolvingError) -> Response:
    """Return the page of a solve that goes on; one that ends within a moment is waited for."""
    task = error.task
    if not task.error:
        await run_in_threadpool(task.ended.wait, MOMENT)
    if task.ended.is_set() and not task.error:
        query = f"?{request.url.query}" if request.url.query else ""
        return RedirectResponse(quote(request.url.path) + query, 303)
    if task.error or request.scope["path"].startswith(API):
        return _answer(request, 422 if task.error else 503, str(StillSolvingError(task)), {})
    stage = catalogue(request).gettext(task.stage)
    page = render(request, "solving.html", 202, task=task, state=task.record(), stage=stage)
    page.headers.update({"Retry-After": "1", "Cache-Control": "no-store"})
    return page


def fail(request: Request, error: Exception) -> Response:
    """Return the answer to a request that met an error of our own; its traceback is logged."""
    log.error("%s %r", request.method, request.scope["path"], exc_info=error)
    sentence = "the explorer failed at this page, and its log says where; other pages may work"
    return _answer(request, 500, sentence, {})


def gone(request: Request, error: Exception) -> Response:
    """Return an answer for nobody: the client left before it had sent all of its request."""
    return Response(status_code=400)


def status_of(error: Exception) -> int:
    """Return the status of an error in the input."""
    if isinstance(error, PositionError | NoSuchGameError):
        return 404
    if isinstance(error, BusyError):
        return 409
    return 400 if isinstance(error, AddressError) else 422


def _answer(request: Request, status: int, sentence: str, headers: dict[str, str]) -> Response:
    if request.scope["path"].startswith(API):
        return JSONResponse({"error": sentence}, status, headers)
    heading = catalogue(request).gettext(HEADINGS.get(status, REFUSED))
    again = request.url.path if status == FORBIDDEN and request.url.path.startswith(PAGES) else ""
    again += f"?{request.url.query}" if again and request.url.query else ""
    answer = render(request, "error.html", status, heading=heading, sentence=sentence, again=again)
    answer.headers.update(headers)
    return answer


HANDLERS: dict[Any, Any] = {
    HTTPException: refuse,
    StillSolvingError: wait,
    RetrosolveError: refuse,
    ClientDisconnect: gone,
}
