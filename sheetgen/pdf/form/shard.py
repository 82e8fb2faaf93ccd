"""Parts of one print run: what a part remembers, and how parts are read and put together into the whole run.

A shard is a PDF with a private stream in its catalogue (ISO 32000-1, 14.5): which part of which run it is, and for each
row its title, the backgrounds of its pages and what was continued. The rest is read from its pages: their contents, and
the pictures they draw in the order of first use. Everything that is read is checked.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Any

from sheetgen.errors import InputError, Place, Problem
from sheetgen.pdf.form.compositor import Sheet
from sheetgen.pdf.form.form import NewResources
from sheetgen.pdf.writer import Ref, Writer

if TYPE_CHECKING:
    import pikepdf

KEY = "/Sheetgen"
_DATE = b"(D:20000101000000Z)"  # the entry must be there, and the same pages must be the same bytes

Facts = Mapping[str, Any]


@dataclass(slots=True)
class ShardRecord:
    """What a shard has to remember, collected while it is written; `facts` say which part of which run it is."""

    facts: Facts
    rows: list[tuple[str, tuple[int, ...], tuple[str, ...]]] = field(default_factory=list)

    def note(self, sheet: Sheet) -> None:
        """Take note of a row that was written."""
        self.rows.append((sheet.title, tuple(background for background, _ in sheet.pages), sheet.continued))

    def entry(self, writer: Writer, letters: Mapping[bytes, set[str]]) -> dict[str, object]:
        """Write the private stream; return its entry in the catalogue."""
        used = {font.decode(): sorted(found) for font, found in sorted(letters.items())}
        record = json.dumps({"facts": dict(self.facts), "rows": self.rows, "letters": used}, ensure_ascii=False)
        number = writer.deflated(record.encode())
        return {KEY.removeprefix("/"): {"LastModified": _DATE, "Private": Ref(number)}}


MOST_SHARDS = 1_000
_LONGEST_MOVE = 200  # bytes
_MOVE = re.compile(rb"(?:Q )?q 1 0 0 1 \S+ \S+ cm\s*")
_PICTURE = re.compile(rb"(/[vw]\S*) Do\n")
_LONGEST_PAGE = 20_000_000  # bytes of one page's drawing
_AT_ONCE = 30_000_000  # bytes of compressed pages that come in one piece

Rows = list[tuple[str, list[int], list[str]]]


@dataclass(frozen=True, slots=True)
class ShardFacts:
    """Which part of which run a shard is: part `shard`, from 1, of `of` parts of a run of `count` people.

    `again` says how to roll them again, `asked` whether their sheets have a row for what people want and say.
    """

    shard: int
    of: int
    count: int
    run: str
    version: str
    system: str
    shape: str
    paper: str
    back: bool
    fonts: tuple[str, ...] = ()
    again: str = ""
    asked: bool = False


@dataclass(frozen=True, slots=True)
class ShardPiece:
    """Some rows of a shard as composed pages, each with the pictures and letters that it is the first to need.

    `rows` is the number of rows in the whole shard.
    """

    sheets: tuple[tuple[Sheet, NewResources], ...]
    rows: int


def read_facts(source: pikepdf.Pdf, shown: str) -> ShardFacts:
    """Return which shard a PDF is; InputError for one that is none."""
    facts = _private(source, shown)["facts"]
    try:
        found = ShardFacts(**{**facts, "fonts": tuple(facts.get("fonts", ()))})
    except (AttributeError, TypeError):
        raise _refused(shown, "is no shard that this sheetgen can read") from None
    sound = all(type(getattr(found, each.name)).__name__ == str(each.type).partition("[")[0] for each in fields(found))
    if not (sound and 1 <= found.shard <= found.of <= MOST_SHARDS and all(isinstance(it, str) for it in found.fonts)):
        raise _refused(shown, "is no shard that this sheetgen can read")
    return found


def read_piece(source: pikepdf.Pdf, shown: str, first: int) -> ShardPiece:
    """Return the rows of a shard from number `first`, from 0, as many as fit into a piece.

    The first row of a shard also brings the letters of all.
    """
    from pikepdf import Dictionary

    private = _private(source, shown)
    rows: Rows = private["rows"]
    letters = {font.encode(): found for font, found in private["letters"].items()} if first == 0 else {}
    contents = islice(_contents(source, shown), sum(len(pages) for _, pages, _ in rows[:first]), None)
    drawings = source.pages[0].resources.get("/XObject", Dictionary())
    sheets, size, known = [], 0, set[bytes]()
    for title, backgrounds, continued in rows[first:]:
        packed = [stream.read_raw_bytes() for stream in islice(contents, len(backgrounds))]
        if len(packed) < len(backgrounds):
            raise _refused(shown, "has fewer pages than it should: make it again")
        names = dict.fromkeys(name for each in packed for name in _PICTURE.findall(_unpacked(each, shown)))
        pictures = {name: _drawing(drawings, name, shown) for name in names if name not in known}
        known.update(pictures)
        sheet = Sheet(title, tuple(zip(backgrounds, packed, strict=True)), tuple(continued))
        sheets.append((sheet, NewResources(pictures, letters)))
        letters, size = {}, size + sum(map(len, packed))
        if size > _AT_ONCE:
            break
    return ShardPiece(tuple(sheets), len(rows))


def _private(source: pikepdf.Pdf, shown: str) -> dict[str, Any]:
    """Return the private record of a shard, its rows and letters of the types that they should have."""
    try:
        private = json.loads(source.Root.PieceInfo[KEY].Private.read_bytes())
        rows = [_row(*row) for row in private["rows"]]
        letters = {font: _strings(found) for font, found in private["letters"].items()}
        return {"facts": private["facts"], "rows": rows, "letters": letters}
    except (AttributeError, LookupError, TypeError, ValueError, RecursionError):
        raise _refused(shown, "is no shard: make one with --shard 1/4 and the like") from None


def _row(title: object, backgrounds: object, continued: object) -> tuple[str, list[int], list[str]]:
    if not (isinstance(title, str) and isinstance(backgrounds, list) and all(type(it) is int for it in backgrounds)):
        raise TypeError
    return title, backgrounds, _strings(continued)


def _strings(found: object) -> list[str]:
    if not (isinstance(found, list) and all(isinstance(each, str) for each in found)):
        raise TypeError
    return found


def _contents(source: pikepdf.Pdf, shown: str) -> Iterator[pikepdf.Stream]:
    """Yield the contents of each sheet in order: the first of a page, or those behind a move to a place of a plate."""
    from pikepdf import Array, Name, Stream

    for page in source.pages:
        held = page.obj.get("/Contents")
        if held is None:  # the empty back of a sheet of paper
            continue
        listed = list(held) if isinstance(held, Array) else [held]
        streams = [stream for stream in listed if isinstance(stream, Stream)]
        if len(streams) < len(listed):
            raise _refused(shown, "has pages that are not as they were made: make it again")
        moved = [behind for move, behind in pairwise(streams) if _moves(move)]
        for stream in moved or streams[:1]:
            if stream.get("/Filter") != Name.FlateDecode:
                raise _refused(shown, "has pages that are not as they were made: make it again")
            yield stream


def _moves(stream: pikepdf.Stream) -> bool:
    """Return whether a stream only moves to a place of a plate."""
    try:
        short = len(stream.read_raw_bytes()) < _LONGEST_MOVE
        return short and _MOVE.fullmatch(stream.read_bytes()) is not None
    except (RuntimeError, ValueError):
        return False


def _unpacked(packed: bytes, shown: str) -> bytes:
    unpacking = zlib.decompressobj()
    try:
        found = unpacking.decompress(packed, _LONGEST_PAGE)
    except zlib.error:
        raise _refused(shown, "is damaged: make it again") from None
    if not unpacking.eof:
        raise _refused(shown, "is damaged: make it again")
    return found


def _drawing(drawings: pikepdf.Object, name: bytes, shown: str) -> bytes:
    from pikepdf import Stream

    found = drawings.get(name.decode(errors="replace"))
    if not isinstance(found, Stream):
        raise _refused(shown, "is damaged: make it again")
    return found.read_bytes()


def _refused(shown: str, why: str) -> InputError:
    return InputError([Problem(Place(shown), why)])
