"""Decks of cards: out of the rules of a pack or an author's table of things; and a tuck box for one, to fold."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

from sheetgen.batch.sandbox import PUBLICATION
from sheetgen.content.book.references import Reference
from sheetgen.content.card_table import COLUMNS, CardTable, TableCard, read_table
from sheetgen.content.packs.folders import read_file
from sheetgen.documents.book.book import BookBuilder, BookResults
from sheetgen.documents.cards import (
    INSET,
    TYPES,
    CardFront,
    CardText,
    Tint,
    chart_apart,
    chart_room,
    chosen_for_cards,
    drawing_width,
    faces_of,
    head_measures,
    is_wide,
    runs_over,
    set_title,
    texts_of,
    tints,
    title_room,
    with_bars,
)
from sheetgen.documents.figures.svg import Canvas, Drawn
from sheetgen.documents.markdown import html_of, tied
from sheetgen.documents.render import environment, render
from sheetgen.errors import InputError, Problem, UsageError, quoted, suggestion
from sheetgen.geometry import CARDS, PAPERS, POINTS_PER_MM, Size, paper_name
from sheetgen.model.book import Book, Chapter, Extract, Rule
from sheetgen.model.data import TemplateData
from sheetgen.products.cards.sheets import CardPages, CardSetter, card_data, check_icons
from sheetgen.products.chapters import canvas_of, curve_warnings, open_book, work_out
from sheetgen.products.page_cache import pdf_of
from sheetgen.workspace.packs import Pack, template_folders
from sheetgen.workspace.project import Project

REMEDY = " (shorten it under card:, split it in two, or take larger cards: `card_size: tarot` in system.yaml, --size)"
_NOT_DRAWN = (Drawn(1, 1, ""), "")
TABLES = (".csv", ".yaml", ".yml")
MOST_LOOKED_AT = 20_000  # letters of a file, to see whether it is one
TABLE_REMEDY = " (shorten it, or take a larger --size)"
SHORT = 150  # letters: so few leave room for the icon as a picture
PLAIN_HEAD = "#eeeeee"
BOX_TEMPLATE = "press/tuckbox.html"
THICKNESS = 0.3  # of a card
PLAY = (1.0, 1.5, 1.0)  # more than the cards take: width, height, depth
LEAST_DEPTH = 6.0
GLUE, TONGUE, THUMB = 11.0, 14.0, 8.0  # the long flap, what tucks in, half the notch for the thumb
HOW = 42.0  # below the net, for the steps and the ruler


def rule_cards(project: Project, pack: Pack, size: str, rule: str = "") -> CardPages:
    """Return the reference cards of a pack, or those of one rule, without those that hold more than there is room for.

    A rule's cards look as they do in the deck; their numbers are right unless a table before them takes several cards.
    UsageError for a pack without cards, and for a rule without any.
    """
    return pack.run_isolated(lambda: _rule_cards(project, pack, size, rule), limits=PUBLICATION)


def carded_rules(project: Project, pack: Pack) -> dict[str, str]:
    """Return the rules that have cards, by their names, with the heading of the first of each, in book order."""

    def found() -> dict[str, str]:
        named = dict[str, str]()
        for _, rule, card in chosen_for_cards(open_book(project, pack).book):
            named.setdefault(rule.id, str(card.heading))
        return named

    return pack.run_isolated(found, limits=PUBLICATION)


def _rule_cards(project: Project, pack: Pack, size: str, only: str) -> CardPages:
    rulebook, canvas = open_book(project, pack), canvas_of(pack, drawing_width(size))
    check_icons(project, pack, [chapter.icon for chapter in rulebook.book.chapters if chapter.icon])
    chosen = chosen_for_cards(rulebook.book)
    if not chosen:
        raise UsageError(f"{pack.system.title} has no reference cards: no rule of it has a card")
    known = {rule.id for _, rule, _ in chosen}
    if only and only not in known:
        raise UsageError(f"{pack.system.title} has no rule {quoted(only)} with a card{suggestion(only, known)}")
    cards = [(rule, card) for _, rule, card in chosen]
    charts, unfit = _charts(pack, cards, size, canvas, only)
    book, without = _without_odds(rulebook.book, unfit), tuple(each for found in unfit.values() for each in found)
    if not {rule.id for _, rule, _ in chosen_for_cards(book)} & ({only} if only else known):
        raise InputError(without)
    texts = texts_of(BookBuilder(pack.system, book, BookResults({}, charts, {}), canvas, linked=False), size)
    setter = CardSetter(
        project, pack, size, name=f"{pack.system.id} reference cards", about=card_data(pack, size), remedy=REMEDY
    )
    pages = _Deck(setter, pack, canvas, only).pages(texts)
    notes = curve_warnings(rulebook.book, screen=False)
    return replace(pages, left_out=(*without, *pages.left_out), notes=notes)


def _without_odds(book: Book, rules: Collection[str]) -> Book:
    """Return the book without the cards that show odds of these rules."""

    def kept(rule: Rule) -> Rule:
        return replace(rule, cards=tuple(card for card in rule.cards if not card.with_odds))

    def cut(chapter: Chapter) -> Chapter:
        return replace(chapter, rules=tuple(kept(each) if each.id in rules else each for each in chapter.rules))

    return replace(book, chapters=tuple(map(cut, book.chapters))) if rules else book


def _charts(
    pack: Pack, cards: Sequence[tuple[Rule, Extract]], size: str, canvas: Canvas, only: str
) -> tuple[dict[str, tuple[tuple[Drawn, str], ...]], dict[str, tuple[Problem, ...]]]:
    """Return the charts of the cards by rule, and why a rule has none; of rules that are not shown they are counted."""
    asked = [(with_bars(rule), card.text is None or chart_apart(card, size)) for rule, card in cards if card.with_odds]
    charts, unfit = {rule.id: (_NOT_DRAWN,) * len(rule.charts) for rule, _ in asked}, dict[str, tuple[Problem, ...]]()
    for alone in (True, False):
        width, tall = chart_room(size, alone=alone)
        for rule in (rule for rule, bare in asked if bare == alone and only in ("", rule.id)):
            try:
                charts.update(work_out(pack, [rule], replace(canvas, width=width, tall=tall)).charts)
            except InputError as error:
                unfit[rule.id] = error.problems
    return charts, unfit


class _Deck:
    """The cards of a deck, of which all are shown, or those of the rule `only`."""

    def __init__(self, setter: CardSetter, pack: Pack, canvas: Canvas, only: str) -> None:
        self._setter, self._system, self._width, self._only = setter, pack.system, canvas.text_width, only

    def pages(self, texts: Sequence[CardText]) -> CardPages:
        """Return the pages and their back, long tables on several, without the cards that have no room.

        InputError at each of these where no card would be left.
        """
        setter, whole = self._setter, not self._only
        shown = [at for at, text in enumerate(texts) if whole or text.made["rule"] == self._only]
        faces = self._faces(texts)
        types, waiting = setter.types([faces[at] for at in shown] + faces[-1:] * whole)
        tabled = [at for at in waiting if at < len(shown) and texts[shown[at]].rows > 1]
        full = setter.too_full([faces[shown[at]] for at in tabled], setter.least)
        long = {tabled[at] for at in full}
        points, parted, last = dict(zip(shown, types, strict=False)), list[tuple[CardText, float]](), types[-1:]
        for at, text in enumerate(texts):
            cut = at in points and shown.index(at) in long
            pieces = self._parts_of_text(text) if cut else (text,)
            size = min(setter.types(self._faces(pieces)[:-1])[0]) if len(pieces) > 1 else points.get(at, 0.0)
            parted += [(each, size) for each in pieces]
        return self._set([text for text, _ in parted], [*(size for _, size in parted), *last * whole])

    def _faces(self, texts: Sequence[CardText]) -> list[CardFront]:
        return [*faces_of(self._system, texts, self._setter.size, self._width)]

    def _parts_of_text(self, text: CardText) -> tuple[CardText, ...]:
        def too_full(tried: Sequence[CardText]) -> frozenset[int]:
            return self._setter.too_full(self._faces(tried)[:-1], self._setter.least)

        return runs_over(text, too_full)

    def _set(self, cards: Sequence[CardText], types: Sequence[float]) -> CardPages:
        """Return the cards that have a size of type, in it."""
        everything = [at for at, points in enumerate(types) if points]
        faces = self._faces(cards)
        shown, points = [faces[at] for at in everything], [types[at] for at in everything]
        try:
            data, without = self._setter.pdf(shown, points), tuple[Problem, ...]()
        except InputError as error:
            without, full = error.problems, {problem.place for problem in error.problems}
            kept = [at for at in everything if at < len(cards) and faces[at].place not in full]
            if not kept or full - {face.place for face in faces}:
                raise
            faces = self._faces([cards[at] for at in kept])
            shown, points = faces[: len(kept)], [types[at] for at in kept]
            if not self._only:
                shown, points = faces, [*points, types[-1]]
            data = self._setter.pdf(shown, points)
        return CardPages(data, self._setter.size, tuple(face.title for face in shown), left_out=without)


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
    setter = CardSetter(
        project, pack, size, name=f"{pack.system.id} cards of a table", about=about, remedy=TABLE_REMEDY
    )
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
        **_no_drawings(),
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


def _no_drawings() -> dict[str, Sequence[object]]:
    return {"tables": [], "figures": [], "charts": []}


def _as_written(inside: str) -> Reference:
    """Words in braces lead nowhere from an author's own table: they stay as they are."""
    return Reference("text", f"{{{inside}}}")


