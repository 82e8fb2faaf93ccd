"""Two results of ours side by side: what changed in words, and in pictures with the places marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sheetgen.documents.render import environment, render
from sheetgen.errors import UsageError
from sheetgen.geometry import PAPERS, SHEET_PAPERS, Box
from sheetgen.model.printing import CHANGED, GONE, MOVED, NEW, SAME, Change, ShownPiece
from sheetgen.press.pages import select_pages
from sheetgen.products.finished.comparison import Comparison, compare
from sheetgen.products.form_cache import published_plain, use_bundled_fonts
from sheetgen.products.options import Options, paper_option
from sheetgen.products.product import Argument, Product, ProductResult
from sheetgen.workspace.project import Project

TEMPLATE = "press/changes.html"
MOST_LARGE, MOST_SMALL = 40, 100  # changes with pictures; more are told in words alone
LARGE_DPI, SMALL_DPI = 96, 60
SIDE_ROOM, SMALL_ROOM = (82.0, 112.0), (24.0, 33.0)  # mm: how wide and how tall a picture is shown


@dataclass(frozen=True, kw_only=True)
class DiffOptions(Options):
    """On which paper the report is."""

    paper: str = paper_option(SHEET_PAPERS, "a report is made for")


@dataclass(frozen=True, slots=True)
class TwoResults:
    """An earlier result and a later one, and how the later differs."""

    old: Path
    new: Path
    comparison: Comparison


def open_two(project: Project, given: Any, options: DiffOptions) -> TwoResults:
    """Return two results compared; InputError for a file that is damaged, or no result of ours."""
    old, new = (project.where / each for each in given)
    return TwoResults(old, new, compare(old, new, shown=(project.shown(old), project.shown(new))))


def pictures_of(data: bytes, numbers: Sequence[int], *, dpi: int) -> dict[int, str]:
    """Return pages, from 0, as pictures in data addresses."""
    from sheetgen.pdf.pdfium import addresses  # imports PDFium

    wanted = sorted({at for at in numbers if at >= 0})
    if not wanted:
        return {}
    return dict(zip(wanted, addresses(select_pages(data, [at + 1 for at in wanted]), dpi=dpi), strict=True))


@dataclass(frozen=True, slots=True)
class PiecePictures:
    """The pictures of old and new pieces, and how large they are shown."""

    old: dict[int, str]
    new: dict[int, str]
    room: tuple[float, float]

    @classmethod
    def of(cls, comparison: Comparison, changes: Sequence[Change], *, large: bool) -> PiecePictures:
        """Return the pictures that these changes are shown by."""
        dpi, room = (LARGE_DPI, SIDE_ROOM) if large else (SMALL_DPI, SMALL_ROOM)
        sides = ([each for each in (getattr(change, side) for change in changes) if each] for side in ("old", "new"))
        old, new = ([at for each in side for at in (each.at, each.back_at)] for side in sides)
        return cls(pictures_of(comparison.old, old, dpi=dpi), pictures_of(comparison.new, new, dpi=dpi), room)

    def side(self, shown: ShownPiece | None, *, old: bool, back: bool, spots: Sequence[Box] = ()) -> dict[str, Any]:
        """Return what the template shows of a piece, or of its back."""
        found = (self.old if old else self.new).get((shown.back_at if back else shown.at) if shown else -1, "")
        marks = [{"x": 100 * box.x, "y": 100 * box.y, "w": 100 * box.width, "h": 100 * box.height} for box in spots]
        return {"address": found, "marks": marks, "called": shown.called if shown and not back else ""}


def rows_of(comparison: Comparison) -> list[dict[str, Any]]:
    """Return what the report shows of each change: its kind, its words, and the pictures before and after."""
    spots = dict(zip(map(id, comparison.changes), comparison.spots, strict=True))
    listed = comparison.of(CHANGED, NEW, GONE)
    pictures = PiecePictures.of(comparison, listed[:MOST_LARGE], large=True)
    rows = list[dict[str, Any]]()
    for change in listed:
        old, new = change.old, change.new
        behind = bool(old and new and old.back != new.back)
        front = not (old and new) or old.look != new.look
        marked = spots[id(change)]
        rows += [
            {
                "kind": change.kind,
                "title": change.shown.called + (", back" if back else ""),
                "said": change.words if front or back else (),
                "old": pictures.side(old, old=True, back=back, spots=() if back else marked),
                "new": pictures.side(new, old=False, back=back, spots=() if back else marked),
            }
            for back in ((False, True) if behind and front else (True,) if behind else (False,))
        ]
    return rows


def report_page(project: Project, data: dict[str, Any], *, paper: str, form: str) -> bytes:
    """Return a report, or an order sheet, as PDF or web page."""
    from sheetgen.pdf.flow.document import flow  # imports WeasyPrint

    size = PAPERS[paper if paper in SHEET_PAPERS else SHEET_PAPERS[0]]
    html = render(
        environment((project.templates,), project.shown), TEMPLATE, {**data, "width": size.width, "height": size.height}
    )
    use_bundled_fonts(project)
    if form == ".html":
        return published_plain(html, "report").encode()
    return flow(html, root=project.templates, name="report")


def make_diff(project: Project, two: TwoResults, options: DiffOptions, form: str) -> ProductResult:
    """Return the report on two results; UsageError where they show the same."""
    comparison = two.comparison
    if comparison.same:
        raise UsageError(
            f"{project.shown(two.new)} shows the same as {project.shown(two.old)}: there is nothing to report"
        )
    told = comparison.of(MOVED)
    data = {
        "title": f"What changed in {two.new.name}",
        "what": comparison.summary(),
        "names": [project.shown(two.old), project.shown(two.new)],
        "rows": rows_of(comparison),
        "lines": [*comparison.lines, *(Comparison(changes=told).told() if told else ())],
        "room": SIDE_ROOM,
        "same": len(comparison.of(SAME)),
    }
    return ProductResult(report_page(project, data, paper=options.paper, form=form), comparison.summary())


DIFF: Product[TwoResults, DiffOptions] = Product(
    "diff",
    "how a later result differs from an earlier one, in words and side by side",
    formats=(".pdf", ".html"),
    options=DiffOptions,
    arguments=(
        Argument("old", "a result of ours, as it was", "OLD"),
        Argument("new", "the same as it is now", "NEW"),
    ),
    open=open_two,
    make=make_diff,
    stem=lambda two, options: f"{two.new.stem}-diff",
    inputs=lambda project, two: (two.old, two.new),
)
