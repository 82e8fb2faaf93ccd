"""A PDF written front to back: streams as they come, small objects packed together, a balanced page tree, an outline.

Only the offsets of written pages stay in memory, so that memory hardly grows with the count. Reading such a file takes
PDF 1.5 or later: object streams and a cross-reference stream (ISO 32000-1, 7.5.7 and 7.5.8).
"""

from __future__ import annotations

import hashlib
import sys
import zlib
from array import array
from collections.abc import Callable, Iterable, Mapping

_PACKED_AT_MOST = 200
_KIDS = 50
_ROWS = 10_000
_LEVEL = 6
_NODE = b"<</Type/Pages%b/Kids[%b]/Count %d%b>>"


class Writer:
    """Writes one PDF through `write`, which takes bytes; numbers come from `reserve`, each is to be written once."""

    def __init__(self, write: Callable[[bytes], object]) -> None:
        self._write = write
        self._hash = hashlib.blake2b(digest_size=16)
        self._at = 0
        # For each number its kind (0 free, 1 at an offset, 2 in a stream), the offset or the stream, the place there.
        self._kinds, self._places, self._indices = array("B", [0]), array("Q", [0]), array("H", [0])
        self._packed: list[tuple[int, bytes]] = []
        self._emit(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")

    def reserve(self, count: int = 1) -> int:
        """Return the first of `count` new numbers in a row."""
        number = len(self._kinds)
        self._kinds.extend([0] * count)
        self._places.extend([0] * count)
        self._indices.extend([0] * count)
        return number

    def stream(self, data: bytes, about: bytes = b"", number: int = 0) -> int:
        """Write a stream whose data is compressed already, `about` being further entries of its dictionary."""
        number = number or self.reserve()
        self.object(b"<<%b/Length %d>>" % (about, len(data)), number, data)
        return number

    def deflated(self, data: bytes, about: bytes = b"") -> int:
        """Write a stream and compresses it."""
        return self.stream(zlib.compress(data, 9), about + b"/Filter/FlateDecode")

    def object(self, text: bytes, number: int, stream: bytes | None = None) -> None:
        """Write an object that stands by itself; a stream's `text` is its dictionary with its /Length."""
        self._kinds[number], self._places[number] = 1, self._at
        if stream is None:
            self._emit(b"%d 0 obj\n%b\nendobj\n" % (number, text))
        else:
            self._emit(b"%d 0 obj\n%b\nstream\n%b\nendstream\nendobj\n" % (number, text, stream))

    def pack(self, text: bytes, number: int = 0) -> int:
        """Take an object that is no stream into the next object stream."""
        number = number or self.reserve()
        self._packed.append((number, text))
        if len(self._packed) >= _PACKED_AT_MOST:
            self._flush()
        return number

    def finish(self, *, root: int, info: int) -> None:
        """Write what is left and the cross-reference stream; the file's /ID follows from its contents."""
        self._flush()
        number = self.reserve()
        start = self._at
        self._kinds[number], self._places[number] = 1, start
        identity = self._hash.hexdigest().encode("ascii")
        data = self._references()
        about = dict(
            Type="XRef", Size=number + 1, Root=Ref(root), Info=Ref(info), ID=[b"<%b>" % identity] * 2, W=(1, 5, 2)
        )
        self.object(pdf_dict(**about, Filter="FlateDecode", Length=len(data)), number, data)
        self._emit(b"startxref\n%d\n%%%%EOF\n" % start)

    def _flush(self) -> None:
        if not self._packed:
            return
        number = self.reserve()
        heads, bodies, at = [], [], 0
        for index, (packed, text) in enumerate(self._packed):
            self._kinds[packed], self._places[packed], self._indices[packed] = 2, number, index
            heads.append(b"%d %d" % (packed, at))
            bodies.append(text)
            at += len(text) + 1
        head = b" ".join(heads) + b"\n"
        about = b"/Type/ObjStm/N %d/First %d/Filter/FlateDecode" % (len(heads), len(head))
        self._packed.clear()
        self.stream(zlib.compress(head + b"\n".join(bodies), _LEVEL), about, number)

    def _references(self) -> bytes:
        """Return the compressed rows of the cross-reference stream: kind in one byte, place in five, index in two.

        They are made some thousands at a time: all of them at once would take more memory than all that was written.
        """
        packer = zlib.compressobj(_LEVEL)
        pieces = [packer.compress(self._rows(at, at + _ROWS)) for at in range(0, len(self._kinds), _ROWS)]
        return b"".join((*pieces, packer.flush()))

    def _rows(self, start: int, stop: int) -> bytes:
        kinds, places, indices = self._kinds[start:stop], self._places[start:stop], self._indices[start:stop]
        if sys.byteorder == "little":
            places.byteswap()
            indices.byteswap()
        rows = bytearray(8 * len(kinds))
        rows[0::8] = kinds.tobytes()
        for column in range(5):
            rows[1 + column :: 8] = places.tobytes()[3 + column :: 8]
        for column in range(2):
            rows[6 + column :: 8] = indices.tobytes()[column::2]
        return bytes(rows)

    def _emit(self, data: bytes) -> None:
        self._write(data)
        self._hash.update(data)
        self._at += len(data)


class PageTree:
    """Pages under nodes of fifty, those under nodes of fifty, and so on up to one root."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self.count = 0
        self._kids: list[int] = []
        self._node = 0
        self._full: list[tuple[int, bytes, int]] = []  # number, references to the kids, pages below

    def add(self, entries: bytes, number: int = 0) -> int:
        """Write a page with these entries in its dictionary; return its number, a new one unless it has one."""
        if not self._kids:
            self._node = self._writer.reserve()
        number = self._writer.pack(b"<</Type/Page/Parent %d 0 R%b>>" % (self._node, entries), number)
        self._kids.append(number)
        self.count += 1
        if len(self._kids) == _KIDS:
            self._fill()
        return number

    def close(self, inherited: bytes) -> int:
        """Write the nodes; return the number of the root, which has the entries that all pages inherit."""
        if self._kids or not self._full:
            self._fill()
        level = self._full
        while len(level) > 1:
            level = [self._above(level[at : at + _KIDS]) for at in range(0, len(level), _KIDS)]
        number, kids, count = level[0]
        self._writer.pack(_NODE % (b"", kids, count, inherited), number)
        return number

    def _fill(self) -> None:
        kids = b" ".join([b"%d 0 R" % kid for kid in self._kids])
        self._full.append((self._node or self._writer.reserve(), kids, len(self._kids)))
        self._kids.clear()

    def _above(self, nodes: list[tuple[int, bytes, int]]) -> tuple[int, bytes, int]:
        parent = self._writer.reserve()
        for number, kids, count in nodes:
            self._writer.pack(_NODE % (b"/Parent %d 0 R" % parent, kids, count, b""), number)
        return parent, b" ".join([b"%d 0 R" % number for number, _, _ in nodes]), sum(count for _, _, count in nodes)


class Outline:
    """Bookmarks in one row; each is written when the next is known."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self.root = writer.reserve()
        self.count = 0
        self._first = self._last = 0
        self._waiting = b""

    def add(self, title: str, page: int) -> None:
        """Add a bookmark to the page of that number."""
        number = self._writer.reserve()
        self._write(b"/Next %d 0 R" % number)
        before = b"/Prev %d 0 R" % self._last if self._last else b""
        self._first = self._first or number
        self._last = number
        self._waiting = b"<</Title%b/Parent %d 0 R/Dest[%d 0 R/Fit]%b" % (words(title), self.root, page, before)
        self.count += 1

    def close(self) -> None:
        """Write the last bookmark and the root."""
        self._write(b"")
        ends = b"/First %d 0 R/Last %d 0 R" % (self._first, self._last) if self.count else b""
        self._writer.pack(b"<</Type/Outlines/Count %d%b>>" % (self.count, ends), self.root)

    def _write(self, after: bytes) -> None:
        if self._waiting:
            self._writer.pack(self._waiting + after + b">>", self._last)


class Ref(int):
    """The number of an object that an entry refers to."""


def pdf_value(value: object) -> bytes:
    """Return a value as PDF writes it: str is a name, Mapping a dictionary, any other Iterable an array; bytes stay."""
    match value:
        case bytes():
            return value
        case str():
            return b"/%b" % value.encode("ascii")
        case bool():
            return b" true" if value else b" false"
        case Ref():
            return b" %d 0 R" % value
        case int():
            return b" %d" % value
        case float():
            return b" %b" % number(value)
        case Mapping():
            return b"<<%b>>" % b"".join([b"/%b%b" % (key.encode(), pdf_value(each)) for key, each in value.items()])
        case Iterable():
            return b"[%b]" % b"".join([pdf_value(each) for each in value]).strip()
    raise TypeError(f"no way to write {type(value).__name__} into a PDF")


def pdf_dict(**entries: object) -> bytes:
    """Return a dictionary with these entries (see `pdf_value`), without those that are None; not for the hot path."""
    return pdf_value({name: value for name, value in entries.items() if value is not None})


def media_box(width: float, height: float) -> bytes:
    """Return the entry for the size of a page, in points."""
    return b"/MediaBox[0 0 %b %b]" % (number(width), number(height))


def literal(data: bytes) -> bytes:
    """Bytes as a PDF string in brackets; only what would end it or be read as another character is escaped."""
    data = data.replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)").replace(b"\r", b"\\r")
    return b"(" + data + b")"


