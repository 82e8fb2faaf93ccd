"""The `Studio`: the folder that was opened, what may be asked of the world, and caches; and pages as pictures."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from hashlib import blake2b
from pathlib import Path
from threading import Lock, RLock
from time import monotonic
from typing import TypeVar, cast

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sheetgen.errors import InputError, Place, Problem, SheetgenError
from sheetgen.model.session import Campaign
from sheetgen.pdf.pdfium import page_picture
from sheetgen.studio.assets import KEPT_FOR_EVER
from sheetgen.workspace.campaigns import campaign_around
from sheetgen.workspace.packs import OpenedPacks, Pack
from sheetgen.workspace.project import Project, project_at

MOST_KEPT = 64  # PDFs in memory
DPI = 128  # of a page of A4: 1,060 dots across, as wide as the paper is shown on a fine screen
T = TypeVar("T")
FRESH_S = 0.1  # so long the files of a pack are taken to be as they were


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


@dataclass(slots=True)
class Lately:
    """What was worked out lately, the latest `most` of it, so that it need not be again."""

    most: int = 1_000
    _known: OrderedDict[object, object] = field(default_factory=OrderedDict)
    _turns: Lock = field(default_factory=Lock)

    def get(self, key: object, make: Callable[[], T]) -> T:
        """Return the result of `make`, called where no result for that key is known."""
        with self._turns:
            if key in self._known:
                self._known.move_to_end(key)
                return cast(T, self._known[key])
        made = make()
        with self._turns:
            self._known[key] = made
            while len(self._known) > self.most:
                self._known.popitem(last=False)
        return made

    def knows(self, key: object) -> bool:
        """Return whether a result for that key is known."""
        with self._turns:
            return key in self._known


@dataclass(frozen=True)
class Studio:
    """What every place of the page stands on.

    `secret` is the value of the cookie, `clock` tells the time, `new_seed` is where randomness comes from. Whoever
    makes something holds `making`, since neither PDFium nor a fork bears company.
    """

    folder: Path
    environ: Mapping[str, str]
    secret: str
    clock: Callable[[], datetime]
    new_seed: Callable[[], int]
    pictures: Pictures = field(default_factory=Pictures)
    making: RLock = field(default_factory=RLock)
    lately: Lately = field(default_factory=Lately)
    _packs: OpenedPacks = field(default_factory=OpenedPacks)
    _looked: dict[Path, tuple[float, Pack]] = field(default_factory=dict)

    @property
    def project(self) -> Project:
        """The project as it is now, seen from the folder: packs come and go."""
        return project_at(self.folder, self.environ)

    @property
    def campaign(self) -> Campaign | None:
        """The campaign of the folder, or around it; InputError if its file cannot be read."""
        return campaign_around(self.project, self.folder)

    @property
    def name(self) -> str:
        """What the folder is called on the page."""
        try:
            campaign = self.campaign
        except SheetgenError:  # is told where the campaign is used
            campaign = None
        return campaign.title if campaign else self.folder.resolve().name

    def pack(self, word: str) -> Pack:
        """Return the checked pack of a word, opened again when a file of it has changed; errors as `open_pack`."""
        project = self.project
        folder = project.pack_folder(word)
        looked = self._looked.get(folder)
        if looked is not None and monotonic() - looked[0] < FRESH_S:
            return looked[1]
        with self.making:
            began = monotonic()  # files may change while they are read, which takes long now and then
            pack = self._packs.pack(project, word)
        self._looked[folder] = began, pack
        return pack

    @property
    def enclosed(self) -> Project:
        """The project for files that a stranger may have written: they name nothing outside what is open.

        That is the folder, that of its campaign, the shelf, and the games that are known by name.
        """
        project, campaign = self.project, self.campaign
        games = [*project.library.packs.values(), *([project.pack_folder(campaign.system)] if campaign else [])]
        around = [self.folder, *([campaign.folder] if campaign else []), *([project.shelf] if project.shelf else [])]
        return replace(project, bounds=tuple(each.resolve() for each in (*around, *games)))

    def check_inside(self, named: Iterable[tuple[Path, Place]]) -> None:
        """InputError at the place where a file names another that lies outside what is open."""
        project = self.enclosed
        wrong = [place for path, place in named if not project.is_within_bounds(path)]
        if wrong:
            told = "this file lies outside the folder that is open (copy it in)"
            raise InputError([Problem(place, told) for place in wrong])

    def mark(self, pack: Pack) -> str:
        """Return what tells this state of a pack's files from others, for keys of what is made from it."""
        return self._packs.mark(pack)


def studio_of(request: Request) -> Studio:
    """Return the studio that a request is made to."""
    return cast(Studio, request.app.state.studio)
