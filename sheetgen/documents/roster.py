"""Many people on few pages: the rows and columns of a roster as plain data, its paper turned the way that fits."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from sheetgen.documents.roster_columns import (
    GUTTER,
    LEVEL_LEAST,
    MARGIN,
    NAME_LEAST,
    NAME_MOST,
    NUMBER,
    SPARE,
    TEXT_PT,
    TICK,
    TICK_GUTTER,
    Measure,
    Ruler,
    is_figure,
    is_room,
    set_out,
)
from sheetgen.documents.roster_pages import LINE, MANY_PAGES, PADDING, ROW_LEAST, with_wants
from sheetgen.documents.sheet import DOT, WANT, sentence, with_level
from sheetgen.geometry import Size
from sheetgen.model.character import Character
from sheetgen.model.people_pages import Roster, RosterColumn, boxes_of, filled, slots_of
from sheetgen.model.system import System

FOOT = 18.0
FOOT_TIGHT, ROW_TIGHT = 16.4, 9.0
ROOM_WIDE, ROOM_BELOW, ASKED, ASKED_PT = 38.0, 7.0, 3.3, 8.0  # where a want stands at the head of room to write
MANY_WITHOUT_ROOM = 2  # pages from which on wants are worth one more, where there is no room to write either
ASKED_PADDING = 0.4  # below a want that has a line of its own, as no room to write is wide enough for it
MOST_ROWS, CODE, TICK_LINES = 30, 8.4, 1.25
ROW_STACKED, HEADING, HEAD = 15.6, 7.0, 24.0
# Rows of more lines than that are set smaller, and each is so much of a line high.
DENSE_FROM, DENSE = 4, 0.875
NAME_PT = 11.0
FEW = 8  # traits of a group that a roster of a pack without one still shows one by one
EVERYBODY = ""
# On the page of a group: the height of what stands above the table, in mm, the size in points of what is told below a
# row, and the fields of which the first is told behind the story, under its own name.
BETWEEN, TOLD_PT, TOLD_PADDING = 22.0, 8.5, 0.8
STORY = "hook"
NARROWER = 1.03  # how much more of a mixed text than of plain serifs a line holds
WANTS = "Wants"
WISHES = (WANT, "drive")
TOLD = ("manner", "story", "wish", "title")


@dataclass(frozen=True, slots=True)
class Person:
    """A person on a list: the character, the text of every field of the sheet, and the heading it stands under."""

    character: Character
    values: Mapping[str, str]
    heading: str = EVERYBODY


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
) -> dict[str, object]:
    """Return what the template of a roster is told: the paper, the columns with their widths in mm, and the rows.

    The page of a `group` tells below each row what somebody is like and wants, with room to write in place of a column;
    one that is `tight`, 1 or 2, is set closer. Notes have this share of the room that is left for some. `measure` gives
    the width of a text in points at a size, bold or not.
    """
    ruler, code = Ruler(measure), LEVEL_LEAST if group else CODE
    roster = _of_these(roster, people, group=group)
    rows = [_row(system, roster, person, number, ruler) for number, person in enumerate(people, 1)]
    cells = [[row.cells[at] for row in rows] for at in range(len(roster.columns))]
    who = min(max([NAME_LEAST, *(row.width for row in rows)]), NAME_MOST)
    shared = set_out(roster, cells, who, paper, ruler=ruler, code=code)
    widths = shared.widths
    titles = {person.heading for person in people} - {EVERYBODY}
    below = [_story_lines(system, person.values) for person in people]
    told = [_told_height(each, ruler, (sum(widths) - NUMBER) * NARROWER) if group else 0 for each in below]
    dense_from, padding = (1, TOLD_PADDING) if group else (DENSE_FROM, PADDING)
    least = ROW_STACKED if shared.stacked and any(column.pencil for column in roster.columns) else ROW_LEAST
    wanted = [
        max(LINE * _lines(roster, row, widths, ruler, dense_from) + padding, least) + more
        for row, more in zip(rows, told, strict=True)
    ]
    places = _asked(roster, ["" if group else each["want"] for each in below], wanted, widths, ruler)
    above = HEAD + max(shared.heads - LINE, 0.0) + HEADING * len(titles) + (BETWEEN if group else 0.0)
    room = shared.size.height - MARGIN - FOOT - above
    many = MANY_PAGES if any(map(is_room, roster.columns)) else MANY_WITHOUT_ROOM
    tried = [(place, with_wants(wanted, place[2], room, spread=not group, many=many)) for place in places]
    (asked_in, line, _), ((height, notes, begin), is_asked) = next((each for each in tried if each[1][1]), tried[-1])
    notes += BETWEEN if group and begin else 0.0  # a later page has nothing above its table
    height, notes, begin = (ROW_TIGHT, 0.0, frozenset()) if tight else (height, notes, begin)
    return {
        **shared.told,
        "dense_from": dense_from,
        "columns": [_column(system, *each) for each in zip(roster.columns, cells, shared.upright, strict=True)],
        "asked_in": asked_in,
        "asked_line": round(line, 2),
        "blocks": roster.blocks,
        "sections": _sections(people, rows, below, frozenset() if titles else begin),
        "height": round(height - (line if is_asked else 0.0), 2),
        "group": group,
        "asked": is_asked,
        "tight": tight,
        "notes": round(notes * notes_share, 2),
        "foot": FOOT_TIGHT if tight else FOOT,
        "count": len(people),
        "reminder": roster.reminder,
    }


def _of_these(roster: Roster, people: Sequence[Person], *, group: bool) -> Roster:
    """Return a roster without the columns of what nobody there has, and in a group without columns to write in."""
    had = {name for person in people for name, value in person.character.values.items() if value}
    shown = (each for each in roster.columns if not each.of or each.of in had)
    return replace(roster, columns=tuple(each for each in shown if not (group and is_room(each))))


def line_texts(system: System, roster: Roster, person: Person) -> Iterator[tuple[str, str]]:
    """Yield title and text of each part of a person's line: the name, what stands below it, then each column."""
    yield "Name", person.character.text("name")
    spec = system.spec(roster.under)
    yield spec.title if spec is not None else "", _under(system, roster, person)
    for column, cell in zip(roster.columns, _cells(system, roster, person), strict=True):
        yield column.hint or column.title, "".join(cell)


