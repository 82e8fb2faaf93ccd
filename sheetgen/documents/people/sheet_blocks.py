"""The blocks of a sheet's layout: how high each has to be, and what templates are told of it. Lengths are in mm."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, cos, floor, pi, sin
from typing import Any

from sheetgen.documents.markdown import reminder_lines, runs
from sheetgen.documents.people.sheet_setting import Height, Setting
from sheetgen.model.people_pages import MARK, SheetBlock
from sheetgen.model.system import Trait

ENDLESS = 600.0
HEAD, GAP = 6.6, 5.0
LINE, CLOSEST, WIDEST = 8.0, 7.0, 10.4  # of lines that are written on by hand
MARK_SIZE, MARK_STEP = 5.0, 7.0
BOX, BIG, BESIDE, CELL = 7.0, 14.0, 9.0, 11.0
LABELLED = ("heading", "line", "picture")  # blocks with a small label in place of a head
NAME, HINT, HEADING = 9.0, 8.0, 12.0  # type sizes in points
NAME_LINE, HINT_LINE, TEXT_LINE, LABEL_LINE = 4.2, 3.3, 4.0, 4.6
CLOCK, LARGE_CLOCK, MOST_CLOCK = 24.0, 30.0, 50.0
TICKED, NUMBERED = 0.58, 0.86  # of a radius, where ticks and numbers stand
BLANK = "___"  # where a name goes into a phrase that is chosen
BLANK_WIDE = 25.6  # mm, the room left for it
PICKED, PICK_LINE = 6.0, 6.2  # before a phrase to tick; from one to the next
SPAN = 12.0  # of the column of results of a table


def least_height(block: SheetBlock, width: float, page: Setting) -> Height:
    """Return the heights that a block can have at this width."""
    part, low = _PARTS[block.kind](block, width, page).height, _low_hint(block, width, page)
    return Height(part.least + low, part.wanted + low, part.most + low)


def _low_hint(block: SheetBlock, width: float, page: Setting) -> float:
    """Return how much higher a block is whose hint has no room beside its title and stands under it."""
    if not block.hint or block.kind in LABELLED:
        return 0.0
    beside = page.width_of(block.title, HEADING, weight=600, serif=True) + page.width_of(block.hint, HINT, serif=True)
    if beside + 4 <= width:
        return 0.0
    return page.lines(block.hint, width - 1, HINT, serif=True) * HINT_LINE + 0.7


def drawn(block: SheetBlock, width: float, height: float, page: Setting) -> dict[str, Any]:
    """Return a block for templates: its kind, title, hint and height `h`, and what stands in it."""
    part, low = _PARTS[block.kind](block, width, page), _low_hint(block, width, page)
    about = {"kind": block.kind, "title": block.title, "hint": block.hint, "h": height, "w": width}
    return {**about, "shows": block.shows, "head": HEAD + low, "low_hint": bool(low), **part.data(height - low)}


@dataclass(frozen=True, slots=True)
class _Part:
    """A block at a width: its heights, and what templates are told at one of them."""

    height: Height
    data: Callable[[float], dict[str, Any]]


def _fixed(height: float, **data: Any) -> _Part:
    return _Part(Height(height, height, height), lambda high: data)


def _columns(items: Sequence[Any], count: int) -> list[list[Any]]:
    """Return the items in columns of about the same length, read from top to bottom."""
    each = ceil(len(items) / max(1, count)) or 1
    return [list(items[at : at + each]) for at in range(0, len(items), each)]


def _even(count: int, most: int) -> int:
    """Return how many columns so many items take if they stand in rows of the same length, `most` columns at most."""
    most = max(1, min(count, most))
    return ceil(count / ceil(count / most)) if count else 1


def _traits(block: SheetBlock, page: Setting) -> list[Trait]:
    return [page.system.traits[name] for name in block.traits]


def _trait(block: SheetBlock, trait: Trait, page: Setting) -> dict[str, Any]:
    hint = "" if trait.name == block.title and block.hint else trait.hint
    field, groups = f"{block.shows}.{trait.name}", {group.name: group.members for group in page.system.groups}
    at = groups[block.shows].index(trait)
    filled = {word: groups[word][at].name for word in block.beside if word in groups}
    pencil = {word: (word, f"pencil.{field}.{word}", f"{trait.name}: {word}") for word in block.beside}
    also = [(word, f"{word}.{filled[word]}", filled[word]) if word in filled else pencil[word] for word in pencil]
    about = {"name": trait.name, "called": trait.name, "hint": hint, "field": field, "section": trait.section}
    return {**about, "also": also}


def _heading(block: SheetBlock, width: float, page: Setting) -> _Part:
    return _fixed(14.0)


def _line_block(block: SheetBlock, width: float, page: Setting) -> _Part:
    return _Part(Height(10.6, 10.6, 14.0), lambda high: {})


def _ruled(block: SheetBlock, width: float, page: Setting) -> _Part:
    """Lines to write on, as many as there is room for."""
    lines = block.lines or (3 if block.kind == "write" else 4)
    head = HEAD if block.title else 0.0
    least = head + CLOSEST * min(lines, 2 if not block.lines else lines)
    wanted = head + LINE * lines

    def data(height: float) -> dict[str, Any]:
        room = height - head + 0.01
        return {"count": max(1, int(room / LINE), min(lines, int(room / CLOSEST))), "dots": block.dots}

    return _Part(Height(least, wanted, ENDLESS), data)


def _slots(block: SheetBlock, width: float, page: Setting) -> _Part:
    """Numbered lines, one for each thing of a list."""
    spec = page.system.spec(block.shows)
    usual = spec.most if spec is not None and spec.most <= 20 else 8
    lines = block.lines or usual
    fit = int((page.page_height - HEAD) / CLOSEST)
    count = block.columns or max(2 if width >= 120 and lines >= 8 else 1, ceil(lines / fit))
    head = HEAD + (HINT_LINE if block.kind == "rated" else 0)
    return _rows_of([{"number": at} for at in range(1, lines + 1)], count, head, width, block)


def _rows_of(items: Sequence[Any], count: int, head: float, width: float, block: SheetBlock) -> _Part:
    """Rows in columns, each as high as the room lets it be."""
    columns = _columns(items, count)
    deep = max(map(len, columns), default=1)
    inner = floor(100 * (width - GAP * (len(columns) - 1)) / len(columns)) / 100
    heights = Height(*(head + deep * pitch for pitch in (CLOSEST + 0.2, LINE, WIDEST)))
    return _Part(
        heights,
        lambda high: {
            "columns": columns,
            "inner": inner,
            "pitch": round(min(WIDEST, (high - head) / deep), 2),
            "beside": list(block.beside),
            "box": BESIDE if max(map(len, block.beside), default=0) > 1 else BOX,
        },
    )


def _shorten(traits: Sequence[dict[str, Any]], room: float, page: Setting) -> None:
    """Call all by their short names, where they have some, if one of the names is wider than the room."""
    if any(page.width_of(each["name"], NAME, weight=600) > room for each in traits):
        for each in traits:
            each["called"] = page.system.traits[each["name"]].brief


def _rows(block: SheetBlock, width: float, page: Setting) -> _Part:
    """Traits by rows: name, hint where there is room, box."""
    traits = [_trait(block, each, page) for each in _traits(block, page)]
    if block.columns:
        each_wide = (width + GAP) / block.columns - GAP - 3 - BOX - BESIDE * len(block.beside)
        _shorten(traits, each_wide, page)
    longest = max(page.width_of(each["called"], NAME, weight=600) for each in traits)
    needed = longest + 4 + BOX + BESIDE * len(block.beside) + (22 if block.shows in _noted(page) else 0)
    count = block.columns or _even(len(traits), int((width + GAP) / (max(40.0, needed) + GAP)))
    part = _rows_of(traits, count, HEAD + (HINT_LINE if block.beside else 0), width, block)
    inner = part.data(0)["inner"]
    for each in traits:
        room = inner - page.width_of(each["called"], NAME, weight=600) - 3 - BOX - BESIDE * len(block.beside)
        if page.width_of(each["hint"], HINT, serif=True) * 1.02 > room or block.shows in _noted(page):
            each["hint"] = ""
        each["noted"] = block.shows in _noted(page)
    return part


def _noted(page: Setting) -> frozenset[str]:
    return frozenset(name for spec in page.system.fields if spec.kind == "text per trait" for name in spec.groups)


def _numbers_block(block: SheetBlock, width: float, page: Setting) -> _Part:
    """Traits in large boxes: beside their names where there is one to a row, below them where there are several."""
    traits = [_trait(block, each, page) for each in _traits(block, page)]
    boxes = BIG + 1.2 + (BESIDE + 1.2) * len(block.beside)
    aside = width < 70 and len(traits) > 1 and block.columns < 2
    abreast = block.columns or min(len(traits), int((width + 4) / (boxes + 4))) or 1
    _shorten(traits, (width - boxes - 2 if aside else (width + 4) / abreast - 4) - 1, page)
    longest = max(page.width_of(each["called"], NAME, weight=600) for each in traits) + 1
    count = 1 if aside else block.columns or _even(len(traits), int((width + 4) / (max(boxes, longest) + 4)))
    inner = (width - 4 * (count - 1)) / count
    room = inner - boxes - 2 if aside else inner
    hints = max(page.lines(each["hint"], room - 1, HINT, serif=True) for each in traits) * HINT_LINE
    below = HINT_LINE if block.beside else 0.0
    each_high = max(CELL + below, NAME_LINE + hints) if aside else NAME_LINE + CELL + below + hints
    rows = ceil(len(traits) / count)
    gap = 1.6
    below += 0.8 if hints and not aside else 0
    head = HEAD if len(traits) > 1 or block.title != traits[0]["name"] else 0.0
    high = head + 0.8 + rows * (each_high + gap) - gap
    grown = high + rows * 2.0
    return _Part(
        Height(high, high, grown if aside else high),
        lambda height: {
            "traits": traits,
            "count": count,
            "inner": floor(inner * 100 - 0.1) / 100,  # a hair less, or the last might go to the next line
            "room": round(room, 2),
            "aside": aside,
            "headed": bool(head),
            "pitch": round((height - head - 0.8 + gap) / rows, 2),
            "beside": list(block.beside),
        },
    )


def _marks(trait: Trait) -> int:
    return trait.range.high


def _mark_names(trait: Trait) -> list[str]:
    return [f"{MARK}.{trait.name}.{at}" for at in range(1, _marks(trait) + 1)]


def _track(block: SheetBlock, width: float, page: Setting) -> _Part:
    """Boxes in a row, one for each level, with its word if it has one: of one trait, or of several below each other."""
    traits = _traits(block, page)
    longest = max(page.width_of(each.name, NAME, weight=600) for each in traits) + 3
    alone = len(traits) == 1 and block.title == traits[0].name
    needed = (0 if alone else longest) + max(map(_marks, traits)) * MARK_STEP - (MARK_STEP - MARK_SIZE)
    sections = _sections(traits)
    count = block.columns or _even(len(sections), int((width + GAP) / (needed + GAP)))
    inner = floor(100 * (width - GAP * (count - 1)) / count) / 100
    fit = max(1, int(((inner if alone else inner - longest) + MARK_STEP - MARK_SIZE) / MARK_STEP))
    parts = [[_tracked(block, each, fit, page) for each in section] for section in sections]
    for section, part in zip(sections, parts, strict=True):
        part[0]["label"] = section[0].section if len(sections) < len(traits) else ""
    columns = [[row for part in column for row in part] for column in _columns(parts, count)]
    step = MARK_STEP + (HINT_LINE if page.system.group_of[traits[0].name].scale.kind == "words" else 0)
    deep = max(sum(len(row["marks"]) * step + LABEL_LINE * bool(row["label"]) for row in each) for each in columns)
    hint, names = traits[0].hint if alone and not block.hint else "", 0 if alone else round(longest, 2)
    high = HEAD + 1.2 + page.lines(hint, width - 1, HINT, serif=True) * HINT_LINE + deep - 1.4
    return _fixed(high, columns=columns, inner=inner, names=names, under=hint, step=round(step, 2))


def _sections(traits: Sequence[Trait]) -> list[list[Trait]]:
    """Return the traits of each section in turn, or each trait alone where all are of one."""
    found: dict[str, list[Trait]] = {}
    for each in traits:
        found.setdefault(each.section, []).append(each)
    return list(found.values()) if len(found) > 1 else [[each] for each in traits]


def _tracked(block: SheetBlock, trait: Trait, fit: int, page: Setting) -> dict[str, Any]:
    """Return a trait with its marks, `fit` in a line at most; where levels are words, each has its own: d4, d6, d8."""
    scale = page.system.group_of[trait.name].scale
    write = scale.write if scale.kind == "words" else lambda level: ""
    marks = [(name, write(at)) for at, name in enumerate(_mark_names(trait), 1)]
    across = _even(len(marks), fit)
    lines = [marks[at : at + across] for at in range(0, len(marks), across)]
    return {**_trait(block, trait, page), "label": "", "marks": lines}


def _clock(block: SheetBlock, width: float, page: Setting) -> _Part:
    """Circles in segments, one for each level; one that stands alone beside its hint grows with the room."""
    traits = _traits(block, page)
    alone = len(traits) == 1 and block.title == traits[0].name
    clocks = []
    for each in traits:
        size = CLOCK if _marks(each) <= 8 else LARGE_CLOCK
        clocks.append({**_trait(block, each, page), "size": size, "segments": _segments(each, size / 2)})
    size = max(each["size"] for each in clocks)
    aside = alone and width >= size + 22
    under = max(page.lines(each["hint"], size + 8, HINT, serif=True) for each in clocks) * HINT_LINE
    under = 0.0 if aside else under
    across = block.columns or max(1, min(len(clocks), int((width + 4) / (size + 12))))
    rows = ceil(len(clocks) / across)
    each_high = size + 1 + (0 if alone else NAME_LINE) + under
    high = HEAD + 1 + rows * each_high
    inner = floor(100 * width / across) / 100
    grown = min(MOST_CLOCK, width - 22) - size if aside else 0.0

    def data(room: float) -> dict[str, Any]:
        more = round(min(grown, max(0.0, room - high)), 2)
        larger = {"size": size + more, "segments": _segments(traits[0], (size + more) / 2)}
        shown = [{**clocks[0], **larger}] if more else clocks
        about = {"clocks": shown, "across": across, "size": size + more, "alone": alone, "aside": aside}
        return {**about, "each": round(each_high + more, 2), "inner": inner}

    return _Part(Height(high, high, high + grown), data)


def _segments(trait: Trait, radius: float) -> list[dict[str, Any]]:
    """Return where each segment's tick and number stand and where its first edge ends, from the upper left."""
    count, found = _marks(trait), []
    for at, name in enumerate(_mark_names(trait)):
        turn, middle = 2 * pi * at / count, 2 * pi * (at + 0.5) / count
        found.append(
            {
                "name": name,
                "edge": [round(radius * (1 + sin(turn)), 3), round(radius * (1 - cos(turn)), 3)],
                "x": round(radius * (1 + TICKED * sin(middle)) - 2, 3),
                "y": round(radius * (1 - TICKED * cos(middle)) - 2, 3),
                "number": [round(radius * (1 + NUMBERED * each), 3) for each in (sin(middle), -cos(middle))],
            }
        )
    return found


