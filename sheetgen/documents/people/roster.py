"""Many people on few pages: the rows and columns of a roster as plain data, its paper turned, its rows shared out."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from operator import add

from sheetgen.documents.people.npc_page import STORY
from sheetgen.documents.people.roster_columns import (
    GUTTER,
    LEVEL_LEAST,
    MARGIN,
    NAME_LEAST,
    NAME_MOST,
    NUMBER,
    SPARE,
    TEXT_PT,
    TICK_GUTTER,
    WANTS,
    Measure,
    Ruler,
    SetOut,
    asked_in,
    is_figure,
    is_room,
    pitch,
    set_out,
)
from sheetgen.documents.people.roster_rows import (
    EVERYBODY,
    Person,
    RosterRow,
    columns_of,
    folded,
    row_of,
    without_the_empty,
)
from sheetgen.documents.people.sheet import WANT
from sheetgen.geometry import Size
from sheetgen.model.people_pages import Roster, RosterColumn, filled, slots_of
from sheetgen.model.system import System
from sheetgen.model.wording import DOT, sentence

FOOT = 17.4
NAME_LINES = 1.9  # a name with what stands below it
ROW_PADDING = 2.6  # above and below text whose first line stands on that of the name
FOOT_TIGHT, ROW_TIGHT = 16.4, 9.0
CODE, TICK_LINES, WORDS_LINES = 8.4, 1.25, 0.8
ROW_STACKED, ROW_BOXES, HEADING, HEAD, SAY, HEAD_LINE = 15.1, 10.2, 7.0, 17.4, 4.4, 3.2
# Rows of more lines than that are set smaller, and each is so much of a line high; in a group, and where a roster then
# takes fewer pages, all are.
ALL_DENSE, DENSE_FROM = 0, 4
DENSE, GROUP_DENSE = (0.875, -0.15), (0.9, 0.15)  # and what comes to all: in a group the first stands on the name's
BELOW_PT = 7.5
FEW = 8  # traits of a group that a roster of a pack without one still shows one by one
# On the page of a group: the height of what stands above the table, in mm, the size in points of what is told below a
# row, and the fields of which the first is told behind the story, under its own name.
BETWEEN, TROUBLE, TOLD_PT, TOLD_PADDING = 22.0, 12.0, 8.5, 0.8
HEADER = 10.4  # the height in mm of a title and its rule, which later pages have not
# Of the width below a row, from where what somebody wants stands, so that the eye finds it: the usual share first.
WISHES = (0.42, 0.44, 0.4, 0.46, 0.38, 0.48, 0.36, 0.5, 0.34)


def roster_of(system: System) -> Roster:
    """Return the pack's roster; for a pack that has none its first traits one by one, the best of others, and room."""
    if system.roster is not None:
        return system.roster
    columns: list[RosterColumn] = []
    for group in system.groups:
        if group.name not in {spec.name for spec in system.fields if spec.kind == "levels"}:
            continue
        if len(columns) + len(group.members) <= FEW:
            key = len(columns) == 0
            for at, trait in enumerate(group.members):
                slot = f"{{{group.name}.{trait.name}}}"
                shown = RosterColumn(trait.brief, trait.name if trait.short else "", (slot,), pencil=True)
                columns.append(replace(shown, key=slot) if key and at < 3 else shown)
        else:
            columns.append(RosterColumn(group.title or group.name, best=group.name))
    under = next((name for name in ("occupation", "kind") if system.spec(name)), "")
    return Roster((*columns, RosterColumn("Notes")), under)


def height_above(*, group: bool, ties: bool, say: bool) -> float:
    """Return the height in mm of what stands between title and table: ties, the trouble of a group, or a line."""
    return BETWEEN if ties else TROUBLE if group else SAY if say else 0.0