def _story_lines(system: System, values: Mapping[str, str]) -> dict[str, str]:
    """Return what is told of somebody below their row: manner, story, and what they want, or else what drives them."""
    name = next((name for name in WISHES if values.get(name)), "")
    spec = system.spec(name)
    title = WANTS if name == WANT else spec.title if spec is not None else ""
    told = {"manner": values.get("manner", ""), "story": values.get(STORY, ""), "wish": values.get(name, "")}
    return {part: sentence(text.strip()) for part, text in told.items()} | {
        "title": title,
        "want": values.get(WANT, ""),
    }


def _asked(
    roster: Roster, wants: Sequence[str], wanted: Sequence[float], widths: Sequence[float], ruler: Ruler
) -> list[tuple[int | None, float, list[float]]]:
    """Return where wants may stand, the best place first: a column, the height in mm of a line, the heights of rows.

    The column is the first that is room to write and wide enough; or else each want has a line below its row.
    """
    line = _want_line(wants, ruler, sum(widths) - NUMBER)
    below = None, line, [each + line if line else 0.0 for each in wanted]
    wide = (at for at, column in enumerate(roster.columns) if is_room(column) and widths[at + 2] >= ROOM_WIDE)
    return [(at, 0.0, [_want_height(want, widths[at + 2], ruler) for want in wants]) for at in islice(wide, 1)] + [
        below
    ]


def _want_height(want: str, width: float, ruler: Ruler) -> float:
    """Return the height in mm of a want at the head of room to write, and of room below; 0 if there is none."""
    if not want:
        return 0.0
    return ASKED * math.ceil(ruler(f"{WANTS}: {want}", ASKED_PT) / (width - GUTTER)) + ROOM_BELOW


def _want_line(wants: Sequence[str], ruler: Ruler, width: float) -> float:
    """Return the height in mm of the longest want below its row; 0 if there is none."""
    lines = max((math.ceil(ruler(f"{WANTS}: {want}", ASKED_PT) / width) for want in wants if want), default=0)
    return ASKED * lines + ASKED_PADDING if lines else 0.0


def _told_height(told: Mapping[str, str], ruler: Ruler, width: float) -> float:
    """Return about how high that is, in mm."""
    return LINE * max(math.ceil(ruler(" ".join(told[part] for part in TOLD), TOLD_PT) / width), 1) + TOLD_PADDING


@dataclass(frozen=True, slots=True)
class _Row:
    number: int
    index: int
    name: str
    under: str
    cells: tuple[tuple[str, ...], ...]
    width: float


def _row(system: System, roster: Roster, person: Person, number: int, ruler: Ruler) -> _Row:
    character = person.character
    name, under = character.text("name"), _under(system, roster, person)
    width = max(ruler(name, NAME_PT, bold=True), ruler(under, TEXT_PT)) + GUTTER
    origin = character.origin
    index = origin.index if origin is not None and not origin.group else 0
    return _Row(number, index, name, under, _cells(system, roster, person), width)


def _under(system: System, roster: Roster, person: Person) -> str:
    """Return what stands below a name."""
    return with_level(system, person.character, person.values.get(roster.under, "").replace("\n", ", "))


