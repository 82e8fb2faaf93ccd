"""Two results of ours read piece by piece, in a confined process, and how the later one differs from the earlier."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path

from sheetgen.batch.sandbox import Limits, confined
from sheetgen.content.packs.folders import read_file
from sheetgen.content.yaml.encoding import FileLimit
from sheetgen.errors import InputError, Place, Problem, UsageError, quoted
from sheetgen.geometry import Box
from sheetgen.model.book import HOUSE_RULE, LEGEND
from sheetgen.model.printing import CHANGED, GONE, KINDS, MOVED, NEW, SAME, Change, PieceLook, PrintedPiece, ShownPiece
from sheetgen.press.pages import opened
from sheetgen.press.pieces import compared, differences, taken_apart

PRINTED, PICTURED, WEB = (".pdf",), (".png", ".zip"), (".html", ".epub", ".svg")
TEXTS = (".yaml", ".yml", ".json", ".csv", ".tsv", ".md", ".txt")
FORMATS = (*PRINTED, *PICTURED, *WEB, *TEXTS)
LIMITS = Limits(memory_mb=1_500, cpu_s=180, wall_s=400, result_mb=400, file_mb=400)
MOST = FileLimit(60_000_000, 10_000_000, "compare smaller results")
LINE = 0.05  # of the height of a piece: no more than a line
POINT, *_WORDS = LEGEND.split()
LEGEND_WORDS = tuple(_WORDS)
MOST_ENTRIES, LARGEST_ENTRY, MOST_LINES = 2_000, 40_000_000, 200
SAID = {
    CHANGED: "{} changed",
    NEW: "{} new",
    GONE: "{} gone",
    MOVED: "{} moved, the same but for the number",
    SAME: "{} the same",
}


@dataclass(frozen=True, slots=True)
class Comparison:
    """The change of every piece, the pages of the old pieces and of the new ones, and where each pair looks different.

    `spots` are shares of the piece, from its upper left corner, `pages` those of the new file. Of texts there are
    `lines` instead.
    """

    changes: tuple[Change, ...] = ()
    old: bytes = b""
    new: bytes = b""
    spots: tuple[tuple[Box, ...], ...] = ()
    pages: tuple[PrintedPiece, ...] = ()
    lines: tuple[str, ...] = ()

    @property
    def same(self) -> bool:
        """Whether both show the same, in the same order."""
        return not self.lines and all(each.kind == SAME for each in self.changes)

    def of(self, *kinds: str) -> tuple[Change, ...]:
        """Return the changes of these kinds, in order."""
        return tuple(each for each in self.changes if each.kind in kinds)

    @property
    def unit(self) -> str:
        """What the new file is made of: cards, pages, or pieces where it has both."""
        cut = {each.new.piece.cut for each in self.changes if each.new}
        return "piece" if len(cut) > 1 else "card" if True in cut else "page"

    def summary(self) -> str:
        """Return how many of what differ, in a line."""
        if not self.changes:
            return f"{len(self.lines)} difference{'' if len(self.lines) == 1 else 's'}" if self.lines else "the same"
        counts = {kind: len(self.of(kind)) for kind in KINDS}
        return ", ".join(SAID[kind].format(count) for kind, count in counts.items() if count)

    def told(self) -> Iterator[str]:
        """Yield every difference in words, a line each; neighbours that only moved in one."""
        run = list[Change]()
        for change in self.changes:
            if change.kind == MOVED:
                run.append(change)
                continue
            yield from _moved(run)
            run = []
            if change.kind != SAME:
                yield told_of(change)
        yield from (*_moved(run), *self.lines)


def told_of(change: Change) -> str:
    """Return how a piece differs, in a line."""
    name = change.shown.called
    if change.kind in (NEW, GONE):
        return f"{name}: {change.kind}"
    assert change.old is not None
    was = f" (was {change.old.called})" if change.old.called != name else ""
    return f"{name}{was}: {'; '.join(change.words) or 'looks different'}"


def _moved(run: Sequence[Change]) -> Iterator[str]:
    """Yield a line for pages that moved by as much as their neighbours."""
    groups = list[list[Change]]()
    for each in run:
        if groups and _step(groups[-1][-1]) == _step(each):
            groups[-1].append(each)
        else:
            groups.append([each])
    for group in groups:
        before, after = (_pages([piece for each in group if (piece := getattr(each, side))]) for side in ("old", "new"))
        yield f"{before} {'is' if len(group) == 1 else 'are'} {after} now, the same but for the number"


def _step(change: Change) -> int:
    assert change.old is not None
    assert change.new is not None
    return change.new.piece.number - change.old.piece.number


def _pages(pieces: Sequence[ShownPiece]) -> str:
    first, last = pieces[0].piece.number, pieces[-1].piece.number
    word = "piece" if pieces[0].piece.cut else "page"
    return f"{word} {first}" if first == last else f"{word}s {first} to {last}"


def compare(old: Path, new: Path, *, shown: tuple[str, str]) -> Comparison:
    """Return how a result differs from an earlier one; messages call them as `shown`.

    UsageError for formats that do not go together; InputError for what is damaged, or no result of ours.
    """
    forms = tuple(each.suffix.lower() for each in (old, new))
    for form, name in zip(forms, shown, strict=True):
        if form not in FORMATS:
            raise UsageError(f"{quoted(name)}: what can be compared is {', '.join(FORMATS)}")
    if forms[0] != forms[1]:
        raise UsageError(f"{quoted(shown[0])} and {quoted(shown[1])} are of two kinds: compare two of one")
    if forms[0] in (*WEB, *TEXTS):
        lines = [list(_lines(path, name)) for path, name in zip((old, new), shown, strict=True)]
        return Comparison(lines=tuple(_line_differences(*lines)))

    def work() -> Comparison:
        return _compared(*(_pieces(path, name) for path, name in zip((old, new), shown, strict=True)))

    from sheetgen.pdf import pdfium  # noqa: F401  # imported once, before a process is forked for it

    return confined(work, what=shown[1], limits=LIMITS)


@dataclass(frozen=True, slots=True)
class _Pieces:
    """The pieces of a result as pages, what each shows, and the pages of the result."""

    data: bytes
    shown: tuple[ShownPiece, ...]
    pages: tuple[PrintedPiece, ...]


def _compared(old: _Pieces, new: _Pieces) -> Comparison:
    from sheetgen.pdf.pdfium import differing

    def alike(one: ShownPiece, other: ShownPiece, inner: bool) -> bool:
        placed = other.piece.cut and not other.piece.name  # its sheet's number may stand near its edge
        pairs = [(one.at, other.at, inner or placed, placed and one.piece.box != other.piece.box)]
        if one.back_at >= 0 and other.back_at >= 0 and one.back != other.back:
            pairs.append((one.back_at, other.back_at, False, False))
        spots = [box for found in differing(old.data, new.data, pairs) for box in found]
        if one.look.legend != other.look.legend and len(spots) == 1 and spots[0].height < LINE:
            spots = []
        return (one.back is None) == (other.back is None) and not spots

    changes = compared(old.shown, new.shown, alike)
    pairs = [
        (each.old.at, each.new.at, False, False) for each in changes if each.kind == CHANGED and each.old and each.new
    ]
    spots = iter(list(differing(old.data, new.data, pairs)))
    marked = tuple(next(spots) if each.kind == CHANGED else () for each in changes)
    return Comparison(changes, old.data, new.data, marked, new.pages)


def _pieces(path: Path, shown: str) -> _Pieces:
    """Return the pieces of a result as pages, and what each shows."""
    if path.suffix.lower() == ".pdf":
        with opened(path, shown) as source:
            made = taken_apart(source, shown)
        return _Pieces(made.data, _named_pieces(made.data, made.pieces, made.titles), made.pages)
    named = list(_entries(path, shown)) if path.suffix.lower() == ".zip" else [("", path.read_bytes())]
    pieces = tuple(PrintedPiece(at, at, name, cut=bool(name)) for at, (name, _) in enumerate(named, 1))
    data = _as_pages([data for _, data in named], shown)
    return _Pieces(data, _named_pieces(data, pieces, ()), pieces)


def _named_pieces(
    data: bytes, pieces: Sequence[PrintedPiece], titles: Sequence[tuple[int, str]]
) -> tuple[ShownPiece, ...]:
    """Return the pieces with their names and looks; a back with the piece that it stands behind."""
    from sheetgen.pdf.pdfium import looks

    count = max((each.page for each in pieces), default=0)
    every = [
        ShownPiece(piece, _without_page_number(piece, look, count), at, pages=count)
        for at, (piece, look) in enumerate(zip(pieces, looks(data), strict=True))
    ]
    backs = {each.piece.name: each for each in every if each.piece.cut and each.piece.back}
    fronts = [each for each in every if not (each.piece.cut and each.piece.back)]
    found, by_page = list[ShownPiece](), _by_page(titles)
    for each in fronts:
        name = each.piece.name or _name(each, found[-1] if found else None, by_page)
        behind = backs.get(name) or backs.get("")
        if each.piece.cut and behind is not None:
            found.append(replace(each, name=name, back=behind.look, back_at=behind.at))
        else:
            found.append(replace(each, name=name))
    if any(each.piece.folded for each in found):
        found.sort(key=lambda each: each.piece.number)
    return tuple(found)


def _without_page_number(piece: PrintedPiece, look: PieceLook, count: int) -> PieceLook:
    """Return what a piece shows without the number of its page, which may stand near an edge; of a part of a page
    without the picture of its edges.
    """
    if piece.name or (piece.back and piece.cut):
        return look
    look = _without_lone_legend(look)
    number = ("page", str(piece.page), "of", str(count))
    words, rim = (_without(each, number) for each in (look.words, look.rim))
    return replace(look, words=words, rim=rim, picture=look.body_picture if piece.cut else look.picture)


def _without_lone_legend(look: PieceLook) -> PieceLook:
    """Return a look without the word on house rules, where nothing on the piece has their sign.

    A form has it on every page, since its fields might.
    """
    if sum(HOUSE_RULE in word for word in look.words) != 1:
        return look
    words, rim, body = map(_without_legend, (look.words, look.rim, look.body))
    return replace(look, words=words, rim=rim, body=body, legend=words != look.words)


def _without_legend(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return words without the legend, and without one of the points around it."""
    for legend in ((POINT, *LEGEND_WORDS), (*LEGEND_WORDS, POINT), LEGEND_WORDS):
        if (without := _without(words, legend)) != words:
            return without
    return words