def laid_out(
    system: System,
    roster: Roster,
    people: Sequence[Person],
    paper: Size,
    measure: Measure,
    *,
    group: bool = False,
    tight: int = 0,
    notes_share: float = 1.0,
    above: float = 0.0,
    less: float = 0.0,
) -> dict[str, object]:
    """Return what the template of a roster is told: the paper, the columns with their widths in mm, and the rows.

    The page of a `group` tells below each row what somebody is like and wants, with room to write in place of a column;
    one that is `tight`, 1 or 2, is set closer. Notes have this share of the room that is left for some. What stands
    between title and table is so much `above`; pages are taken to be so much `less` high. `measure` gives the width of
    a text in points, bold or not.
    """
    ruler, code = Ruler(measure), LEVEL_LEAST if group else CODE
    roster = _of_these(roster, people, group=group)
    rows = [row_of(system, roster, each, number, ruler, group=group) for number, each in enumerate(people, 1)]
    roster, rows = without_the_empty(*folded(roster, rows))
    cells, shown = columns_of(rows, len(roster.columns))
    words = [len(_beside(system, column)) for column in roster.columns]
    who = min(max([NAME_LEAST, *(row.width for row in rows)]), NAME_MOST)
    widths = (shared := set_out(roster, shown, who, paper, ruler=ruler, code=code, beside=words)).widths
    named = _below_heads(system, roster, widths[2:], ruler)
    headings = {person.heading for person in people} - {EVERYBODY}
    below = [_story_lines(system, roster, person) for person in people]
    wish = _wish(below, ruler, sum(widths) - NUMBER) if any(each["wish"] for each in below) else 0.0
    heads = max(shared.heads - LINE, HEAD_LINE * any(named), 0.0) + HEADING * len(headings)
    room = shared.size.height - MARGIN - FOOT - HEAD - heads - above - less
    told, wants = below if group else [], [("", "") if group else _asking(roster, each) for each in below]
    figures = len(list(takewhile(is_figure, cells)))
    names = [LINE * math.ceil(row.width / widths[1]) for row in rows]
    tried = [
        (dense, wanted, place, heights(place.heights, room, later=HEADER + above, spread=not group))
        for dense in ((ALL_DENSE,) if group else (DENSE_FROM, ALL_DENSE))
        for wanted in [_wanted(roster, rows, told, shared, ruler, words=words, dense_from=dense, wish=wish)]
        for place in asked_in(roster, wants, wanted, names, widths=widths, figures=figures, ruler=ruler)
    ]
    dense_from, wanted, asked, (height, notes, begin) = min(tried, key=lambda each: len(each[3][2]))
    height, notes, begin = (ROW_TIGHT, 0.0, frozenset()) if tight else (height, notes, begin)
    return {
        **shared.told,
        "dense_from": dense_from,
        "columns": _columns(system, roster, cells, shared.upright, named, ruler=ruler),
        "asked": asked.told(wanted, height),
        "blocks": roster.blocks,
        "sections": _sections(people, rows, below, frozenset() if headings else begin, asked.below(wanted, height)),
        "height": round(height, 2),
        "group": group,
        "wish": wish,
        "tight": tight,
        "notes": round(notes * notes_share, 2),
        "foot": FOOT_TIGHT if tight else FOOT,
        "reminder": _reminder(system, roster),
    }


def _of_these(roster: Roster, people: Sequence[Person], *, group: bool) -> Roster:
    """Return a roster without the columns and reminders of what nobody there has.

    A group has no columns to write in, nor one for the story, which stands below each row; only there have those of a
    skin's own the room.
    """
    had = {name for person in people for name, value in person.character.values.items() if value}
    story = (f"{{{STORY}}}",)
    columns = tuple(
        each
        for each in roster.columns
        if (not each.of or each.of in had) and not (is_room(each) or each.shows == story if group else each.own)
    )
    said = ". ".join(text for name, text in roster.reminders.items() if name in had)
    return replace(roster, columns=columns, reminder=said or roster.reminder)


