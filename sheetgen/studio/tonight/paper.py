"""The pages of an evening as they will be printed: of one scene, of all in one PDF, and the file to carry."""

from __future__ import annotations

from hashlib import blake2b
from threading import Event
from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from sheetgen.errors import InputError, SheetgenError, UsageError
from sheetgen.products.session.parts import OpenSession
from sheetgen.studio.drawing import EVENING, DrawingOrder, DrawnProduct, drawings_of, key_of
from sheetgen.studio.evenings import ReadEvening, evening_called, read_evening
from sheetgen.studio.pages import awaited, part
from sheetgen.studio.studio import Studio, studio_of
from sheetgen.workspace.watching import states
from sheetgen.workspace.write import slug

RUN_SHEET = "run-sheet"
VIEWS = {RUN_SHEET: "Run sheet", "people": "People", "handouts": "To hand over", "screen": "Screen"}


def routes_of_pages(place: str) -> list[Route]:
    """Return the addresses of the pages of an evening."""
    return [
        Route(f"{place}/{{ref}}/evening.pdf", awaited(_evening_pdf)),
        Route(f"{place}/{{ref}}/tonight.html", awaited(_to_carry)),
        Route(f"{place}/{{ref}}/count", awaited(_count)),
        Route(f"{place}/{{ref}}/{{scene:int}}/paper", awaited(_paper)),
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


NOTHING = {
    "people": "Nobody is printed for this evening yet: put somebody into a scene.",
    "handouts": "Nothing is handed over yet: pull a handout into a scene.",
    "screen": "This evening has no screen.",
    RUN_SHEET: "There is no run sheet.",
}


def opened_evening(request: Request) -> tuple[Studio, ReadEvening, OpenSession]:
    """Return the evening that an address names; InputError with what is wrong in its file."""
    studio = studio_of(request)
    evening = read_evening(studio, evening_called(studio, request.path_params["ref"]))
    if evening.opened is None:
        raise InputError(evening.problems)
    return studio, evening, evening.opened


def _paper(request: Request, unwanted: Event) -> Response:
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
    asked = request.query_params.get("page", "")
    page = int(asked) if asked.isdecimal() and len(asked) < 6 else 0
    try:
        shown = _preview_page(request, view, (scene, page), unwanted)
    except SheetgenError as error:
        return part(request, "tonight_paper", about | {"problem": str(error).splitlines()[0]})
    return part(request, "tonight_paper", about | shown)


def _preview_page(request: Request, view: str, at: tuple[int, int], unwanted: Event) -> dict[str, Any]:
    """Return the page of a part that is looked at: that of a number, else the first, of the run sheet that of a scene.

    Of the run sheet only the pages of one scene are made; all of it is, once somebody opens the PDF.
    """
    studio, evening, opened = opened_evening(request)
    scene, page = at

    def drawn(part: str, unwanted: Event) -> DrawnProduct:
        order = DrawingOrder(EVENING, (str(opened.path),), part=part, text=evening.text)
        made = _ordered(request, opened, order, unwanted)
        if not made.data:
            raise UsageError(NOTHING[view])
        return made

    made, before = drawn(f"{RUN_SHEET}/{scene}" if view == RUN_SHEET else view, unwanted), 0
    number = min(max(1, page), made.count)
    if view == RUN_SHEET:
        starts = [first for _, first in made.marks]
        there = max(at for at, first in enumerate(starts) if first <= number) if page else min(scene, len(starts) - 1)
        made = made if there == min(scene, len(starts) - 1) else drawn(f"{RUN_SHEET}/{there}", unwanted)
        number, before = number if page else starts[there], starts[there] - 1
    picture = studio.pictures.register(made.data, lambda: made.data)
    whole = studio.pictures.register((evening.seen, view, made.data), lambda: drawn(view, Event()).data)
    return {"picture": f"{picture}-{number - before}.png", "number": number, "pages": made.count, "pdf": f"{whole}.pdf"}


def _evening_pdf(request: Request, unwanted: Event) -> Response:
    """All of the evening in one PDF, as `sheetgen session` makes it."""
    data = _draw_evening(request, ".pdf", unwanted)
    address = studio_of(request).pictures.register(blake2b(data, digest_size=16).hexdigest(), lambda: data)
    return RedirectResponse(f"{address}.pdf", 303)


def _count(request: Request, unwanted: Event) -> Response:
    """How many pages all of it has, which is made for that: whoever opens it does not wait. Nothing if it cannot be."""
    try:
        _, _, opened = opened_evening(request)
        pages = len(_ordered(request, opened, _whole_of(opened), unwanted).sizes)
    except SheetgenError:  # is told beside the scenes, or where it is opened
        return PlainTextResponse("")
    return PlainTextResponse(f"{pages} page{'s' if pages != 1 else ''} in all")


def _whole_of(opened: OpenSession, form: str = ".pdf") -> DrawingOrder:
    return DrawingOrder(EVENING, (str(opened.path),), form=form)


def _to_carry(request: Request, unwanted: Event) -> Response:
    """The one file for a phone, as `sheetgen session -o tonight.html` makes it: sent to be kept, never shown here."""
    name = f"{slug(request.path_params['ref'])}-tonight.html"
    headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(name)}"}
    data = _draw_evening(request, ".html", unwanted)
    return Response(data, media_type="text/html", headers={**headers, "Content-Security-Policy": "sandbox"})


def _draw_evening(request: Request, form: str, unwanted: Event) -> bytes:
    """Return all of an evening, made where nobody else has to wait for it; Outdated when it became unwanted."""
    _, _, opened = opened_evening(request)
    return _ordered(request, opened, _whole_of(opened, form), unwanted).data


def _ordered(request: Request, opened: OpenSession, order: DrawingOrder, unwanted: Event) -> DrawnProduct:
    studio = studio_of(request)
    shaped = key_of(studio.project, order, opened.pack, studio.lately, studio.mark(opened.pack))
    about = f"{shaped}{_key(opened, order.part or order.form)!r}"
    key = blake2b(about.encode("utf-8", "surrogateescape"), digest_size=20).hexdigest()
    return drawings_of(request).drawn(studio.project, studio.environ, order, key, unwanted)
