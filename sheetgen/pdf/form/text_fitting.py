"""Text fitted into a box: shrunk, wrapped and, where it is still too long, cut with the rest returned. Pure arithmetic.

The stamp calls it for every value that is new to a field, continuation pages for whatever was left over.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, islice
from typing import Literal, NamedTuple

from sheetgen.model.wording import DOT

Measure = Callable[[str, float], float]

MARK = "…"
THINGS = DOT  # between the things of a list that is run in; those of others stand on lines of their own
LONGEST_THING = 80  # letters; what is longer is no thing of a list, but a paragraph
# How type shrinks, in points: a line finely, since each is alone; an area coarsely, since it is wrapped anew each time.
LINE_STEP, AREA_STEP = 0.1, 0.5
HYPHEN = "-"  # behind what is parted of a word that is wider than its line
_TINY = 1e-6
_SENTENCE_END = re.compile(r"[.!?…;][”’)]?(?=\s)")  # or that of a part of one
_SHORT = 0.5  # of a line: a last word with the one before it
_FEW_LINES = 3  # a name or a trade has fewer, and is no sentence
_BLANKS = re.compile(r"[ \t\r\n]+")


class Fitted(NamedTuple):
    """Text as it can be set: the size in points, the lines, and what did not fit (empty when all did)."""

    size: float
    lines: tuple[str, ...]
    rest: str = ""


def fit(
    text: str,
    *,
    width: float,
    height: float,
    measure: Measure,
    size: float,
    floor: float,
    leading: float,
    lines: Literal["one", "many"],
    mark: str = MARK,
    reach: float = 1.0,
) -> Fitted:
    """Return the text set in a box of `width` by `height` points.

    Nothing in `lines` is wider or, together, higher than that.

    `one` line is shrunk to the `floor`, then wrapped there; `many` keep their newlines, are wrapped at `size` and
    shrunk until all fits. `measure` gives the width of a text in proportion to its size, and widths add up (no
    kerning). `leading` is the distance of lines at `size` and shrinks with it. What still does not fit is cut between
    the things of a list, else, if the `mark` says where it goes on, behind a sentence that ends near, else after a
    word, or within one that is wider than the box, with `mark` behind it, and comes back as `rest`. `reach` is the
    height of a line alone, in em.
    """
    box = _Box(width, height, measure, leading / size, reach)
    if lines == "one":
        text = _BLANKS.sub(" ", text).strip(" ")
        shrunk = _shrunk(text, box, size, floor)
        if shrunk is not None:
            return Fitted(shrunk, (text,))
        return box.filled(text, floor, mark)
    text = text.rstrip(" \n")
    for tried in _sizes(size, floor):
        fitted = box.filled(text, tried, mark)
        if not fitted.rest:
            break
    return fitted


def _shrunk(text: str, box: _Box, size: float, floor: float) -> float | None:
    """Return the largest size from `size` down to `floor` at which the text is one line of the box."""
    wanted = box.measure(text, size)
    largest = min(size, box.height / box.reach, size * box.width / wanted if wanted else size)
    if largest < size:
        largest = int(largest / LINE_STEP + _TINY) * LINE_STEP
    while largest >= floor - _TINY:
        if wanted * largest <= (box.width + _TINY) * size:
            return round(largest, 3)
        largest -= LINE_STEP
    return None


def _sizes(size: float, floor: float) -> Iterator[float]:
    while size > floor:
        yield size
        size -= AREA_STEP
    yield floor


class _Box(NamedTuple):
    width: float
    height: float
    measure: Measure
    leading: float  # per point of size
    reach: float

    def fits(self, text: str, size: float) -> bool:
        return self.measure(text, size) <= self.width + _TINY

    def capacity(self, size: float) -> int:
        """Return how many lines the box holds at a size: the first needs its height, each further one the leading."""
        if size * self.reach > self.height + _TINY:
            return 0
        return 1 + int((self.height - size * self.reach) / (self.leading * size) + _TINY)

    def filled(self, text: str, size: float, mark: str) -> Fitted:
        """Return as many lines as the box holds at that size, and the rest."""
        capacity = self.capacity(size)
        if not capacity:
            return Fitted(size, (), text)
        taken = list(islice(_broken(text, size, self), capacity + 1))
        if len(taken) <= capacity:
            return Fitted(size, self._accompanied(taken, text, size))
        kept = taken[:capacity]
        if between := self._between_things(text, kept[-1][1], size, mark, capacity):
            return between
        if mark[:1] == " " and (behind := self._behind_sentence(text, kept, size, mark)):
            return behind
        begin = kept[-2][1] if capacity > 1 else 0
        last = self._marked(_unhyphened(*kept[-1], text), size, mark) if mark else kept[-1][0]
        end = _after(text, begin, sum(not letter.isspace() for letter in last)) if mark else kept[-1][1]
        lines = (*(line for line, _ in kept[:-1]), last + mark)
        return Fitted(size, lines, text[end:].lstrip(" \n"))

    def _accompanied(self, taken: Sequence[tuple[str, int]], text: str, size: float) -> tuple[str, ...]:
        """Return the lines of a text; a short last word of a paragraph takes the one before it along."""
        lines = [line for line, _ in taken]
        ends = [behind > len(text) or text[behind - 1] == "\n" for _, behind in taken]
        for at in range(1, len(lines)):
            if ends[at] and not ends[at - 1] and " " not in lines[at] and not lines[at - 1].endswith(HYPHEN):
                begun, _, word = lines[at - 1].rpartition(" ")
                both = f"{word} {lines[at]}"
                if " " in begun and self.measure(both, size) < _SHORT * self.width:
                    lines[at - 1 : at + 1] = begun, both
        return tuple(lines)

    def _between_things(self, text: str, end: int, size: float, mark: str, capacity: int) -> Fitted | None:
        """Return the whole things of a list that stand before `end`; None if there are none.

        So it is, too, where paragraphs, which are no things, would leave half of the box empty. Without a mark only
        what is run in is parted between things.
        """
        while (at := max(text.rfind(THINGS, 0, end), text.rfind("\n", 0, end) if mark else 0)) > 0:
            kept = text[:at] + (THINGS if text[at] != "\n" and mark[:1] not in ("", " ") else "")
            lines = [line for line, _ in _broken(kept.rstrip(" \n"), size, self)]
            if (len(lines) * 2 < capacity or not mark) and _next_length(text, at) > LONGEST_THING:
                return None
            if self.fits(lines[-1] + mark, size):
                lines[-1] += mark
            elif len(lines) < capacity:
                lines.append(mark.lstrip())
            else:
                end = at
                continue
            return Fitted(size, tuple(lines), text[at:].removeprefix(THINGS).lstrip())
        return None

    def _behind_sentence(self, text: str, kept: Sequence[tuple[str, int]], size: float, mark: str) -> Fitted | None:
        """Return the sentences that end before so many lines do, if one ends in the last third of these."""
        if len(kept) < _FEW_LINES:
            return None
        near = kept[len(kept) * 2 // 3 - 1][1] - len(".” ")  # a line may end where the sentence does
        for found in reversed([*_SENTENCE_END.finditer(text, max(0, near), kept[-1][1])]):
            lines = [line for line, _ in _broken(text[: found.end()], size, self)]
            if self.fits(lines[-1] + mark, size):
                lines[-1] += mark
            elif len(lines) < len(kept):
                lines.append(mark.lstrip())
            else:
                continue
            return Fitted(size, tuple(lines), text[found.end() :].lstrip())
        return None

    def _marked(self, line: str, size: float, mark: str) -> str:
        """Return the line shortened by words, or a single word by letters, until the mark fits behind it."""
        while line and not self.fits(line + mark, size):
            line = line[: line.rfind(" ")] if " " in line else line[: _before(line, len(line) - 1)]
        return line


def _next_length(text: str, at: int) -> int:
    """Return how long the thing or paragraph is that follows a break at `at`."""
    return len(text[at:].lstrip("\u00a0· \n").partition(THINGS)[0].partition("\n")[0])


def _after(text: str, begin: int, letters: int) -> int:
    """Return the place in the text behind so many characters other than blanks, counted from `begin`."""
    while letters:
        letters -= not text[begin].isspace()
        begin += 1
    return begin


def _broken(text: str, size: float, box: _Box) -> Iterator[tuple[str, int]]:
    """Yield the lines of the text, each with the place in the text where the next begins."""
    begin = 0
    for paragraph in text.split("\n"):
        end = begin + len(paragraph) + 1
        yield from _paragraph(paragraph, begin, end, size, box)
        begin = end


def _paragraph(paragraph: str, begin: int, end: int, size: float, box: _Box) -> Iterator[tuple[str, int]]:
    """Yield the lines of one paragraph; one that fits is a single line."""
    if "  " in paragraph or paragraph.strip(" ") != paragraph:
        yield from _pieces(paragraph, begin, end, size, box)
    elif box.fits(paragraph, size):
        yield paragraph, end
    elif has_ideographs(paragraph):
        yield from _pieces(paragraph, begin, end, size, box)
    else:
        yield from _words(paragraph, begin, end, size, box)


def _words(paragraph: str, begin: int, end: int, size: float, box: _Box) -> Iterator[tuple[str, int]]:
    """Yield the lines of words with a blank between each two; widths add up, so that each word is measured once."""
    words, blank, limit = paragraph.split(" "), box.measure(" ", size), box.width + _TINY
    widths = [box.measure(word, size) for word in words]
    if max(widths) > limit:
        yield from _pieces(paragraph, begin, end, size, box)
        return
    ends = list(accumulate([width + blank for width in widths]))  # where each word ends, with the blank behind it
    first, start = 0, 0.0
    while first < len(words):
        behind = bisect_right(ends, start + limit + blank, first)
        line = " ".join(words[first:behind])
        begin += len(line) + 1
        yield line, begin if behind < len(words) else end
        first, start = behind, ends[behind - 1]


def _pieces(paragraph: str, begin: int, end: int, size: float, box: _Box) -> Iterator[tuple[str, int]]:
    """Yield the lines of any paragraph, piece by piece; what is wider than a line is broken."""
    limit, blank = box.width + _TINY, box.measure(" ", size)
    line: list[str] = []
    used, broken = 0.0, False
    parted = has_ideographs(paragraph)
    for word in pattern(ideographs=parted).finditer(paragraph):
        piece, at = word.group(), begin + word.start()
        width = box.measure(piece, size)
        if parted and line and paragraph[word.start() - 1] != " ":
            if used + width <= limit:
                line[-1] += piece
                used += width
                continue
        elif line and used + blank + width <= limit:
            line.append(piece)
            used += blank + width
            continue
        if line:
            yield " ".join(line), at
        while width > limit and piece:
            letters, hyphen = _parted(piece, lambda letters: box.fits(letters, size))
            at, broken = at + letters, True
            yield piece[:letters] + hyphen, at
            piece = piece[letters:]
            width = box.measure(piece, size)
        line, used = [piece] if piece else [], width
    if line or not broken:
        yield " ".join(line), end


def _parted(word: str, fits: Callable[[str], bool]) -> tuple[int, str]:
    """Return how many letters of a word that is too wide stand on a line, and the hyphen behind them if it needs one.

    It is needed between two letters of an alphabet that is hyphenated; there is none where only one letter has room.
    """
    letters = _before(word, _letters(word, fits))
    if not _is_hyphenated(word, letters):
        return letters, ""
    shorter = _before(word, _letters(word, lambda begun: fits(f"{begun}{HYPHEN}")))
    if not _is_hyphenated(word, shorter) or not fits(word[:shorter] + HYPHEN):
        return (shorter if word[shorter - 1] == HYPHEN else letters), ""
    return shorter, HYPHEN


def _is_hyphenated(word: str, at: int) -> bool:
    return 1 < at < len(word) and all(_HYPHENATED.match(letter) for letter in word[at - 1 : at + 1])


def _unhyphened(line: str, behind: int, text: str) -> str:
    """Return a line without the hyphen that its text lacks, where the next line begins `behind`."""
    return line[:-1] if line.endswith(HYPHEN) and not text[:behind].rstrip().endswith(HYPHEN) else line


def _before(word: str, letters: int) -> int:
    """Return where a word is parted within so many letters: behind its last hyphen there, else between two letters."""
    return word.rfind("-", 1, letters) + 1 or begin_of(word, letters)


def _letters(word: str, fits: Callable[[str], bool]) -> int:
    """Return how many letters of a word that is too wide fit on a line; one at least."""
    low, high = 1, len(word)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(word[:middle]) else (low, middle - 1)
    return low if word.isascii() else begin_of(word, low) or end_of(word, low)


_WORD = re.compile(r"[^ ]+")
_HYPHENATED = re.compile("[A-Za-z\u00c0-\u024f\u0370-\u052f\u1e00-\u1fff]")  # Latin, Greek, Cyrillic
# Chinese and Japanese are wrapped between characters, but some may not end a line and some may not begin one.
_IDEOGRAPHS = "\u2e80-\u30ff\u3105-\u312f\u31a0-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff"
_OPENING = r"「『（〔［｛〈《【〖“‘(\["  # noqa: RUF001
_CLOSING = r"」』）〕］｝〉》】〗”’)\]、。，．・：；？！…,.!?;:"  # noqa: RUF001
_SMALL = "ー々〻ゝゞヽヾぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ"
_IDEOGRAPH = re.compile(f"[{_IDEOGRAPHS}]")
_PIECE = re.compile(
    f"[{_OPENING}]*[{_IDEOGRAPHS}][{_CLOSING}{_SMALL}]*"
    f"|[{_OPENING}]*[^ {_OPENING}{_IDEOGRAPHS}]+[{_CLOSING}]*|[{_OPENING}]+"
)
_UNJOINED, _JOINER = "\u200c", "\u200d"


def has_ideographs(text: str) -> bool:
    """Return whether the text may be broken elsewhere than at blanks."""
    return not text.isascii() and _IDEOGRAPH.search(text) is not None


def pattern(*, ideographs: bool) -> re.Pattern[str]:
    """Return a pattern for the unbreakable pieces of a text: words, and ideographs with their punctuation."""
    return _PIECE if ideographs else _WORD


def belongs(text: str, at: int) -> bool:
    """Return whether the character at that place is a mark on the one before, or joined to it."""
    return at > 0 and (
        text[at] in (_UNJOINED, _JOINER) or text[at - 1] == _JOINER or unicodedata.category(text[at]).startswith("M")
    )


def begin_of(text: str, at: int) -> int:
    """Return the nearest place at or before `at` that does not separate a character from its marks."""
    while 0 < at < len(text) and belongs(text, at):
        at -= 1
    return at


def end_of(text: str, at: int) -> int:
    """Return the nearest place at or after `at` that does not separate a character from its marks."""
    while at < len(text) and belongs(text, at):
        at += 1
    return at