def inside(card: Size, count: int) -> tuple[float, float, float]:
    """Return what a box for so many cards measures inside: width, height and depth."""
    depth = max(count * THICKNESS + PLAY[2], LEAST_DEPTH)
    return round(card.width + PLAY[0], 2), round(card.height + PLAY[1], 2), round(depth, 2)


def net_of(card: Size, count: int) -> TemplateData:
    """Return the net of a box: its size, where its faces are, and the paths of cuts and folds.

    From the left the flap to glue, front, side, back with the lid above it, side.
    """
    wide, high, deep = inside(card, count)
    a, b, c = GLUE, GLUE + wide, GLUE + wide + deep
    e, f = c + wide, c + wide + deep
    top = TONGUE + deep
    foot, flap = top + high, 0.8 * deep
    middle = (a + b) / 2
    cuts = (
        f"M{a:.2f} {top:.2f}L0 {top + 6:.2f}V{foot - 6:.2f}L{a:.2f} {foot:.2f}"
        f"L{a + 1:.2f} {foot + deep:.2f}H{b - 1:.2f}L{b:.2f} {foot:.2f}"
        f"L{b + 1:.2f} {foot + flap:.2f}H{c - 3:.2f}L{c:.2f} {foot:.2f}"
        f"L{c + 1:.2f} {foot + deep - 0.5:.2f}H{e - 1:.2f}L{e:.2f} {foot:.2f}"
        f"L{e + 3:.2f} {foot + flap:.2f}H{f - 1:.2f}L{f:.2f} {foot:.2f}V{top:.2f}"
        f"L{f - 1:.2f} {top - flap:.2f}H{e + 3:.2f}L{e:.2f} {top:.2f}"
        f"V{TONGUE:.2f}H{e - 1.5:.2f}V7A7 7 0 0 0 {e - 8.5:.2f} 0H{c + 8.5:.2f}A7 7 0 0 0 {c + 1.5:.2f} 7V{TONGUE:.2f}"
        f"H{c:.2f}V{top:.2f}L{c - 3:.2f} {top - flap:.2f}H{b + 1:.2f}L{b:.2f} {top:.2f}"
        f"H{middle + THUMB:.2f}A{THUMB} {THUMB} 0 0 1 {middle - THUMB:.2f} {top:.2f}Z"
    )
    folds = "".join(f"M{x:.2f} {top:.2f}V{foot:.2f}" for x in (a, b, c, e))
    folds += f"M{b:.2f} {top:.2f}H{f:.2f}M{c + 1.5:.2f} {TONGUE:.2f}H{e - 1.5:.2f}M{a:.2f} {foot:.2f}H{f:.2f}"

    def face(x: float, y: float, width: float, height: float) -> dict[str, float]:
        return {"x": round(x, 2), "y": round(y, 2), "width": round(width, 2), "height": round(height, 2)}

    return {
        "width": round(f, 2),
        "height": round(foot + deep, 2),
        "front": face(a, top, wide, high),
        "back": face(c, top, wide, high),
        "sides": [face(b, top, deep, high), face(e, top, deep, high)],
        "lid": face(c, TONGUE, wide, deep),
        "glue": [face(2, top + 10, GLUE - 4, high - 20), face(c + 8, foot + 1.5, wide - 16, deep - 4)],
        "type": round(min(0.55 * deep, 7), 2),
        "cuts": cuts,
        "folds": folds,
    }


