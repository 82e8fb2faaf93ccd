"""The server of the studio: its places under one gate, on 127.0.0.1 alone, until it is told to stop."""

from __future__ import annotations

import logging
import secrets
import socket
from collections.abc import Callable
from threading import Thread
from types import ModuleType

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from sheetgen.errors import SheetgenError, UsageError
from sheetgen.studio import (
    assets,
    authoring,
    handouts,
    news,
    people,
    pictures,
    print_shop,
    print_together,
    printer_setup,
    rules,
    saving,
    search_box,
    tonight,
)
from sheetgen.studio.drawing import Drawings
from sheetgen.studio.evening_fights import Fights
from sheetgen.studio.pages import areas_of, part, told
from sheetgen.studio.safety import TOKEN, Guard, OneTimeToken
from sheetgen.studio.studio import Studio

HOST = "127.0.0.1"
LISTENED = 64
# Each offers `routes()`; those with an `AREA` stand in the top line, in this order.
PLACES: tuple[ModuleType, ...] = (
    people,
    tonight,
    rules,
    authoring,
    search_box,
    news,
    printer_setup,
    print_together,
    handouts,
    print_shop,
    saving,
    pictures,
    assets,
)


def make_app(studio: Studio, token: OneTimeToken) -> Guard:
    """Return the studio as an ASGI application, behind its gate."""
    app = Starlette(
        routes=[Route("/", _home), *(route for place in PLACES for route in place.routes())],
        exception_handlers={SheetgenError: told, 404: _missing},  # type: ignore[dict-item]
    )
    app.state.studio, app.state.areas = studio, areas_of(PLACES)
    app.state.drawings, app.state.fights = Drawings(), Fights()
    return Guard(app, studio.secret, token)


def new_secret() -> str:
    """Return what only the cookie of this run knows."""
    return secrets.token_urlsafe(32)


def serve(studio: Studio, *, port: int, tell: Callable[[str], None]) -> None:
    """Serve the studio until it is stopped; `tell` gets each address that lets a browser in.

    Port 0 takes any that is free. UsageError for one that is taken.
    """
    import uvicorn

    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((HOST, port))
        except OSError as error:
            raise UsageError(f"port {port} cannot be used ({error.strerror}): give --port another, or none") from None
        listening.listen(LISTENED)  # whoever comes before the server is ready waits
        address = f"http://{HOST}:{listening.getsockname()[1]}/?{TOKEN}="
        token = OneTimeToken(lambda value: tell(f"{address}{value}"))
        tell(f"{address}{token.value}")
        app = make_app(studio, token)
        config = uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,
            lifespan="off",
            ws="none",
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=2,
        )
        Thread(target=people.warm, args=(studio,), daemon=True).start()
        server = uvicorn.Server(config)
        logging.getLogger("uvicorn.error").addFilter(lambda record: not server.should_exit)  # what a stop cuts short
        app.app.state.stopping = lambda: server.should_exit  # type: ignore[attr-defined]  # streams end with it
        server.run(sockets=[listening])


def _home(request: Request) -> Response:
    return RedirectResponse(request.app.state.areas[0].address, 303)


def _missing(request: Request, error: Exception) -> Response:
    return part(request, "told", {"problems": ["There is no such page."], "title": "Not found"}, status=404)
