"""A small sheet of our own, its continuation form, and ways to read back and look at what was made of them."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageFilter

from sheetgen.pdf.form.form import Form
from sheetgen.pdf.form.stamp import Row, Stamp

STYLE = """
@page { size: A5; margin: 12mm }
body { font: 9pt 'Source Sans Pro'; margin: 0 }
h1 { font: 700 18pt 'Source Serif Pro'; color: #8b1a1a; margin: 0 0 4mm }
input, textarea { appearance: auto; display: block; box-sizing: border-box; border: 0; padding: 0; margin: 0 0 3mm;
    background: none; font-family: 'Source Serif Pro' }
.name { width: 70mm; height: 10mm; font-size: 20pt; font-weight: 700; border-bottom: 0.75pt solid #000 }
.number { width: 10mm; height: 10mm; font-size: 16pt; font-weight: 700; text-align: center;
    border: 0.5pt solid #999; border-radius: 1mm }
.tick { width: 4mm; height: 4mm; border: 0.75pt solid #000 }
.remark { width: 40mm; height: 6mm; font-size: 9pt; font-style: italic; text-align: right; color: #333 }
textarea { width: 100%; height: 30mm; font-size: 10pt; line-height: 6mm; border: 0.5pt solid #999; padding: 1mm 2mm }
.rest { height: 150mm; border: 0; padding: 0 }
"""


def page(body: str, *, style: str = "") -> str:
    """A whole page with the small sheet's style around a body."""
    head = f"<head><title>Small</title><style>{STYLE}{style}</style></head>"
    return f"<!doctype html><html lang=en>{head}<body>{body}</body></html>"


SHEET = page(
    "<h1>A small sheet</h1>"
    "<input class=name name=name title=Name value='never printed'>"
    "<input class=number name=grit title=Grit data-frame=0.9>"
    "<input class=number name=mind title=Mind data-frame=0.9>"
    "<input type=checkbox class=tick name=out title='Knocked out'>"
    "<input class=remark name=remark title=Remark data-floor=8>"
    "<textarea name=story title=Story data-floor=8>never printed</textarea>"
)
CONTINUATION = page(
    "<h1>Continued</h1><input class=name name=name title=Name>"
    "<textarea class=rest name=text title=Text data-floor=10></textarea>"
)


@pytest.fixture(scope="session", autouse=True)
def _bundled_fonts(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Shows fontconfig the bundled fonts alone, before WeasyPrint is imported."""
    from sheetgen.pdf.fonts.bundled import fontconfig_file

    os.environ.setdefault("FONTCONFIG_FILE", str(fontconfig_file(tmp_path_factory.mktemp("fonts"))))


@pytest.fixture(scope="session")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder without files, for pages that need none."""
    return tmp_path_factory.mktemp("pack")


@pytest.fixture(scope="session")
def form(empty: Path) -> Form:
    """The small sheet, compiled."""
    from sheetgen.pdf.form.compile import compile_form

    return compile_form(SHEET, root=empty, name="small sheet")


@pytest.fixture(scope="session")
def more(empty: Path) -> Form:
    """The continuation form, compiled."""
    from sheetgen.pdf.form.compile import compile_form

    return compile_form(CONTINUATION, root=empty, name="continuation")


@pytest.fixture(scope="session")
def stamped(form: Form) -> Callable[..., bytes]:
    """Stamps rows of values on the small sheet; each row's bookmark is its name."""

    def stamp(rows: Iterable[dict[str, str]], more: Form | None = None, *, pictures: bool = True) -> bytes:
        parts: list[bytes] = []
        writer = Stamp(form, parts.append, title="Small sheets", author="The tests", more=more, pictures=pictures)
        for values in rows:
            writer.add(Row(values.get("name", "nobody"), values))
        writer.close()
        return b"".join(parts)

    return stamp


@pytest.fixture
def seen_by_poppler(tmp_path: Path) -> Callable[..., Image.Image]:
    """Draws a page as poppler sees it, in grey."""

    def look(data: bytes, *, page: int = 1, dpi: int = 80) -> Image.Image:
        (tmp_path / "seen.pdf").write_bytes(data)
        pages = ["-f", str(page), "-l", str(page), "-singlefile"]
        command = ["pdftoppm", "-r", str(dpi), *pages, "-png", "seen.pdf", "seen"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
        assert done.stderr == ""
        with Image.open(tmp_path / "seen.png") as picture:
            return picture.convert("L")

    return look


@pytest.fixture
def seen_by_mupdf() -> Callable[..., Image.Image]:
    """Draws a page as MuPDF sees it, in grey."""
    import pymupdf

    def look(data: bytes, *, page: int = 1, dpi: int = 80) -> Image.Image:
        with pymupdf.open(stream=data, filetype="pdf") as document:
            pixels = document[page - 1].get_pixmap(dpi=dpi, colorspace=pymupdf.csGRAY)
            return Image.frombytes("L", (pixels.width, pixels.height), pixels.samples)

    return look


@pytest.fixture(scope="session")
def worst_spot() -> Callable[[Image.Image, Image.Image], int]:
    """The greatest difference of two pictures, softened since renderers place edges apart; a lost letter makes 60."""

    def compare(one: Image.Image, other: Image.Image) -> int:
        size = min(one.width, other.width), min(one.height, other.height)
        soft = [picture.crop((0, 0, *size)).filter(ImageFilter.GaussianBlur(2)) for picture in (one, other)]
        return int(ImageChops.difference(*soft).getextrema()[1])

    return compare


@pytest.fixture(scope="session")
def small_page() -> Callable[..., str]:
    """Makes a page in the small sheet's style around a body."""
    return page


@pytest.fixture(scope="session")
def sheet_html() -> str:
    """The small sheet as HTML."""
    return SHEET