def _ticks(block: SheetBlock, width: float, page: Setting) -> _Part:
    """Traits to tick, each with what it says."""
    traits = _traits(block, page)
    told = any(each.hint for each in traits)
    boxes = max(map(_marks, traits)) * 5.2 + 0.8
    longest = max(page.width_of(each.name, NAME, weight=600) for each in traits)
    usual = int((width + GAP) / (70 + GAP)) if told else int((width + GAP) / (boxes + longest + GAP))
    count = block.columns or _even(len(traits), usual)
    inner = (width - GAP * (count - 1)) / count
    room = inner - boxes
    items = []
    for each in traits:
        lead = page.width_of(f"{each.name}  ", NAME, weight=700)
        lines = _run_in(page, each.hint, lead, room - 0.6)
        items.append({**_trait(block, each, page), "hint": each.hint, "marks": _mark_names(each), "lines": lines})
    columns = _balanced(items, count, lambda item: max(5.6, item["lines"] * TEXT_LINE + 1.4))
    deep = max(sum(max(5.6, each["lines"] * TEXT_LINE + 1.4) for each in column) for column in columns)
    deep = max(deep, block.lines * TEXT_LINE + 1.4 * max(map(len, columns)))
    data = {"columns": columns, "inner": floor(100 * inner) / 100, "boxes": round(boxes, 2)}
    least, gaps = HEAD + 1.6 + deep, max(1, max(map(len, columns)) - 1)
    return _Part(
        Height(least, least + 1.2 * gaps, least + 4.0 * gaps),
        lambda high: {**data, "air": round(min(4.0, (high - least) / gaps), 2)},
    )


