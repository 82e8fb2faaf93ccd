"""What a web page may hold: no scripts, no frames, nothing fetched; a template that tries is refused."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser

from sheetgen.errors import Place, Problem, quoted

POLICY = "default-src 'none'; style-src 'unsafe-inline'; font-src data:; img-src data:"

_ACTIVE = frozenset(("script", "iframe", "frame", "object", "embed", "applet", "base", "link", "form", "portal"))
_LINKS = ("http://", "https://", "mailto:", "#")
_FETCHING = frozenset(("src", "srcset", "poster", "background", "data", "action", "formaction", "ping"))


class _Reader(HTMLParser):
    """Collects what must not be in a page, with its line there."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[int, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        line = self.getpos()[0]
        if tag in _ACTIVE:
            self.found.append((line, f"<{tag}> is not allowed"))
        for name, value in attrs:
            said = (value or "").strip()
            if name.startswith("on"):
                self.found.append((line, f"{name}= is not allowed"))
            elif name in _FETCHING and not said.lower().startswith("data:"):
                self.found.append((line, f"{name}={quoted(said)} would be fetched: only data: is allowed"))
            elif name in ("href", "xlink:href") and not said.lower().startswith(_LINKS):
                self.found.append((line, f"{name}={quoted(said)} is not a link to the web or within the page"))
            elif name == "http-equiv" and said.lower() == "refresh":
                self.found.append((line, "a page must not send its reader elsewhere"))


def unsafe_parts(page: str, name: str) -> tuple[Problem, ...]:
    """A problem for each script, frame, handler or fetched address in a page; `name` is what the page is called."""
    reader = _Reader()
    reader.feed(page)
    return tuple(Problem(Place(name), what) for _, what in reader.found)


def sealed(page: str, *, script: str = "") -> str:
    """The page with a policy in its head that lets a browser fetch nothing, and run nothing but our own `script`."""
    digest = b64encode(sha256(script.encode()).digest()).decode()
    allowed = f"{POLICY}; script-src 'sha256-{digest}'" if script else POLICY
    page = page.replace("<head>", f'<head>\n<meta http-equiv="Content-Security-Policy" content="{allowed}">', 1)
    return page.replace("</body>", f"<script>{script}</script>\n</body>", 1) if script else page