def words(text: str) -> bytes:
    """Return text as a PDF string: ASCII, or else UTF-16 with a byte-order mark (ISO 32000-1, 7.9.2)."""
    if text.isascii() and text.isprintable():
        return literal(text.encode("ascii"))
    return literal(b"\xfe\xff" + text.encode("utf-16-be", "replace"))


def number(value: float) -> bytes:
    """Return a number of points below 10,000 with at most two decimals, as short as it can be written."""
    return b"%g" % round(value, 2)


def finish(writer: Writer, tree: int, *, title: str, author: str, two_sided: bool = False, **entries: object) -> None:
    """End the file whose page tree is `tree`: a catalogue with these `entries` too, and what the file says of itself.

    Printed at its own size; with `two_sided` on both sides, turned over the long edge. It carries no date, so that the
    same pages are the same bytes; readers show the title instead of the file name.
    """
    duplex = "DuplexFlipLongEdge" if two_sided else "Simplex"
    printing = dict(DisplayDocTitle=True, PrintScaling="None", PickTrayByPDFSize=True, Duplex=duplex)
    about = pdf_dict(Type="Catalog", Pages=Ref(tree), Lang=words("en"), ViewerPreferences=printing, **entries)
    root = writer.pack(about)
    info = writer.pack(pdf_dict(Title=words(title), Author=words(author), Producer=b"(sheetgen)"))
    writer.finish(root=root, info=info)
