"""The pages of a PDF as form XObjects with everything they use, ready to stand in another file under new numbers."""

from __future__ import annotations

import io
import zlib
from decimal import Decimal

import pikepdf

from sheetgen.pdf.form.form import Shared

# What ties a page to its own file and means nothing in another.
_LEFT_BEHIND = frozenset({"/Parent", "/StructParent", "/StructParents", "/Metadata", "/PieceInfo", "/LastModified"})


def backgrounds(data: bytes) -> tuple[tuple[Shared, ...], tuple[int, ...]]:
    """Return the objects that draw the pages of a PDF, numbered from 1, and the number of each page's drawing."""
    with pikepdf.open(io.BytesIO(data)) as pdf:
        carrier = _Carrier()
        drawn = tuple(carrier.number(pdf.make_indirect(page.as_form_xobject())) for page in pdf.pages)
        return carrier.carried(), drawn


class _Carrier:
    """Numbers all objects that are reachable from those asked for, and writes each as text and stream."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[int, int], int] = {}
        self._waiting: list[pikepdf.Object] = []

    def number(self, item: pikepdf.Object) -> int:
        """Return the number of an indirect object; one seen for the first time joins those to carry."""
        if item.objgen not in self._numbers:
            self._numbers[item.objgen] = len(self._numbers) + 1
            self._waiting.append(item)
        return self._numbers[item.objgen]

    def carried(self) -> tuple[Shared, ...]:
        """Return all objects in the order of their numbers."""
        done: list[Shared] = []
        while len(done) < len(self._waiting):
            done.append(self._shared(self._waiting[len(done)]))
        return tuple(done)

    def _shared(self, item: pikepdf.Object) -> Shared:
        if not isinstance(item, pikepdf.Stream):
            return Shared(self._text(item, top=True))
        stream = item.read_raw_bytes()
        entries = {key: value for key, value in item.stream_dict.items() if key != "/Length"}
        more = b""
        if "/Filter" not in entries:
            stream, more = zlib.compress(stream, 9), b"/Filter /FlateDecode"
        return Shared(self._dictionary(entries, more + b"/Length %d" % len(stream)), stream)

    def _text(self, item: object, *, top: bool = False) -> bytes:
        if isinstance(item, pikepdf.Object) and item.is_indirect and not top:
            return b"%d 0 R" % self.number(item)
        if isinstance(item, pikepdf.Array):
            return b"[" + b" ".join(self._text(part) for part in item) + b"]"
        if isinstance(item, pikepdf.Dictionary):
            return self._dictionary(dict(item.items()))
        if isinstance(item, pikepdf.String):
            # In hexadecimal, so that no string can look like a reference.
            return b"<" + bytes(item).hex().encode("ascii") + b">"
        return item.unparse() if isinstance(item, pikepdf.Object) else _scalar(item)

    def _dictionary(self, entries: dict[str, pikepdf.Object], more: bytes = b"") -> bytes:
        parts = [
            pikepdf.Name(key).unparse() + b" " + self._text(entries[key])
            for key in sorted(entries)
            if key not in _LEFT_BEHIND
        ]
        return b"<<" + b"".join(parts) + more + b">>"


def _scalar(item: object) -> bytes:
    """Return a number, a truth value or nothing, which pikepdf hands out as Python values."""
    match item:
        case None:
            return b"null"
        case bool():
            return b"true" if item else b"false"
        case int() | Decimal():
            return format(item, "f" if isinstance(item, Decimal) else "d").encode("ascii")
    raise TypeError(f"no way to write {type(item).__name__} into a PDF")
