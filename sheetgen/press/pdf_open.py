"""PDFs of anybody opened, or refused in one line that says why."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, NoReturn

import pikepdf

from sheetgen.errors import InputError, Place, Problem

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
