"""Who may ask: the browser that was given the address, from the page itself, in bodies that end.

The address of the start holds a token that works once and becomes a cookie. Host is checked against rebinding, Origin
and Sec-Fetch-Site against other pages, those of other ports of this machine too, which share its cookies.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hmac import compare_digest
from urllib.parse import urlencode

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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
