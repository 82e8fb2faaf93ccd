"""The pieces of printed sheets: kept in the pages of a PDF when it is made, taken apart again from there, and compared.

A page tells what stands on it in a private part of its own (ISO 32000-1, 14.5), as JSON: `cells`, each with its box in
points and, of what was drawn as a form, the name of that; how the `sheet` was laid out, if it is cut apart; and the
`flip` of its paper. Two results are compared piece by piece by name, or page by page in order by what they say.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from io import BytesIO
from itertools import groupby
from typing import Any

import pikepdf

from sheetgen.errors import InputError, Place, Problem
from sheetgen.geometry import BLEED, Box, mm
from sheetgen.model.printing import CHANGED, GONE, MOVED, NEW, SAME, Change, PrintedPiece, ShownPiece
from sheetgen.press.join import facts_of
from sheetgen.press.pages import Pdf, noted

MAKERS = ("sheetgen", "WeasyPrint")
FOREIGN = "was not made by sheetgen: only its own results can be compared"
MOST_CELLS = 400
MOST_QUOTED = 12  # words of a page
FLIPS = ("", "long", "short")
FEW_PAGES = 2
LIKE = 0.35  # the share of words that two pages have in common to be the same page, changed
MOST_SAID, BEFORE, AFTER = 6, 1, 2  # differences that are told of a piece, and words around each
MOST_COMPARED = 3_000  # words of a page by which it is told from others
Alike = Callable[[ShownPiece, ShownPiece, bool], bool]


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
                self._add_page(self._made.copy_foreign(form), _trim(form))
            else:
                whole = whole or self._made.copy_foreign(page.as_form_xobject())
                self._add_page(whole, box, window=box)
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

    def _add_page(self, form: pikepdf.Object, trim: Box, window: Box | None = None) -> None:
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


def compared(old: Sequence[ShownPiece], new: Sequence[ShownPiece], alike: Alike) -> tuple[Change, ...]:
    """Return the change of every piece, in the order of the new ones, those that are gone where they were.

    `alike` says whether two look the same though their pictures differ to the bit, with or without their edges.
    """
    pairs = dict[int, int]()  # the number of an old piece, by that of the new one
    _by_name(old, new, pairs)
    _by_bookmark(old, new, pairs)
    _in_order(old, new, pairs)
    kept = {at: number for number, at in pairs.items()}
    found = list[Change]()
    waiting = iter([at for at in range(len(old)) if at not in kept])
    gone = next(waiting, None)
    last = -1
    for number, shown in enumerate(new):
        before = pairs.get(number)
        if before is not None:
            last = max(last, before)
        while gone is not None and gone < last:
            found.append(Change(GONE, old=old[gone]))
            gone = next(waiting, None)
        found.append(Change(NEW, new=shown) if before is None else _change(old[before], shown, alike))
    while gone is not None:
        found.append(Change(GONE, old=old[gone]))
        gone = next(waiting, None)
    return tuple(found)


def _by_name(old: Sequence[ShownPiece], new: Sequence[ShownPiece], pairs: dict[int, int]) -> None:
    """Pair what is cut out by its name, and of several with one name the first with the first."""
    waiting = defaultdict[str, list[int]](list)
    for at, shown in enumerate(old):
        if shown.piece.cut and shown.name:
            waiting[shown.name].append(at)
    for number, shown in enumerate(new):
        if shown.piece.cut and shown.name and waiting[shown.name]:
            pairs[number] = waiting[shown.name].pop(0)


def _by_bookmark(old: Sequence[ShownPiece], new: Sequence[ShownPiece], pairs: dict[int, int]) -> None:
    """Pair the pages of those who have one or two each, such as sheets; chapters go by what they say."""
    groups = [_pages_by_name(side) for side in (old, new)]
    for name, numbers in groups[1].items():
        before = groups[0].get(name, [])
        if len(before) == len(numbers) <= FEW_PAGES:
            pairs.update(zip(numbers, before, strict=True))


def _pages_by_name(side: Sequence[ShownPiece]) -> dict[str, list[int]]:
    found = defaultdict[str, list[int]](list)
    for at, shown in enumerate(side):
        if shown.name and not shown.piece.cut:
            found[shown.name].append(at)
    return found


def _in_order(old: Sequence[ShownPiece], new: Sequence[ShownPiece], pairs: dict[int, int]) -> None:
    """Pair the others: those that say the same, in order as far as they go; then such as stand between these."""
    taken = set(pairs.values())
    before = [at for at in range(len(old)) if at not in taken and not (old[at].piece.cut and old[at].name)]
    after = [at for at in range(len(new)) if at not in pairs and not (new[at].piece.cut and new[at].name)]
    keys = [_key(old[at]) for at in before], [_key(new[at]) for at in after]
    left, more = list[int](), list[int]()
    for what, i1, i2, j1, j2 in SequenceMatcher(None, *keys, autojunk=False).get_opcodes():
        if what == "equal":
            pairs.update(zip(after[j1:j2], before[i1:i2], strict=True))
            continue
        one, other = before[i1:i2], after[j1:j2]
        _most_alike(old, new, one, other, pairs)
        left += [at for at in one if at not in pairs.values()]
        more += [at for at in other if at not in pairs]
    elsewhere = {_key(old[at]): at for at in reversed(left)}
    for number in more:
        at = elsewhere.pop(_key(new[number]), None)
        if at is not None:
            pairs[number] = at


def _key(shown: ShownPiece) -> tuple[object, ...]:
    """What two pages that show the same have in common, wherever they stand."""
    look = shown.look
    return (look.body or look.rim or look.body_picture, shown.piece.cut)


def _most_alike(
    old: Sequence[ShownPiece],
    new: Sequence[ShownPiece],
    one: Sequence[int],
    other: Sequence[int],
    pairs: dict[int, int],
) -> None:
    """Pair changed pages with what they were: by the name of their bookmark, then by the words they share, in order."""
    free = list(one)
    for number in other:
        named = [at for at in free if new[number].name and old[at].name == new[number].name]
        if named:
            pairs[number] = named[0]
            free.remove(named[0])
    low = 0
    for number in (each for each in other if each not in pairs):
        shares = [(_share(old[at], new[number]), -at) for at in free[low:]]
        best = max(shares, default=(0.0, 0))
        if best[0] >= LIKE:
            pairs[number] = -best[1]
            free.remove(-best[1])
            low = sum(at < -best[1] for at in free)


def _share(one: ShownPiece, other: ShownPiece) -> float:
    before, after = (each.look.body[:MOST_COMPARED] for each in (one, other))
    return SequenceMatcher(None, before, after, autojunk=False).ratio() if before or after else 1.0


def _change(old: ShownPiece, new: ShownPiece, alike: Alike) -> Change:
    """Return how a piece differs from what it was."""
    if old.look == new.look and old.back == new.back:
        moved = old.piece.number != new.piece.number and not new.piece.cut
        return Change(MOVED if moved else SAME, old, new)
    told = tuple(_differences(old, new))
    if not told and _looks(old) == _looks(new):
        moved = old.piece.number != new.piece.number and not new.piece.cut
        return Change(MOVED if moved else SAME, old, new)
    if old.look.words == new.look.words and not told and alike(old, new, False):
        return Change(SAME if new.piece.cut or old.piece.number == new.piece.number else MOVED, old, new)
    if _only_numbers(old, new) and old.back == new.back and alike(old, new, True):
        return Change(SAME if new.piece.cut and not new.piece.name else MOVED, old, new)
    return Change(CHANGED, old, new, told)


def _looks(shown: ShownPiece) -> tuple[str, str]:
    return shown.look.picture, shown.back.picture if shown.back else ""


def _only_numbers(old: ShownPiece, new: ShownPiece) -> bool:
    """Whether two pages say the same but for their own number, or that of all pages, near an edge."""
    if old.look.body != new.look.body or len(old.look.rim) != len(new.look.rim):
        return False
    others = ((one, other) for one, other in zip(old.look.rim, new.look.rim, strict=True) if one != other)
    return all(one.isdecimal() and other.isdecimal() and _is_number(old, new, one, other) for one, other in others)


def _is_number(old: ShownPiece, new: ShownPiece, before: str, after: str) -> bool:
    """Whether a number near an edge is that of the piece, or of the page it is on, and no number of a rule.

    A book may count from another page; a card that has a name bears its own number, or none.
    """
    if new.piece.cut and new.piece.name:
        return (before, after) == (str(old.piece.number), str(new.piece.number))
    moved = {new.piece.page - old.piece.page, new.pages - old.pages}
    return int(after) - int(before) in (moved if new.piece.cut else moved | {new.piece.number - old.piece.number})


def _differences(old: ShownPiece, new: ShownPiece) -> Iterator[str]:
    """Yield what is said otherwise, in a few words each; of a back, too."""
    yield from differences(old.look.words, new.look.words)
    if old.back is not None and new.back is not None:
        for line in differences(old.back.words, new.back.words):
            yield f"on its back {line}"


def differences(old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    """Yield how words differ from others: “8” is now “9”, each with the word before it; no more than MOST_SAID."""
    told = 0
    for what, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if what == "equal":
            continue
        if told == MOST_SAID:
            yield "and more"
            return
        told += 1
        start = min(BEFORE, i1, j1)
        before, after = _quoted(old[i1 - start : i2 + AFTER]), _quoted(new[j1 - start : j2 + AFTER])
        if what == "insert":
            yield f"new: {_quoted(new[j1:j2])}"
        elif what == "delete":
            yield f"gone: {_quoted(old[i1:i2])}"
        else:
            yield f"{before} is now {after}"


def _quoted(words: Sequence[str]) -> str:
    return f"“{' '.join(words[:MOST_QUOTED])}{' …' if len(words) > MOST_QUOTED else ''}”"
