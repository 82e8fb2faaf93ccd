"""PDFs of anybody opened, or refused in one line; pages of ours counted, joined, selected, made plain for a shop."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

import pikepdf

from sheetgen.errors import InputError, Place, Problem
from sheetgen.geometry import Box
from sheetgen.model.printing import DUPLEX, PIECES, PIECES_DATE

Pdf = pikepdf.Pdf

LARGEST = 400_000_000
MOST_PAGES = 2_000
# What the reader of PDFs mends without loss; anything else that it warns of may have cost a page its contents.
HARMLESS = (
    "is not one plus the highest object number",
    "a common error handled correctly",
    "stream keyword followed by carriage return only",
    "while traversing /AcroForm; correcting",
    "is not reachable from /AcroForm",
)
DAMAGED = "is damaged or cut off ({}): print it to a new PDF first"
OUT_OF_MEMORY = "bad_alloc"  # as the reader of PDFs words it
_UNPACKED = ("/FlateDecode", "/LZWDecode", "/ASCII85Decode", "/ASCIIHexDecode", "/RunLengthDecode")
MAKER = "sheetgen"
MOST_NOTED = 200_000  # bytes of what a page keeps
BOXES = ("/MediaBox", "/CropBox", "/BleedBox", "/TrimBox", "/ArtBox")
Matrix = tuple[float, float, float, float, float, float]


@contextmanager
def opened(path: Path, shown: str, *, most_pages: int = MOST_PAGES, whole: bool = True) -> Iterator[pikepdf.Pdf]:
    """Yield the PDF, which is closed when the block ends.

    InputError for what is no regular file, no PDF, empty, too large, locked, damaged, or has no pages or too many.
    Damage that shows only while the block reads is refused at its end. With `whole` every packed stream but pictures is
    unpacked once before the block begins, so the caller should be in a process whose memory and time are limited.
    """
    place = Place(shown)
    try:
        with open(path, "rb", opener=_without_waiting) as file:
            _check_file(file, place)
            # Not mapped into memory: a process with little of it can still read a large file.
            with pikepdf.open(file, access_mode=pikepdf.AccessMode.stream) as source:
                if not 1 <= len(source.pages) <= most_pages:
                    _refuse(place, f"has {len(source.pages):,} pages; from 1 to {most_pages:,} are taken")
                if whole:
                    _unpack(source)
                _refuse_damage(source, place)
                yield source
                _refuse_damage(source, place)
    except pikepdf.PasswordError:
        _refuse(place, "is locked with a password: save it without one first")
    except pikepdf.PdfError as error:
        if OUT_OF_MEMORY in str(error):
            raise MemoryError from error
        decoding = isinstance(error, pikepdf.DataDecodingError)
        _refuse(place, (DAMAGED if decoding else "is not a PDF that can be read ({})").format(_reason(str(error))))
    except OSError as error:
        _refuse(place, (error.strerror or str(error)).lower())


def _without_waiting(path: str, flags: int) -> int:
    """Open a file, or a pipe, without waiting for its other end."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _check_file(file: BinaryIO, place: Place) -> None:
    about = os.fstat(file.fileno())
    if not stat.S_ISREG(about.st_mode):
        _refuse(place, "is not a regular file")
    if about.st_size == 0:
        _refuse(place, "is empty")
    if about.st_size > LARGEST:
        _refuse(place, f"is larger than {LARGEST:,} bytes")


def _unpack(source: pikepdf.Pdf) -> None:
    """Unpack every stream but pictures, so that damage shows; MemoryError for one that unfolds without end."""
    for each in source.objects:
        if isinstance(each, pikepdf.Stream) and each.get("/Subtype") != "/Image":
            filters = each.get("/Filter", pikepdf.Array())
            named = list(filters) if isinstance(filters, pikepdf.Array) else [filters]
            if all(name in _UNPACKED for name in named):
                each.read_bytes(pikepdf.StreamDecodeLevel.specialized)


