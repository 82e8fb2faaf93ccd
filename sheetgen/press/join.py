"""PDFs of anybody's joined into one: pages, bookmarks and links of each, blanks where a part begins on the right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import pikepdf

from sheetgen.geometry import Box
from sheetgen.press.impose import flatten
from sheetgen.press.pages import MAKER, Pdf, add_link, printed_as_it_is

DEEPEST, MOST_MARKS = 4, 2_000


@dataclass(frozen=True, slots=True)
class JoinedMark:
    """A bookmark of a part: its title, its page, from 0, and those below it."""

    title: str
    page: int
    below: tuple[JoinedMark, ...] = ()


@dataclass(frozen=True, slots=True)
class PartFacts:
    """What a part is: its title, if it says one, its pages, the size of the first in points, and its bookmarks."""

    title: str
    pages: int
    size: tuple[float, float]
    marks: tuple[JoinedMark, ...]


def facts_of(source: Pdf) -> PartFacts:
    """Return what a part of a joined file is."""
    left, low, right, top = (float(each) for each in source.pages[0].mediabox)
    places = _Places(source)
    with source.open_outline(max_depth=DEEPEST) as outline:
        marks = tuple(_marks(outline.root, places, DEEPEST))
    title = str(source.docinfo.get("/Title", "")).strip() if source.trailer.get("/Info") is not None else ""
    return PartFacts(" ".join(title.split()), len(source.pages), (right - left, top - low), marks)


class _Places:
    """Where in a file the targets of links and bookmarks are: the number of the page, from 0."""

    def __init__(self, source: Pdf) -> None:
        self.numbers = {page.obj.objgen: at for at, page in enumerate(source.pages)}
        names = source.Root.get("/Names", pikepdf.Dictionary()).get("/Dests")
        self.tree: Any = pikepdf.NameTree(names) if names is not None else {}
        self.old: Any = source.Root.get("/Dests", pikepdf.Dictionary())

    def page(self, target: object) -> int | None:
        """Return the page of a destination or an action; None for what leads out of the file or nowhere."""
        if isinstance(target, pikepdf.Dictionary):
            if target.get("/S") not in (None, pikepdf.Name.GoTo):
                return None
            target = target.get("/D")
        if isinstance(target, pikepdf.Name):
            target = self.old.get(str(target))
        elif isinstance(target, (pikepdf.String, str)):
            target = self.tree.get(str(target))
        if isinstance(target, pikepdf.Dictionary):
            target = target.get("/D")
        if not isinstance(target, pikepdf.Array) or not len(target):
            return None
        return self.numbers.get(getattr(target[0], "objgen", (0, 0)))


def _marks(items: Sequence[Any], places: _Places, depth: int) -> Iterator[JoinedMark]:
    for item in items[:MOST_MARKS]:
        page = places.page(item.destination if item.destination is not None else item.action)
        below = tuple(_marks(item.children, places, depth - 1)) if depth else ()
        if page is not None:
            yield JoinedMark(item.title, page, below)
        else:
            yield from below


@dataclass(frozen=True, slots=True)
class JoinPlan:
    """What the joined file is called, its titles, and before which parts a blank page stands; `before` is for parts.

    `links` lead from boxes on pages of the front, from 0, to pages of the file.
    """

    title: str
    titles: tuple[str, ...]
    starts: tuple[int, ...]
    links: tuple[tuple[int, Box, int], ...] = ()
    two_sided: bool = True


def joined(
    front: bytes, sources: Iterator[Pdf], facts: Sequence[PartFacts], plan: JoinPlan, target: Path
) -> tuple[str, ...]:
    """Write the front and all parts to a file; return a note on each kind of thing that is lost."""
    notes = dict[str, None]()
    with pikepdf.new() as made:
        if front:
            with pikepdf.open(BytesIO(front)) as pages:
                made.pages.extend(pages.pages)
        inner = list[tuple[int, Box, int]]()
        for source, start in zip(sources, plan.starts, strict=True):
            _pad(made, start)
            inner += [(start + at, box, start + to) for at, box, to in _links(source)]
            notes |= dict.fromkeys(flatten(source))
            made.pages.extend(source.pages)
        for at, box, to in (*plan.links, *inner):
            add_link(made, made.pages[at], box, made.pages[to])
        with made.open_outline() as outline:
            for title, start, each in zip(plan.titles, plan.starts, facts, strict=True):
                entry = pikepdf.OutlineItem(title, start)
                entry.children.extend(_outline(each.marks, start))
                outline.root.append(entry)
        made.docinfo["/Title"], made.docinfo["/Producer"] = plan.title, MAKER
        made.Root.PageMode = pikepdf.Name.UseOutlines
        made.Root.ViewerPreferences = printed_as_it_is("long" if plan.two_sided else "")
        made.save(target, object_stream_mode=pikepdf.ObjectStreamMode.generate, deterministic_id=True)
    return tuple(notes)


def _pad(made: Pdf, start: int) -> None:
    """Add blank pages as large as the last one until a part begins where it should."""
    while len(made.pages) < start:
        _, _, width, height = (float(each) for each in made.pages[-1].mediabox)
        made.add_blank_page(page_size=(width, height))


def _links(source: Pdf) -> Iterator[tuple[int, Box, int]]:
    """Yield the links within a part as page, box and page, and take them off its pages: copied, they lead nowhere."""
    places = _Places(source)
    for at, page in enumerate(source.pages):
        kept = []
        for each in page.obj.get("/Annots", ()):
            target = each.get("/Dest", each.get("/A")) if each.get("/Subtype") == pikepdf.Name.Link else None
            to = places.page(target) if target is not None else None
            if to is None:
                kept.append(each)
            else:
                x1, y1, x2, y2 = (float(number) for number in each.Rect)
                yield at, Box(min(x1, x2), min(y1, y2), abs(x2 - x1), abs(y2 - y1)), to
        if "/Annots" in page.obj:
            page.obj.Annots = pikepdf.Array(kept)


def _outline(marks: Sequence[JoinedMark], start: int) -> Iterator[Any]:
    for mark in marks:
        item = pikepdf.OutlineItem(mark.title, start + mark.page)
        item.children.extend(_outline(mark.below, start))
        yield item
