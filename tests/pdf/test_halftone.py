"""Photographs for handouts: grey, in dots, and cropped where the face is."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from sheetgen.errors import InputError, Place
from sheetgen.geometry import Size
from sheetgen.pdf.pictures import press_picture

HERE, FRAME = Place("hook.md", 4, 10), Size(30, 30)


@pytest.fixture(scope="module")
def tall() -> bytes:
    """Three times as high as wide, and white but for a red face in the upper quarter."""
    picture = Image.new("RGB", (300, 900), "white")
    picture.paste((200, 30, 30), (100, 120, 200, 220))
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()


def darkest(png: bytes) -> int:
    with Image.open(io.BytesIO(png)) as picture:
        return min(picture.convert("L").tobytes())


def test_a_face_in_the_upper_third_is_kept_by_its_focus(tall: bytes) -> None:
    assert darkest(press_picture(tall, HERE, frame=FRAME, focus=(50, 20)).png) < 120
    assert darkest(press_picture(tall, HERE, frame=FRAME, focus=(50, 90)).png) == 255


def test_a_photograph_is_grey_and_no_finer_than_it_needs(tall: bytes) -> None:
    made = press_picture(tall, HERE, frame=Size(10, 10), focus=(50, 20))
    with Image.open(io.BytesIO(made.png)) as picture:
        assert (picture.mode, picture.size, made.dpi) == ("L", (118, 118), 762)


def test_dots_are_black_on_white_and_as_dark_together_as_the_grey_was() -> None:
    out = io.BytesIO()
    Image.linear_gradient("L").save(out, "PNG")
    made = press_picture(out.getvalue(), HERE, frame=FRAME, focus=(50, 50), lines=60)
    with Image.open(io.BytesIO(made.png)) as picture:
        assert (picture.mode, picture.size) == ("1", (709, 709))
        rows = [sum(picture.crop((0, y, 709, y + 71)).convert("L").tobytes()) / 71 / 709 for y in range(0, 639, 71)]
    assert rows == sorted(rows)
    assert rows[4] == pytest.approx(128, abs=25)


def test_what_is_no_photograph_is_told_at_its_place() -> None:
    with pytest.raises(InputError, match=r"hook\.md:4:10: the picture is damaged, or neither PNG nor JPEG"):
        press_picture(b"nonsense", HERE, frame=FRAME, focus=(50, 50))
