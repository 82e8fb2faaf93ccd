"""Decks out of an author's own table: things, spells, rooms, rumours, in the look of a game's cards."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from sheetgen.batch.sandbox import PUBLICATION
from sheetgen.content.book.references import Reference
from sheetgen.content.card_table import COLUMNS, CardTable, TableCard, read_table
from sheetgen.content.packs.folders import read_file
from sheetgen.documents.cards import INSET, TYPES, CardFront, Tint, head_measures, is_wide, set_title, tints, title_room
from sheetgen.documents.markdown import html_of, tied
from sheetgen.documents.sheet import TemplateData
from sheetgen.errors import UsageError
from sheetgen.geometry import POINTS_PER_MM
from sheetgen.products.card_setting import CardSetter
from sheetgen.products.card_sheets import CardPages
from sheetgen.products.icons import check_icons
from sheetgen.workspace.packs import Pack
from sheetgen.workspace.project import Project

TABLES = (".csv", ".yaml", ".yml")
MOST_LOOKED_AT = 20_000  # letters of a file, to see whether it is one
REMEDY = " (shorten it, or take a larger --size)"
SHORT = 150  # letters: so few leave room for the icon as a picture
PLAIN_HEAD = "#eeeeee"


def may_be_table(path: Path) -> bool:
    """Return whether a file may be a table of cards: by its ending, and YAML by what it begins with."""
    if path.suffix.lower() not in TABLES or path.suffix.lower() == ".csv":
        return path.suffix.lower() in TABLES
    try:
        with path.open(encoding="utf-8") as file:
            text = file.read(MOST_LOOKED_AT)
    except (OSError, UnicodeDecodeError):
        return False
    first = next((line for line in text.splitlines() if line.strip() and not line.startswith(("#", "---"))), "")
    return first.startswith(("-", "[")) or re.search(r"^cards *:", text, re.MULTILINE) is not None


def table_of(project: Project, word: str) -> CardTable:
    """Return the cards of the file of that name; UsageError for one of another kind, InputError at each wrong cell."""
    path = project.where / word
    if path.suffix.lower() not in TABLES:
        raise UsageError(f"--from takes a table of cards ({', '.join(TABLES)}) with the columns {', '.join(COLUMNS)}")
    shown = project.shown(path)
    return read_table(read_file(path, shown), shown)


def table_cards(project: Project, pack: Pack, table: CardTable, size: str, about: TemplateData) -> CardPages:
    """Return the fronts of a table and the back of the game, or fronts and backs by turns if a card has one of its own.

    InputError at the place of each card that holds more than there is room for.
    """
    check_icons(project, pack, [card.words["icon"] for card in table.cards if "icon" in card.words])
    return pack.run_isolated(lambda: _set(project, pack, table, size, about), limits=PUBLICATION)


def _set(project: Project, pack: Pack, table: CardTable, size: str, about: TemplateData) -> CardPages:
    setter = CardSetter(project, pack, size, name=f"{pack.system.id} cards of a table", about=about, remedy=REMEDY)
    kinds = list(dict.fromkeys(card.tags[0] for card in table.cards if card.tags))
    tone = pack.system.tone
    of_kind = dict(zip(kinds, tints(len(kinds), tone), strict=True))
    plain = Tint(pack.system.accent, tone.of(PLAIN_HEAD))
    turns = any("back" in card.words for card in table.cards)
    faces = list[CardFront]()
    for number, card in enumerate(table.cards, 1):
        tint = of_kind.get(card.tags[0], plain) if card.tags else plain
        tab = {"tab": kinds.index(card.tags[0]) if card.tags else -1, "tabs": len(kinds)}
        front = _face(card, size, number, {"dark": tint.dark, "pale": tint.pale, **tab})
        faces.append(front)
        if turns:
            faces.append(_back(card, front, number, size))
    types, _ = setter.types(faces)
    copies = [card.count for card in table.cards for _ in range(1 + turns)]
    step = 1 + turns
    order = [at + side for at in range(0, len(faces), step) for _ in range(copies[at]) for side in range(step)]
    data = setter.pdf([faces[at] for at in order], [types[at] for at in order], back=not turns)
    names = tuple(str(card.title) for card in table.cards for _ in range(card.count))
    return CardPages(data, size, names, shared=not turns)


def _face(card: TableCard, size: str, number: int, edge: TemplateData) -> CardFront:
    from sheetgen.pdf.fonts.bundled import text_width  # imports fontTools

    kind, cost = TYPES[size], card.text("cost")
    badge = head_measures(kind.title, wide=is_wide(size), inset=INSET)["badge"]
    assert isinstance(badge, float)
    usual = kind.title * 0.98
    fits = usual * (badge + 4) * POINTS_PER_MM / max(text_width(cost, usual, weight=700, serif=True), 0.01)
    data: TemplateData = {
        "number": cost,
        "number_size": min(usual, round(fits, 2)),
        "chapter": " · ".join(card.tags),
        "ids": "",
        "foot_lines": 0,
        "icon": card.text("icon"),
        "pictured": bool(card.text("icon")) and not is_wide(size) and len(card.text("text")) <= SHORT,
        **edge,
        "html": tied(html_of(card.text("text"), _as_written)) if card.text("text") else "",
        **_drawn(),
        **set_title(card.title, kind.title, title_room(size), text_width),
    }
    place = card.words["text"].place if "text" in card.words else card.title.place
    return CardFront(card.title, f"{size} card {number}, {card.title}", place, {**data, "title": str(card.title)})


def _back(card: TableCard, front: CardFront, number: int, size: str) -> CardFront:
    """Return the back of a card in a deck where some have words there: those, or the pattern of the game."""
    words = card.text("back")
    place = card.words["back"].place if words else front.place
    html = tied(html_of(words, _as_written)) if words else ""
    name = f"back of {size} card {number}, {card.title}"
    return CardFront(card.title, name, place, {**front.data, "html": html, "behind": True})


def _drawn() -> dict[str, Sequence[object]]:
    return {"tables": [], "figures": [], "charts": []}


def _as_written(inside: str) -> Reference:
    """Words in braces lead nowhere from an author's own table: they stay as they are."""
    return Reference("text", f"{{{inside}}}")
