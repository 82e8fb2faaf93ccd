"""People on paper: the PDF that the verbs would print, looked at page by page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO
from typing import Any

from sheetgen.geometry import PAPERS, SHEET_PAPERS, paper_name
from sheetgen.model.character import Character
from sheetgen.people.character_files import Party
from sheetgen.products.people import SHEETS, job_of_parties
from sheetgen.products.people_options import PeopleOptions
from sheetgen.products.product import Reporter, Sink
from sheetgen.products.shapes import PEOPLE
from sheetgen.studio.as_dice_fell import marked
from sheetgen.studio.studio import Studio
from sheetgen.workspace.packs import Pack

USUAL = "npc"
VIEWS = {"npc": "NPC page", "sheet": "Sheet", "card": "Card", "roster": "Roster"}


def usual_paper(studio: Studio) -> str:
    """Return the paper of the campaign, else A4."""
    campaign = studio.campaign
    return campaign.paper if campaign else SHEET_PAPERS[0]


def people_pdf(studio: Studio, parties: Sequence[Party], options: PeopleOptions) -> bytes:
    """Return people printed as `sheetgen sheet` prints them; NobodyPrinted and the errors of that product."""
    with studio.making, BytesIO() as made:
        told = [
            replace(each, characters=tuple(marked(studio, each.pack, who) for who in each.characters))
            for each in parties
        ]
        job = job_of_parties(studio.project, told, options, "people", title=PEOPLE)
        SHEETS.check(options, ())
        SHEETS.suits(studio.project, job, options, ())
        SHEETS.write(studio.project, job, options, Sink(".pdf", made.write, Reporter()))
        return made.getvalue()


def printed(studio: Studio, pack: Pack, people: Sequence[Character], options: PeopleOptions) -> str:
    """Return the address of the pages of some people; they are made when they are looked at."""
    key = ("people", str(pack.folder), studio.mark(pack), tuple(people), options)
    return studio.pictures.register(key, lambda: people_pdf(studio, [Party(pack, tuple(people))], options))


def paper_of(studio: Studio, pack: Pack, people: Sequence[Character], view: str, address: str) -> dict[str, Any]:
    """Return the paper beside somebody: its pages, and the links to the other ways to print."""
    paper = usual_paper(studio)
    options, size = PeopleOptions(shape=view, paper=paper, workers=1), PAPERS[paper]
    whom = people[0].text("name") or "somebody" if len(people) == 1 else f"{len(people)} people"
    return {
        "views": [
            {
                "name": name,
                "title": title,
                "here": name == view,
                "address": address + (f"&as={name}" if name != USUAL else ""),
            }
            for name, title in VIEWS.items()
        ],
        "pages": printed(studio, pack, people, options),
        "alt": f"{VIEWS[view]} of {whom}, as printed",
        "width": round(size.width * 5),
        "height": round(size.height * 5),
        "paper": paper_name(paper),
    }
