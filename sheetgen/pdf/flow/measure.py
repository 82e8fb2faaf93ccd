"""How high the parts of a page come out, so that they can be arranged before they are printed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from sheetgen.errors import Place
from sheetgen.geometry import POINTS_PER_CSS_PIXEL, millimetres

PART = "data-part"


def measured(
    html: str, *, root: Path, name: str, places: Mapping[str, Place] = MappingProxyType({})
) -> dict[str, float]:
    """The height in mm of each element with a `data-part`, by what stands there.

    Everything is as strict as in `flow.flow`; raises InputError with every problem found.
    """
    from sheetgen.pdf.flow import layout  # imports WeasyPrint

    with layout.strictly(name) as problems:
        document = layout.laid_out(html, problems, root=root, name=name, places=places)
        pages = [page._page_box for page in document.pages]
    return {key: height for page in pages for key, height in _heights(page)}


def _heights(box: Any) -> Iterator[tuple[str, float]]:
    element = box.element
    key = None if element is None or not hasattr(element, "get") else element.get(PART)
    if key is not None:
        yield key, millimetres(box.border_height() * POINTS_PER_CSS_PIXEL)
    elif hasattr(box, "children"):
        for child in box.all_children():
            yield from _heights(child)
