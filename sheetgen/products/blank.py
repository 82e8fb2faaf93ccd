"""Empty character sheets: for pencil, for a PDF reader, or as a web page."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from sheetgen.errors import UsageError
from sheetgen.geometry import PEOPLE_PAPERS, SMALL_SHEET, paper_name
from sheetgen.pdf.form.stamp import Row
from sheetgen.press.plan import Flip
from sheetgen.products.form_cache import PENCIL, fillable_sheet, sheet_form, web_page
from sheetgen.products.ink import empty, ink_line, ink_shares
from sheetgen.products.options import (
    TonedOptions,
    choice,
    flip_option,
    margin_option,
    paper_option,
    printer_option,
    refuse_margin,
)
from sheetgen.products.product import ProductResult, default_stem, known_printer, pack_product
from sheetgen.products.shapes import SHEET, PrintOptions
from sheetgen.workspace.packs import Pack
from sheetgen.workspace.project import Project


@dataclass(frozen=True, kw_only=True)
class BlankOptions(TonedOptions):
    """How an empty sheet is made."""

    fillable: bool = choice(False, "a form to fill in a PDF reader", label="to fill in on a screen")
    margin: float | None = margin_option()
    flip: Flip = flip_option()
    printer: str = printer_option()
    paper: str = paper_option(PEOPLE_PAPERS)


def make_blank(project: Project, pack: Pack, options: BlankOptions, form: str) -> ProductResult:
    """Return the empty sheet, front and back; backs are moved as the printer needs it."""
    what = "an empty sheet, front and back"
    if form == ".html":
        page = pack.run_isolated(lambda: web_page(project, pack, [Row("", {})], paper=options.paper, back=True))
        return ProductResult(page.encode(), what)
    if options.fillable:
        return ProductResult(fillable_sheet(project, pack, paper=options.paper), f"{what}, for a PDF reader")
    from sheetgen.press.impose import shift_backs  # imports pikepdf

    shift = known_printer(project, options.printer).moves(options.flip)
    how = f"printed on both sides, turned over the {options.flip} edge, at actual size (100 %)"
    data = shift_backs(pencil_sheet(project, pack, options.paper), shift, flip=options.flip)
    sheets = "2 sheets" if options.paper == SMALL_SHEET else "1 sheet"
    advice = [f"{sheets} of {paper_name(options.paper)}, {how}"]
    if options.ink_saver:
        shares = ink_shares(project, pack, PrintOptions(options.paper, back=True), tuple)
        advice.append(ink_line(shares, SHEET.one))
    return ProductResult(data, what, tuple(advice))


def pencil_sheet(project: Project, pack: Pack, paper: str) -> bytes:
    """Return the empty sheet to print and to write on, front and back."""
    title, pieces = f"{pack.system.title} character sheet", list[bytes]()
    form = sheet_form(project, pack, paper=paper, back=True, mode=PENCIL)
    empty(form, pieces.append, title=title, author=pack.system.credit)
    return b"".join(pieces)


def _conflict(options: BlankOptions, formats: Collection[str]) -> None:
    refuse_margin(options.margin, SHEET.free_on(options.paper), "a sheet")
    on_paper = set(formats) <= {".pdf"}
    if options.fillable and not on_paper:
        raise UsageError("--fillable makes a .pdf")
    if (options.printer or options.flip == "short") and (options.fillable or not on_paper):
        raise UsageError("--printer and --flip are for a .pdf to print on both sides, and for pencil")


VARIANTS = (("blank", BlankOptions()), ("blank --fillable", BlankOptions(fillable=True)))
BLANK = pack_product(
    "blank",
    "an empty sheet for pencil, or for a PDF reader",
    formats=(".pdf", ".html"),
    options=BlankOptions,
    make=make_blank,
    stem=lambda pack, options: default_stem(pack, "fillable" if options.fillable else "blank", options.paper),
    variants=lambda project, pack: VARIANTS if pack.system.fields else (),
    conflict=_conflict,
)
