"""Handouts on sheets of paper: small ones side by side with marks to cut along, large ones as they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from sheetgen.errors import UsageError
from sheetgen.geometry import PAPERS, Line
from sheetgen.press.gather import gathered, page_total
from sheetgen.press.impose import impose
from sheetgen.press.imposition import Imposition
from sheetgen.press.layouts import PRINTER_MARGIN
from sheetgen.press.marks import check_rule, ruler
from sheetgen.press.packing import Sheet, corner_marks, packed
from sheetgen.press.plan import Plan, Side
from sheetgen.recipes.archive import archive
from sheetgen.recipes.leaves import Leaves
from sheetgen.recipes.stamping import Write
from sheetgen.recipes.write import slugs


@dataclass(frozen=True, slots=True)
class Sheets:
    """All handouts as one PDF, how many sheets it is, and what to do with them, step by step."""

    data: bytes
    count: int
    advice: tuple[str, ...]


def on_sheets(found: Sequence[Leaves], *, paper: str, margin: float = PRINTER_MARGIN, title: str) -> Sheets:
    """Large handouts as they come, then the small ones side by side; UsageError for one too large for the paper."""
    small = [each for each in found if not each.whole]
    parts = [each.data for each in found if each.whole]
    if small:
        parts += _beside(small, paper, margin)
    data = gathered(parts, title=title)
    count = page_total(data)
    sheets = f"{count} sheet{'' if count == 1 else 's'} of {paper.upper()}, printed on one side, at actual size (100 %)"
    cut = ("cut the small ones along the marks at their corners",) if small else ()
    return Sheets(data, count, (sheets, *cut))


def _beside(found: Sequence[Leaves], paper: str, margin: float) -> Iterator[bytes]:
    """Sheets with the pages of small handouts, each with its marks."""
    sizes = [each.size for each in found for _ in range(each.pages)]
    try:
        sheets = packed(sizes, PAPERS[paper], margin=margin)
    except ValueError as error:
        each = [each for each in found for _ in range(each.pages)][error.args[0]]
        what = f"a {each.style} of {each.size.width:g} × {each.size.height:g} mm does not fit on {paper.upper()}"
        raise UsageError(f"{what} ({each.name}): take a larger paper") from None
    with TemporaryDirectory(prefix="sheetgen-") as folder:
        source, target = Path(folder) / "handouts.pdf", Path(folder) / "sheets.pdf"
        source.write_bytes(gathered([each.data for each in found], title=""))
        for sheet in sheets:
            side = Side(tuple(number + 1 for number in sheet.pieces))
            marks = (*corner_marks(sheet.cells, sheet.paper), *_ruler(sheet))
            plan = Plan(len(sheet.pieces), 1, (side,))
            impose(source, source.name, Imposition(plan, sheet.paper, cells=sheet.cells, marks=(marks,)), target)
            yield target.read_bytes()


def _ruler(sheet: Sheet) -> tuple[Line, ...]:
    """A rule of 50 mm, where there is room for it."""
    rule = check_rule(sheet.cells, sheet.paper)
    return ruler(rule) if rule else ()


def write_handouts(found: Sequence[Leaves], write: Write, *, form: str, paper: str, title: str) -> tuple[str, ...]:
    """Writes handouts as sheets (.pdf), as one picture (.png), or each alone (.zip); comes back with what to do next.

    UsageError for a picture of more than one page.
    """
    if form == ".pdf":
        sheets = on_sheets(found, paper=paper, title=title)
        write(sheets.data)
        return sheets.advice
    if form == ".png":
        pages = sum(each.pages for each in found)
        if pages != 1:
            raise UsageError(
                f"a .png holds one page, and these are {pages}: name one with --only, or make a .pdf or .zip"
            )
        from sheetgen.pdf.pictures import pictures  # imports PDFium

        for picture in pictures(found[0].data):
            write(picture)
        return ()
    with archive(write) as add:
        for each, name in zip(found, slugs(each.name for each in found), strict=True):
            add(f"{name}.pdf", lambda put, each=each: put(gathered([each.data], title=each.title)))  # type: ignore[misc]
    return ()
