"""Single pages for a print shop: one card or page each, with its boxes, its bleed, and nothing that is not print."""

from __future__ import annotations

from io import BytesIO

import pikepdf

BOXES = ("/MediaBox", "/CropBox", "/BleedBox", "/TrimBox", "/ArtBox")


def at_nought(pages: bytes) -> bytes:
    """The same pages with their media beginning at nought, as simple programs expect it, and without links."""
    made = BytesIO()
    with pikepdf.open(BytesIO(pages)) as document:
        for page in document.pages:
            left, bottom = (float(each) for each in list(page.mediabox)[:2])
            if left or bottom:
                for name in BOXES:
                    if name in page.obj:
                        x1, y1, x2, y2 = (float(each) for each in page.obj[name])
                        moved = (x1 - left, y1 - bottom, x2 - left, y2 - bottom)
                        page.obj[name] = pikepdf.Array([round(each, 4) + 0.0 for each in moved])
                page.contents_add(f"q 1 0 0 1 {-left:.4f} {-bottom:.4f} cm\n".encode(), prepend=True)
                page.contents_add(b"\nQ")
            if "/Annots" in page.obj:
                del page.obj.Annots
        document.remove_unreferenced_resources()
        document.save(made, object_stream_mode=pikepdf.ObjectStreamMode.generate, deterministic_id=True)
    return made.getvalue()
