"""Pages of a PDF as PDFium sees them: as PNG pictures, for screens and online tables, and as text with its places."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from sheetgen.errors import LimitError
from sheetgen.geometry import Box

SCREEN_DPI = 300
INK_DPI = 300
LARGEST = 40_000_000  # pixels of one picture
MOST_RUNS = 20_000
_JUST_BELOW = 1 - 1e-5  # PDFium rounds up: 822.0001 dots would be 823


def pictures(data: bytes, *, dpi: int = SCREEN_DPI, trimmed: bool = True) -> Iterator[bytes]:
    """Yield each page as a PNG of its trim box (or of the whole sheet if not `trimmed`) at `dpi` dots an inch.

    LimitError for a page that would have more than LARGEST pixels.
    """
    import pypdfium2

    scale = dpi / 72 * _JUST_BELOW
    with pypdfium2.PdfDocument(data) as document:
        for page in document:
            if trimmed:
                page.set_cropbox(*page.get_trimbox())
            width, height = page.get_size()
            if width * height * scale * scale > LARGEST:
                raise LimitError(f"a picture of more than {LARGEST:,} dots: ask for fewer than {dpi} an inch")
            with BytesIO() as made:
                page.render(scale=scale).to_pil().save(made, "PNG", dpi=(dpi, dpi))
                yield made.getvalue()


def in_inks(data: bytes, number: int, *, dpi: int) -> tuple[int, int, bytes]:
    """Return width, height and dots of a page, from 0, as cyan, magenta, yellow and black, 255 for all of an ink.

    Grey is black ink alone, and of the other three at least one is missing everywhere (ISO 32000-1, 10.3.4, with all
    of the black generated). LimitError for a page of more than LARGEST dots.
    """
    import pypdfium2
    from PIL import Image, ImageChops

    with pypdfium2.PdfDocument(data) as document:
        page = document[number]
        width, height = page.get_size()
        if width * height * (dpi / 72) ** 2 > LARGEST:
            raise LimitError(f"a picture of more than {LARGEST:,} dots: ask for fewer than {dpi} an inch")
        shown = page.render(scale=dpi / 72 * _JUST_BELOW).to_pil().convert("RGB")
    less = [ImageChops.invert(band) for band in shown.split()]
    black = ImageChops.darker(ImageChops.darker(less[0], less[1]), less[2])
    made = Image.merge("CMYK", [*(ImageChops.subtract(band, black) for band in less), black])
    return made.width, made.height, made.tobytes()


def inked(data: bytes) -> float:
    """Return which share of the pages is inked, in per cent: how dark they are on average, grey counted as it is.

    It takes INK_DPI: with fewer dots PDFium draws hairlines as wide as a whole dot.
    """
    import pypdfium2

    dark = dots = 0
    with pypdfium2.PdfDocument(data) as document:
        for page in document:
            counts = page.render(scale=INK_DPI / 72, grayscale=True).to_pil().histogram()
            dark += sum(count * (255 - light) for light, count in enumerate(counts))
            dots += sum(counts)
    return dark / dots / 2.55 if dots else 0.0


def texts(path: Path) -> Iterator[tuple[int, str, Box]]:
    """Yield each run of text: the number of its page, from 1, the text, and its box in points of the page.

    At most MOST_RUNS runs of a page are read. The file must be a PDF that can be opened.
    """
    import pypdfium2

    with pypdfium2.PdfDocument(path) as document:
        for number, page in enumerate(document, 1):
            text = page.get_textpage()
            for run in range(min(text.count_rects(), MOST_RUNS)):
                left, bottom, right, top = text.get_rect(run)
                said = text.get_text_bounded(left, bottom, right, top).strip()
                if said:
                    yield number, said, Box(left, bottom, right - left, top - bottom)
