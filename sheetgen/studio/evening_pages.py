"""The pages of an evening as they will be printed: of one scene, of all in one PDF, and the file to carry."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from hashlib import blake2b
from threading import Event
from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from sheetgen.errors import InputError, SheetgenError, UsageError
from sheetgen.press.pages import page_count
from sheetgen.products.session_parts import MadePart, OpenSession, SessionOptions, SessionParts
from sheetgen.studio.drawing import DrawingOrder, drawings_of, key_of
from sheetgen.studio.evenings import ReadEvening, evening_called, read_evening
from sheetgen.studio.pages import part
from sheetgen.studio.slow_answers import awaited
from sheetgen.studio.studio import Studio, studio_of
from sheetgen.workspace.watching import states
from sheetgen.workspace.write import slug

RUN_SHEET = "run-sheet"
VIEWS = {RUN_SHEET: "Run sheet", "people": "People", "handouts": "To hand over", "screen": "Screen"}
MOST_MARKS = 64
_marks: OrderedDict[str, tuple[tuple[str, int], ...]] = OrderedDict()


def routes_of_pages(place: str) -> list[Route]:
    """Return the addresses of the pages of an evening."""
    return [
        Route(f"{place}/{{ref}}/evening.pdf", awaited(_whole)),
        Route(f"{place}/{{ref}}/tonight.html", awaited(_to_carry)),
        Route(f"{place}/{{ref}}/{{scene:int}}/paper", _paper),
    ]


def _key(opened: OpenSession, view: str) -> object:
    """Return all that shapes a part of an evening."""
    files = (*opened.evening.files, *(each for scene in opened.handouts for each in scene))
    pictures = tuple(each for each in opened.pictures if each is not None)
    return (
        view,
        str(opened.path),
        opened.session,
        opened.evening,
        sorted(states((*files, *pictures, opened.pack.folder))),
    )


def _registered(
    studio: Studio, opened: OpenSession, view: str, write: Callable[[SessionParts], MadePart | None]
) -> str:
    """Return the address of the PDF of a part, made when it is looked at; its bookmarks are kept beside."""
    name = list[str]()

    def make() -> bytes:
        with studio.making:
            made = write(SessionParts(studio.project, opened, SessionOptions()))
        if made is None:
            raise UsageError(NOTHING[view])
        _marks[name[0]] = made.marks
        while len(_marks) > MOST_MARKS:
            _marks.popitem(last=False)
        return made.data

    name.append(studio.pictures.register(_key(opened, view), make).rpartition("/")[2])
    return name[0]


NOTHING = {
    "people": "Nobody is printed for this evening yet: put somebody into a scene.",
    "handouts": "Nothing is handed over yet: pull a handout into a scene.",
    "screen": "This evening has no screen.",
    RUN_SHEET: "There is no run sheet.",
}


def _first_of(view: str) -> Callable[[SessionParts], MadePart | None]:
    if view == RUN_SHEET:
        return lambda parts: parts.run_sheet()
    return lambda parts: next(iter(parts.makers[view]()), None)


def opened_evening(request: Request) -> tuple[Studio, ReadEvening, OpenSession]:
    """Return the evening that an address names; InputError with what is wrong in its file."""
    studio = studio_of(request)
    evening = read_evening(studio, evening_called(studio, request.path_params["ref"]))
    if evening.opened is None:
        raise InputError(evening.problems)
    return studio, evening, evening.opened


def _paper(request: Request) -> Response:
    """The page that shows a scene, of the part that is looked at; a note where it cannot be drawn."""
    view, scene = request.query_params.get("view", RUN_SHEET), request.path_params["scene"]
    view = view if view in VIEWS else RUN_SHEET
    about: dict[str, Any] = {
        "view": view,
        "views": [{"name": name, "title": title, "here": name == view} for name, title in VIEWS.items()],
        "here": f"{request.url.path}?view=",
        "problem": "",
        "picture": "",
        "number": 1,
        "pages": 0,
        "pdf": "",
    }
    try:
        studio, _, opened = opened_evening(request)
        name = _registered(studio, opened, view, _first_of(view))
        count = page_count(studio.pictures.pdf(name))
    except SheetgenError as error:
        return part(request, "tonight_paper", about | {"problem": str(error).splitlines()[0]})
    starts = [at for _, at in _marks.get(name, ())]
    first = starts[scene] if view == RUN_SHEET and scene < len(starts) else 1
    asked = request.query_params.get("page", "")
    number = min(max(1, int(asked) if asked.isdecimal() and len(asked) < 6 else first), count)
    shown = {"picture": f"/page/{name}-{number}.png", "number": number, "pages": count, "pdf": f"/page/{name}.pdf"}
    return part(request, "tonight_paper", about | shown)


def _whole(request: Request, unwanted: Event) -> Response:
    """All of the evening in one PDF, as `sheetgen session` makes it."""
    data = _drawn(request, ".pdf", unwanted)
    address = studio_of(request).pictures.register(blake2b(data, digest_size=16).hexdigest(), lambda: data)
    return RedirectResponse(f"{address}.pdf", 303)


def _to_carry(request: Request, unwanted: Event) -> Response:
    """The one file for a phone, as `sheetgen session -o tonight.html` makes it: sent to be kept, never shown here."""
    name = f"{slug(request.path_params['ref'])}-tonight.html"
    headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(name)}"}
    data = _drawn(request, ".html", unwanted)
    return Response(data, media_type="text/html", headers={**headers, "Content-Security-Policy": "sandbox"})


def _drawn(request: Request, form: str, unwanted: Event) -> bytes:
    """Return all of an evening, made where nobody else has to wait for it; Outdated when it became unwanted."""
    studio, _, opened = opened_evening(request)
    order = DrawingOrder("session", (str(opened.path),), form=form)
    shaped = key_of(studio.project, order, opened.pack, studio.lately, studio.mark(opened.pack))
    key = blake2b(f"{shaped}{_key(opened, form)!r}".encode("utf-8", "surrogateescape"), digest_size=20).hexdigest()
    return drawings_of(request).drawn(studio.project, studio.environ, order, key, unwanted).data
