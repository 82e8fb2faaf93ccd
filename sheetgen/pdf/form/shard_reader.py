"""Parts of one print run read back, to be put together again, to the byte, into the whole.

What a shard does not remember (`record.py`) is read from its pages: their contents, the pictures they draw, and so the
order in which these were first needed.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary

from sheetgen.errors import InputError, Place, Problem
from sheetgen.pdf.form.compositor import News, Sheet
from sheetgen.pdf.form.shard_writer import KEY

_PICTURE = re.compile(rb"(/[vw]\S*) Do\n")
_LARGEST = 500_000_000


class Shard:
    """A shard opened for reading; close it when done."""

    def __init__(self, path: Path, shown: str) -> None:
        """Raises InputError for a file that is none."""
        place = Place(shown)
        try:
            if path.stat().st_size > _LARGEST:
                raise InputError([Problem(place, f"is larger than {_LARGEST:,} bytes")])
            self._pdf = pikepdf.open(path)
        except pikepdf.PdfError as error:
            raise InputError([Problem(place, f"is not a PDF that can be read ({error})")]) from None
        except OSError as error:
            raise InputError([Problem(place, (error.strerror or str(error)).lower())]) from None
        self.place = place
        told = self._told()
        if told is None:
            self.close()
            raise InputError([Problem(place, "is no shard: make one with --shard 1/4 and the like")])
        self.facts: dict[str, Any] = told["facts"]
        self._rows, self._letters = told["rows"], told["letters"]

    def _told(self) -> dict[str, Any] | None:
        try:
            private = self._pdf.Root.PieceInfo[KEY].Private
            told = json.loads(private.read_bytes())
        except (AttributeError, KeyError, TypeError, ValueError, pikepdf.PdfError):
            return None
        whole = isinstance(told, dict) and {"facts", "rows", "letters"} <= set(told)
        return told if whole else None

    def close(self) -> None:
        """Lets the file go."""
        self._pdf.close()

    def sheets(self) -> Iterator[tuple[Sheet, News]]:
        """Each row composed as it was, with the pictures it draws; the first also brings the letters of all."""
        contents = self._contents()
        letters = {font.encode(): text for font, text in self._letters.items()}
        for title, backgrounds, continued in self._rows:
            try:
                packed = [next(contents) for _ in backgrounds]
            except StopIteration:
                raise InputError([Problem(self.place, "has fewer pages than it should: make it again")]) from None
            pictures = {name: drawing for each in packed for name, drawing in self._pictures(each)}
            yield Sheet(title, tuple(zip(backgrounds, packed, strict=True)), tuple(continued)), News(pictures, letters)
            letters = {}

    def _contents(self) -> Iterator[bytes]:
        """The compressed contents of each sheet in order; on a plate every second stream after the first is one."""
        for page in self._pdf.pages:
            held = page.obj.Contents
            streams = list(held)[2::2] if isinstance(held, Array) else [held]
            yield from (stream.read_raw_bytes() for stream in streams)

    def _pictures(self, packed: bytes) -> Iterator[tuple[bytes, bytes]]:
        drawings = self._pdf.pages[0].resources.get("/XObject", Dictionary())
        for name in dict.fromkeys(_PICTURE.findall(zlib.decompress(packed))):
            yield name, drawings[name.decode()].read_bytes()
