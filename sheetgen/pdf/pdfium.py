"""Pages of a PDF as PDFium sees them: as PNG pictures, for screens and online tables, and as text with its places."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path

from sheetgen.errors import LimitError
from sheetgen.geometry import Box

SCREEN_DPI = 300
INK_DPI = 300
LARGEST = 40_000_000  # pixels of one picture
MOST_RUNS = 20_000
EDGE_DPI, MOST_EDGED = 150, 400  # how finely, and on how many pages the bleed is looked at
_FEW = 24  # colours that a page of text and lines keeps
_WHITE = 245  # of 255: lighter is paper
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


def addresses(data: bytes, *, dpi: int) -> list[str]:
    """Return each page as a PNG of few colours in a data address, for web pages and EPUB; LimitError as `pictures`."""
    from PIL import Image

    found = list[str]()
    for picture in pictures(data, dpi=dpi):
        with Image.open(BytesIO(picture)) as page, BytesIO() as made:
            page.convert("RGB").quantize(_FEW, dither=Image.Dither.NONE).save(made, "PNG", optimize=True)
            found.append(f"data:image/png;base64,{b64encode(made.getvalue()).decode()}")
    return found


def page_texts(data: bytes) -> list[str]:
    """Return the text of each page, line by line."""
    import pypdfium2

    with pypdfium2.PdfDocument(data) as document:
        return ["\n".join(page.get_textpage().get_text_range().splitlines()) for page in document]


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


def edges_inked(path: Path, trims: Iterable[Box]) -> Iterator[tuple[int, dict[str, tuple[tuple[float, float], ...]]]]:
    """Yield the number of each page, from 1, and for each edge what is seen along it, from 1 mm inside outwards.

    That is: so many mm beyond the cut, so large a share of the edge has colour. `trims` are the trim boxes in units of
    the pages; at most MOST_EDGED pages are looked at.
    """
    import pypdfium2
    from PIL import Image, ImageChops

    dots = EDGE_DPI / 72
    with pypdfium2.PdfDocument(path) as document:
        for number, (page, trim) in enumerate(zip(document, trims, strict=False), 1):
            media = page.get_mediabox()
            if number > MOST_EDGED or (media[2] - media[0]) * (media[3] - media[1]) * dots * dots > LARGEST:
                continue
            page.set_cropbox(*media)
            page.set_rotation(0)
            bands = page.render(scale=dots).to_pil().convert("RGB").split()
            darkest = ImageChops.darker(ImageChops.darker(bands[0], bands[1]), bands[2])
            seen = darkest.point([255 * (light < _WHITE) for light in range(256)])
            left, right = ((x - media[0]) * dots for x in (trim.x, trim.right))
            top, low = ((media[3] - y) * dots for y in (trim.top, trim.y))
            inner, found = EDGE_DPI / 25.4, {}
            for edge, turn, cut, limits in (
                ("left", 0, left, (top, low)),
                ("right", 180, seen.width - right, (seen.height - low, seen.height - top)),
                ("lower", 270, seen.height - low, (left, right)),
                ("upper", 90, top, (seen.width - right, seen.width - left)),
            ):
                upright = seen.rotate(turn, expand=True)  # the edge is at the left now
                span = (0, round(limits[0] + inner), round(cut + inner), round(limits[1] - inner))
                if span[2] > 0 and span[3] > span[1]:
                    row = upright.crop(span).resize((span[2], 1), Image.Resampling.BOX).tobytes()
                    found[edge] = tuple(((cut - x - 0.5) / inner, share / 255) for x, share in enumerate(row))
            yield number, found


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
