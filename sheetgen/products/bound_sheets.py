"""The character sheets that a rulebook ends with: an empty one to copy, and that of the character whom the book makes.

The book keeps a page for each side, with its number, its bookmark and a description; the side is drawn there as
`sheetgen blank` and `sheetgen sheet` print it, as large as the page allows; those of A5 lie on their side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sheetgen.documents.sheet import TemplateData
from sheetgen.geometry import PEOPLE_PAPERS
from sheetgen.model.character import Character
from sheetgen.pdf.pdfium import addresses
from sheetgen.press.pages import page_count
from sheetgen.products.batch_pdf import write_people_pdf
from sheetgen.products.blank import pencil_sheet
from sheetgen.products.chapters import Rulebook, hero_roller, open_book
from sheetgen.products.report import NobodyPrinted
from sheetgen.products.shapes import PrintOptions
from sheetgen.products.sheet_pages import words_of
from sheetgen.workspace.packs import Pack
from sheetgen.workspace.project import Project

SHOWN_DPI = 120  # of sheets in a web page
LARGE = "a4"  # what a page that no sheets are made for shows smaller, and each where a game has several


@dataclass(frozen=True, slots=True)
class BoundSheet:
    """A sheet in a book: its title, and its pages as PDF."""

    title: str
    said: str
    data: bytes


def bound_sheets(project: Project, pack: Pack, paper: str) -> tuple[BoundSheet, ...]:
    """Return the sheets for a book on a paper; none for a game without sheets."""
    if not pack.system.fields:
        return ()
    on = paper if paper in PEOPLE_PAPERS and not words_of(pack) else LARGE
    title, said = (
        ("Your sheets", "Empty sheets") if words_of(pack) else ("Your character sheet", "An empty character sheet")
    )
    found = [BoundSheet(title, said, pencil_sheet(project, pack, on))]
    hero = pack.run_isolated(lambda: hero_of(pack, open_book(project, pack)))
    if hero is not None:
        pieces, name = list[bytes](), hero.text("name")
        try:
            write_people_pdf(project, pack, [hero], pieces.append, PrintOptions(on, back=True))
        except NobodyPrinted:  # a letter that no font has is told where the book has it
            return tuple(found)
        found.append(BoundSheet(f"The sheet of {name}", f"The character sheet of {name}, filled in", b"".join(pieces)))
    return tuple(found)


def hero_of(pack: Pack, rulebook: Rulebook) -> Character | None:
    """Return the first character whom the book makes, kept or rolled, if it is one of this very game."""
    for rule in rulebook.book.rules.values():
        if rule.hero is None:
            continue
        hero = rulebook.kept.get(rule.id)
        if hero is None:
            hero = hero_roller(pack, rule, rule.hero).roll(rule.hero.index or 1)
            if rule.hero.name:
                hero = replace(hero, values={**hero.values, "name": rule.hero.name})
        return hero if hero.system == pack.system.id else None
    return None


def sheet_pictures(sheets: Sequence[BoundSheet]) -> list[TemplateData]:
    """Return what a template needs to show sheets in a web page: a picture of each side."""
    sides = iter(sheet_pages(sheets))
    found = list[TemplateData]()
    for sheet in sheets:
        pictures = [(each, next(sides)) for each in addresses(sheet.data, dpi=SHOWN_DPI)]
        shown = [{"address": address, "said": page["said"]} for address, page in pictures]
        found.append({"anchor": pictures[0][1]["anchor"], "title": sheet.title, "pictures": shown})
    return found


def sheet_pages(sheets: Sequence[BoundSheet]) -> list[TemplateData]:
    """Return a page of the book for each side of each sheet, with the title on the first one."""
    found = list[TemplateData]()
    for sheet in sheets:
        count = page_count(sheet.data)
        for side in range(count):
            part = f"page {side + 1} of {count}" if count > 2 else ("front", "back")[side]
            said = f"{sheet.said}, {part}"
            title = sheet.title if side == 0 else ""
            found.append({"anchor": f"sheet-{len(found) + 1}", "title": title, "said": said})
    return found
