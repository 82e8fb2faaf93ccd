"""The page of the tray: what is in it, taken out again, and all of it as one PDF."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from threading import Event
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sheetgen.batch.child import scratch_folder
from sheetgen.errors import SheetgenError, UsageError
from sheetgen.studio.drawing import DrawingOrder, drawings_of
from sheetgen.studio.pages import awaited, moved, page
from sheetgen.studio.people.trays import empty_print_tray, print_tray, tray_data, turn_in_print_tray
from sheetgen.studio.printing.shop import PRINT, Asked, asked_of, count_data, drawn, sent_file, title_of
from sheetgen.studio.studio import Studio, studio_of

TRAY = f"{PRINT}/tray"
LONGEST = 2_000  # letters of an address


def routes() -> list[Route]:
    """Return the addresses of the tray."""
    return [
        Route(TRAY, awaited(_tray_page)),
        Route(TRAY, _turned, methods=["POST"]),
        Route(f"{TRAY}/empty", _emptied, methods=["POST"]),
        Route(f"{TRAY}/together.pdf", awaited(_together)),
    ]


def _asked_by_address(studio: Studio, address: str) -> Asked:
    """Return what an address of the tray asks for; UsageError for one that is none of the print shop."""
    parts = urlsplit(address)
    names = parts.path.removeprefix(f"{PRINT}/").split("/")
    if parts.scheme or parts.netloc or not parts.path.startswith(f"{PRINT}/") or len(names) != 2:
        raise UsageError("only what the print shop shows goes into the tray")
    return asked_of(studio, names[0], names[1], parse_qsl(parts.query))


def _tray_page(request: Request, unwanted: Event) -> Response:
    """The page of the tray; `counted` has how many pages each has, which is made for that."""
    studio, counting = studio_of(request), "counted" in request.query_params
    items = list(_items(request, studio, unwanted if counting else None))
    whole = sum(each["pages"] for each in items) if all(each["pages"] for each in items) else 0
    data = {"items": items, "whole": whole, "counting": not (whole or counting), "tray": tray_data(studio)}
    return page(request, "print/together", data, title="In the tray")


def _items(request: Request, studio: Studio, unwanted: Event | None) -> Iterator[dict[str, Any]]:
    """Yield what is in the tray, with how many pages it has where it was made lately, or is made now."""
    for address in print_tray(studio):
        title, problem, pages = address, "", 0
        try:
            asked = _asked_by_address(studio, address)
            title, pages = title_of(asked), count_data(request, asked, None)["pages"]
            pages = pages if unwanted is None else len(drawn(request, asked, unwanted).sizes)
        except SheetgenError as error:
            problem = str(error)
        yield {"address": address, "title": title, "problem": problem, "pages": pages}


async def _turned(request: Request) -> Response:
    form, studio = await request.form(), studio_of(request)
    address, back = str(form.get("item", "")), str(form.get("back", TRAY))
    if len(address) > LONGEST:
        raise UsageError("this address is too long for the tray")
    if address not in print_tray(studio):
        _asked_by_address(studio, address)
    turn_in_print_tray(studio, address)
    return moved(request, back if back.startswith(PRINT) and urlsplit(back).netloc == "" else TRAY)


def _emptied(request: Request) -> Response:
    empty_print_tray(studio_of(request))
    return moved(request, TRAY)


def _together(request: Request, unwanted: Event) -> Response:
    """Return everything in the tray as one PDF, with bookmarks and a page of contents."""
    studio = studio_of(request)
    found = [_asked_by_address(studio, address) for address in print_tray(studio)]
    if not found:
        raise UsageError("the tray is empty: put something into it first")
    made = [drawn(request, each, unwanted) for each in found]
    name = f"{studio.name}-print.pdf"
    if len(made) == 1:
        return sent_file(made[0].data, name, download="download" in request.query_params)
    digest = blake2b(digest_size=20)
    for each in made:
        digest.update(blake2b(each.data).digest())
    with scratch_folder() as scratch:
        files = [Path(scratch) / f"{number:02}.pdf" for number in range(1, len(made) + 1)]
        for path, each in zip(files, made, strict=True):
            path.write_bytes(each.data)
        order = DrawingOrder("join", tuple(map(str, files)), (("title", studio.name),))
        key = f"{digest.hexdigest()}-together"
        joined = drawings_of(request).drawn(studio.project, studio.environ, order, key, unwanted)
    return sent_file(joined.data, name, download="download" in request.query_params)
