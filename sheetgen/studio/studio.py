"""The `Studio`: the folder that was opened, what may be asked of the world, and caches; no state but the files."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from threading import Lock, RLock
from time import monotonic
from typing import TypeVar, cast

from starlette.requests import Request

from sheetgen.errors import InputError, Place, Problem, SheetgenError
from sheetgen.model.session import Campaign
from sheetgen.studio.pictures import Pictures
from sheetgen.workspace.campaigns import campaign_around
from sheetgen.workspace.packs import OpenedPacks, Pack
from sheetgen.workspace.project import Project, project_at

T = TypeVar("T")

FRESH_S = 0.1  # so long the files of a pack are taken to be as they were


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
