"""Copyfitting: a chapter whose last page holds little is set a little closer, where that saves it the page.

This module reaches into WeasyPrint 70; only `composition.py` imports it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import weasyprint.layout as weasyprint_layout

_BETWEEN = ("margin_top", "margin_bottom")
_WITHIN = ("padding_top", "padding_bottom")  # of cells
_LINES = "line_height"
_WIDEST = 0.75  # of a row: what may be added to it
_MOSTLY = 0.4  # of a page: what rows must fill, to be set further apart
FLOW = "data-flow"  # of the element whose children are the blocks of a chapter
SPOT = "data-spot"  # of a drawing at the end of a chapter
LAST = "data-last"  # of the block that ends a chapter
FITTED = "data-fitted"  # of a chapter that is set closer throughout
CLOSER = ((0.85, 0.98), (0.7, 0.955))  # how much less is left between blocks and lines, so that another has room
_REACH = (0.05, 0.1)  # of a page: what each of these saves on every page before the last
_LITTLE = 0.45  # of a page: more is no page to be saved
Made = tuple[Any, Any]
MakePage = Callable[[int, Any, Any, Any], Made]


class Respaced:
    """Blocks that are set otherwise than their style says, until `undone`."""

    def __init__(self, blocks: Iterable[Any], between: float = 1.0, lines: float = 1.0, more: float = 0.0) -> None:
        """Make what stands between blocks and lines so much of what it was, and each row of a table so much higher."""
        self._usual = [_set_spacing(block, between, lines, more) for block in blocks]

    @classmethod
    def rows(cls, blocks: Sequence[Any], page: Any, room: float) -> Respaced | None:
        """Return blocks with the rows of their tables so far apart that they fill a room, if the page is all theirs."""
        shown = {each.element for block in blocks for each in _rows(block)}
        rows = {round(each.position_y): each.height for each in _rows(page) if each.element in shown}
        high = sum(rows.values())
        if not rows or high < _MOSTLY * page.height:
            return None
        return cls(blocks, more=min(room, _WIDEST * high) / len(rows))

    def undone(self, first: int = 0) -> None:
        """Set the blocks from this one on as they were."""
        for usual in self._usual[first:]:
            for box, style in usual:
                box.style = style
        del self._usual[first:]


def _set_spacing(block: Any, between: float, lines: float, more: float) -> list[tuple[Any, Any]]:
    """Give the boxes of a block styles of their own, and return those that they had, which other blocks may share."""
    usual = [(box, box.style) for box in _boxes(block)]
    styles = dict[tuple[int, bool], Any]()
    for box, style in usual:
        is_cell = _is(box, "TableCellBox")
        key = id(style), is_cell
        if key not in styles:
            styles[key] = _respaced(style, is_cell, between, lines, more)
        box.style = styles[key]
    return usual


def _respaced(style: Any, is_cell: bool, between: float, lines: float, more: float) -> Any:
    made = style.copy()
    for name in (*_BETWEEN, *_WITHIN) if is_cell else _BETWEEN:
        value = made[name]
        if getattr(value, "unit", "") == "px" and value.value > 0:
            made[name] = value._replace(value=value.value * between + more / 2 * (name in _WITHIN))
    if isinstance(made[_LINES], float):
        made[_LINES] *= lines
    return made


def _rows(block: Any) -> list[Any]:
    return [box for box in _boxes(block) if _is(box, "TableRowBox")]


def _boxes(block: Any) -> tuple[Any, ...]:
    return (block, *block.descendants()) if hasattr(block, "descendants") else (block,)


def _is(box: Any, name: str) -> bool:
    return type(box).__name__ == name


@contextmanager
def copyfitted(make_page: MakePage, as_styled: Callable[[int], None]) -> Iterator[None]:
    """Let chapters that are laid out meanwhile end on a page with something on it.

    `make_page` lays out a page by its index; `as_styled` takes back what it did to the blocks of that page.
    """
    usual, fits = weasyprint_layout.make_all_pages, dict[Any, _Fit]()

    def all_pages(context: Any, root_box: Any, html: Any, pages: list[Any]) -> Iterator[Any]:
        if context.footnotes or not any(about(box, FLOW) is not None for box in root_box.descendants()):
            return usual(context, root_box, html, pages)  # type: ignore[no-any-return]
        made = _Round(context, root_box, html, pages, make_page, as_styled, fits).made()
        _tell_pages(context, len(made))
        return iter(made)

    weasyprint_layout.make_all_pages = all_pages
    try:
        yield
    finally:
        weasyprint_layout.make_all_pages = usual


def _tell_pages(context: Any, count: int) -> None:
    """Let references name the pages of this round; the next makes those pages again on which a reference has changed.

    WeasyPrint 70 loses the names of places in `attr(href)`, so that references are right a round too late, and takes
    the number of all pages for news to each of them.
    """
    for (box, token), lookup in context.target_collector.counter_lookup_items.items():
        counters, at = lookup.cached_page_counter_values, lookup.page_maker_index
        shows = {name for names in lookup.missing_target_counters.values() for name in names}
        if token != "content" or at is None or at >= count or "pages" in shows.union(lookup.missing_counters):
            continue
        counters["pages"] = [count]
        before = _box_text(box)
        lookup.parse_again(counters)
        context.page_maker[at][-1]["content_changed"] |= _box_text(box) != before


def _box_text(box: Any) -> str:
    return "".join(part.text for part in box.descendants() if hasattr(part, "text"))


def about(box: Any, name: str) -> str | None:
    """Return an attribute of the element that a box stands for as a whole; None if it has none."""
    if box.element is None or not hasattr(box.element, "get") or box.element_tag != box.element.tag:
        return None
    found: str | None = box.element.get(name)
    return found


def end_of(box: Any) -> float:
    """Return where the ink of a box ends; a box that goes on overleaf reaches to the foot of the page itself."""
    ends = [end_of(child) for child in getattr(box, "children", ()) if child.is_in_normal_flow()]
    edge = box.border_box_y() + box.border_height() if hasattr(box, "border_top_width") else 0.0
    whole = not ends or getattr(box, "replacement", None) is not None or type(box).__name__ == "LineBox"
    framed = not whole and box.border_bottom_width
    return float(edge if whole or framed else max(ends))


class _Fit:
    """How a chapter is set: as its style says at first, then closer as long as that may save its last page."""

    def __init__(self, chapter: Any) -> None:
        self.chapter, self.order = chapter, list(chapter.children)
        self.pages, self._tried = 0, 0
        self._respaced: Respaced | None = None

    def closer(self, pages: int, used: float) -> bool:
        """Return whether a chapter of so many pages, the last used to this part, is to be laid out again."""
        saved, self.pages = self._respaced is not None and pages < self.pages, pages
        if saved or used > _LITTLE or self._tried > len(CLOSER):
            return False
        while self._tried < len(CLOSER) and used > (pages - 1) * _REACH[self._tried]:
            self._tried += 1
        again = self._respaced is not None or self._tried < len(CLOSER)
        self._take_back()
        if self._tried < len(CLOSER):
            self._respaced = Respaced(self.order[1:], *CLOSER[self._tried])
            self.chapter.element.set(FITTED, "")
        self._tried += 1
        return again

    def _take_back(self) -> None:
        self.chapter.children = list(self.order)
        self.chapter.element.attrib.pop(FITTED, None)
        if self._respaced is not None:
            self._respaced.undone()
            self._respaced = None


@dataclass
class _Round:
    """One round of WeasyPrint over all pages of a document."""

    context: Any
    root: Any
    html: Any
    before: list[Any]  # the pages of the round before
    make_page: MakePage
    as_styled: Callable[[int], None]
    fits: dict[Any, _Fit]
    pages: list[Any] = field(default_factory=list)
    outdated: set[int] = field(default_factory=set)  # pages that the next round makes again

    def made(self) -> list[Any]:
        """Return the pages; those that nothing has changed are kept from the round before."""
        context, first, open_chapter = self.context, 0, None
        context.rendered_notes = []
        while True:
            index = len(self.pages)
            chapter = chapter_at(self.root, context.page_maker[index][0], begins=not index)
            if chapter is not open_chapter:
                first, open_chapter = index, chapter
                if chapter is not None and chapter.element not in self.fits:
                    self.fits[chapter.element] = _Fit(chapter)
            page, resume_at = self._page(index)
            self.pages.append(page)
            ends = chapter is not None and chapter_at(self.root, resume_at) is not chapter
            if ends and self.fits[chapter.element].closer(len(self.pages) - first, _used(page, chapter)):
                self._go_back(first)
            elif resume_at is None:
                context.page_maker = context.page_maker[: index + 2]
                context.broken_out_of_flow.clear()
                return self.pages

    def _page(self, index: int) -> Made:
        state = self.context.page_maker[index][-1]
        if self.before and not state["content_changed"] and not state["pages_wanted"]:
            return self.before[index], self.context.page_maker[index + 1][0]
        state.update(content_changed=False, pages_wanted=False, anchors=[], content_lookups=[])
        made = self.make_page(index, self.context, self.root, self.html)
        state["content_changed"] |= index in self.outdated and made[1] is not None
        return made

    def _go_back(self, first: int) -> None:
        states = [self.context.page_maker[index][-1] for index in range(first, len(self.pages))]
        if any(state["content_changed"] for state in states):  # by page numbers that WeasyPrint now believes to be told
            self.outdated |= set(range(first, len(self.pages)))
        for index, state in enumerate(states, first):
            self.as_styled(index)
            state["content_changed"] = True
        del self.pages[first:]
        self.context.broken_out_of_flow.clear()


def chapter_at(root: Any, resume_at: Any, *, begins: bool = False) -> Any:
    """Return the chapter that a page goes on with; None if it is none, or if nothing is left and nothing begins."""
    box: Any = root if resume_at or begins else None
    while getattr(box, "children", ()) and about(box, FLOW) is None:
        if resume_at and len(resume_at) > 1:  # columns that go on side by side
            return None
        index, resume_at = next(iter(resume_at.items())) if resume_at else (0, None)
        box = box.children[index] if index < len(box.children) else None
    return box if box is not None and about(box, FLOW) is not None else None


def _used(page: Any, chapter: Any) -> float:
    """Return how much of its last page a chapter uses; the drawing at its end uses nothing."""
    shown = next((box for box in page.descendants() if box.element is chapter.element), None)
    ends = [end_of(block) for block in shown.children if about(block, SPOT) is None] if shown is not None else []
    return float((max(ends, default=0.0) - page.content_box_y()) / page.height)
