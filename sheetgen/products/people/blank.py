"""Empty character sheets, for pencil, a PDF reader or a browser; and how much ink a sheet takes, measured on one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice

from sheetgen.errors import UsageError
from sheetgen.geometry import PEOPLE_PAPERS, paper_name
from sheetgen.model.character import Character
from sheetgen.model.wording import sentence
from sheetgen.pdf.form.form import Form
from sheetgen.pdf.form.stamp import Row, Stamp
from sheetgen.press.plan import Flip
from sheetgen.products.form_cache import PENCIL, fillable_sheet, sheet_form, sheet_forms, web_page
from sheetgen.products.options import (
    TonedOptions,
    choice,
    flip_option,
    margin_option,
    paper_option,
    printer_option,
    refuse_margin,
)
from sheetgen.products.people.roster import roster_person
from sheetgen.products.product import ProductResult, default_stem, known_printer, pack_product
from sheetgen.products.shapes import SHEET, PrintOptions
from sheetgen.products.sheet_pages import words_of
from sheetgen.workspace.packs import Pack
from sheetgen.workspace.project import Project

LISTED = 8  # people whose lines stand for those of a whole list
Shares = tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class BlankOptions(TonedOptions):
    """How an empty sheet is made."""

    fillable: bool = choice(False, "a form to fill in a PDF reader", label="to fill in on a screen")
    only: str = choice("", "the sheet of this playbook, where each has its own", read=str, metavar="WORD")
    margin: float | None = margin_option()
    flip: Flip = flip_option()
    printer: str = printer_option()
    paper: str = paper_option(PEOPLE_PAPERS)


def make_blank(project: Project, pack: Pack, options: BlankOptions, form: str) -> ProductResult:
    """Return the empty sheet, front and back; backs are moved as the printer needs it."""
    what = "an empty sheet, front and back"
    rows = _empty_rows(pack, options.only)
    if len(rows) > 1:
        what = f"{len(rows)} empty sheets, front and back: {', '.join(row.form for row in rows)}"
    if form == ".html":
        page = pack.run_isolated(lambda: web_page(project, pack, rows, paper=options.paper, back=True))
        return ProductResult(page.encode(), what)
    if options.fillable:
        if len(rows) > 1:
            raise UsageError(f"each form is a file of its own: --only {' or '.join(row.form for row in rows)}")
        made = fillable_sheet(project, pack, paper=options.paper, row=rows[0])
        return ProductResult(made, f"{what}, for a PDF reader")
    from sheetgen.press.impose import shift_backs  # imports pikepdf
    from sheetgen.press.pages import page_count

    shift = known_printer(project, options.printer).moves(options.flip)
    how = f"printed on both sides, turned over the {options.flip} edge, at actual size (100 %)"
    data = shift_backs(pencil_sheet(project, pack, options.paper, options.only), shift, flip=options.flip)
    count = -(-page_count(data) // 2)
    sheets = "1 sheet" if count == 1 else f"{count} sheets"
    advice = [f"{sheets} of {paper_name(options.paper)}, {how}"]
    if options.ink_saver:
        shares = ink_shares(project, pack, PrintOptions(options.paper, back=True), tuple)
        advice.append(ink_line(shares, SHEET.one))
    return ProductResult(data, what, tuple(advice))


def pencil_sheet(project: Project, pack: Pack, paper: str, only: str = "") -> bytes:
    """Return the empty sheet to print and to write on, front and back; that of each word that has one, or of `only`."""
    pieces = list[bytes]()
    form = sheet_forms(project, pack, paper=paper, back=True, mode=PENCIL)
    stamp = Stamp(
        form, pieces.append, title=f"{pack.system.title} character sheet", author=pack.system.credit, pictures=False
    )
    for row in _empty_rows(pack, only):
        stamp.add(row)
    stamp.close()
    return b"".join(pieces)


def _empty_rows(pack: Pack, only: str) -> list[Row]:
    """Return a row of nothing, or one for each word that has a sheet of its own, which says that word."""
    title, layout = f"{pack.system.title} character sheet", pack.system.sheet_layout
    by = layout.by if layout is not None else ""
    return [Row(word, {by: sentence(word)}, (), word) for word in words_of(pack, only)] or [Row(title, {})]


def _conflict(options: BlankOptions, formats: Collection[str]) -> None:
    refuse_margin(options.margin, SHEET.free_on(options.paper), "a sheet")
    on_paper = set(formats) <= {".pdf"}
    if options.fillable and not on_paper:
        raise UsageError("--fillable makes a .pdf")
    if (options.printer or options.flip == "short") and (options.fillable or not on_paper):
        raise UsageError("--printer and --flip are for a .pdf to print on both sides, and for pencil")


def _default_stem(options: BlankOptions) -> str:
    return "-".join(filter(None, ("fillable" if options.fillable else "blank", options.only.casefold())))


def _variants(project: Project, pack: Pack) -> list[tuple[str, BlankOptions]]:
    """Return what `build` makes: the empty sheets, and a form to fill in, or one for each that is different."""
    if not pack.system.fields:
        return []
    forms = [(f" --only {word}" if word else "", word) for word in words_of(pack) or ("",)]
    fillable = [(f"blank --fillable{said}", BlankOptions(fillable=True, only=word)) for said, word in forms]
    return [("blank", BlankOptions()), *fillable]


BLANK = pack_product(
    "blank",
    "an empty sheet: for pencil, or to fill in on a screen",
    formats=(".pdf", ".html"),
    options=BlankOptions,
    make=make_blank,
    stem=lambda pack, options: default_stem(pack, _default_stem(options), options.paper),
    variants=_variants,
    conflict=_conflict,
)


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
        form = side(template=shape.template, card=card, code=shape.code, portrait=shape.portrait, asked=shape.asked)
        empty(form, pieces.append)
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
