"""The pieces of printed sheets: kept in the pages of a PDF when it is made, and taken apart again from there.

A page tells what stands on it in a private part of its own (ISO 32000-1, 14.5), as JSON: `cells`, each with its box in
points and, of what was drawn as a form, the name of that; how the `sheet` was laid out, if it is cut apart; and the
`flip` of its paper.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import groupby
from typing import Any

import pikepdf

from sheetgen.errors import InputError, Place, Problem
from sheetgen.geometry import BLEED, Box, mm
from sheetgen.model.printing import PrintedPiece
from sheetgen.press.join import facts_of
from sheetgen.press.pages import noted
from sheetgen.press.pdf_open import Pdf

MAKERS = ("sheetgen", "WeasyPrint")
FOREIGN = "was not made by sheetgen: only its own results can be compared"
MOST_CELLS = 400
FLIPS = ("", "long", "short")


@dataclass(frozen=True, slots=True)
class TakenApart:
    """The pieces of a file as pages of their own, and what is known of each; its pages, and bookmarks: page, title."""

    data: bytes
    pieces: tuple[PrintedPiece, ...]
    pages: tuple[PrintedPiece, ...]
    titles: tuple[tuple[int, str], ...]


def taken_apart(source: Pdf, shown: str) -> TakenApart:
    """Return the pieces of a file.

    A page that is neither cut nor folded is a piece itself; what is drawn on several sheets, such as a back that cards
    share, is one piece. InputError for a file that is not ours.
    """
    kept = [noted(page.obj) for page in source.pages]
    maker = str(source.docinfo.get("/Producer", "")) if source.trailer.get("/Info") is not None else ""
    if not maker.startswith(MAKERS) and not any(kept):
        raise InputError([Problem(Place(shown), FOREIGN)])
    flip = _flip(source)
    with pikepdf.new() as made, BytesIO() as out:
        found, pages = list[PrintedPiece](), list[PrintedPiece]()
        apart = _Apart(made, found)
        for number, (page, about) in enumerate(zip(source.pages, kept, strict=True), 1):
            turned, name = about.get("flip", flip), about.get("name")
            edge = turned if turned in FLIPS else flip
            back = about.get("back", bool(edge) and number % 2 == 0) is True
            pages.append(PrintedPiece(number, number, name if isinstance(name, str) else "", back=back, flip=edge))
            if cells := _cells(about):
                apart.add(page, number, cells, about, edge)
            else:
                made.pages.append(page)
                found.append(pages[-1])
        titles = tuple(_titles(facts_of(source).marks))
        made.save(out, deterministic_id=True)
        return TakenApart(out.getvalue(), tuple(found), tuple(pages), titles)


def _flip(source: Pdf) -> str:
    asked = source.Root.get("/ViewerPreferences", pikepdf.Dictionary())
    edge = str(asked.get("/Duplex", "")) if isinstance(asked, pikepdf.Dictionary) else ""
    return {"/DuplexFlipLongEdge": "long", "/DuplexFlipShortEdge": "short"}.get(edge, "")


def _titles(marks: Sequence[Any]) -> Iterator[tuple[int, str]]:
    for mark in marks:
        yield mark.page + 1, mark.title
        yield from _titles(mark.below)


def _cells(about: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the cells of a page that are sound; a page that tells nonsense is a piece itself."""
    listed = about.get("cells")
    if not isinstance(listed, list) or len(listed) > MOST_CELLS:
        return []
    sound = all(
        isinstance(each, dict)
        and isinstance(each.get("box"), list)
        and len(each["box"]) == 4
        and all(isinstance(side, (int, float)) and abs(side) < 20_000 for side in each["box"])
        for each in listed
    )
    return listed if sound else []


class _Apart:
    """Takes the cells of pages out, each once."""

    def __init__(self, made: Pdf, found: list[PrintedPiece]) -> None:
        self._made, self._found = made, found
        self._forms: set[tuple[int, int]] = set()

    def add(
        self, page: pikepdf.Page, number: int, cells: Sequence[Mapping[str, Any]], about: Mapping[str, Any], flip: str
    ) -> None:
        """Add each cell of a page that is not there yet."""
        sheet = about.get("sheet")
        cut, whole = isinstance(sheet, dict), None
        for each in cells:
            box = Box(*each["box"])
            drawn = page.obj.get("/Resources", pikepdf.Dictionary()).get("/XObject", pikepdf.Dictionary())
            form = drawn.get(f"/{each['form']}") if isinstance(each.get("form"), str) else None
            if isinstance(form, pikepdf.Stream):
                if form.objgen in self._forms:
                    continue
                self._forms.add(form.objgen)
                self._put(self._made.copy_foreign(form), _trim(form))
            else:
                whole = whole or self._made.copy_foreign(page.as_form_xobject())
                self._put(whole, box, window=box)
            name, told = each.get("name"), each.get("n")
            self._found.append(
                PrintedPiece(
                    number,
                    told if isinstance(told, int) and not isinstance(told, bool) else len(self._found) + 1,
                    name if isinstance(name, str) else "",
                    back=each.get("back") is True,
                    cut=cut,
                    folded=not cut,
                    flip=flip,
                    sheet=sheet if isinstance(sheet, dict) else {},
                    box=box,
                )
            )

    def _put(self, form: pikepdf.Object, trim: Box, window: Box | None = None) -> None:
        """Add a page that shows a form, the corner of its trim box at the same place always, with its bleed."""
        around = mm(BLEED)
        self._made.add_blank_page(page_size=(trim.width + 2 * around, trim.height + 2 * around))
        page = self._made.pages[-1]
        page.trimbox = pikepdf.Array(
            [round(each, 4) for each in (around, around, around + trim.width, around + trim.height)]
        )
        clip = f"{window.x:.4f} {window.y:.4f} {window.width:.4f} {window.height:.4f} re W n " if window else ""
        moved = f"q 1 0 0 1 {around - trim.x:.4f} {around - trim.y:.4f} cm {clip}/P Do Q\n"
        page.obj.Contents = self._made.make_stream(moved.encode())
        page.obj.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(P=form))


def _trim(form: pikepdf.Object) -> Box:
    """Return the trim box of a form: what it keeps, or all that it shows."""
    kept = noted(form).get("trim")
    shown: Any = form.get("/BBox", (0, 0, 1, 1))
    corners = kept if isinstance(kept, list) and len(kept) == 4 else shown
    left, low, right, top = (float(each) for each in corners)
    return Box(left, low, right - left, top - low)


def leaves(pages: Sequence[PrintedPiece], wanted: Iterable[int]) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield the flip and the pages, from 1, of the paper that is printed anew for some: of a leaf both sides."""
    count, chosen = len(pages), set[int]()
    for number in wanted:
        first = number - 1 if pages[number - 1].back and number > 1 else number
        chosen |= {first} | ({first + 1} if first < count and pages[first].back else set())
    for flip, group in groupby(sorted(chosen), key=lambda number: pages[number - 1].flip):
        yield flip, tuple(group)