def _refuse_damage(source: pikepdf.Pdf, place: Place) -> None:
    damage = [text for text in map(str, source.get_warnings()) if not any(known in text for known in HARMLESS)]
    if any(OUT_OF_MEMORY in text for text in damage):
        raise MemoryError
    if damage:
        # What comes first only says that something is wrong, or where it is.
        reason = next((text for text in damage if "file is damaged" not in text), damage[0])
        _refuse(place, DAMAGED.format(_reason(reason)))


def _reason(message: str) -> str:
    """The part of a message behind the file and the object it is about, on one line."""
    return message.partition("\n")[0].rpartition(": ")[2][:160] or "damaged"


def _refuse(place: Place, why: str) -> NoReturn:
    raise InputError([Problem(place, why)]) from None


def note_pieces(page: pikepdf.Object, about: Mapping[str, object]) -> None:
    """Keep in a page, or in a form, what stands on it."""
    text = pikepdf.String(json.dumps(dict(about), ensure_ascii=True, separators=(",", ":")))
    entry = pikepdf.Dictionary(LastModified=pikepdf.String(PIECES_DATE), Private=text)
    page["/PieceInfo"] = pikepdf.Dictionary({PIECES: entry})


def noted(page: pikepdf.Object) -> dict[str, Any]:
    """Return what a page keeps of the pieces on it; nothing of a page that keeps none."""
    found = page.get("/PieceInfo")
    entry = found.get(PIECES) if isinstance(found, pikepdf.Dictionary) else None
    kept = entry.get("/Private") if isinstance(entry, pikepdf.Dictionary) else None
    if not isinstance(kept, pikepdf.String) or len(bytes(kept)) > MOST_NOTED:
        return {}
    try:
        about = json.loads(str(kept))
    except (ValueError, RecursionError):
        return {}
    return about if isinstance(about, dict) else {}


def named(data: bytes, names: Iterable[tuple[str, bool]]) -> bytes:
    """Return a PDF whose pages keep their names, and whether each is the back of the page before it."""
    with pikepdf.open(BytesIO(data)) as source, BytesIO() as out:
        for page, (name, back) in zip(source.pages, names, strict=True):
            note_pieces(page.obj, {"name": name, "back": back})
        source.save(out, object_stream_mode=pikepdf.ObjectStreamMode.generate, deterministic_id=True)
        return out.getvalue()


def page_count(data: bytes) -> int:
    """Return how many pages a PDF has."""
    with pikepdf.open(BytesIO(data)) as source:
        return len(source.pages)


def page_sizes(data: bytes) -> list[tuple[float, float]]:
    """Return width and height of each page of a PDF, in points."""
    with pikepdf.open(BytesIO(data)) as source:
        boxes = [[float(each) for each in page.mediabox] for page in source.pages]
    return [(right - left, top - low) for left, low, right, top in boxes]


def printed_as_it_is(flip: str = "") -> pikepdf.Dictionary:
    """Return what asks a viewer to print at actual size, on both sides if paper is turned over an edge."""
    duplex = pikepdf.Name(f"/{DUPLEX[flip]}")
    return pikepdf.Dictionary(
        DisplayDocTitle=True, PrintScaling=pikepdf.Name("/None"), PickTrayByPDFSize=True, Duplex=duplex
    )


def concatenate(parts: Iterable[bytes], *, title: str) -> bytes:
    """Return all pages of several PDFs as one, under a title; the same parts give the same bytes."""
    with pikepdf.new() as made, BytesIO() as out:
        for part in parts:
            with pikepdf.open(BytesIO(part)) as source:
                made.pages.extend(source.pages)
        made.docinfo["/Title"], made.docinfo["/Producer"] = title, MAKER
        made.Root.ViewerPreferences = printed_as_it_is()
        made.save(out, object_stream_mode=pikepdf.ObjectStreamMode.generate, deterministic_id=True)
        return out.getvalue()


