"""Portraits: anybody's PNG or JPEG made plain and small enough, and the operators that show it in a frame."""

from __future__ import annotations

import io
import re
from base64 import b64decode, b64encode
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import Any

from sheetgen.errors import InputError, Place, Problem
from sheetgen.geometry import Box
from sheetgen.pdf.writer import number

MOST_PIXELS = 40_000_000
SHORTER, LONGER = 1_000, 2_400  # dots of the sides that are kept: more than 300 an inch in every frame
QUALITY = 88
FINE = 300  # dots an inch
KEPT = 64  # portraits whose text was read lately
PREFIX = b"/P."  # what the names of portraits begin with on a page
_FORMATS = ("PNG", "JPEG")
_TEXT = re.compile(r"data:image/jpeg;size=(\d+)x(\d+);focus=(\d+)-(\d+);base64,")


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
        return _plain(picture.convert("L"), portrait.focus).text


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
                return _plain(seen, focus)
    except Exception:  # whatever a codec makes of damaged data
        raise InputError([Problem(place, "the picture is damaged, or neither PNG nor JPEG (save it anew)")]) from None
    message = f"the picture has {width:,} × {height:,} dots; {MOST_PIXELS:,} is the most (make it smaller)"
    raise InputError([Problem(place, message)])


def _plain(picture: Any, focus: tuple[int, int]) -> Portrait:
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
