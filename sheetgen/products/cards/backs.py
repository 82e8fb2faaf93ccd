"""People on cards and folded pieces with a side that tells what players may know of them, on sheets to cut out."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping

from sheetgen.documents.people.card import CARD_BACK, back_values
from sheetgen.documents.render import environment, render
from sheetgen.geometry import CARDS, DRAWN_BLEED, Size, mm
from sheetgen.model.character import Character
from sheetgen.pdf.form.form import Form
from sheetgen.pdf.form.stamp import Row, Stamp
from sheetgen.people.ordering import arranged
from sheetgen.press.pages import page_count, paired
from sheetgen.press.plan import PRINTER_MARGIN, Flip
from sheetgen.products.batch_pdf import write_people_pdf
from sheetgen.products.cards.sheets import CardSheetOptions, CardSheets, card_data, lay_out_cards
from sheetgen.products.form_cache import compiled_form, form_data, sheet_form
from sheetgen.products.report import Report
from sheetgen.products.shapes import PrintOptions, margin_words
from sheetgen.rules.registry import engine_of
from sheetgen.workspace.packs import Pack, template_file, template_folders, template_root
from sheetgen.workspace.project import Project

BackValues = Callable[[Mapping[str, str]], Mapping[str, str]]  # what of the values of somebody a side tells


def two_sided_cards(
    project: Project,
    pack: Pack,
    characters: Iterable[Character],
    printing: PrintOptions,
    *,
    flip: Flip,
    margin: float = PRINTER_MARGIN,
) -> tuple[CardSheets, Report]:
    """Return people on cards with backs that tell what players may know of them, on sheets, and the report on them.

    A card that goes on on another one has the same back again. NobodyPrinted as `write_people_pdf`.
    """
    people = [each for _, each in arranged(pack.system, characters, printing.order)]
    shape, printed, places = printing.kind, list[bytes](), list[tuple[int, int]]()
    report = write_people_pdf(
        project, pack, people, printed.append, printing, lead=lambda stamp, pages: places.extend(pages)
    )
    fronts, card = b"".join(printed), shape.card(printing.paper)
    assert card is not None
    form, told = (_other_side if shape.behind else _back)(project, pack, printing, card)
    drawn, figures = list[bytes](), engine_of(pack.system).figures
    stamp = Stamp(form, drawn.append, title="", author="", added=printing.fonts)
    for number, _ in places:
        each = people[number]
        stamp.add(Row("", told(shape.values(pack.system, each, figures(pack.system, each)))))
    stamp.close()
    begun = [page for _, page in places]
    owners = [bisect_right(begun, page) - 1 for page in range(1, page_count(fronts) + 1)]
    pages = paired(fronts, b"".join(drawn), owners, bleed=0.0 if shape.behind else mm(DRAWN_BLEED))
    backs = "over" if shape.behind else "duplex"
    options = CardSheetOptions(
        printing.paper,
        backs,
        flip,
        margin=margin,
        finish=shape.finish,
        signed=(lambda room: margin_words(room, pack.system)[0]) if shape.behind else None,
    )
    names = [people[places[owner][0]].text("name") for owner in owners]
    return lay_out_cards(pages, card, options, names=names), report


def _back(project: Project, pack: Pack, printing: PrintOptions, card: Size) -> tuple[Form, BackValues]:
    """Return the form of the back of a card, which has the pattern of the game around it."""
    size = next(name for name, each in CARDS.items() if each == card)
    data = {**form_data(pack.system, paper=printing.paper), **card_data(pack, size), "portrait": True}
    html = render(environment(template_folders(project, pack), project.shown), CARD_BACK, data)
    root, name = template_root(project, pack), template_file(project, pack, CARD_BACK)
    return pack.run_isolated(lambda: compiled_form(project, html, root=root, name=name)), back_values


def _other_side(project: Project, pack: Pack, printing: PrintOptions, card: Size) -> tuple[Form, BackValues]:
    """Return the form of the side of a piece that faces the players."""
    form = sheet_form(
        project, pack, paper=printing.paper, template=printing.kind.behind, card=card, portrait=printing.portraits
    )
    return form, dict