@dataclass(frozen=True, slots=True)
class BoundPart:
    """Pages of a file that is bound from several, with a bookmark, others below it as (title, page in the part, from
    1), and links as (page in the part, box in points, page of the whole file). `flip` is the edge over which its paper
    is turned, if not all parts are printed on both sides.
    """

    data: bytes
    title: str
    marks: tuple[tuple[str, int], ...] = ()
    links: tuple[tuple[int, Box, int], ...] = ()
    flip: str = ""


def bound(parts: Sequence[BoundPart], *, title: str, author: str, two_sided: bool) -> bytes:
    """Return the pages of all parts as one PDF; printed on both sides, each part begins on a front."""
    with pikepdf.new() as made, BytesIO() as out:
        begun: list[int] = []
        for part in parts:
            begun.append(len(made.pages))
            with pikepdf.open(BytesIO(part.data)) as source:
                made.pages.extend(source.pages)
            for at, turned in enumerate(made.pages[begun[-1] :] if part.flip else ()):
                note_pieces(turned.obj, {**noted(turned.obj), "flip": part.flip, "back": at % 2 == 1})
            if two_sided and len(made.pages) % 2:
                _, _, width, height = made.pages[-1].mediabox
                made.add_blank_page(page_size=(float(width), float(height)))
        with made.open_outline() as outline:
            for part, first in zip(parts, begun, strict=True):
                entry = pikepdf.OutlineItem(part.title, first)
                entry.children.extend(pikepdf.OutlineItem(name, first + page - 1) for name, page in part.marks)
                outline.root.append(entry)
        for part, first in zip(parts, begun, strict=True):
            for page, box, to in part.links:
                add_link(made, made.pages[first + page - 1], box, made.pages[to - 1])
        made.docinfo["/Title"], made.docinfo["/Author"], made.docinfo["/Producer"] = title, author, MAKER
        made.Root.Lang = "en"
        made.Root.PageMode = pikepdf.Name.UseOutlines
        made.Root.ViewerPreferences = printed_as_it_is("long" if two_sided else "")
        made.save(out, object_stream_mode=pikepdf.ObjectStreamMode.generate, deterministic_id=True)
        return out.getvalue()


def add_link(made: pikepdf.Pdf, page: pikepdf.Page, box: Box, to: pikepdf.Page) -> None:
    """Add a link in a box of a page that leads to another page."""
    where, target = pikepdf.Array(box.corners), pikepdf.Array([to.obj, pikepdf.Name.Fit])
    about = {"/Type": pikepdf.Name.Annot, "/Subtype": pikepdf.Name.Link, "/F": 4, "/Border": pikepdf.Array([0, 0, 0])}
    link = made.make_indirect(pikepdf.Dictionary({**about, "/Rect": where, "/Dest": target}))
    page.obj["/Annots"] = pikepdf.Array([*page.obj.get("/Annots", []), link])


def paired(fronts: bytes, backs: bytes, owners: Sequence[int], *, bleed: float) -> bytes:
    """Return fronts and backs by turns, with their trim boxes: behind each front the back of that number, from 0.

    Fronts are as large as their trim box, backs reach out by the `bleed`, in points.
    """
    with pikepdf.open(BytesIO(fronts)) as first, pikepdf.open(BytesIO(backs)) as second, BytesIO() as out:
        for page in first.pages:
            width, height = (float(each) for each in list(page.mediabox)[2:])
            page.trimbox = pikepdf.Array((0, 0, width, height))
            page.mediabox = pikepdf.Array((-bleed, -bleed, width + bleed, height + bleed))
        for page in second.pages:
            width, height = (float(each) for each in list(page.mediabox)[2:])
            page.trimbox = pikepdf.Array((bleed, bleed, width - bleed, height - bleed))
        with pikepdf.new() as made:
            for front, owner in zip(first.pages, owners, strict=True):
                made.pages.append(front)
                made.pages.append(second.pages[owner])
            copy_about(first, made)
            made.save(out, object_stream_mode=pikepdf.ObjectStreamMode.generate, deterministic_id=True)
        return out.getvalue()


