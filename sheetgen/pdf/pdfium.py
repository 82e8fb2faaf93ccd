"""Pages of a PDF as PDFium sees them: as PNG pictures, for screens and online tables, and as text with its places."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from io import BytesIO
from pathlib import Path
from typing import Any

from sheetgen.errors import LimitError
from sheetgen.geometry import Box
from sheetgen.model.printing import LEAST_PAPER, MOST_INK, PieceLook

SCREEN_DPI = 300
INK_DPI = 300
LARGEST = 40_000_000  # pixels of one picture
MOST_RUNS = 20_000
EDGE_DPI, MOST_EDGED = 150, 400  # how finely, and on how many pages the bleed is looked at
LOOK_DPI, RIM, GAP = 80, 0.09, 6  # how finely pages are compared, the share of them that is an edge, dots between boxes
_NOISE, _LOOSE = 16, 72  # of 255: what is no difference; and what another place on a sheet may do to a letter's edge
_FEW = 24  # colours that a page of text and lines keeps
_WHITE = 245  # of 255: lighter is paper
_STRIP = 256  # rows of a picture that are turned into inks at once
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


def page_picture(data: bytes, number: int, *, dpi: int) -> bytes | None:
    """Return a page, from 1, as a PNG of the whole sheet, quickly made rather than small; None if it is not there.

    LimitError as `pictures`.
    """
    import pypdfium2

    with pypdfium2.PdfDocument(data) as document, BytesIO() as made:
        if not 1 <= number <= len(document):
            return None
        page = document[number - 1]
        width, height = page.get_size()
        if width * height * (dpi / 72) ** 2 > LARGEST:
            raise LimitError(f"a picture of more than {LARGEST:,} dots: ask for fewer than {dpi} an inch")
        page.render(scale=dpi / 72 * _JUST_BELOW).to_pil().save(made, "PNG", dpi=(dpi, dpi), compress_level=1)
        return made.getvalue()


def page_sizes(data: bytes) -> tuple[tuple[float, float], ...]:
    """Return the width and the height of each page, in points."""
    import pypdfium2

    with pypdfium2.PdfDocument(data) as document:
        return tuple((float(width), float(height)) for width, height in (page.get_size() for page in document))


def addresses(data: bytes, *, dpi: int) -> list[str]:
    """Return each page as a PNG of few colours in a data address, for web pages and EPUB; LimitError as `pictures`."""
    from PIL import Image

    found = list[str]()
    for picture in pictures(data, dpi=dpi):
        with Image.open(BytesIO(picture)) as page, BytesIO() as made:
            page.convert("RGB").quantize(_FEW, dither=Image.Dither.NONE).save(made, "PNG", optimize=True)
            found.append(f"data:image/png;base64,{b64encode(made.getvalue()).decode()}")
    return found


def looks(data: bytes) -> Iterator[PieceLook]:
    """Yield what each page shows, within its trim box: its words, and digests of its picture at LOOK_DPI dots an inch.

    LimitError for a page that would have more than LARGEST pixels.
    """
    import pypdfium2

    with pypdfium2.PdfDocument(data) as document:
        for page in document:
            dots = _seen(page)
            left, low, right, top = page.get_trimbox()
            rim, text = RIM * (top - low), page.get_textpage()
            parts = ((low, top), (top - rim, top), (low, low + rim), (low + rim, top - rim))
            every, upper, lower, body = (
                tuple(text.get_text_bounded(left, below, right, above).split()) for below, above in parts
            )
            edge = round(RIM * dots.height)
            inner = dots.crop((0, edge, dots.width, dots.height - edge))
            yield PieceLook(every, (*upper, *lower), body, _digest(dots), _digest(inner))


def differing(old: bytes, new: bytes, pairs: Iterable[tuple[int, int, bool, bool]]) -> Iterator[tuple[Box, ...]]:
    """Yield where two pages, from 0, look different: boxes as shares of the page, from its upper left corner.

    Nothing for pages that look alike. A pair also says whether the edges are left out, and whether a dot may be one
    off: that is what another place on a sheet does to letters.
    """
    import pypdfium2
    from PIL import ImageChops, ImageFilter

    with pypdfium2.PdfDocument(old) as first, pypdfium2.PdfDocument(new) as second:
        for one, other, inner, loose in pairs:
            before, after = _seen(first[one]), _seen(second[other])
            if before.size != after.size:
                yield (Box(0.0, 0.0, 1.0, 1.0),)
                continue
            most_after, least_after = after, after
            if loose:
                most_after, least_after = after.filter(ImageFilter.MaxFilter(3)), after.filter(ImageFilter.MinFilter(3))
            too_light = ImageChops.subtract(before, most_after)
            bands = ImageChops.lighter(too_light, ImageChops.subtract(least_after, before)).split()
            most = ImageChops.lighter(ImageChops.lighter(bands[0], bands[1]), bands[2])
            seen = most.point([255 * (light > (_LOOSE if loose else _NOISE)) for light in range(256)])
            if inner:
                edge = round(RIM * seen.height)
                seen.paste(0, (0, 0, seen.width, edge))
                seen.paste(0, (0, seen.height - edge, seen.width, seen.height))
            yield tuple(_boxes(seen))


def _boxes(seen: Any) -> Iterator[Box]:
    """Yield the boxes around what is light in a picture, those apart by GAP dots of height, then of width, apart."""
    wide, high = seen.size
    for top, low in _runs(seen, along=True):
        band = seen.crop((0, top, wide, low))
        for left, right in _runs(band, along=False):
            yield Box(left / wide, top / high, (right - left) / wide, (low - top) / high)


def _runs(seen: Any, *, along: bool) -> Iterator[tuple[int, int]]:
    """Yield the ends of the runs of rows, or columns, in which something is light."""
    length = seen.height if along else seen.width
    start = last = -1
    for at in range(length):
        if seen.crop((0, at, seen.width, at + 1) if along else (at, 0, at + 1, seen.height)).getbbox():
            if start < 0:
                start = at
            last = at
        elif start >= 0 and at - last > GAP:
            yield start, last + 1
            start = -1
    if start >= 0:
        yield start, last + 1


def _seen(page: Any) -> Any:
    """Return the trim box of a page as it is looked at."""
    page.set_cropbox(*page.get_trimbox())
    width, height = page.get_size()
    if width * height * (LOOK_DPI / 72) ** 2 > LARGEST:
        raise LimitError(f"a page of more than {LARGEST:,} dots cannot be compared")
    return page.render(scale=LOOK_DPI / 72 * _JUST_BELOW).to_pil().convert("RGB")


def _digest(dots: Any) -> str:
    return blake2b(dots.tobytes(), digest_size=12).hexdigest()


def page_texts(data: bytes) -> list[str]:
    """Return the text of each page, line by line."""
    import pypdfium2

    with pypdfium2.PdfDocument(data) as document:
        return ["\n".join(page.get_textpage().get_text_range().splitlines()) for page in document]


def in_inks(data: bytes, number: int, *, dpi: int) -> tuple[int, int, bytes]:
    """Return width, height and dots of a page, from 0, as cyan, magenta, yellow and black, 255 for all of an ink.

    They are those of `inks_of` in press.pdf_x. LimitError for a page of more than LARGEST dots.
    """
    import pypdfium2
    from PIL import Image

    with pypdfium2.PdfDocument(data) as document:
        page = document[number]
        width, height = page.get_size()
        if width * height * (dpi / 72) ** 2 > LARGEST:
            raise LimitError(f"a picture of more than {LARGEST:,} dots: ask for fewer than {dpi} an inch")
        shown = page.render(scale=dpi / 72 * _JUST_BELOW).to_pil().convert("RGB")
    made = Image.new("CMYK", shown.size)
    for top in range(0, shown.height, _STRIP):
        strip = (0, top, shown.width, min(top + _STRIP, shown.height))
        made.paste(_in_inks(shown.crop(strip)), strip)
    return made.width, made.height, made.tobytes()


def _in_inks(shown: Any) -> Any:
    """Return a picture of red, green and blue in inks."""
    from PIL import Image, ImageChops, ImageMath

    less = [ImageChops.invert(band) for band in shown.split()]
    black = ImageChops.darker(ImageChops.darker(less[0], less[1]), less[2])
    paper = ImageMath.lambda_eval(lambda at: at["max"](255 - at["k"], round(255 * LEAST_PAPER)), k=black)
    bare = [ImageMath.lambda_eval(lambda at: (at["b"] - at["k"]) * 255 / at["p"], b=b, k=black, p=paper) for b in less]
    part = ImageMath.lambda_eval(
        lambda at: at["min"]((255 * MOST_INK - at["k"]) / at["max"](at["c"] + at["m"] + at["y"], 1), 1),
        **dict(zip("cmy", bare, strict=True)),
        k=black,
    )
    colours = [ImageMath.lambda_eval(lambda at: at["convert"](at["b"] * at["part"], "L"), b=b, part=part) for b in bare]
    return Image.merge("CMYK", [*colours, black])


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
