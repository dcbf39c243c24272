"""The application: its routes, in one table, and how it is put together."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import Route

from retrosolve.web import api, assets, standalone
from retrosolve.web.jobs import Solving
from retrosolve.web.library import Library
from retrosolve.web.pages import editors, film, graph, home, position, structure
from retrosolve.web.rendering import HANDLERS
from retrosolve.web.security import Guard, OwnPages

MIN_COMPRESSED = 1000  # bytes of an answer
# Address, and the function that answers a GET there.
PAGES = (
    ("/", home.home),
    ("/games", home.games),
    ("/catalogue/{name}.svg", home.thumbnail),
    ("/g/{name}", position.without_slash),
    ("/g/{name}/", position.page),
    ("/g/{name}/typed", position.typed),
    ("/g/{name}/start", position.start),
    ("/g/{name}/setup", position.setup),
    ("/g/{name}/picture", position.picture),
    ("/g/{name}/explanation", position.explanation),
    ("/g/{name}/find", structure.find),
    ("/g/{name}/random", structure.at_random),
    ("/g/{name}/zugzwang", structure.zugzwang),
    ("/g/{name}/structure", structure.page),
    ("/g/{name}/graph", graph.page),
    ("/g/{name}/film", film.page),
    ("/g/{name}/film.html", standalone.film_answer),
    ("/edit/board", editors.boards.page),
    ("/edit/graph", editors.graphs.page),
    ("/openapi.json", api.openapi),
    ("/api/games", api.games),
    ("/api/games/{name}", api.game),
    ("/api/games/{name}/position", api.position),
    ("/api/games/{name}/line", api.line),
    ("/api/games/{name}/random", api.at_random),
    ("/api/games/{name}/neighborhood", api.neighborhood),
    ("/api/games/{name}/film", film.data),
    ("/solving/{name}", home.progress),
)
# Address, and the function that answers a POST there; only those of the catalogue change something.
QUERIES = (
    ("/api/games/{name}/probe", api.probe),
    ("/api/boards", editors.boards.answer),
    ("/api/graphs", editors.graphs.answer),
    ("/solve", home.solve),
    ("/stop/{name}", home.stop),
)


def application(
    library: Library,
    language: str | None = None,
    hosts: Iterable[str] = (),
    embedding: Iterable[str] = (),
    solving: Solving | None = None,
) -> Starlette:
    """Return the explorer of some solutions.

    Parameters
    ----------
    library : Library
    language : str, optional
        The language of all pages; by default that of each browser.
    hosts : iterable of str, optional
        The names of this computer that requests must use; by default any.
    embedding : iterable of str, optional
        The sites whose pages may show a position within a frame, ``*`` for any; by default none.
    solving : Solving, optional
        What solves games of the catalogue; by default there is no catalogue.
    """
    sites = tuple(embedding)
    routes: list[Any] = []
    for method, table in (("GET", PAGES), ("POST", QUERIES)):
        for path, function in table:
            answer = api.strict(path, function) if path in api.PATHS else function
            routes.append(Route(path, answer, methods=[method]))
    routes.append(Route(f"{assets.PREFIX}{{path:path}}", assets.send, methods=["GET"]))
    app = Starlette(
        routes=routes,
        middleware=[
            Middleware(Guard, hosts=tuple(hosts), embedding=sites),
            Middleware(OwnPages, library=library, embedding=bool(sites)),
            Middleware(GZipMiddleware, minimum_size=MIN_COMPRESSED, compresslevel=film.LEVEL),
        ],
        exception_handlers=HANDLERS,
    )
    app.router.redirect_slashes = False  # to the host of the request, which a proxy may have changed
    app.state.library, app.state.language, app.state.embedding = library, language, bool(sites)
    app.state.solving = solving
    return app
