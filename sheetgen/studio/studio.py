"""The `Studio`: the folder that was opened, what may be asked of the world, and caches; no state but the files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from threading import RLock
from typing import cast

from starlette.requests import Request

from sheetgen.errors import SheetgenError
from sheetgen.model.campaign import Campaign
from sheetgen.studio.pictures import Pictures
from sheetgen.workspace.campaigns import campaign_around
from sheetgen.workspace.packs import Pack, open_pack, sources
from sheetgen.workspace.project import Project, project_at
from sheetgen.workspace.watching import States, states


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
    _packs: dict[Path, tuple[States, Pack]] = field(default_factory=dict)

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
        known = self._packs.get(folder)
        if known is not None and known[0] == states(sources(project, known[1])):
            return known[1]
        with self.making:
            pack = open_pack(project, word)
            self._packs[folder] = states(sources(project, pack)), pack
        return pack


def studio_of(request: Request) -> Studio:
    """Return the studio that a request is made to."""
    return cast(Studio, request.app.state.studio)
