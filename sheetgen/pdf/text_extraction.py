"""The text of a PDF with its position on the page, as PDFium reads it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from sheetgen.geometry import Box

MOST_RUNS = 20_000


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
