"""The server of the studio: its places under one gate, on 127.0.0.1 alone, and news of files that others change.

The address of the start holds a token that works once and becomes a cookie. Host is checked against rebinding, Origin
and Sec-Fetch-Site against other pages, those of other ports of this machine too, which share its cookies.
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
import socket
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from hmac import compare_digest
from itertools import islice
from pathlib import Path
from threading import Event, Lock, Thread
from types import ModuleType
from urllib.parse import urlencode

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sheetgen.errors import SheetgenError, UsageError
from sheetgen.studio import assets, pages, search_box, studio
from sheetgen.studio.authoring import authoring
from sheetgen.studio.drawing import Drawings
from sheetgen.studio.pages import areas_of, part, told
from sheetgen.studio.people import people
from sheetgen.studio.printing import handouts, setup, shop, together
from sheetgen.studio.rules import rules
from sheetgen.studio.studio import Studio, studio_of
from sheetgen.studio.tonight import tonight
from sheetgen.studio.tonight.fights import Fights
from sheetgen.workspace.safekeeping import read_kept
from sheetgen.workspace.watching import States, states

LARGEST_FORM = 2_000_000  # bytes
LARGEST_UPLOAD = 30_000_000
TOKEN = "token"
SAFE_METHODS = ("GET", "HEAD")
HEADERS: Mapping[str, str] = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
POLICY = (
    "default-src 'none'; script-src 'self' 'nonce-{nonce}'; style-src 'self' 'nonce-{nonce}'; img-src 'self'; "
    "font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
EVENTS = "/events"
SESSION_FILES = ("sessions/*.y*ml", "sessions/*/session.yaml")
WATCHED = ("*.y*ml", "cast/*.y*ml", *SESSION_FILES, "groups/*.y*ml", "handouts/*")
MOST_FILES, MOST_TOLD = 2_000, 50
MOST_STREAMS = 4  # browsers open six connections to a host, and pages need some of them
LOOK = "event: look\ndata: all\n\n"  # what a page shows may be otherwise now
BEAT = 0.25  # seconds between looks whether the stream is to end
LOOKED = 4  # beats between looks at the files
ALIVE = 60  # beats between signs of life, without which nobody notices that a page is gone
HOST = "127.0.0.1"
LISTENED = 64
# Each offers `routes()`; those with an `AREA` stand in the top line, in this order.
PLACES: tuple[ModuleType, ...] = (
    people,
    tonight,
    rules,
    authoring,
    search_box,
    setup,
    together,
    handouts,
    shop,
    pages,
    studio,
    assets,
)


class OneTimeToken:
    """The token of the address: whoever brings it is let in, once; then there is another one, which is told."""

    def __init__(self, tell: Callable[[str], None] = lambda token: None) -> None:
        self.value, self._tell = secrets.token_urlsafe(24), tell

    def use(self, given: str) -> bool:
        """Return whether this is the token; from now on it is not."""
        if not compare_digest(given.encode(), self.value.encode()):
            return False
        self.value = secrets.token_urlsafe(24)
        self._tell(self.value)
        return True


@dataclass(frozen=True, slots=True)
class Guard:
    """The gate before every page: refuses whom it does not know, and sets what browsers are to enforce."""

    app: ASGIApp
    secret: str
    token: OneTimeToken

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a refused request here, pass on every other."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        request = Request(scope)
        scope.setdefault("state", {})["nonce"] = nonce = secrets.token_urlsafe(16)
        answer = self._refusal(request) or self._entrance(request)
        body = _Limited(receive, LARGEST_UPLOAD if _is_upload(request) else LARGEST_FORM)
        await (answer or self.app)(scope, body.receive, _with_headers(send, nonce))

    def _refusal(self, request: Request) -> Response | None:
        """Return the refusal of a request that no page of ours makes; None if it may pass."""
        host = request.headers.get("host", "")
        server = request.scope.get("server") or ("127.0.0.1", 0)
        if host not in (f"127.0.0.1:{server[1]}", f"localhost:{server[1]}"):
            return PlainTextResponse("This host is not served here.", 421)
        origin, site = request.headers.get("origin"), request.headers.get("sec-fetch-site")
        from_elsewhere = (origin is not None and origin != f"http://{host}") or site in ("cross-site", "same-site")
        unknown = origin is None and site != "same-origin" and request.method not in SAFE_METHODS
        if from_elsewhere or unknown:
            return PlainTextResponse("Asked for by another page: refused.", 403)
        size = request.headers.get("content-length", "0")
        if not size.isdecimal() or int(size) > (LARGEST_UPLOAD if _is_upload(request) else LARGEST_FORM):
            return PlainTextResponse("That is too large.", 413)
        return None

    def _entrance(self, request: Request) -> Response | None:
        """Return the way in for who has the token, the refusal for who has no cookie; None for who is in."""
        given, cookie = request.query_params.get(TOKEN), cookie_name(request)
        known = compare_digest(request.cookies.get(cookie, "").encode(), self.secret.encode())
        if given is not None and request.method in SAFE_METHODS and (known or self.token.use(given)):
            rest = urlencode([pair for pair in request.query_params.multi_items() if pair[0] != TOKEN])
            path = f"/{request.url.path.lstrip('/')}"  # two slashes would lead to another host
            answer = RedirectResponse(path + (f"?{rest}" if rest else ""), 303)
            if not known:
                answer.set_cookie(cookie, self.secret, httponly=True, samesite="strict", path="/")
            return answer
        if not known:
            message = "Open the studio by the address that sheetgen prints; each address works once.\n"
            return PlainTextResponse(message, 401)
        return None


def cookie_name(request: Request) -> str:
    """Return the name of the cookie: browsers keep those of all ports of a machine together."""
    return f"sheetgen-studio-{(request.scope.get('server') or ('', 0))[1]}"


def _is_upload(request: Request) -> bool:
    return request.headers.get("content-type", "").startswith("multipart/form-data")


class _Limited:
    """A body that ends at its limit, whatever its header said."""

    def __init__(self, receive: Receive, most: int) -> None:
        self._receive, self._left = receive, most

    async def receive(self) -> Message:
        message = await self._receive()
        self._left -= len(message.get("body", b""))
        return {"type": "http.disconnect"} if self._left < 0 else message


def _with_headers(send: Send, nonce: str) -> Send:
    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("Content-Security-Policy", POLICY.format(nonce=nonce))
            headers.setdefault("Cache-Control", "no-store")
        await send(message)

    return sent


@dataclass(slots=True)
class News:
    """Where the files of a folder are looked at for the streams of pages, and how many of these there are."""

    folder: Path
    streams: int = 0
    _turn: Lock = field(default_factory=Lock)

    def states(self) -> States:
        """Return time and size of each file that pages show, at most so many."""
        paths = islice((path for pattern in WATCHED for path in sorted(self.folder.glob(pattern))), MOST_FILES)
        return states(path for path in paths if not path.name.startswith(".") and path.is_file())

    def changed(self, before: States, now: States) -> dict[str, str] | None:
        """Return the files that differ, each with the digest of what it says now; empty for one that is gone.

        None for more than are told one by one: every page is to look itself.
        """
        names = sorted({Path(file).relative_to(self.folder).as_posix() for file, _, _ in before ^ now})
        return {name: self._digest(name) for name in names} if len(names) <= MOST_TOLD else None

    def _digest(self, name: str) -> str:
        with suppress(OSError, SheetgenError):
            return read_kept(self.folder / name).seen if (self.folder / name).is_file() else ""
        return ""

    def count(self, more: int) -> None:
        """Note that a page listens (1), or no longer (-1)."""
        with self._turn:
            self.streams += more


async def _events(request: Request) -> Response:
    """Return the stream of a page; 204, after which browsers ask no more, for one too many."""
    state = request.app.state
    if not hasattr(state, "news"):
        state.news = News(studio_of(request).folder)
    news: News = state.news
    if news.streams >= MOST_STREAMS:
        return Response(status_code=204)
    stopping: Callable[[], bool] = getattr(state, "stopping", lambda: False)
    return StreamingResponse(_told(news, stopping), media_type="text/event-stream")


async def _told(news: News, stopping: Callable[[], bool]) -> AsyncIterator[str]:
    """Yield what changes until the page is gone, or the server stops."""
    news.count(1)
    try:
        known = await run_in_threadpool(news.states)
        yield f"retry: 3000\n{LOOK}"  # for what changed before anybody listened
        beat = 0
        while not stopping():
            await asyncio.sleep(BEAT)
            beat += 1
            if beat % LOOKED == 0:
                now = await run_in_threadpool(news.states)
                if now != known:
                    files = await run_in_threadpool(news.changed, known, now)
                    known = now
                    yield LOOK if files is None else f"event: changed\ndata: {json.dumps(files)}\n\n"
            if beat % ALIVE == 0:
                yield ": still here\n\n"
    finally:
        news.count(-1)


def make_app(studio: Studio, token: OneTimeToken) -> Guard:
    """Return the studio as an ASGI application, behind its gate."""
    app = Starlette(
        routes=[Route("/", _home), Route(EVENTS, _events), *(route for place in PLACES for route in place.routes())],
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
        server = uvicorn.Server(config)
        stopped = Event()

        def stopping() -> bool:
            return server.should_exit or stopped.is_set()

        warming = Thread(
            target=people.warm, args=(studio, stopping)
        )  # no daemon: cut short in C++, it ended in an abort
        logging.getLogger("uvicorn.error").addFilter(lambda record: not server.should_exit)  # what a stop cuts short
        app.app.state.stopping = stopping  # type: ignore[attr-defined]  # streams end with it
        try:
            warming.start()
            server.run(sockets=[listening])
        finally:
            stopped.set()


def _home(request: Request) -> Response:
    return RedirectResponse(request.app.state.areas[0].address, 303)


def _missing(request: Request, error: Exception) -> Response:
    return part(request, "told", {"problems": ["There is no such page."], "title": "Not found"}, status=404)
