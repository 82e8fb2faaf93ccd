"""Where the text of any PDF stands on its pages, as PDFium reads it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from sheetgen.geometry import Box

MOST_RUNS = 20_000


def texts(path: Path) -> Iterator[tuple[int, str, Box]]:
    """Each run of text with the number of its page, from 1, and its box in points, as the page counts them.

    A page tells of MOST_RUNS runs at most. The file is one that could be opened as a PDF.
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
