"""Handouts on sheets of paper: small ones side by side with marks to cut along, large ones as they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from sheetgen.errors import UsageError
from sheetgen.geometry import PAPERS, paper_name
from sheetgen.pdf.fonts.bundled import label_font
from sheetgen.press.impose import Imposition, impose_pages
from sheetgen.press.layouts import PRINTER_MARGIN, packed
from sheetgen.press.marks import RULER_LABEL, Marks, check_rule, corner_marks
from sheetgen.press.pages import concatenate, page_count
from sheetgen.press.plan import ImpositionPlan, Side
from sheetgen.products.handout_layout import PrintedHandout
from sheetgen.workspace.archive import archive
from sheetgen.workspace.write import Write, slugs

WHOLE_FREE = 6.0  # mm: what handouts as large as the paper leave free at its edges; the frames of posters stand there


@dataclass(frozen=True, slots=True)
class HandoutSheetOptions:
    """How handouts are put on sheets: the paper, the margin that the printer leaves white, in mm, and marks or none."""

    paper: str = "a4"
    margin: float = PRINTER_MARGIN
    marks: bool = True


@dataclass(frozen=True, slots=True)
class HandoutSheets:
    """All handouts as one PDF, the number of its sheets, and what to do with them, step by step."""

    data: bytes
    count: int
    advice: tuple[str, ...]


def on_sheets(found: Sequence[PrintedHandout], options: HandoutSheetOptions, *, title: str) -> HandoutSheets:
    """Return large handouts as they are, then the small ones side by side.

    UsageError for one too large for the paper, and for large ones with less free at the edges than the printer needs.
    """
    small = [each for each in found if not each.whole]
    large = [each for each in found if each.whole]
    if large and options.margin > WHOLE_FREE:
        what = f"the {WHOLE_FREE:g} mm that a {large[0].style} leaves free at its edges ({large[0].name})"
        raise UsageError(f"--margin {options.margin:g} is more than {what}")
    parts = [each.data for each in large]
    if small:
        parts += _beside(small, options)
    data = concatenate(parts, title=title)
    count = page_count(data)
    paper = f"{count} sheet{'' if count == 1 else 's'} of {paper_name(options.paper)}"
    sheets = f"{paper}, printed on one side, at actual size (100 %)"
    along = "along the marks at their corners" if options.marks else "out"
    return HandoutSheets(data, count, (sheets, f"cut the small ones {along}") if small else (sheets,))


def _beside(found: Sequence[PrintedHandout], options: HandoutSheetOptions) -> Iterator[bytes]:
    """Yield the PDF of each sheet of small handouts."""
    sizes = [each.size for each in found for _ in range(each.pages)]
    try:
        sheets = packed(sizes, PAPERS[options.paper], margin=options.margin)
    except ValueError as error:
        each = [each for each in found for _ in range(each.pages)][error.args[0]]
        size = f"{each.size.width:g} × {each.size.height:g} mm"
        what = f"a {each.style} of {size} does not fit on {paper_name(options.paper)}"
        less = " or a smaller --margin" if options.margin > PRINTER_MARGIN else ""
        raise UsageError(f"{what} ({each.name}): take a larger paper{less}") from None
    pages = concatenate([each.data for each in found], title="")
    for sheet in sheets:
        side = Side(tuple(number + 1 for number in sheet.pieces))
        marks = Marks(corner_marks(sheet.cells, sheet.paper), rule=check_rule(sheet.cells, sheet.paper))
        plan = ImpositionPlan(len(sheet.pieces), 1, (side,))
        made = Imposition(plan, sheet.paper, cells=sheet.cells)
        if options.marks:
            made = replace(made, marks=(marks,), font=label_font(RULER_LABEL))
        yield impose_pages(pages, made)


def write_handouts(
    found: Sequence[PrintedHandout], write: Write, options: HandoutSheetOptions, *, form: str, title: str
) -> tuple[str, ...]:
    """Write handouts as sheets (.pdf), as one picture (.png), or each alone (.zip); return what to do with them.

    UsageError for a picture of more than one page, and as `on_sheets`.
    """
    if form == ".pdf":
        sheets = on_sheets(found, options, title=title)
        write(sheets.data)
        return sheets.advice
    if form == ".png":
        pages = sum(each.pages for each in found)
        if pages != 1:
            raise UsageError(
                f"a .png holds one page, and these are {pages}: name one with --only, or make a .pdf or .zip"
            )
        from sheetgen.pdf.pdfium import pictures  # imports PDFium

        for picture in pictures(found[0].data):
            write(picture)
        return ()
    with archive(write) as add:
        for each, name in zip(found, slugs(each.name for each in found), strict=True):
            add(f"{name}.pdf", lambda put, each=each: put(concatenate([each.data], title=each.title)))  # type: ignore[misc]
    return ()
