"""The tree of fields of anybody's PDF: whole names, what is inherited, and the widgets that show each field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, Object

from sheetgen.errors import InputError, Place, Problem
from sheetgen.pdf.acroform.tolerant_access import array, dictionaries, text

DEEPEST = 64
MOST_NODES = 20_000
DIRECT = (0, 0)  # the number of what is written inside something else
_INHERITED = ("/FT", "/Ff", "/V", "/DA", "/Q", "/MaxLen", "/Opt")


@dataclass(slots=True)
class Node:
    """A field as it is met in the tree: its whole name, what it inherits, its dictionary, its widgets."""

    name: str
    entries: Mapping[str, Any]
    home: Object
    widgets: list[Object] = field(default_factory=list)


def refused(shown: str, why: str) -> InputError:
    """Why a form cannot be filled, as an error."""
    return InputError([Problem(Place(shown), why)])


def pages_of_widgets(source: pikepdf.Pdf) -> dict[tuple[int, int], int]:
    """The page of each annotation; those written within the list of a page become objects of their own."""
    pages: dict[tuple[int, int], int] = {}
    for number, page in enumerate(source.pages):
        listed = page.obj.get("/Annots")
        for at, each in enumerate(array(listed)):
            if isinstance(each, Dictionary):
                kept = each
                if each.objgen == DIRECT and isinstance(listed, Array):
                    listed[at] = kept = source.make_indirect(each)
                pages.setdefault(kept.objgen, number)
    return pages


def tree(source: pikepdf.Pdf, form: Object, shown: str) -> list[Node]:
    """Every field with its widgets, those of the form's own list before those that only pages know of."""
    seen: set[tuple[int, int]] = set()
    roots = [*dictionaries(form.get("/Fields")), *_orphans(source)]
    return [node for root in roots for node in _below(root, seen, shown)]


def _orphans(source: pikepdf.Pdf) -> Iterator[Object]:
    """The uppermost field above each widget of the pages."""
    for page in source.pages:
        for each in dictionaries(page.obj.get("/Annots")):
            top = each
            for _ in range(DEEPEST):
                parent = top.get("/Parent")
                if each.get("/Subtype") != Name.Widget or not isinstance(parent, Dictionary):
                    break
                top = parent
            if each.get("/Subtype") == Name.Widget:
                yield top


def _below(root: Object, seen: set[tuple[int, int]], shown: str) -> Iterator[Node]:
    """The field and those below it; InputError for fields that contain themselves, or for too many."""
    waiting: list[tuple[Object, Node | None, tuple[tuple[int, int], ...]]] = [(root, None, ())]
    while waiting:
        node, above, line = waiting.pop()
        known = node.objgen != DIRECT
        if (known and node.objgen in line) or len(line) > DEEPEST:
            raise refused(shown, f"has fields that run in a circle, or are nested deeper than {DEEPEST}")
        if known and node.objgen in seen:
            continue
        seen.add(node.objgen)
        if len(seen) > MOST_NODES:
            raise refused(shown, f"has more than {MOST_NODES:,} fields and boxes to fill in")
        kids = dictionaries(node.get("/Kids"))
        if above is not None and "/T" not in node and not kids:
            above.widgets.append(node)
            continue
        this = _field(node, above)
        if not kids:
            this.widgets.append(node)
        waiting += [(kid, this, (*line, node.objgen)) for kid in reversed(kids)]
        yield this


def _field(node: Object, above: Node | None) -> Node:
    own = {key: node[key] for key in _INHERITED if key in node}
    inherited = above.entries if above is not None else {}
    parts = (above.name if above is not None else "", text(node.get("/T")))
    return Node(".".join(part for part in parts if part), {**inherited, **own, "/TU": node.get("/TU")}, node)