def _cells(system: System, roster: Roster, person: Person) -> tuple[tuple[str, ...], ...]:
    """Return the lines of each column; columns of the same rows have a line for each row, empty or not."""
    cells: list[tuple[str, ...]] = []
    for block in roster.blocks:
        columns = [roster.columns[at] for at in block]
        if len(block) > 1:
            cells += _in_rows(columns, person.values, last=block == roster.blocks_alike(block)[-1])
        else:
            cells.append(_cell(system, columns[0], person.character, person.values))
    return tuple(cells)


def _in_rows(columns: Sequence[RosterColumn], values: Mapping[str, str], *, last: bool) -> list[tuple[str, ...]]:
    """Return the lines of columns of the same rows; the last block of these tells how many more rows there are."""
    named = [column.row for column in columns if column.row is not None]
    first = named[0][2]
    end = first + max(len(column.shows) for column in columns)

    def told(number: int) -> tuple[str, ...]:
        found = (values.get(f"{rows}.{number}.{name}", "") for rows, name, _ in named)
        return tuple(text.replace("\n", ", ") for text in found)

    lines = [tuple(text or "—" for text in told(number)) for number in range(first, end) if any(told(number))]
    more = sum(any(told(number)) for number in range(end, MOST_ROWS)) if last else 0
    if more and lines:
        lines[-1] = (f"{lines[-1][0]}{DOT}and {more} more", *lines[-1][1:])
    return list(zip(*lines, strict=True)) if lines else [()] * len(columns)


def _cell(system: System, column: RosterColumn, character: Character, values: Mapping[str, str]) -> tuple[str, ...]:
    """Return the lines of one cell; of ticks, one line that says how many."""
    if column.of and not character.values.get(column.of):
        return ()
    if column.ticks:
        count = boxes_of(column.ticks, values)
        return (str(count),) if count else ()
    if column.best:
        levels = sorted(character.numbers(column.best).items(), key=lambda rated: -rated[1])[: column.most]
        return (DOT.join(f"{name}\u00a0{system.write(name, level)}" for name, level in levels),) if levels else ()
    lines = (filled(line, values).replace("\n", ", ") for line in column.shows)
    return tuple(line for line in lines if line)


def _lines(roster: Roster, row: _Row, widths: Sequence[float], ruler: Ruler, dense_from: int) -> float:
    """About how many lines of text the tallest cell of a row has."""
    counts: list[float] = [2 * math.ceil(row.width / widths[1])]
    for block in roster.blocks:
        tall = [_cell_lines(roster.columns[at], row.cells[at], widths[at + 2], ruler) for at in block]
        rows = [max(lines) for lines in zip(*tall, strict=True)] if len(block) > 1 else tall[0]
        counts.append(sum(rows) * (DENSE if len(block) > 1 and len(rows) > dense_from else 1))
    return max(counts)


def _cell_lines(column: RosterColumn, cell: tuple[str, ...], width: float, ruler: Ruler) -> list[float]:
    """About how many lines each line of a cell takes."""
    if column.ticks and cell:
        return [TICK_LINES * math.ceil(int(cell[0]) / max((width - TICK_GUTTER + SPARE) // TICK, 1))]
    if column.pencil:
        return []
    return [max(math.ceil(ruler(line, TEXT_PT) / max(width - GUTTER, 1.0)), 1) for line in cell]


def _column(system: System, column: RosterColumn, cells: Sequence[tuple[str, ...]], upright: bool) -> dict[str, object]:
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
    return {**told, "upright": upright, "beside": _beside(system, column)}


def _beside(system: System, column: RosterColumn) -> tuple[str, ...]:
    """Return the words of the boxes that the sheet has beside the levels of a column."""
    groups = {slot.partition(".")[0] for line in column.shows for slot in slots_of(line)}
    layout = system.sheet_layout if column.pencil else None
    return next((words for name in groups if (words := layout.beside(name))), ()) if layout is not None else ()


def _sections(
    people: Sequence[Person], rows: Sequence[_Row], below: Sequence[Mapping[str, str]], begin: frozenset[int]
) -> list[dict[str, object]]:
    """Return the rows under their headings, in the order in which the headings come; those that begin a page say so.

    Where anybody's number in their run is another than their place here, all rows tell it.
    """
    sections: dict[str, list[dict[str, object]]] = {}
    moved = any(row.index not in (0, row.number) for row in rows)
    for person, row, like in zip(people, rows, below, strict=True):
        told = {"number": row.number, "name": row.name, "under": row.under, "cells": [list(cell) for cell in row.cells]}
        told |= {**like, "index": row.index if moved else 0, "begins": row.number in begin}
        sections.setdefault(person.heading, []).append(told)
    return [{"title": title, "rows": rows} for title, rows in sections.items()]