def _run_in(page: Setting, text: str, lead: float, width: float) -> int:
    """Return how many lines a text takes behind a bold name of that width."""
    if not text:
        return 1
    count, used = 1, lead
    for word in text.split():
        wide = page.width_of(f"{word} ", NAME)
        if used + wide > width + page.width_of(" ", NAME) and used:
            count, used = count + 1, wide
        else:
            used += wide
    return count


def _balanced(items: Sequence[Any], count: int, height: Callable[[Any], float]) -> list[list[Any]]:
    """Return the items in columns of about the same height, in their order."""
    whole = sum(map(height, items))
    columns: list[list[Any]] = [[]]
    used = 0.0
    for item in items:
        full = used + height(item) / 2 > whole * len(columns) / count + 0.01
        if full and len(columns) < count and columns[-1]:
            columns.append([])
        columns[-1].append(item)
        used += height(item)
    return columns


def _reminder_block(block: SheetBlock, width: float, page: Setting) -> _Part:
    """A reminder, a paragraph for each line."""
    paragraphs = list(reminder_lines(page.texts[block]))
    lines = sum(page.lines(each.replace("**", ""), width - 1, NAME * 1.03) for each in paragraphs)
    head = HEAD if block.title else 0.0
    high = head + 1.0 + lines * TEXT_LINE + 1.0 * max(0, len(paragraphs) - 1)
    return _fixed(high, paragraphs=[runs(each) for each in paragraphs], headed=bool(head))