def _wanted(
    roster: Roster,
    rows: Sequence[RosterRow],
    told: Sequence[Mapping[str, str]],
    shared: SetOut,
    ruler: Ruler,
    *,
    words: Sequence[int],
    dense_from: int,
    wish: float,
) -> list[float]:
    """Return the height in mm that each row needs, with what is told below it."""
    least, padding = _row_least(roster, words, stacked=shared.stacked), TOLD_PADDING if told else ROW_PADDING
    dense = GROUP_DENSE if told else DENSE
    lines = [_lines(roster, row, shared.widths, ruler, dense_from=dense_from, dense=dense) for row in rows]
    high = [max(LINE * each + padding, least) for each in lines]
    more = [_told_height(each, ruler, sum(shared.widths) - NUMBER, wish) for each in told] or [0.0] * len(rows)
    return list(map(add, high, more))


def _row_least(roster: Roster, words: Sequence[int], *, stacked: bool) -> float:
    """Return the least height in mm of a row, with the boxes that stand in it."""
    if any(column.pencil and beside != 1 for column, beside in zip(roster.columns, words, strict=True)):
        return ROW_STACKED if stacked else ROW_BOXES
    return ROW_LEAST


def _reminder(system: System, roster: Roster) -> str:
    """Return the line at the foot; for a trait group in braces it tells the initials of its traits, kind by kind."""
    told = roster.reminder
    for group in system.groups:
        if f"{{{group.name}}}" in told:
            kinds: dict[str, list[str]] = {}
            for trait in group.members:
                kinds.setdefault(trait.kind, []).append(trait.name[:1])
            parts = (" ".join(filter(None, (kind, *initials))) for kind, initials in kinds.items())
            told = told.replace(f"{{{group.name}}}", ", ".join(parts))
    return told


def _story_lines(system: System, roster: Roster, person: Person) -> dict[str, str]:
    """Return what is told of somebody below their row: manner, story, and what they want, or else what drives them.

    What the pack tells of each stands behind the story; where there is no wish, in its place.
    """
    values = person.values
    name = next((name for name in (WANT, roster.drive) if values.get(name)), "")
    spec = system.spec(name)
    title = WANTS if name == WANT else spec.title if spec is not None else ""
    told = {"manner": values.get("manner", ""), "story": values.get(STORY, ""), "wish": values.get(name, "")}
    levels = ((group.name, person.character.numbers(group.name)) for group in system.groups)
    had = {name: DOT.join(trait for trait, level in each.items() if level) for name, each in levels}
    lines = (filled(line, {**had, **values}).replace("\n", ", ") for line in roster.told)
    more = "\n".join(filter(None, lines))
    place = "story" if told["wish"] else "wish"
    told[place] = " ".join(filter(None, (sentence(told[place].strip()), more)))
    said = {part: sentence(text.strip()) for part, text in told.items()}
    return {**said, "title": title, "want": values.get(WANT, "")}


def _asking(roster: Roster, told: Mapping[str, str]) -> tuple[str, str]:
    """Return what somebody wants, and the story that it comes from, unless that has a column."""
    has_column = any(column.shows == (f"{{{STORY}}}",) for column in roster.columns)
    return told["want"], "" if has_column else told["story"]


def _wish(told: Sequence[Mapping[str, str]], ruler: Ruler, width: float) -> float:
    """Return how wide the column for wishes is, in mm: as wide as takes the fewest lines in all."""
    shares = [round(width * share, 2) for share in WISHES]
    return min(shares, key=lambda wish: sum(_told_height(each, ruler, width, wish) for each in told))


def _told_height(told: Mapping[str, str], ruler: Ruler, width: float, wish: float) -> float:
    """Return about how high that is, in mm, where wishes stand in a column of their own."""
    parts = [("manner", "story"), ("title", "wish")]
    broad = [width - wish - GUTTER, wish - GUTTER] if wish else [width, width]
    lines = [
        sum(ruler.lines(line, TOLD_PT, room) for line in " ".join(told[part] for part in each).splitlines())
        for each, room in zip(parts, broad, strict=True)
    ]
    return LINE * max(*lines, 1) + TOLD_PADDING


