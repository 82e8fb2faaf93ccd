"""Several PDFs as one, page after page, and how many pages one has."""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO

import pikepdf


def page_total(data: bytes) -> int:
    """How many pages a PDF of ours has."""
    with pikepdf.open(BytesIO(data)) as source:
        return len(source.pages)


def gathered(parts: Iterable[bytes], *, title: str) -> bytes:
    """All pages of PDFs of ours in one, under a title; the same parts give the same bytes."""
    with pikepdf.new() as made, BytesIO() as out:
        for part in parts:
            with pikepdf.open(BytesIO(part)) as source:
                made.pages.extend(source.pages)
        made.docinfo["/Title"] = title
        made.Root.ViewerPreferences = pikepdf.Dictionary(DisplayDocTitle=True, PrintScaling=pikepdf.Name("/None"))
        made.save(out, object_stream_mode=pikepdf.ObjectStreamMode.generate, deterministic_id=True)
        return out.getvalue()