def box_page(project: Project, pack: Pack, data: TemplateData, *, size: str, count: int, say: str, paper: str) -> bytes:
    """Return the page of a box for a deck; UsageError for a paper that is too small for its net."""
    net, card = net_of(CARDS[size], count), CARDS[size]
    wide, high = float(str(net["width"])), float(str(net["height"]))
    sheet = PAPERS[paper]
    sheets = (sheet, Size(sheet.height, sheet.width))
    fitting = [each for each in sheets if wide + 12 <= each.width and high + 10 + HOW <= each.height]
    if not fitting:
        raise UsageError(
            f"a box for {count} {size} cards is {wide:.0f} × {high:.0f} mm flat: too large for {paper_name(paper)}"
        )
    chosen = fitting[0]
    width, height, depth = inside(card, count)
    shown = {
        **data,
        "net": net,
        "paper": {"width": chosen.width, "height": chosen.height},
        "left": round((chosen.width - wide) / 2, 2),
        "top": round(max(8.0, (chosen.height - high - HOW) / 3), 2),
        "inside": {"width": f"{width:g}", "height": f"{height:g}", "depth": f"{depth:g}"},
        "count": count,
        "say": say,
    }
    html = render(environment(template_folders(project, pack), project.shown), BOX_TEMPLATE, shown)
    return pack.run_isolated(lambda: pdf_of(project, pack, html, name=f"{pack.system.id} box"))