def drawn_at(data: bytes, pieces: Iterable[tuple[bytes, Sequence[str], float, bool]]) -> bytes:
    """Return a PDF with the pages of others drawn where it has places of these names, so much smaller.

    The corner of each place is the upper left one of what is drawn there, which is no part of the text. What is turned
    lies on its left side.
    """
    with pikepdf.open(BytesIO(data)) as made, BytesIO() as out:
        for part, names, scale, turned in pieces:
            with pikepdf.open(BytesIO(part)) as source:
                for name, other in zip(names, source.pages, strict=True):
                    place = _place_named(made, name)
                    if place is not None:
                        matrix = _hung(float(place[2]), float(place[3]), other, scale, turned=turned)
                        _draw_onto(made, pikepdf.Page(place[0]), other, f"/Drawn-{name}", matrix)
        made.save(out, object_stream_mode=pikepdf.ObjectStreamMode.generate, deterministic_id=True)
        return out.getvalue()


def drawn_onto(data: bytes, pages: Iterable[bytes], *, names: Sequence[str]) -> bytes:
    """Return a PDF with other pages drawn onto those of its pages that bear these names, as large as they allow.

    What is drawn is no part of the text for those who have it read: the page itself has to say what it is.
    """
    with pikepdf.open(BytesIO(data)) as made, BytesIO() as out:
        at = {name: pikepdf.Page(place[0]) for name in names if (place := _place_named(made, name)) is not None}
        waiting = iter(names)
        for part in pages:
            with pikepdf.open(BytesIO(part)) as source:
                for page in source.pages:
                    name = next(waiting)
                    _draw_onto(made, at[name], page, f"/Drawn-{name}", _fitted(at[name], page))
        made.save(out, object_stream_mode=pikepdf.ObjectStreamMode.generate, deterministic_id=True)
        return out.getvalue()


def anchored_pages(data: bytes) -> dict[str, int]:
    """Return the numbers of the pages, from 1, on which a PDF has its named places, those that links lead to."""
    with pikepdf.open(BytesIO(data)) as source:
        numbers = {page.obj.objgen: number for number, page in enumerate(source.pages, 1)}
        names = source.Root.get("/Names", pikepdf.Dictionary()).get("/Dests")
        found = [] if names is None else [str(name) for name in pikepdf.NameTree(names)]
        places = {name: _place_named(source, name) for name in found}
        return {name: numbers[place[0].objgen] for name, place in places.items() if place is not None}


def _place_named(source: pikepdf.Pdf, name: str) -> pikepdf.Object | None:
    """Return a page with a point on it, as an array; None for a name that is not there."""
    names = source.Root.get("/Names", pikepdf.Dictionary()).get("/Dests")
    found = pikepdf.NameTree(names).get(name) if names is not None else None
    return found.get("/D") if isinstance(found, pikepdf.Dictionary) else found


def _fitted(page: pikepdf.Page, other: pikepdf.Page) -> Matrix:
    """Return what brings another page onto a page as large as it allows, turned to the left where that is larger."""
    (_, _, wide, high), (left, bottom, right, top) = map(float, page.mediabox), map(float, other.mediabox)
    across, along = right - left, top - bottom
    upright, turned = min(wide / across, high / along), min(wide / along, high / across)
    if turned > upright:
        return 0, turned, -turned, 0, (wide + turned * (bottom + top)) / 2, (high - turned * (left + right)) / 2
    return upright, 0, 0, upright, (wide - upright * (left + right)) / 2, (high - upright * (bottom + top)) / 2


def _hung(left: float, top: float, other: pikepdf.Page, scale: float, *, turned: bool) -> Matrix:
    """Return what brings the upper left corner of another page, as it is drawn, to a point."""
    across, along = scale * float(other.mediabox[2]), scale * float(other.mediabox[3])
    if turned:
        return 0, scale, -scale, 0, left + along, top - across
    return scale, 0, 0, scale, left, top - along


