"""Pages of a PDF in another order, some of them more than once: single cards for print shops."""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO

import pikepdf


def picked(data: bytes, wanted: Iterable[int]) -> bytes:
    """A PDF of the pages with these numbers, from 1, in this order; what pages share is in it once.

    Title and author stay, and every box of a page.
    """
    with pikepdf.open(BytesIO(data)) as source, pikepdf.new() as made, BytesIO() as target:
        for number in wanted:
            made.pages.append(source.pages[number - 1])
        for key in ("/Title", "/Author"):
            if key in source.docinfo:
                made.docinfo[key] = str(source.docinfo[key])
        if "/Lang" in source.Root:
            made.Root.Lang = str(source.Root.Lang)
        made.save(target, object_stream_mode=pikepdf.ObjectStreamMode.generate, deterministic_id=True)
        return target.getvalue()