def _lines(
    roster: Roster,
    row: RosterRow,
    widths: Sequence[float],
    ruler: Ruler,
    *,
    dense_from: int,
    dense: tuple[float, float],
) -> float:
    """About how many lines of text the tallest cell of a row has; a `dense` one is so much of one, and so much more."""
    counts: list[float] = [NAME_LINES * math.ceil(row.width / widths[1])]
    for block in roster.blocks:
        high = len(row.cells[block[0]]) + (block[0] in row.folded)
        line, more = dense if len(block) > 1 and high > dense_from else (1, 0)
        tall = [_cell_lines(roster.columns[at], row.cells[at], widths[at + 2], ruler, TEXT_PT * line) for at in block]
        rows = [max(lines) for lines in zip(*tall, strict=True)] if len(block) > 1 else tall[0]
        counts.append(line * (sum(rows) + (block[0] in row.folded)) + more)
    return max(counts)


def _cell_lines(column: RosterColumn, cell: tuple[str, ...], width: float, ruler: Ruler, size: float) -> list[float]:
    """About how many lines each line of a cell takes."""
    if column.ticks and cell:
        line = TICK_LINES + (WORDS_LINES if column.words else 0)
        return [line * math.ceil(int(cell[0]) / max((width - TICK_GUTTER + SPARE) // pitch(column, ruler), 1))]
    if column.pencil:
        return []
    return [max(math.ceil(ruler(line, size) / max(width - GUTTER, 1.0)), 1) for line in cell]


def _columns(
    system: System,
    roster: Roster,
    cells: Sequence[Sequence[tuple[str, ...]]],
    upright: Sequence[bool],
    below: Sequence[str],
    *,
    ruler: Ruler,
) -> list[dict[str, object]]:
    """Return what the template is told of each column: `below` is what stands below its title."""
    sharing = {at for block in roster.blocks if len(block) > 1 for at in block}
    told = zip(roster.columns, cells, upright, below, strict=True)
    return [
        {**_column(system, column, [] if at in sharing else cell, ruler=ruler), "upright": stands, "below": name}
        for at, (column, cell, stands, name) in enumerate(told)
    ]


def _column(
    system: System, column: RosterColumn, cells: Sequence[tuple[str, ...]], *, ruler: Ruler
) -> dict[str, object]:
    """Return what the template is told of a column; where no cell is longer than a code, it is set as a `figure`."""
    kinds = {
        "room": is_room(column),
        "ticks": column.ticks,
        "slots": column.slots,
        "level": column.pencil,
        "text": True,
    }
    kind = next(kind for kind, holds in kinds.items() if holds)
    figure = kind == "text" and is_figure(cells)
    told = {"title": column.title, "hint": column.hint, "kind": kind, "slots": column.slots, "figure": figure}
    told |= {"pitch": pitch(column, ruler), "dice": any(map(str.isdigit, column.title))}  # 2d6 is not set in capitals
    return {**told, "beside": _beside(system, column), "words": column.words}


def _below_heads(system: System, roster: Roster, widths: Sequence[float], ruler: Ruler) -> list[str]:
    """Return what stands below each title: the one word of its boxes, or the name of which it is the initial.

    All initials are told, or none where one has no room for it.
    """
    beside = [_beside(system, column) for column in roster.columns]
    names = [column.hint if len(column.title) == 1 else "" for column in roster.columns]
    fit = all(ruler(name, BELOW_PT) <= width for name, width in zip(names, widths, strict=True))
    return [words[0] if len(words) == 1 else name if fit else "" for words, name in zip(beside, names, strict=True)]


def _beside(system: System, column: RosterColumn) -> tuple[str, ...]:
    """Return the words of the boxes that the sheet has beside the levels of a column."""
    groups = {slot.partition(".")[0] for line in column.shows for slot in slots_of(line)}
    layout = system.sheet_layout if column.pencil else None
    return next((words for name in groups if (words := layout.beside(name))), ()) if layout is not None else ()


def _sections(
    people: Sequence[Person],
    rows: Sequence[RosterRow],
    below: Sequence[Mapping[str, str]],
    begin: frozenset[int],
    asked: Sequence[float],
) -> list[dict[str, object]]:
    """Return the rows under their headings, in the order in which the headings come; those that begin a page say so.

    Where anybody's number in their run is another than their place here, all rows tell it.
    """
    sections: dict[str, list[dict[str, object]]] = {}
    moved = any(row.index not in (0, row.number) for row in rows)
    for person, row, like, high in zip(people, rows, below, asked, strict=True):
        told = {"number": row.number, "name": row.name, "under": row.under, "cells": [list(cell) for cell in row.cells]}
        told |= {"folded": row.folded}
        told |= {**like, "index": row.index if moved else 0, "begins": row.number in begin, "asked": high}
        sections.setdefault(person.heading, []).append(told)
    return [{"title": title, "rows": rows} for title, rows in sections.items()]


PADDING, LINE, ROW_LEAST, ROW_MOST, NOTES_LEAST = 2.0, 4.0, 10.0, 14.0, 20.0
TINY = 0.01
UNSURE = 5.0  # mm of a page that is filled to its end, for rows that are higher than they were taken for
SHARES = (1.0, 0.95, 0.9, 0.85, 0.8)  # of the height that fills pages, where some rows are higher and it takes one more
ROOMY = 1.35  # how much higher than its text a row may be where there are few


def heights(
    wanted: Sequence[float], room: float, *, spread: bool, later: float = 0.0
) -> tuple[float, float, frozenset[int]]:
    """Return the least height of a row in mm, what is left for notes, and the rows that begin a page.

    If rows are `spread`, they are higher where there are few, as long as that takes no more pages.

    `wanted` is what each row needs, `room` the height of the first page; the others, which have no title, have so much
    more `later`. The last page is filled about as far as the others; without spreading, the first is filled.
    """
    if not spread:
        room -= UNSURE
    pages = len(_pages(wanted, room, later, even=spread)) + 1
    even = max((room * pages + later * (pages - 1)) / max(len(wanted), 1), ROW_LEAST)
    roomy = max([ROW_MOST, *(ROOMY * each for each in wanted)])
    high = [max(min(even, roomy) * share, ROW_LEAST) for share in SHARES] if spread else []
    for height in sorted({*high, min(even, ROW_MOST) if spread else ROW_LEAST, ROW_LEAST}, reverse=True):
        tall = [max(height, needed) for needed in wanted]
        begin = _pages(tall, room, later, even=spread)
        if len(begin) < pages:
            break
    last = sum(tall[max(begin, default=1) - 1 :])
    left = room - last + (later - PADDING - LINE if begin else 0.0)
    return height, left - PADDING if left >= NOTES_LEAST else 0.0, begin


def _pages(tall: Sequence[float], room: float, later: float, *, even: bool) -> frozenset[int]:
    """Return the rows that begin a page behind the first, on as few pages as will do, about as high if `even`."""
    begin = set[int]()
    for pages in range(math.ceil(sum(tall) / (room + later)), len(tall) + 1):
        filled, left, begin = 0.0, sum(tall), set()
        for number, part in enumerate(tall, 1):
            high = room + later if begin else room
            # What is left, shared out over the pages left: each as full as the others, so that the first has less.
            share = (left - (0.0 if begin else later * (pages - 1))) / max(pages - len(begin), 1)
            if filled and (filled + part > high + TINY or (even and filled + part / 2 > share + TINY)):
                begin.add(number)
                filled, left = 0.0, left - filled
            filled += part
        if len(begin) < pages:
            break
    if not even and len(tall) in begin and len(tall) > 2:  # nobody stands alone on the last page
        begin = begin - {len(tall)} | {len(tall) - 1}
    return frozenset(begin)
