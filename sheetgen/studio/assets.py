"""Files that pages are made with: our style and script, the fonts, and libraries from npm, all served from here."""

from __future__ import annotations

import json
import sys
from functools import cache
from hashlib import blake2b
from pathlib import Path, PurePosixPath
from types import MappingProxyType

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from sheetgen.pdf.fonts.bundled import SANS, SERIF, font_path
from sheetgen.pdf.fonts.face import FaceName
from sheetgen.version import __version__
from sheetgen.workspace.project import TEMPLATES

WEB = Path(__file__).parent / "web"  # package.json and its lock
HTMX = "htmx.org/dist/htmx.min.js"
TYPES = MappingProxyType({".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".ttf": "font/ttf"})
FONTS = MappingProxyType(
    {
        "serif": FaceName(SERIF, 400),
        "serif-italic": FaceName(SERIF, 400, True),
        "serif-bold": FaceName(SERIF, 700),
        "serif-black": FaceName(SERIF, 900),
        "sans": FaceName(SANS, 400),
        "sans-italic": FaceName(SANS, 400, True),
        "sans-semibold": FaceName(SANS, 600),
    }
)
KEPT_FOR_EVER = {"Cache-Control": "private, max-age=31536000, immutable"}
CHANGED = {"Cache-Control": "no-store"}  # asked for by a page that is older than the file


def web_folder() -> Path:
    """Return where the libraries from npm are: beside the Python that runs."""
    return Path(sys.prefix) / "share" / "sheetgen" / "studio"


@cache
def served() -> tuple[str, ...]:
    """Return the packages of npm that are served, by name: those that ours depends on when it runs."""
    return tuple(json.loads((WEB / "package.json").read_text("utf-8"))["dependencies"])


def asset_file(name: str) -> Path | None:
    """Return a file of an npm package that is served, and no other; None where it is not."""
    folder = web_folder() / "node_modules"
    package = next((each for each in served() if name.startswith(f"{each}/")), None)
    return None if package is None else _inside(folder / package, name.removeprefix(f"{package}/"))


def missing_packages() -> tuple[str, ...]:
    """Return the packages of npm that pages would load and that are not there."""
    return tuple(name for name in served() if not (web_folder() / "node_modules" / name / "package.json").is_file())


def install_hint() -> str:
    """Return the command that puts the libraries from npm where they are looked for."""
    return f"npm install --ignore-scripts --no-save --install-links --prefix {web_folder()} {WEB}"


def static_address(templates: Path) -> str:
    """Return where all these files are served: another address for every state of them, so that browsers keep them."""
    own = sorted((templates / "studio" / "static").iterdir())
    about = [(each.name, each.stat().st_mtime_ns) for each in own] + [_installed()]
    return f"/static/{blake2b(repr(about).encode(), digest_size=8).hexdigest()}"


@cache
def _installed() -> tuple[str, ...]:
    """Return the versions of what does not change while the program runs: fonts and libraries."""
    folder = web_folder() / "node_modules"
    manifests = (folder / name / "package.json" for name in served())
    return (__version__, *(each.read_text("utf-8") for each in manifests if each.is_file()))


def routes() -> list[Route]:
    """Return the addresses of these files."""
    return [
        Route("/static/{state}/font/{name}.ttf", _font),
        Route("/static/{state}/npm/{name:path}", _library),
        Route("/static/{state}/{name:path}", _own_asset),
    ]


def _inside(folder: Path, name: str) -> Path | None:
    """Return a file below a folder, which links do not leave."""
    if not name or ".." in PurePosixPath(name).parts or PurePosixPath(name).is_absolute():
        return None
    path = folder / name
    return path if path.is_file() and path.resolve().is_relative_to(folder.resolve()) else None


def _own_asset(request: Request) -> Response:
    return _sent(request, _inside(TEMPLATES / "studio" / "static", request.path_params["name"]))


def _library(request: Request) -> Response:
    return _sent(request, asset_file(request.path_params["name"]))


def _font(request: Request) -> Response:
    name = request.path_params["name"]
    return _sent(request, font_path(FONTS[name]) if name in FONTS else None)


def _sent(request: Request, path: Path | None) -> Response:
    if path is None:
        return Response("There is no such file.", 404, media_type="text/plain")
    asked_for = f"/static/{request.path_params['state']}"
    headers = KEPT_FOR_EVER if asked_for == static_address(TEMPLATES) else CHANGED
    return FileResponse(path, media_type=TYPES.get(path.suffix, "text/plain"), headers=headers)
