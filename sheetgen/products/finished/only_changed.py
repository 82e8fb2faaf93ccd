"""Only what changed since it was printed: cards on few sheets, pages with the other side of their leaf, and an order
sheet that says which to throw away and where each new one goes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from sheetgen.errors import UsageError
from sheetgen.geometry import PAPERS, Size, millimetres
from sheetgen.model.printing import CHANGED, GONE, MOVED, NEW, SAME, Change, PrintJob
from sheetgen.press.pages import BoundPart, bound, page_count, page_sizes, select_pages, without_links
from sheetgen.press.pieces import leaves
from sheetgen.products.cards.sheets import BACKS, FOLDED, CardSheetOptions, lay_out_cards
from sheetgen.products.finished.comparison import Comparison, told_of
from sheetgen.products.finished.diff import MOST_SMALL, SMALL_ROOM, PiecePictures, report_page
from sheetgen.products.session.parts import printing_runs
from sheetgen.products.session.run_sheet import PartInFile
from sheetgen.workspace.project import Project

ORDER_SHEET = "what to throw away, and where the new ones go"


@dataclass(frozen=True, slots=True)
class OnlyChanged:
    """What is printed of a result, as PDF, in a few words, and how to print it."""

    data: bytes
    what: str
    advice: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Run:
    """Sheets that are printed alike, and where on them each change stands, by its identity."""

    data: bytes
    about: PartInFile
    places: Mapping[int, str]
    job: PrintJob | None = None


def only_changed(project: Project, comparison: Comparison, new: Path, *, date: str, moved: bool = False) -> OnlyChanged:
    """Return what is to be printed of a new file that differs from what was printed on a day.

    Pages that only have another number now are printed if `moved` is asked for. UsageError where nothing differs.
    """
    if comparison.same:
        raise UsageError(f"{project.shown(new)} shows the same as what was printed{_on_date(date)}")
    wanted = comparison.of(CHANGED, NEW, *((MOVED,) if moved else ()))
    cut = [each for each in wanted if each.new and _options(each.new.piece.sheet) is not None]
    whole = [each for each in wanted if each not in cut]
    runs = [*_cards(comparison, cut), *_pages(comparison, whole, new)]
    order = _order_sheet(project, comparison, runs, new, date=date, moved=moved)
    paper = _paper(runs[0].data) if runs else "a4"
    sheet = PartInFile(ORDER_SHEET, page_count(order), paper)
    both = bool(runs) and len({each.about.flip for each in runs}) == 1 and bool(runs[0].about.flip)
    if both and sheet.pages % 2:
        sheet = PartInFile(ORDER_SHEET, sheet.pages + 1, paper)
    parts = [BoundPart(order, "What to do"), *(BoundPart(run.data, run.about.title.capitalize()) for run in runs)]
    data = bound(parts, title=f"Changed: {new.stem}", author="", two_sided=both)
    abouts = [sheet, *(run.about for run in runs)]
    steps = [step.text for run in runs if run.job for step in run.job.steps]
    count = len([each for each in wanted if each.kind != MOVED])
    what = (
        f"{_counted(count, comparison)}, {_thrown_away(comparison)}"
        if comparison.of(GONE)
        else _counted(count, comparison)
    )
    return OnlyChanged(data, what, (*printing_runs(abouts), *dict.fromkeys(steps)))


def _counted(count: int, comparison: Comparison) -> str:
    what = comparison.unit
    there = sum(each.new is not None for each in comparison.changes)
    return f"{count} of {there} {what}{'' if there == 1 else 's'} to print"


def _thrown_away(comparison: Comparison) -> str:
    return f"{len(comparison.of(GONE))} to throw away for good"


def _on_date(date: str) -> str:
    return f" on {date}" if date else ""


def _options(sheet: Mapping[str, object]) -> tuple[Size, CardSheetOptions] | None:
    """Return how cards were laid out on their paper, as a sheet keeps it; None where it keeps nothing sound."""
    card, paper, shift = sheet.get("card"), sheet.get("paper"), sheet.get("shift", [0, 0])
    sides = [each for pair in (card, shift) if isinstance(pair, list) for each in pair]
    numbers = [sheet.get("margin", 5.0), *sides]
    if len(numbers) != 5 or not all(isinstance(each, (int, float)) and abs(each) < 2_000 for each in numbers):
        return None
    margin, width, height, right, up = (float(each) for each in numbers)
    backs, flip = sheet.get("backs"), sheet.get("flip", "long")
    if paper not in PAPERS or backs not in (*BACKS, *FOLDED) or min(width, height) <= 0:
        return None
    finish = sheet.get("finish", "")
    return Size(width, height), CardSheetOptions(
        str(paper),
        str(backs),
        "short" if flip == "short" else "long",
        bleed=sheet.get("bleed") is True,
        margin=margin,
        marks=sheet.get("marks") is not False,
        shift=(right, up),
        finish=finish[:200] if isinstance(finish, str) else "",
    )


def _cards(comparison: Comparison, changes: Sequence[Change]) -> Iterator[_Run]:
    """Yield sheets with the cards that are printed anew, those that were laid out alike together."""

    def laid_out(change: Change) -> str:
        return json.dumps(dict(change.shown.piece.sheet), sort_keys=True)

    for _, group in groupby(sorted(changes, key=laid_out), key=laid_out):
        alike = list(group)
        found = _options(alike[0].shown.piece.sheet)
        assert found is not None
        size, options = found
        fronts = [each.new for each in alike if each.new]
        pages = [at + 1 for each in fronts for at in (each.at, each.back_at if each.back_at >= 0 else each.at)]
        made = lay_out_cards(select_pages(comparison.new, pages), size, options, names=[each.called for each in fronts])
        per_sheet = len(made.job.cells) // (2 if options.backs in FOLDED else 1)
        places = {id(each): f"sheet {at // per_sheet + 1}, place {at % per_sheet + 1}" for at, each in enumerate(alike)}
        title = f"{len(alike)} {'card' if len(alike) == 1 else 'cards'}"
        about = PartInFile(title, page_count(made.data), options.paper, made.job.flip, apart=True)
        yield _Run(made.data, about, places, made.job)


def _pages(comparison: Comparison, changes: Sequence[Change], new: Path) -> Iterator[_Run]:
    """Yield the pages that are printed anew, each with the other side of its leaf."""
    if not changes:
        return
    whole = without_links(new.read_bytes())
    for flip, numbers in leaves(comparison.pages, [each.new.piece.page for each in changes if each.new]):
        data = select_pages(whole, numbers)
        places = {
            id(each): f"page {numbers.index(each.new.piece.page) + 1} of these"
            for each in changes
            if each.new and each.new.piece.page in numbers
        }
        title = f"{len(numbers)} page{'' if len(numbers) == 1 else 's'}"
        yield _Run(data, PartInFile(title, len(numbers), _paper(data), flip, apart=True), places)


def _paper(data: bytes) -> str:
    """Return the paper that the first page of a PDF is as large as; A4 for none that is known."""
    wide, high = sorted(millimetres(each) for each in page_sizes(data)[0])
    found = (name for name, size in PAPERS.items() if abs(wide - size.width) + abs(high - size.height) < 3)
    return next(found, "a4")


def _order_sheet(
    project: Project, comparison: Comparison, runs: Sequence[_Run], new: Path, *, date: str, moved: bool
) -> bytes:
    """Return the order sheet: for each piece what to throw away, what takes its place, and where that is printed."""
    listed = comparison.of(CHANGED, NEW, GONE)
    pictures = PiecePictures.of(comparison, listed[:MOST_SMALL], large=False)
    places = {key: place for run in runs for key, place in run.places.items()}
    several = len(runs) > 1
    rows = [
        {
            "kind": change.kind,
            "title": change.shown.called,
            "said": (_what_changed(change),),
            "where": places.get(id(change), ""),
            "goes": _where_it_goes(comparison, change),
            "old": pictures.side(change.old, old=True, back=False),
            "new": pictures.side(change.new, old=False, back=False),
        }
        for change in listed
    ]
    still = comparison.of(MOVED)
    lines = list(Comparison(changes=still).told()) if still else []
    if still and not moved:
        lines.append("Those are not printed again: write the new number in by hand, or print them with --moved.")
    data = {
        "title": "Only what changed",
        "what": f"{new.name}, since it was printed{_on_date(date)}: {comparison.summary()}",
        "order": True,
        "rows": rows,
        "lines": lines,
        "room": SMALL_ROOM,
        "several": several,
        "same": len(comparison.of(SAME)),
    }
    return report_page(project, data, paper=_paper(runs[0].data) if runs else "a4", form=".pdf")


def _what_changed(change: Change) -> str:
    _, _, words = told_of(change).partition(": ")
    return "" if change.kind in (NEW, GONE) else words


def _where_it_goes(comparison: Comparison, change: Change) -> str:
    """Return where a new piece goes, as one would say it."""
    if change.kind == GONE:
        return "throw it away; nothing takes its place"
    pieces = [each.new for each in comparison.changes if each.new]
    at = pieces.index(change.shown)
    behind = f"behind {pieces[at - 1].called}" if at else "at the very front"
    if change.kind == NEW:
        return behind
    piece = change.shown.piece
    if piece.folded:
        sheet = piece.page if not piece.flip else (piece.page + 1) // 2
        return f"in place of sheet {sheet}, which it is printed on with the pages beside and behind it"
    leaf = "" if piece.cut else ", both sides of the leaf" if piece.flip else ""
    return f"in place of the old one, {behind}{leaf}"
