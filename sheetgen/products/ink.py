"""How much ink a print run takes: measured once, on the empty form that everybody is stamped onto."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from itertools import islice

from sheetgen.model.character import Character
from sheetgen.pdf.form.form import Form
from sheetgen.pdf.form.stamp import Row, Stamp
from sheetgen.products.form_cache import sheet_form
from sheetgen.products.roster import roster_person
from sheetgen.products.shapes import PrintOptions
from sheetgen.workspace.packs import Pack
from sheetgen.workspace.project import Project

LISTED = 8  # people whose lines stand for those of a whole list

Shares = tuple[float, float]


def ink_shares(
    project: Project, pack: Pack, printing: PrintOptions, people: Callable[[], Iterable[Character]]
) -> Shares:
    """Return which share of a page is inked, in per cent: with little ink, and as it is printed otherwise.

    A shape with a form is measured empty, a list with its first few people.
    """
    tone = replace(pack.system.tone, ink_saver=True), replace(pack.system.tone, ink_saver=False)
    spared, usual = (_share(project, pack.with_tone(each), printing, people) for each in tone)
    return spared, usual


def _share(project: Project, pack: Pack, printing: PrintOptions, people: Callable[[], Iterable[Character]]) -> float:
    shape, pieces = printing.kind, list[bytes]()
    if shape.listing is None:
        card = shape.card(printing.paper)
        side = partial(sheet_form, project, pack, paper=printing.paper, back=printing.back)
        empty(side(template=shape.template, card=card, code=shape.code, portrait=shape.portrait), pieces.append)
    else:
        few = [roster_person(pack, each) for each in islice(people(), LISTED)]
        shape.listing(project, pack, few, pieces.append, printing, form=".pdf")
    from sheetgen.pdf.pdfium import inked  # imports PDFium

    return pack.run_isolated(lambda: inked(b"".join(pieces)))


def empty(form: Form, write: Callable[[bytes], object], *, title: str = "", author: str = "") -> None:
    """Write the form as a PDF with nothing in its fields."""
    stamp = Stamp(form, write, title=title, author=author, pictures=False)
    stamp.add(Row(title, {}))
    stamp.close()


def ink_line(shares: Shares, one: str) -> str:
    """Return what is told of it: `ink: 2.9 % of the page, 4.4 % without --ink-saver`."""
    return f"ink: {shares[0]:.1f} % of the {one}, {shares[1]:.1f} % without --ink-saver"
