"""How the rows of a roster are shared out over its pages: how high they are, and which of them begin a page."""

from __future__ import annotations

import math
from collections.abc import Sequence

PADDING, LINE, ROW_LEAST, ROW_MOST, NOTES_LEAST = 2.0, 4.0, 10.0, 14.0, 20.0
TINY = 0.01
UNSURE = 5.0  # mm of a page that is filled to its end, for rows that are higher than they were taken for
SHARES = (1.0, 0.95, 0.9, 0.85, 0.8)  # of the height that fills pages, where some rows are higher and it takes one more
ROOMY = 1.35  # how much higher than its text a row may be where there are few


def heights(
    wanted: Sequence[float], room: float, *, spread: bool, later: float = 0.0
) -> tuple[float, float, frozenset[int]]:
    """Return the least height of a row in mm, what is left for notes, and the rows that begin a page.

    If rows are `spread`, they are higher where there are few, as long as that takes no more pages.

    `wanted` is what each row needs, `room` the height of the first page; the others, which have no title, have so much
    more `later`. The last page is filled about as far as the others; without spreading, the first is filled.
    """
    if not spread:
        room -= UNSURE
    pages = len(_pages(wanted, room, later, even=spread)) + 1
    even = max((room * pages + later * (pages - 1)) / max(len(wanted), 1), ROW_LEAST)
    roomy = max([ROW_MOST, *(ROOMY * each for each in wanted)])
    high = [max(min(even, roomy) * share, ROW_LEAST) for share in SHARES] if spread else []
    for height in sorted({*high, min(even, ROW_MOST) if spread else ROW_LEAST, ROW_LEAST}, reverse=True):
        tall = [max(height, needed) for needed in wanted]
        begin = _pages(tall, room, later, even=spread)
        if len(begin) < pages:
            break
    last = sum(tall[max(begin, default=1) - 1 :])
    left = room - last + (later - PADDING - LINE if begin else 0.0)
    return height, left - PADDING if left >= NOTES_LEAST else 0.0, begin


def _pages(tall: Sequence[float], room: float, later: float, *, even: bool) -> frozenset[int]:
    """Return the rows that begin a page behind the first, on as few pages as will do, about as high if `even`."""
    begin = set[int]()
    for pages in range(math.ceil(sum(tall) / (room + later)), len(tall) + 1):
        filled, left, begin = 0.0, sum(tall), set()
        for number, part in enumerate(tall, 1):
            high = room + later if begin else room
            # What is left, shared out over the pages left: each as full as the others, so that the first has less.
            share = (left - (0.0 if begin else later * (pages - 1))) / max(pages - len(begin), 1)
            if filled and (filled + part > high + TINY or (even and filled + part / 2 > share + TINY)):
                begin.add(number)
                filled, left = 0.0, left - filled
            filled += part
        if len(begin) < pages:
            break
    if not even and len(tall) in begin and len(tall) > 2:  # nobody stands alone on the last page
        begin = begin - {len(tall)} | {len(tall) - 1}
    return frozenset(begin)