def _without(words: tuple[str, ...], left_out: tuple[str, ...]) -> tuple[str, ...]:
    size = len(left_out)
    at = next((at for at in range(len(words)) if words[at : at + size] == left_out), None)
    return words if at is None else _without(words[:at] + words[at + size :], left_out)


def _by_page(titles: Sequence[tuple[int, str]]) -> dict[int, list[str]]:
    found = dict[int, list[str]]()
    for page, title in titles:
        found.setdefault(page, []).append(" ".join(title.split()))
    return found


def _name(shown: ShownPiece, before: ShownPiece | None, titles: dict[int, list[str]]) -> str:
    """Return the bookmark that a piece goes by: one of its page whose words it begins with, or that of what is before.

    A second page of somebody, and a second card, bears the number of it.
    """
    here = titles.get(shown.piece.page, [])
    said = " ".join(shown.look.words)
    if shown.piece.cut:
        at = {said.find(title): title for title in reversed(here) if title in said}
        if at:
            return at[min(at)]
    elif here:
        return here[-1]
    if before is None or not before.name:
        return ""
    if not shown.piece.cut:
        return before.name
    name, _, number = before.name.rpartition(", card ")
    return f"{name}, card {int(number) + 1}" if name and number.isdecimal() else f"{before.name}, card 2"


