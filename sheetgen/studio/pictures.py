"""Pages as pictures: a PDF is registered under a hash of all that goes into it, and made when it is looked at."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import blake2b
from threading import Lock, RLock

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sheetgen.errors import InputError, Place, Problem, SheetgenError
from sheetgen.pdf.pdfium import page_picture

MOST_KEPT = 64  # PDFs in memory
DPI = 128  # of a page of A4: 1,060 dots across, as wide as the paper is shown on a fine screen


@dataclass(slots=True)
class _Drawn:
    make: Callable[[], bytes]
    dpi: int = DPI
    data: bytes = b""
    pages: dict[tuple[int, int], bytes] = field(default_factory=dict)
    turn: RLock = field(default_factory=RLock)


@dataclass(slots=True)
class Pictures:
    """The PDFs that are looked at, the latest `MOST_KEPT` of them; PDFium draws one page at a time."""

    _kept: OrderedDict[str, _Drawn] = field(default_factory=OrderedDict)
    _kept_turn: Lock = field(default_factory=Lock)
    _drawing: RLock = field(default_factory=RLock)

    def register(self, key: object, make: Callable[[], bytes], *, dpi: int = DPI) -> str:
        """Return the address of a PDF, without page and suffix: `/page/HASH`, of which `-1.png` is the first page.

        `key` holds all that shapes the PDF; its `repr` must be the same for the same PDF. `make` is called when the
        first page is asked for; its pictures have so many dots an inch.
        """
        name = blake2b(repr((key, dpi)).encode(), digest_size=16).hexdigest()
        with self._kept_turn:
            if name not in self._kept:
                self._kept[name] = _Drawn(make, dpi)
            self._kept.move_to_end(name)
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        return f"/page/{name}"

    def pdf(self, name: str) -> bytes:
        """Return the PDF of a hash; KeyError if it is not kept, and whatever making it raises."""
        with self._kept_turn:
            found = self._kept[name]
        with found.turn:
            if not found.data:
                found.data = found.make()
            return found.data

    def page(self, name: str, number: int, dpi: int = 0) -> bytes:
        """Return a page, from 1, as PNG with so many dots an inch, or as many as it was registered with.

        Errors as `pdf`; InputError for a page that is not there.
        """
        data = self.pdf(name)
        with self._kept_turn:
            kept = self._kept[name]
        pages, dpi = kept.pages, dpi or kept.dpi
        if (number, dpi) not in pages:
            pages[number, dpi] = self.picture(data, number, dpi)
        return pages[number, dpi]

    def picture(self, data: bytes, number: int, dpi: int = DPI) -> bytes:
        """Return a page of a PDF, from 1, as PNG; InputError for a page that is not there."""
        with self._drawing:
            made = page_picture(data, number, dpi=dpi)
        if made is None:
            raise InputError([Problem(Place(f"page {number}"), "there is no such page")])
        return made


def routes() -> list[Route]:
    """Return the addresses of pictures and PDFs."""
    return [Route("/page/{name}-{number:int}.png", _send_picture), Route("/page/{name}.pdf", _pdf)]


KEPT_FOR_EVER = {"Cache-Control": "private, max-age=31536000, immutable"}


def _send_picture(request: Request) -> Response:
    kept: Pictures = request.app.state.studio.pictures
    name, number = request.path_params["name"], max(1, request.path_params["number"])
    return _sent(lambda: kept.page(name, number), "image/png")


def _pdf(request: Request) -> Response:
    kept: Pictures = request.app.state.studio.pictures
    return _sent(lambda: kept.pdf(request.path_params["name"]), "application/pdf")


def _sent(make: Callable[[], bytes], kind: str) -> Response:
    """Return what is made, or in words why it cannot be."""
    try:
        return Response(make(), media_type=kind, headers=KEPT_FOR_EVER)
    except KeyError:
        return Response("This is not kept any more: reload the page.", 404, media_type="text/plain")
    except SheetgenError as error:
        return Response(str(error), 422, media_type="text/plain")