def _draw_onto(made: pikepdf.Pdf, page: pikepdf.Page, other: pikepdf.Page, name: str, matrix: Matrix) -> None:
    """Draw another page onto a page, under a name of its own: pages may share their resources."""
    other_form = made.copy_foreign(other.as_form_xobject())
    drawn = page.add_resource(other_form, pikepdf.Name.XObject, pikepdf.Name(name))
    content = f"/Artifact BMC q {' '.join(f'{each:.6f}' for each in matrix)} cm {drawn} Do Q EMC"
    page.contents_add(made.make_stream(content.encode()), prepend=True)  # before the page turns its axes over


def cut_to_bleed(data: bytes, bleed: float) -> bytes:
    """Return the pages with so much around their TrimBox, in points, as their paper and their BleedBox."""
    with pikepdf.open(BytesIO(data)) as source, BytesIO() as out:
        for page in source.pages:
            left, low, right, top = (float(each) for each in page.trimbox)
            around = pikepdf.Array([round(each, 4) for each in (left - bleed, low - bleed, right + bleed, top + bleed)])
            page.trimbox = pikepdf.Array([round(each, 4) for each in (left, low, right, top)])
            page.mediabox = page.cropbox = page.bleedbox = around
        source.save(out, object_stream_mode=pikepdf.ObjectStreamMode.generate, deterministic_id=True)
        return out.getvalue()


def select_pages(data: bytes, wanted: Iterable[int]) -> bytes:
    """Return a PDF of the pages with these numbers, from 1, in this order; what pages share is in it once.

    Title and author stay, and every box of a page.
    """
    with pikepdf.open(BytesIO(data)) as source, pikepdf.new() as made, BytesIO() as target:
        for number in wanted:
            made.pages.append(source.pages[number - 1])
        copy_about(source, made)
        made.save(target, object_stream_mode=pikepdf.ObjectStreamMode.generate, deterministic_id=True)
        return target.getvalue()


def without_links(data: bytes) -> bytes:
    """Return a PDF without links and names of places: of pages that stand alone they lead nowhere."""
    with pikepdf.open(BytesIO(data)) as source, BytesIO() as target:
        for page in source.pages:
            if "/Annots" in page.obj:
                del page.obj.Annots
        for name in ("/Names", "/Dests", "/Outlines", "/StructTreeRoot"):
            if name in source.Root:
                del source.Root[name]
        source.save(target, deterministic_id=True)
        return target.getvalue()


def copy_about(source: pikepdf.Pdf, made: pikepdf.Pdf) -> None:
    """Give a PDF title, author and language of another."""
    for key in ("/Title", "/Author"):
        if key in source.docinfo:
            made.docinfo[key] = str(source.docinfo[key])
    made.docinfo["/Producer"] = MAKER
    if "/Lang" in source.Root:
        made.Root.Lang = str(source.Root.Lang)


def normalize_origin(pages: bytes) -> bytes:
    """Return the pages with the corner of their paper at the origin, as simple programs expect, and without links."""
    made = BytesIO()
    with pikepdf.open(BytesIO(pages)) as document:
        for page in document.pages:
            left, bottom = (float(each) for each in list(page.mediabox)[:2])
            if left or bottom:
                for name in BOXES:
                    if name in page.obj:
                        x1, y1, x2, y2 = (float(each) for each in page.obj[name])
                        moved = (x1 - left, y1 - bottom, x2 - left, y2 - bottom)
                        page.obj[name] = pikepdf.Array([round(each, 4) + 0.0 for each in moved])
                page.contents_add(f"q 1 0 0 1 {-left:.4f} {-bottom:.4f} cm\n".encode(), prepend=True)
                page.contents_add(b"\nQ")
            if "/Annots" in page.obj:
                del page.obj.Annots
        document.remove_unreferenced_resources()
        document.save(made, object_stream_mode=pikepdf.ObjectStreamMode.generate, deterministic_id=True)
    return made.getvalue()