def _picks(block: SheetBlock, width: float, page: Setting) -> _Part:
    """Phrases to choose from, each behind a box to tick; a name is written into the room that one leaves for it."""
    phrases = [each.removeprefix("· ") for each in reminder_lines(page.texts[block])]
    count = block.columns or 1
    inner = floor(100 * (width - GAP * (count - 1)) / count) / 100
    items = []
    for at, each in enumerate(phrases, 1):
        parts = each.split(BLANK)
        room = inner - PICKED - 0.5 - BLANK_WIDE * (len(parts) - 1)
        lines = page.lines(" ".join(parts), room, NAME)
        high = round(max(PICK_LINE, lines * TEXT_LINE + 2), 2)
        items.append({"name": f"pencil.{block.text}.{at}", "parts": parts, "high": high})
    columns = _columns(items, count)
    deep = max((sum(each["high"] for each in column) for column in columns), default=0.0)
    return _fixed((HEAD if block.title else 0.0) + 0.6 + deep, columns=columns, inner=inner)


def _table(block: SheetBlock, width: float, page: Setting) -> _Part:
    """A table of the pack, a row for each result; several columns stand under their heads where there is room."""
    table = page.system.tables[block.text]
    names = list(dict.fromkeys(each for row in table.rows for each in row.columns if table.heads.get(each, each)))
    heads = [table.heads.get(each, "" if each == "is" else each) for each in names]
    cells = [[row.columns.get(each, "") for each in names] for row in table.rows]
    widths = _column_widths([heads, *cells], width - SPAN, page)
    if len(names) < 2 or min(widths) < 0:
        heads, cells, widths = [], [["; ".join(filter(None, row))] for row in cells], [width - SPAN]
    deep = [max(map(lambda cell, wide: page.lines(cell, wide, NAME * 1.02), row, widths)) for row in cells]
    return _fixed(
        HEAD + 1.0 + (LABEL_LINE if heads else 0) + sum(lines * TEXT_LINE + 0.8 for lines in deep),
        title=block.title or table.title,
        hint=block.hint or table.dice,
        heads=[table.heads.get("over", ""), *heads] if heads else [],
        rows=[{"span": str(row.span), "cells": each} for row, each in zip(table.rows, cells, strict=True)],
        widths=widths,
    )


