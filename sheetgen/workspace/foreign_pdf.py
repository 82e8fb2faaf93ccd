"""Reading PDFs of strangers in a confined process, whose crash or hang does no harm; the only place that does so."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from sheetgen.batch.sandbox import Limits, confined
from sheetgen.press.pdf_open import MOST_PAGES, Pdf, opened

T = TypeVar("T")

LIMITS = Limits(memory_mb=350, cpu_s=30, wall_s=60, file_mb=200)


def read_pdf(
    path: Path, shown: str, work: Callable[[Pdf], T], *, most_pages: int = MOST_PAGES, whole: bool = True
) -> T:
    """Return what `work` makes of the open PDF, in a confined process.

    Messages call it `shown`. InputError for a PDF that cannot be used (see `opened`), LimitError for one that takes too
    much memory or time.
    """

    def opened_and_read() -> T:
        with opened(path, shown, most_pages=most_pages, whole=whole) as source:
            return work(source)

    return confined(opened_and_read, what=shown, limits=LIMITS)
