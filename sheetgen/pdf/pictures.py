"""Anybody's PNG or JPEG, portraits made small and framed, photographs as a press prints them; and QR codes."""

from __future__ import annotations

import io
import re
from base64 import b64decode, b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from hashlib import blake2b
from itertools import groupby
from math import cos, pi, sqrt
from typing import Any

from sheetgen.errors import InputError, Place, Problem
from sheetgen.geometry import Box, Size
from sheetgen.pdf.writer import number

QUIET = 4  # modules on each side
MOST_PIXELS = 40_000_000
SHORTER, LONGER = 1_000, 2_400  # dots of the sides that are kept: more than 300 an inch in every frame
QUALITY = 88
FINE = 300  # dots an inch
KEPT = 64  # portraits whose text was read lately
PREFIX = b"/P."  # what the names of portraits begin with on a page
_FORMATS = ("PNG", "JPEG")
_TEXT = re.compile(r"data:image/jpeg;size=(\d+)x(\d+);focus=(\d+)-(\d+);base64,")
MM_PER_INCH = 25.4
SCREENED = 600  # dots an inch of one that is made of dots, which are black or white


def dark_runs(text: str) -> tuple[int, tuple[tuple[int, int, int], ...]]:
    """Return how many modules a side has, quiet zone included, and the runs of dark ones: row, column, length.

    Rows count from the top. Error correction is level M: a code is read with 15 % of it hidden.
    """
    from reportlab.graphics.barcode.qrencoder import QRCode, QRErrorCorrectLevel

    code = QRCode(None, QRErrorCorrectLevel.M)
    code.addData(text)
    code.make()
    side = code.getModuleCount()

    def runs() -> Iterator[tuple[int, int, int]]:
        for row in range(side):
            at = 0
            for dark, group in groupby(bool(code.isDark(row, column)) for column in range(side)):
                length = len(list(group))
                if dark:
                    yield row + QUIET, at + QUIET, length
                at += length

    return side + 2 * QUIET, tuple(runs())


def qr_operators(box: Box, text: str) -> bytes:
    """Return the operators that fill a code into a box, as large as it holds, in the middle."""
    side, runs = dark_runs(text)
    module = min(box.width, box.height) / side
    left, top = box.x + (box.width - side * module) / 2, box.top - (box.height - side * module) / 2
    drawn = [
        b"%b %b %b %b re"
        % tuple(map(number, (left + column * module, top - (row + 1) * module, length * module, module)))
        for row, column, length in runs
    ]
    return b"q 0 g %b f Q\n" % b" ".join(drawn)


def qr_path(text: str) -> tuple[int, str]:
    """Return the side of a code in modules, and an SVG path of its dark runs in that unit."""
    side, runs = dark_runs(text)
    return side, "".join(f"M{column} {row}h{length}v1h-{length}z" for row, column, length in runs)


@dataclass(frozen=True, slots=True)
class Portrait:
    """A picture as JPEG in RGB, its size in dots, and what must be seen of it: per cent from the left and the top."""

    jpeg: bytes
    width: int
    height: int
    focus: tuple[int, int] = (50, 50)

    @property
    def text(self) -> str:
        """The portrait as the address of a picture, which is the value of a field."""
        across, down = self.focus
        about = f"size={self.width}x{self.height};focus={across}-{down}"
        return f"data:image/jpeg;{about};base64,{b64encode(self.jpeg).decode()}"

    @property
    def name(self) -> bytes:
        """The name of the picture on a page: the same for the same picture."""
        return PREFIX + blake2b(self.jpeg, digest_size=8).hexdigest().encode()

    def xobject(self) -> bytes:
        """Return what a PDF must be told of the picture."""
        size = b"/Width %d/Height %d" % (self.width, self.height)
        return b"/Type/XObject/Subtype/Image/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode" + size

    def scale(self, frame: Box) -> float:
        """Return the points that a dot measures where the picture covers a frame."""
        return max(frame.width / self.width, frame.height / self.height)

    def dpi(self, frame: Box) -> int:
        """Return the dots an inch in a frame."""
        return int(72 / self.scale(frame))

    def shown(self, frame: Box) -> bytes:
        """Return the operators that show it in a frame, cropped around its focus."""
        scale = self.scale(frame)
        width, height = self.width * scale, self.height * scale
        x = frame.x - (width - frame.width) * self.focus[0] / 100
        y = frame.y - (height - frame.height) * (100 - self.focus[1]) / 100
        clip = tuple(map(number, (frame.x, frame.y, frame.width, frame.height)))
        placed = tuple(map(number, (width, height, x, y)))
        return b"q %b %b %b %b re W n %b 0 0 %b %b %b cm %b Do Q\n" % (*clip, *placed, self.name)


@lru_cache(maxsize=KEPT)
def portrait_of(text: str) -> Portrait | None:
    """Return the portrait that the text of a field stands for; None if it stands for none."""
    found = _TEXT.match(text)
    if found is None:
        return None
    width, height, across, down = map(int, found.groups())
    return Portrait(b64decode(text[found.end() :]), width, height, (across, down))


@lru_cache(maxsize=KEPT)
def in_grey(text: str) -> str:
    """Return the text of the same portrait without colour; any other text as it is."""
    portrait = portrait_of(text)
    if portrait is None:
        return text
    from PIL import Image  # comes with WeasyPrint

    with Image.open(io.BytesIO(portrait.jpeg), formats=_FORMATS) as picture:
        return _flattened(picture.convert("L"), portrait.focus).text