def _entries(path: Path, shown: str) -> Iterator[tuple[str, bytes]]:
    """Yield the pictures of an archive by their names, without the number in front."""
    try:
        with zipfile.ZipFile(path) as archive:
            listed = [each for each in archive.infolist() if each.filename.lower().endswith(".png")]
            if not listed or len(listed) > MOST_ENTRIES or any(each.file_size > LARGEST_ENTRY for each in listed):
                raise InputError([Problem(Place(shown), "holds no pictures, or more than can be compared")])
            for each in listed:
                stem = Path(each.filename).stem
                number, _, rest = stem.partition("-")
                yield rest if number.isdecimal() and rest else stem, archive.read(each)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError) as error:
        raise InputError([Problem(Place(shown), f"is damaged or cut off ({error})")]) from None


def _as_pages(pictures: Sequence[bytes], shown: str) -> bytes:
    """Return pictures as the pages of a PDF."""
    from PIL import Image, UnidentifiedImageError

    try:
        pages = [Image.open(BytesIO(each)).convert("RGB") for each in pictures]
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise InputError([Problem(Place(shown), f"is no picture that can be read ({error})")]) from None
    with BytesIO() as out:
        pages[0].save(out, "PDF", save_all=True, append_images=pages[1:], resolution=300, quality=90)
        return out.getvalue()


