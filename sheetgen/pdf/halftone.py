"""Photographs as a press prints them: grey, cropped around what must be seen, in dots where the paper has dots."""

from __future__ import annotations

import io
from base64 import b64encode
from dataclasses import dataclass
from functools import cache
from math import cos, pi, sqrt
from typing import Any

from sheetgen.errors import InputError, Place, Problem
from sheetgen.geometry import Size

MOST_PIXELS = 40_000_000
MM_PER_INCH = 25.4
FINE = 300  # dots an inch of a grey picture
SCREENED = 600  # dots an inch of one that is made of dots, which are black or white
_FORMATS = ("PNG", "JPEG")


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