def _column_widths(rows: Sequence[Sequence[str]], room: float, page: Setting) -> list[float]:
    """Return the width of each column: its longest word, and of the rest as its texts ask; below 0 for no room."""

    def wide(text: str) -> float:
        return page.width_of(text, NAME * 1.02, weight=600) + 2.4

    columns = list(zip(*rows, strict=True))
    least = [max(wide(word) for text in each for word in (text.split() or [""])) for each in columns]
    asked = [max(map(wide, each)) - low for each, low in zip(columns, least, strict=True)]
    rest = room - sum(least)
    shares = [low + rest * more / (sum(asked) or 1) for low, more in zip(least, asked, strict=True)]
    return shares if rest >= 0 else [rest]


def _picture_block(block: SheetBlock, width: float, page: Setting) -> _Part:
    """A portrait to draw or to print, the mark of the game, or a picture of the pack."""
    high = block.lines * CLOSEST if block.lines else min(width * 1.1, 56.0) if block.text == "portrait" else 18.0
    grows = high * 1.25 if block.text == "portrait" and not block.lines else high
    data = {"picture": block.text, "file": block.text if "." in block.text else ""}
    return _Part(Height(min(high, 35.0), high, grows), lambda height: data)


_PARTS: dict[str, Callable[[SheetBlock, float, Setting], _Part]] = {
    "heading": _heading,
    "line": _line_block,
    "area": _ruled,
    "write": _ruled,
    "slots": _slots,
    "rated": _slots,
    "rows": _rows,
    "numbers": _numbers_block,
    "track": _track,
    "clock": _clock,
    "ticks": _ticks,
    "words": _reminder_block,
    "rule": _reminder_block,
    "list": _picks,
    "table": _table,
    "picture": _picture_block,
}