class _Words(HTMLParser):
    """Takes the text of a web page, a line for each block of it."""

    UNSHOWN = ("style", "script", "title", "template")

    def __init__(self) -> None:
        super().__init__()
        self.lines = [""]
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:
        """Begin a line where a block begins."""
        self._hidden += tag in self.UNSHOWN
        if tag not in ("b", "i", "em", "strong", "a", "span", "sup", "sub", "abbr", "tspan"):
            self.lines.append("")

    def handle_endtag(self, tag: str) -> None:
        """Note that what is not shown ends."""
        self._hidden -= tag in self.UNSHOWN

    def handle_data(self, data: str) -> None:
        """Add words to the line."""
        if self._hidden <= 0:
            self.lines[-1] += data


def _lines(path: Path, shown: str) -> Iterator[str]:
    """Yield the lines of a text, or of what a web page says."""
    form = path.suffix.lower()
    try:
        if form == ".epub":
            with zipfile.ZipFile(path) as archive:
                listed = [each for each in archive.infolist() if each.filename.endswith((".xhtml", ".html"))]
                if len(listed) > MOST_ENTRIES or any(each.file_size > LARGEST_ENTRY for each in listed):
                    raise InputError([Problem(Place(shown), "is larger than what can be compared")])
                texts = [archive.read(each).decode("utf-8") for each in listed]
        else:
            texts = [read_file(path, shown, most=MOST).decode("utf-8")]
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, UnicodeDecodeError, OSError) as error:
        raise InputError([Problem(Place(shown), f"is damaged, or no {form} ({error})")]) from None
    for text in texts:
        if form in TEXTS:
            yield from text.splitlines()
            continue
        parser = _Words()
        parser.feed(text)
        yield from (" ".join(line.split()) for line in parser.lines if line.strip())


def _line_differences(old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    """Yield how the lines of a text differ, each with its number."""
    from difflib import SequenceMatcher

    told = 0
    for what, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if what == "equal":
            continue
        told += 1
        if told > MOST_LINES:
            yield "and more"
            return
        before, after = " ".join(old[i1:i2]).split(), " ".join(new[j1:j2]).split()
        where = f"line {(j1 if j2 > j1 else i1) + 1}"
        yield f"{where}: {'; '.join(differences(before, after)) or 'only spaces differ'}"
