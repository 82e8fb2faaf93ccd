"""People on paper, as the verbs would print them, and where on it each field stands, which a click leads to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from io import BytesIO
from typing import Any

from sheetgen.errors import UsageError
from sheetgen.geometry import PAPERS, SHEET_PAPERS, paper_name
from sheetgen.model.character import Character
from sheetgen.people.character_files import Party
from sheetgen.products.form_cache import sheet_form
from sheetgen.products.people.options import PeopleOptions
from sheetgen.products.people.people import SHEETS, asks, job_of_parties
from sheetgen.products.people.printing import write_people
from sheetgen.products.product import Reporter, Sink
from sheetgen.products.report import NobodyPrinted
from sheetgen.products.shapes import PEOPLE, PrintOptions, shape_named
from sheetgen.studio.people.person import control_id, marked, texts_of
from sheetgen.studio.studio import Studio
from sheetgen.workspace.packs import Pack

NOTHING: dict[str, Any] = {"width": 0, "height": 0, "spots": []}
USUAL = "npc"
ACROSS = 1_060  # dots of a picture: as wide as the paper is shown on a fine screen
SMALL = 120  # mm: what is no wider is a card
VIEWS = {"npc": "NPC page", "sheet": "Sheet", "card": "Card", "roster": "Roster"}


def usual_paper(studio: Studio) -> str:
    """Return the paper of the campaign, else A4."""
    campaign = studio.campaign
    return campaign.paper if campaign else SHEET_PAPERS[0]


def people_pdf(studio: Studio, parties: Sequence[Party], options: PeopleOptions) -> bytes:
    """Return people printed as `sheetgen sheet` prints them; UsageError if nobody could be."""
    with studio.making, BytesIO() as made:
        told = [
            replace(each, characters=tuple(marked(studio, each.pack, who) for who in each.characters))
            for each in parties
        ]
        job = job_of_parties(studio.project, told, options, "people", title=PEOPLE)
        SHEETS.check(options, ())
        SHEETS.suits(studio.project, job, options, ())
        with _reasons_told():
            SHEETS.write(studio.project, job, options, Sink(".pdf", made.write, Reporter()))
        return made.getvalue()


@contextmanager
def _reasons_told() -> Iterator[None]:
    """Tell why nobody could be printed: each person has a reason."""
    try:
        yield
    except NobodyPrinted as error:
        raise UsageError("\n".join(error.report.skipped) or "nobody could be printed") from None


def _printing(pack: Pack, options: PeopleOptions, who: Character) -> PrintOptions:
    portraits, asked = who.picture is not None, asks(pack, [who])
    return PrintOptions(options.paper, options.shape, portraits=portraits, asked=asked, backs=True)


def _alone(studio: Studio, pack: Pack, who: Character, options: PeopleOptions) -> bytes:
    """Return the card or half page of somebody as a page of its own, as it comes out of the sheet."""
    person = marked(studio, pack, who)
    printing = _printing(pack, options, who)
    with studio.making, BytesIO() as made:
        with _reasons_told():
            write_people(studio.project, pack, [person], made.write, printing, form=".pdf")
        return made.getvalue()


def paper_of(studio: Studio, pack: Pack, people: Sequence[Character], view: str, address: str) -> dict[str, Any]:
    """Return the paper beside somebody: its pages, and the links to the other ways to print.

    Cards and half pages are shown alone and as large as there is room; a page is made when it is looked at.
    """
    paper = usual_paper(studio)
    options, shape = PeopleOptions(shape=view, paper=paper, workers=1), shape_named(view)
    alone = shape.card(paper)
    size = alone or PAPERS[paper]
    key = ("people", str(pack.folder), studio.mark(pack), tuple(people), options)

    def make() -> bytes:
        if alone is not None:
            return _alone(studio, pack, people[0], options)
        return people_pdf(studio, [Party(pack, tuple(people))], options)

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
        "pages": studio.pictures.register(key, make, dpi=round(ACROSS / size.width * 25.4)),
        "alt": f"{VIEWS[view]} of {whom}, as printed",
        "width": ACROSS,
        "height": round(ACROSS * size.height / size.width),
        "small": size.width < SMALL,
        "spots": hot_spots(studio, pack, texts_of(pack.system, people[0]), _printing(pack, options, people[0])),
        "paper": f"{size.width:g} × {size.height:g} mm" if alone and size.width < SMALL else paper_name(paper),
    }


def hot_spots(studio: Studio, pack: Pack, keys: Iterable[str], printing: PrintOptions) -> dict[str, Any]:
    """Return the size of a first page in points and the boxes of the controls of these keys, from its upper left.

    Nothing for lists of people, and for games of strangers, whose forms are known in confined processes only.
    """
    shape, known = printing.kind, set(keys)
    if shape.listing is not None or not pack.ours:
        return NOTHING
    with studio.making:
        form = sheet_form(
            studio.project,
            pack,
            paper=printing.paper,
            template=shape.template,
            card=shape.card(printing.paper),
            portrait=shape.portrait,
        )
    width, height = form.pages[0]
    spots = []
    for field in form.fields:
        key = field.name if field.name in known else field.name.partition(".")[0]
        if field.page == 0 and not field.block and key in known:
            box = field.border
            spots.append(
                {
                    "id": control_id(key),
                    "x": round(box.x, 1),
                    "y": round(height - box.top, 1),
                    "width": round(box.width, 1),
                    "height": round(box.height, 1),
                }
            )
    return {"width": round(width, 1), "height": round(height, 1), "spots": spots}
