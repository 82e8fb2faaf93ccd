"""Passes of our own over the pages that WeasyPrint makes, each page as soon as it is laid out.

What stands in the outer margin, or reaches into it, is laid out to the right of the text; on left pages it is turned
over to the other side (`data-outer`). Where a figure or another block that may float (`data-float`) leaves a gap at the
foot of a page, the words that follow it move in front of it. A drawing that only fills the end of a chapter
(`data-spot`) goes where there is little room for it. An index names each page once (`data-pages`). `copyfit.py` sets
chapters closer whose last page holds little. Both reach into WeasyPrint 70; only `layout.py` imports them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from weasyprint.layout import inline as weasyprint_inline
from weasyprint.layout import page as weasyprint_page
from weasyprint.layout import preferred as weasyprint_preferred

from sheetgen.pdf.flow.copyfit import (
    CLOSER,
    FITTED,
    FLOW,
    LAST,
    SPOT,
    Made,
    Respaced,
    about,
    chapter_at,
    copyfitted,
    end_of,
)
from sheetgen.pdf.flow.weasyprint_hooks import balanced_columns

OUTER = "data-outer"  # of an element that reaches into the outer margin; with the value `lines` its lines turn as well
FLOAT = "data-float"  # of a block that may come later than where it is spoken of
SHOWN = "data-shown"  # of a table or figure that its heading stays with
PAGES = "data-pages"  # of an entry of an index: each of its links leads to a page
HEADINGS = ("h1", "h2", "h3")
_GAP, _ROOM = 0.08, 0.235  # of a page: what is worth filling, what has room for a drawing
_FURTHEST, _TOGETHER = 8, 3  # blocks that one may float past, and that may float together
_WORST = 0.2  # of a page: rather a line alone under its heading, or a page for the block that ends the chapter
_LEFT = 0.03  # of a page: what rows that are set further apart leave
_NEAR = 80  # letters: no word that a line ends with is longer, or it is looked at with all that follows
_AHEAD = 4  # blocks that may come onto a page that is set closer


@contextmanager
def composed() -> Iterator[None]:
    """Let the pages that are laid out meanwhile be composed."""
    usual, entries, respaced = weasyprint_page.remake_page, list[Any](), dict[int, list[Respaced]]()

    def as_styled(index: int) -> None:
        for before in reversed(respaced.pop(index, [])):  # the page is made again, perhaps with other words
            before.undone()

    def composed_page(index: int, context: Any, root_box: Any, html: Any) -> Made:
        if not index:
            entries[:] = [box for box in root_box.descendants() if _is_line(box) and about(box, PAGES) is not None]
        if chapter_at(root_box, context.page_maker[index][0], begins=not index) is None:
            _name_once(context, entries)
        as_styled(index)

        def make() -> Made:
            # What a trial had on this page may stand on the next in the end, and is named there.
            context.page_maker[index][-1].update(anchors=[], content_lookups=[])
            return usual(index, context, root_box, html)  # type: ignore[no-any-return]

        made = _gap_filled(make(), make, root_box)
        if _gap(made[0]) >= _WORST:
            made = _gap_filled(made, make, root_box, anywhere=True)
        made, closer = _closer(made, make, root_box, context.page_maker[index][0])
        made, moved = _with_words(made, make, root_box)
        respaced[index] = [each for each in (closer, moved) if each is not None]
        page, resume_at = _spotted(made, make, root_box, context.page_maker[index][0])
        _end_with_words(page)
        if page.page_type.side == "left":
            _turn(page, page.content_box_x(), page.width)
        return page, resume_at

    weasyprint_page.remake_page = composed_page
    try:
        with copyfitted(composed_page, as_styled), _lines_known(), _first_letters_known(), balanced_columns():
            yield
    finally:
        weasyprint_page.remake_page = usual


@contextmanager
def _lines_known() -> Iterator[None]:
    """Split each line of the same words and width once: nearly half of them come again in another try of their page.

    A line that fits but for the blank at its end stays whole: WeasyPrint 70 sets its first word alone.
    """
    usual, known = weasyprint_inline.split_first_line, dict[tuple[Any, ...], tuple[Any, Any]]()

    def whole(text: str, style: Any, context: Any, width: Any, *rest: Any, **more: Any) -> Any:
        found = usual(text, style, context, width, *rest, **more)
        _, length, resume_at, *_ = found
        if resume_at is None or text[-1:] != " " or style["white_space"] != "normal" or b" " in text.encode()[:length]:
            return found
        line = text.rstrip(" ")
        fitting = usual(line, style, context, width, *rest, **more)
        if fitting[2] is not None or fitting[3] > width:
            return found
        return (*fitting[:2], len(line.encode()), *fitting[3:])  # the blank is for the next line to leave out

    def once(text: str, style: Any, context: Any, width: Any, *rest: Any, **more: Any) -> Any:
        key = id(style), text, width, *rest, *more.items()
        if key not in known:
            known[key] = whole(text, style, context, width, *rest, **more), style  # kept, so that its id stays its own
        return known[key][0]

    weasyprint_inline.split_first_line = once
    try:
        yield
    finally:
        weasyprint_inline.split_first_line = usual


@contextmanager
def _first_letters_known() -> Iterator[None]:
    """Look for the least width of a text at a little of it at a time.

    WeasyPrint 70 sets all that follows anew for each of its lines, which may be as many as its letters: a page of them
    took ten seconds.
    """
    usual, known = weasyprint_preferred.split_first_line, dict[tuple[Any, ...], tuple[Any, Any]]()

    def split(text: str, style: Any, context: Any, width: Any, *rest: Any, **more: Any) -> Any:
        if width != 0 or len(text) <= _NEAR:
            return usual(text, style, context, width, *rest, **more)
        key = id(style), text[:_NEAR], *rest, *more.items()
        if key not in known:
            known[key] = usual(text[:_NEAR], style, context, width, *rest, **more), style
        found = known[key][0]
        ends_early = found[2] is not None and found[2] < _NEAR // 2  # what was left out is far from its end
        return found if ends_early else usual(text, style, context, width, *rest, **more)

    weasyprint_preferred.split_first_line = split
    try:
        yield
    finally:
        weasyprint_preferred.split_first_line = usual


def _end_with_words(page: Any) -> None:
    """Let the rule beside a block that goes on overleaf end where its words do, not at the foot of the page."""
    box = page.children[0]
    while getattr(box, "children", ()) and not _is_line(box):
        if box.border_left_width:
            box.height = min(box.height, end_of(box) - box.content_box_y())
        box = box.children[-1]


def _is_line(box: Any) -> bool:
    return type(box).__name__ == "LineBox"


def _turn(box: Any, left: float, width: float) -> None:
    """Turn over what reaches into the outer margin of a page whose text has this left edge and width."""
    for child in box.all_children():
        outer = about(child, OUTER)
        if outer is not None:
            child.translate(dx=2 * (left - child.border_box_x()) + width - child.border_width())
            if outer == "lines":
                _turn_lines(child)
        elif hasattr(child, "children"):
            _turn(child, left, width)


def _turn_lines(box: Any) -> None:
    """Set the lines of a box flush with its right edge."""
    edge = box.content_box_x() + box.width
    for line in box.descendants():
        if _is_line(line) and line.children:
            line.translate(dx=edge - max(each.position_x + each.width for each in line.children))


def _broken(root_box: Any, resume_at: Any) -> tuple[Any, int] | None:
    """Return the chapter that goes on after a page with the block that it goes on with, none of it being printed."""
    box = root_box
    while resume_at:
        if len(resume_at) > 1:  # columns that go on side by side
            return None
        ((index, resume_at),) = resume_at.items()
        if about(box, FLOW) is not None:
            return None if resume_at or not index else (box, index)
        if index >= len(box.children):  # nothing of it stands on this page
            return None
        box = box.children[index]
    return None


def _gap(page: Any) -> float:
    """Return how much of a page is left empty at its foot."""
    return float((page.content_box_y() + page.height - end_of(page.children[0])) / page.height)


def _ends_well(block: Any) -> bool:
    """Return whether something else may stand between a block and what follows it."""
    if not block.is_in_normal_flow() or block.element_tag in HEADINGS:
        return False
    words = "".join(each.text for each in block.descendants() if hasattr(each, "text")).rstrip()
    return bool(words) and not words.endswith(":")


def _gap_filled(made: Made, make: Callable[[], Made], root_box: Any, *, anywhere: bool = False) -> Made:
    """Return the page with the gap at its foot filled by words from behind the block that left it, where that helps."""
    for _ in range(_TOGETHER):
        broken, gap = _broken(root_box, made[1]), _gap(made[0])
        if broken is None or gap < _GAP or not _ends_well(broken[0].children[broken[1] - 1]):
            break
        chapter, at = broken
        best = usual = chapter.children
        found = made
        for count, block in enumerate(usual[at : at + _TOGETHER], 1):
            if about(block, FLOAT) is None:
                break
            for order, behind in _later(usual, at, count, anywhere=anywhere):
                chapter.children = order
                tried = make()
                if _gap(tried[0]) < gap - 0.01:
                    best, gap, found = order, _gap(tried[0]), tried
                after = _broken(root_box, tried[1])
                if gap < _GAP or after is None or after[1] < behind:
                    break
            if best is not usual:
                break
        is_last = chapter.children is best  # tried last, so that nothing has changed since
        chapter.children = best
        made = found if is_last else make()
        if best is usual:
            break
    return made


def _closer(made: Made, make: Callable[[], Made], root_box: Any, begun: Any) -> tuple[Made, Respaced | None]:
    """Return the page set a little closer where what left a gap at its foot then has room on it, and what was set so.

    Otherwise the block that ends a chapter may have a page to itself, or the rows of a table that has most of the page
    are set further apart.
    """
    broken, gap = _broken(root_box, made[1]), _gap(made[0])
    if broken is None or gap < _WORST:
        return made, None
    chapter, at = broken
    first, tried = _begun(root_box, chapter, begun), None
    for between, lines in CLOSER if about(chapter, FITTED) is None else ():
        closer = Respaced(chapter.children[first : at + _AHEAD], between, lines)
        tried = make()
        if _gap(tried[0]) < gap - 0.05:
            after = _broken(root_box, tried[1])
            if after is not None:
                closer.undone(after[1] - first)
            return tried, closer
        closer.undone()
    ends = next((each for each in chapter.children[at + 1 : at + 2] if about(each, LAST) is not None), None)
    if ends is not None:
        alone = Respaced([ends])
        ends.style["break_before"] = "auto"
        tried = make()
        if _gap(tried[0]) < gap - 0.05:
            return tried, alone
        alone.undone()
    room = (gap - _LEFT) * made[0].height
    wider = Respaced.rows(chapter.children[first:at], made[0], room)
    return made if tried is None and wider is None else make(), wider


def _begun(root_box: Any, chapter: Any, resume_at: Any) -> int:
    """Return the block of a chapter that a page begins with."""
    box = root_box
    while resume_at and len(resume_at) == 1:
        ((index, resume_at),) = resume_at.items()
        if box is chapter:
            return int(index)
        box = box.children[index]
    return 0


def _later(blocks: list[Any], at: int, count: int, *, anywhere: bool) -> Iterator[tuple[list[Any], int]]:
    """Yield the blocks with so many of them later and later, and how many stand before these.

    They stay under their heading, unless they may go `anywhere`.
    """
    first = at + count
    for behind in range(first, min(first + _FURTHEST, len(blocks))):
        if blocks[behind].element_tag in HEADINGS and not anywhere:
            return
        if about(blocks[behind], SPOT) is not None or about(blocks[behind], LAST) is not None:
            return
        if _ends_well(blocks[behind]):
            moved = [*blocks[first : behind + 1], *blocks[at:first]]
            yield [*blocks[:at], *moved, *blocks[behind + 1 :]], behind - count + 1


def _with_words(made: Made, make: Callable[[], Made], root_box: Any) -> tuple[Made, Respaced | None]:
    """Return the page without a heading at its foot that has only a line under it, or what it shows overleaf, and that
    heading: all of that goes there.
    """
    broken = _broken(root_box, made[1])
    if broken is None or broken[1] < 4:
        return made, None
    chapter, at = broken
    heading, words = chapter.children[at - 2 : at]
    if heading.element_tag not in HEADINGS:
        return made, None
    height = words.style["font_size"] * (99 if about(chapter.children[at], SHOWN) is not None else 2)
    shown = {box.element: box.height for box in made[0].children[0].descendants() if type(box).__name__ == "BlockBox"}
    if shown.get(words.element, height) < height:
        moved = Respaced([heading])
        heading.style["break_before"] = "page"
        heading.style["margin_top"] = heading.style["margin_top"]._replace(value=0)  # a break of ours would keep it
        tried = make()
        if _gap(tried[0]) <= _WORST:
            return tried, moved
        moved.undone()
        return make(), None
    return made, None


def _spotted(made: Made, make: Callable[[], Made], root_box: Any, begun: Any) -> Made:
    """Return the page with the drawing at the end of a chapter in the middle of its room, or without it."""
    broken = _broken(root_box, made[1])
    if broken and about(broken[0].children[broken[1]], SPOT) is not None:
        broken[0].children = broken[0].children[: broken[1]]
        return make()
    chapter, page = chapter_at(root_box, begun, begins=not begun), made[0]
    drawn = next((each for each in chapter.children if about(each, SPOT) is not None), None) if chapter else None
    if drawn is None:
        return made
    spot = next((box for box in page.children[0].descendants() if box.element is drawn.element), None)
    if spot is None:
        return made
    foot = page.content_box_y() + page.height
    if foot - spot.position_y < _ROOM * page.height:
        chapter.children = [each for each in chapter.children if each is not drawn]
        return make()
    spot.translate(dy=(foot - spot.position_y - spot.margin_height()) / 2)
    return made


def _name_once(context: Any, lines: list[Any]) -> None:
    """Leave out of an index what leads to a page that its entry names already, and set the pages in order.

    The first, where the word is at home, stays in front if it is of the class `home`.

    That is known once the chapters stand: while they are tried, words come to other pages than in the end.
    """
    found = context.target_collector.target_lookup_items
    for line in lines:
        seen, kept, paged = set[int](), [], list[tuple[bool, int, Any]]()
        for child in line.children:
            item = found.get(child.link[1][1]) if child.link else None
            page = item.cached_page_counter_values.get("page", [0])[-1] if item else 0
            if not page or page not in seen:
                kept.append(child)
                paged += [(child.element.get("class") != "home", page, child)] if page else []
            seen.add(page)
        ordered = iter(sorted(paged, key=lambda each: each[:2]))
        numbered = {id(child) for *_, child in paged}
        line.children = [next(ordered)[2] if id(child) in numbered else child for child in kept]
