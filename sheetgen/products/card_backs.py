"""People on cards with backs that tell what players may know of them, on sheets to cut out."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from sheetgen.documents.card import CARD_BACK, back_values
from sheetgen.documents.render import environment, render
from sheetgen.geometry import CARDS, DRAWN_BLEED, mm
from sheetgen.model.character import Character
from sheetgen.pdf.form.stamp import Row, Stamp
from sheetgen.people.ordering import arranged
from sheetgen.press.layouts import PRINTER_MARGIN
from sheetgen.press.pages import page_count, paired
from sheetgen.press.plan import Flip
from sheetgen.products.batch_pdf import write_people_pdf
from sheetgen.products.card_sheets import CardSheetOptions, CardSheets, lay_out_cards
from sheetgen.products.cards import card_data
from sheetgen.products.form_cache import compiled_form, form_data
from sheetgen.products.report import Report
from sheetgen.products.shapes import PrintOptions
from sheetgen.rules.registry import engine_of
from sheetgen.workspace.packs import Pack, template_file, template_folders, template_root
from sheetgen.workspace.project import Project


def two_sided_cards(
    project: Project, pack: Pack, characters: Iterable[Character], printing: PrintOptions, flip: Flip
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
    size = next(name for name, each in CARDS.items() if each == card)
    data = {**form_data(pack.system, paper=printing.paper), **card_data(pack, size), "portrait": True}
    html = render(environment(template_folders(project, pack), project.shown), CARD_BACK, data)
    root, name = template_root(project, pack), template_file(project, pack, CARD_BACK)
    form = pack.run_isolated(lambda: compiled_form(project, html, root=root, name=name))
    drawn, figures = list[bytes](), engine_of(pack.system).figures
    stamp = Stamp(form, drawn.append, title="", author="", added=printing.fonts)
    for number, _ in places:
        each = people[number]
        stamp.add(Row("", back_values(shape.values(pack.system, each, figures(pack.system, each)))))
    stamp.close()
    begun = [page for _, page in places]
    owners = [bisect_right(begun, page) - 1 for page in range(1, page_count(fronts) + 1)]
    pages = paired(fronts, b"".join(drawn), owners, bleed=mm(DRAWN_BLEED))
    margin = PRINTER_MARGIN
    return lay_out_cards(pages, card, CardSheetOptions(paper=printing.paper, flip=flip, margin=margin)), report
