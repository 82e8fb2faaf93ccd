"""Where on the paper each field of somebody stands: a click there leads to the form, and the form shows it there."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sheetgen.products.form_cache import sheet_form
from sheetgen.products.shapes import PrintOptions
from sheetgen.studio.person_form import control_id
from sheetgen.studio.studio import Studio
from sheetgen.workspace.packs import Pack

NOTHING: dict[str, Any] = {"width": 0, "height": 0, "spots": []}


def hot_spots(studio: Studio, pack: Pack, keys: Iterable[str], printing: PrintOptions) -> dict[str, Any]:
    """Return the size of a first page in points and the boxes of the controls of these keys, from its upper left.

    Nothing for lists of people, and for games of strangers, whose forms are known in confined processes only.
    """
    shape, known = printing.kind, set(keys)
    if shape.listing is not None or not pack.ours:
        return NOTHING
    with studio.making:
        form = sheet_form(
            studio.project,
            pack,
            paper=printing.paper,
            template=shape.template,
            card=shape.card(printing.paper),
            portrait=shape.portrait,
        )
    width, height = form.pages[0]
    spots = []
    for field in form.fields:
        key = field.name if field.name in known else field.name.partition(".")[0]
        if field.page == 0 and not field.block and key in known:
            box = field.border
            spots.append(
                {
                    "id": control_id(key),
                    "x": round(box.x, 1),
                    "y": round(height - box.top, 1),
                    "width": round(box.width, 1),
                    "height": round(box.height, 1),
                }
            )
    return {"width": round(width, 1), "height": round(height, 1), "spots": spots}
