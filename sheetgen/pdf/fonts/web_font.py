"""Faces for web pages that carry them inside: cut by HarfBuzz to the letters of the page, in a blink."""

from __future__ import annotations

from collections.abc import Iterable

import uharfbuzz as hb

from sheetgen.pdf.fonts.bundled import font_path, woff2
from sheetgen.pdf.fonts.face import FaceName

FEATURES = (b"kern", b"lnum", b"tnum", b"liga")


def web_font(name: FaceName, letters: Iterable[str]) -> bytes:
    """The face as WOFF2 with these letters alone, under a name of ours.

    Raises InputError for a family that is not bundled.
    """
    wanted = hb.SubsetInput()
    wanted.flags = hb.SubsetFlags.NO_HINTING | hb.SubsetFlags.NOTDEF_OUTLINE
    wanted.unicode_set.update(map(ord, letters))
    wanted.layout_feature_tag_set.clear()
    wanted.layout_feature_tag_set.update([int.from_bytes(tag, "big") for tag in FEATURES])
    return woff2(hb.subset(hb.Face(hb.Blob(font_path(name).read_bytes())), wanted).blob.data)
