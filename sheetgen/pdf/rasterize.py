"""Pages of a PDF as PNG pictures, drawn by PDFium, for screens and online tables."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO

from sheetgen.errors import LimitError

SCREEN_DPI = 300
LARGEST = 40_000_000  # pixels of one picture


def pictures(data: bytes, *, dpi: int = SCREEN_DPI, trimmed: bool = True) -> Iterator[bytes]:
    """Yield each page as a PNG of its trim box (or of the whole sheet if not `trimmed`) at `dpi` dots an inch.

    LimitError for a page that would have more than LARGEST pixels.
    """
    import pypdfium2

    scale = dpi / 72
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
