"""People: a sentence that says whom to roll, the wall of them, one of them, and the page as it is printed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from urllib.parse import urlencode

from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sheetgen.errors import UsageError, suggestion
from sheetgen.model.character import Character
from sheetgen.people.rolling import RollOptions, roll
from sheetgen.products.people_print import write_people
from sheetgen.products.shapes import PrintOptions
from sheetgen.studio.pages import Area, page
from sheetgen.studio.studio import Studio, studio_of
from sheetgen.workspace.packs import Pack

AREA = Area("/people", "People", "1")
MOST_ON_THE_WALL = 200
FEW = 12
STATED = 7  # the seed of a wall whose address has none


@dataclass(frozen=True, slots=True)
class Wall:
    """Whom the sentence asks for, as the address has it: reloaded, sent or kept, it is the same wall."""

    game: str
    kind: str = ""
    strength: str = ""
    names: str = ""
    number: int = FEW
    seed: int = STATED

    def address(self, **changes: object) -> str:
        """Return the address of this wall, or of one that differs in some of it."""
        asked = {name: changes.get(name, getattr(self, name)) for name in self.__slots__}
        return f"{AREA.address}?{urlencode({name: value for name, value in asked.items() if value != ''})}"

    @property
    def run(self) -> RollOptions:
        """The run that rolls these people."""
        options = {"culture": self.names} if self.names else {}
        return RollOptions(self.seed, self.number, archetype=self.kind, options=options)


def routes() -> list[Route]:
    """Return the addresses of this place."""
    return [Route(AREA.address, _people)]


def games(studio: Studio) -> dict[str, str]:
    """Return the games that can roll people, by id, with their titles."""
    packs = (studio.pack(name) for name in sorted(studio.project.library.packs))
    return {pack.system.id: pack.system.title for pack in packs if pack.system.creation.methods}


def usual_game(studio: Studio) -> str:
    """Return the game that is meant where none is named: that of the campaign, else the one most others stand on."""
    if studio.campaign is not None:
        return studio.campaign.system
    packs = [studio.pack(name).system for name in sorted(studio.project.library.packs)]
    below = Counter(name for system in packs for name in system.lineage)
    return max((each.id for each in packs if each.creation.methods), key=lambda name: below[name])


def read_wall(studio: Studio, query: QueryParams) -> Wall:
    """Return the wall that an address asks for; UsageError for a word or number that it cannot have."""
    game = query.get("game") or usual_game(studio)
    system = studio.pack(game).system
    kind = query.get("kind", "")
    if kind and kind not in system.cast.archetypes:
        raise UsageError(f"{system.title} has no {kind}{suggestion(kind, system.cast.archetypes)}")
    try:
        number, seed = int(query.get("number") or FEW), int(query.get("seed") or STATED)
    except ValueError:
        raise UsageError("number and seed are whole numbers") from None
    return Wall(game, kind, "", query.get("names", ""), max(1, min(MOST_ON_THE_WALL, number)), max(0, seed))


def _people(request: Request) -> Response:
    studio = studio_of(request)
    wall = read_wall(studio, request.query_params)
    pack = studio.pack(wall.game)
    with studio.making:
        people = list(roll(pack, wall.run))
    chosen = min(max(1, int(request.query_params.get("who", "1") or 1)), len(people))
    data = {
        "wall": {name: getattr(wall, name) for name in wall.__slots__},
        "games": games(studio),
        "kinds": list(pack.system.cast.archetypes),
        "system": {"title": pack.system.title},
        "people": [
            {
                "name": each.text("name"),
                "trade": each.text("occupation"),
                "manner": each.text("manner"),
                "address": f"{wall.address()}&who={at}",
                "chosen": at == chosen,
            }
            for at, each in enumerate(people, 1)
        ],
        "who": {"name": people[chosen - 1].text("name")},
        "picture": printed(studio, pack, [people[chosen - 1]], PrintOptions("a4", "npc")) + "-1.png",
    }
    return page(request, "people", data, title="People")


def printed(studio: Studio, pack: Pack, people: Sequence[Character], printing: PrintOptions) -> str:
    """Return the address of the PDF of some people, as the verbs print them."""

    def make() -> bytes:
        with studio.making, BytesIO() as made:
            write_people(studio.project, pack, people, made.write, replace(printing, workers=1), form=".pdf")
            return made.getvalue()

    return studio.pictures.register((str(pack.folder), pack.system.version, list(people), printing), make)