def read_portrait(data: bytes, place: Place, focus: tuple[int, int]) -> Portrait:
    """Return the portrait in the bytes of a PNG or a JPEG; InputError at the place for anything else.

    Whoever reads a stranger's does so in a confined process.
    """
    from PIL import Image, ImageFile, ImageOps  # comes with WeasyPrint

    ImageFile.LOAD_TRUNCATED_IMAGES, Image.MAX_IMAGE_PIXELS = False, None  # ours is the limit, and has better words
    try:
        with Image.open(io.BytesIO(data), formats=_FORMATS) as picture:
            width, height = picture.size
            if width * height <= MOST_PIXELS:
                seen = ImageOps.exif_transpose(picture)
                return _flattened(seen, focus)
    except Exception:  # whatever a codec makes of damaged data
        raise InputError([Problem(place, "the picture is damaged, or neither PNG nor JPEG (save it anew)")]) from None
    message = f"the picture has {width:,} × {height:,} dots; {MOST_PIXELS:,} is the most (make it smaller)"
    raise InputError([Problem(place, message)])


def _flattened(picture: Any, focus: tuple[int, int]) -> Portrait:
    """Return a picture without transparency, profile and metadata, and no larger than a frame needs."""
    from PIL import Image

    if picture.has_transparency_data:
        whole = picture.convert("RGBA")
        picture = Image.new("RGB", whole.size, "white")
        picture.paste(whole, mask=whole.getchannel("A"))
    picture = picture.convert("RGB")
    width, height = picture.size
    by = min(1.0, SHORTER / min(width, height), LONGER / max(width, height))
    if by < 1.0:
        picture = picture.resize((max(round(width * by), 1), max(round(height * by), 1)), Image.Resampling.LANCZOS)
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=QUALITY)
    width, height = picture.size
    return Portrait(out.getvalue(), width, height, focus)


@dataclass(frozen=True, slots=True)
class PressPicture:
    """A picture ready to print, as PNG, and how many dots of the original fall on an inch."""

    png: bytes
    dpi: int

    @property
    def address(self) -> str:
        """The picture as an address that a page can use."""
        return f"data:image/png;base64,{b64encode(self.png).decode()}"


def press_picture(
    data: bytes, place: Place, *, frame: Size, focus: tuple[int, int], lines: float = 0.0
) -> PressPicture:
    """Return a photograph in grey for a frame in mm, in dots if `lines` an inch are given.

    It is cropped to the frame around the `focus`, in per cent from the left and the top. InputError at the place for a
    file that is damaged, no photograph, or too large.
    """
    from PIL import Image, ImageFile, ImageOps  # comes with WeasyPrint

    ImageFile.LOAD_TRUNCATED_IMAGES, Image.MAX_IMAGE_PIXELS = False, None
    try:
        with Image.open(io.BytesIO(data), formats=_FORMATS) as opened:
            if opened.width * opened.height > MOST_PIXELS:
                raise OverflowError
            picture = _grey(ImageOps.exif_transpose(opened))
    except OverflowError:
        raise InputError(
            [Problem(place, f"the picture has more than {MOST_PIXELS:,} dots (make it smaller)")]
        ) from None
    except Exception:  # whatever a codec makes of damaged data
        raise InputError([Problem(place, "the picture is damaged, or neither PNG nor JPEG (save it anew)")]) from None
    picture = _cropped(picture, frame, focus)
    dpi = int(picture.width * MM_PER_INCH / frame.width)
    if lines:
        return PressPicture(_png(_screened(_resized(picture, frame, SCREENED), lines)), dpi)
    return PressPicture(_png(_resized(picture, frame, FINE) if dpi > FINE else picture), dpi)


def _grey(picture: Any) -> Any:
    """Return a picture in grey, on white where it is transparent."""
    from PIL import Image

    if picture.has_transparency_data:
        whole = picture.convert("RGBA")
        picture = Image.new("RGB", whole.size, "white")
        picture.paste(whole, mask=whole.getchannel("A"))
    return picture.convert("L")


def _cropped(picture: Any, frame: Size, focus: tuple[int, int]) -> Any:
    wide = min(picture.width, round(picture.height * frame.width / frame.height)) or 1
    high = min(picture.height, round(picture.width * frame.height / frame.width)) or 1
    left, top = (picture.width - wide) * focus[0] // 100, (picture.height - high) * focus[1] // 100
    return picture.crop((left, top, left + wide, top + high))


def _resized(picture: Any, frame: Size, dpi: int) -> Any:
    from PIL import Image

    size = (round(frame.width / MM_PER_INCH * dpi) or 1, round(frame.height / MM_PER_INCH * dpi) or 1)
    return picture.resize(size, Image.Resampling.LANCZOS)


def _screened(picture: Any, lines: float) -> Any:
    """Return the picture in dots, on a screen of 45 degrees: the darker, the larger, until they run together."""
    from PIL import Image, ImageChops, ImageOps

    period = max(round(SCREENED / lines * sqrt(2)), 4)
    tile = Image.new("L", (period, period))
    tile.putdata(_thresholds(period))
    screen = Image.new("L", picture.size)
    for y in range(0, picture.height, period):
        for x in range(0, picture.width, period):
            screen.paste(tile, (x, y))
    light = ImageChops.subtract(ImageOps.autocontrast(picture, cutoff=1), screen)
    return light.point(lambda value: 255 if value else 0).convert("1")


@cache
def _thresholds(period: int) -> tuple[int, ...]:
    """Return how light a picture must be at each place of a tile to stay white: a tile holds two dots."""
    places = [(x, y) for y in range(period) for x in range(period)]
    turn = 2 * pi / period
    order = sorted(places, key=lambda at: (round(cos(turn * at[0]) * cos(turn * at[1]), 6), at))
    rank = {at: number for number, at in enumerate(order)}
    return tuple(6 + 240 * rank[at] // len(places) for at in places)


def _png(picture: Any) -> bytes:
    out = io.BytesIO()
    picture.save(out, "PNG", optimize=False)
    return out.getvalue()
