"""Many people on few pages: the rows and columns of a roster as plain data, its paper turned the way that fits."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from sheetgen.documents.sheet import DOT, WANT, sentence, with_level
from sheetgen.geometry import Size, millimetres
from sheetgen.model.character import Character
from sheetgen.model.people_pages import Roster, RosterColumn, filled
from sheetgen.model.system import System

MARGIN, FOOT = 10.0, 18.0
FOOT_TIGHT, ROW_TIGHT = 16.4, 9.0
NUMBER, BOX, GAP, PADDING = 11.0, 8.0, 1.2, 2.0
NAME_LEAST, NAME_TIGHT, NAME_MOST = 34.0, 44.0, 68.0
TEXT_LEAST, TEXT_TIGHT, TEXT_MOST, ROOM_LEAST = 15.0, 28.0, 44.0, 26.0
ROOM_WIDE, ROOM_BELOW, ASKED, ASKED_PT = 38.0, 7.0, 3.3, 8.0  # where a want stands at the head of room to write
ASKED_PADDING = 0.4  # below a want that has a line of its own, as no room to write is wide enough for it
SLOT, MOST_ROWS = 8.0, 30
LEVEL_LEAST, CODE, TICK, TICK_LINES, IN_A_ROW = 6.0, 8.4, 6.0, 1.25, 6
LINE, ROW_LEAST, ROW_STACKED, ROW_MOST, HEADING, HEAD, NOTES_LEAST = 4.0, 10.0, 15.6, 14.0, 7.0, 24.0, 24.0
# Rows of more lines than that are set smaller, and each is so much of a line high.
DENSE_FROM, DENSE = 4, 0.875
TINY = 0.01
UNSURE = 5.0  # mm of a page that is filled to its end, for rows that are higher than they were taken for
ROOMY = 1.35  # how much higher than its text a row may be where there are few
NAME_PT, TEXT_PT, FIGURE_PT, LEVEL_PT, HEAD_PT, INITIAL_PT = 11.0, 9.0, 11.0, 13.0, 7.5, 12.0
SPARE = 0.4
FIGURE = 5  # characters at the most, 2d6+1: no room for a text is kept
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

Measure = Callable[[str, float, bool], float]


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
) -> dict[str, object]:
    """Return what the template of a roster is told: the paper, the columns with their widths in mm, and the rows.

    The page of a `group` tells below each row what somebody is like and wants, with room to write in place of a column;
    one that is `tight`, 1 or 2, is set closer. `measure` gives the width of a text in points at a size, bold or not.
    """
    ruler, code = _Ruler(measure), LEVEL_LEAST if group else CODE
    roster = _of_these(roster, people, group=group)
    rows = [_row(system, roster, person, number, ruler) for number, person in enumerate(people, 1)]
    cells = [[row.cells[at] for row in rows] for at in range(len(roster.columns))]
    natural = [_natural(column, each, ruler, code) for column, each in zip(roster.columns, cells, strict=True)]
    who = min(max([NAME_LEAST, *(row.width for row in rows)]), NAME_MOST)
    room = sum(ROOM_LEAST for column in roster.columns if _is_room(column))
    size = paper if NUMBER + who + sum(natural) + room <= paper.width - 2 * MARGIN else paper.turned
    stacked = _least(roster.columns, [who, *natural]) > size.width - 2 * MARGIN
    if stacked:
        natural = [_stacked(column, width) for column, width in zip(roster.columns, natural, strict=True)]
    widths = _shared_out(roster.columns, [NUMBER, who, *natural], size.width - 2 * MARGIN)
    titles = {person.heading for person in people} - {EVERYBODY}
    below = [_story_lines(system, person.values) for person in people]
    told = [_told_height(each, ruler, (size.width - 2 * MARGIN - NUMBER) * NARROWER) if group else 0 for each in below]
    dense_from, padding = (1, TOLD_PADDING) if group else (DENSE_FROM, PADDING)
    least = ROW_STACKED if stacked and any(column.pencil for column in roster.columns) else ROW_LEAST
    wanted = [
        max(LINE * _lines(roster, row, widths, ruler, dense_from) + padding, least) + more
        for row, more in zip(rows, told, strict=True)
    ]
    asked_in, line, asked = _asked(roster, ["" if group else each["want"] for each in below], wanted, widths, ruler)
    room = size.height - MARGIN - FOOT - HEAD - HEADING * len(titles) - (BETWEEN if group else 0.0)
    (height, notes, begin), is_asked = _with_wants(wanted, asked, room, spread=not group)
    notes += BETWEEN if group and begin else 0.0  # a later page has nothing above its table
    height, notes, begin = (ROW_TIGHT, 0.0, frozenset()) if tight else (height, notes, begin)
    return {
        "paper": {"width": size.width, "height": size.height, "margin": MARGIN},
        "stacked": stacked,
        "dense_from": dense_from,
        "widths": widths,
        "columns": [_column(column, each) for column, each in zip(roster.columns, cells, strict=True)],
        "asked_in": asked_in,
        "asked_line": round(line, 2),
        "blocks": roster.blocks,
        "sections": _sections(people, rows, below, frozenset() if titles else begin),
        "height": round(height - (line if is_asked else 0.0), 2),
        "group": group,
        "asked": is_asked,
        "tight": tight,
        "notes": round(notes, 2),
        "foot": FOOT_TIGHT if tight else FOOT,
        "count": len(people),
        "reminder": roster.reminder,
    }


def _of_these(roster: Roster, people: Sequence[Person], *, group: bool) -> Roster:
    """Return a roster without the columns of what nobody there has, and in a group without columns to write in."""
    had = {name for person in people for name, value in person.character.values.items() if value}
    shown = (each for each in roster.columns if not each.of or each.of in had)
    return replace(roster, columns=tuple(each for each in shown if not (group and _is_room(each))))


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
    roster: Roster, wants: Sequence[str], wanted: Sequence[float], widths: Sequence[float], ruler: _Ruler
) -> tuple[int | None, float, list[float]]:
    """Return the column that wants stand in, the height in mm of a line below rows, and the heights that rows need.

    The column is the first that is room to write and wide enough; without one, each want has a line below its row.
    """
    wide = ((at, widths[at + 2]) for at, column in enumerate(roster.columns) if _is_room(column))
    asked_in = next((at for at, width in wide if width >= ROOM_WIDE), None)
    if asked_in is not None:
        return asked_in, 0.0, [_want_height(want, widths[asked_in + 2], ruler) for want in wants]
    line = _want_line(wants, ruler, sum(widths) - NUMBER)
    return None, line, [each + line if line else 0.0 for each in wanted]


def _want_height(want: str, width: float, ruler: _Ruler) -> float:
    """Return the height in mm of a want at the head of room to write, and of room below; 0 if there is none."""
    if not want:
        return 0.0
    return ASKED * math.ceil(ruler(f"{WANTS}: {want}", ASKED_PT) / (width - PADDING)) + ROOM_BELOW


def _want_line(wants: Sequence[str], ruler: _Ruler, width: float) -> float:
    """Return the height in mm of the longest want below its row; 0 if there is none."""
    lines = max((math.ceil(ruler(f"{WANTS}: {want}", ASKED_PT) / width) for want in wants if want), default=0)
    return ASKED * lines + ASKED_PADDING if lines else 0.0


def _told_height(told: Mapping[str, str], ruler: _Ruler, width: float) -> float:
    """Return about how high that is, in mm."""
    return LINE * max(math.ceil(ruler(" ".join(told[part] for part in TOLD), TOLD_PT) / width), 1) + TOLD_PADDING


@dataclass(frozen=True, slots=True)
class _Ruler:
    """Measures in mm, with a little to spare."""

    measure: Measure

    def __call__(self, text: str, size: float, *, bold: bool = False) -> float:
        """Return the width of the text."""
        return millimetres(self.measure(text, size, bold)) + SPARE


@dataclass(frozen=True, slots=True)
class _Row:
    number: int
    index: int
    name: str
    under: str
    cells: tuple[tuple[str, ...], ...]
    width: float


def _row(system: System, roster: Roster, person: Person, number: int, ruler: _Ruler) -> _Row:
    character = person.character
    name, under = character.text("name"), _under(system, roster, person)
    width = max(ruler(name, NAME_PT, bold=True), ruler(under, TEXT_PT)) + PADDING
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
        count = column.ticks if column.ticks.isdigit() else filled(column.ticks, values)
        return (count,) if count.isascii() and count.isdigit() and int(count) <= 30 else ()
    if column.best:
        levels = sorted(character.numbers(column.best).items(), key=lambda rated: -rated[1])[: column.most]
        return (DOT.join(f"{name}\u00a0{system.write(name, level)}" for name, level in levels),) if levels else ()
    lines = (filled(line, values).replace("\n", ", ") for line in column.shows)
    return tuple(line for line in lines if line)


def _is_room(column: RosterColumn) -> bool:
    return not (column.shows or column.best or column.ticks or column.slots)


def _is_soft(column: RosterColumn) -> bool:
    return not (column.pencil or column.ticks or column.slots)


def _is_figure(cells: Sequence[tuple[str, ...]]) -> bool:
    """Return whether no cell of a column is longer than a figure."""
    return any(cells) and all(len("".join(cell)) <= FIGURE for cell in cells)


def _natural(column: RosterColumn, cells: Sequence[tuple[str, ...]], ruler: _Ruler, code: float) -> float:
    """Return the width in mm that the column would like: enough for its widest line and its head; `code` for a code."""
    if _is_room(column):
        return 0.0
    head = ruler(column.title.upper(), INITIAL_PT if column.hint else HEAD_PT, bold=True) + PADDING
    if column.slots:
        return max(head, column.slots * SLOT + PADDING)
    if column.ticks:
        count = max((int(cell[0]) for cell in cells if cell), default=1)
        return max(head, (count if count <= IN_A_ROW else math.ceil(count / 2)) * TICK + PADDING)
    if column.pencil:
        level = max([LEVEL_LEAST, *(ruler(line, LEVEL_PT, bold=True) for cell in cells for line in cell)])
        return max(head, min(level, TEXT_MOST) + GAP + BOX + PADDING)
    if all(len(line) <= FIGURE for cell in cells for line in cell):
        most = max((ruler(line, FIGURE_PT, bold=True) for cell in cells for line in cell), default=0.0)
        return max(head, most + PADDING + SPARE, code if column.hint else LEVEL_LEAST)
    most = max((ruler(line, TEXT_PT) for cell in cells for line in cell), default=0.0)
    return max(head, min(max(most + PADDING + SPARE, TEXT_LEAST), TEXT_MOST))


def _least(columns: Sequence[RosterColumn], widths: Sequence[float]) -> float:
    """Return the least width of a roster in mm: names and texts in two lines, and some room for notes."""
    who, *natural = widths
    texts = (
        width if column.pencil or column.ticks or column.slots else min(width, TEXT_TIGHT)
        for column, width in zip(columns, natural, strict=True)
    )
    return NUMBER + min(who, NAME_TIGHT) + sum(texts) + sum(ROOM_LEAST / 2 for each in columns if _is_room(each))


def _stacked(column: RosterColumn, width: float) -> float:
    """Return the width of a column whose boxes stand below their levels."""
    return max(width - GAP - BOX, BOX + PADDING) if column.pencil else width


def _shared_out(columns: Sequence[RosterColumn], widths: list[float], whole: float) -> list[float]:
    """Return the widths that fill the page: what is left goes to room to write, else to names and texts."""
    rooms = [at for at, column in enumerate(columns, 2) if _is_room(column)]
    left = whole - sum(widths)
    if left >= ROOM_LEAST * len(rooms):
        takers = rooms or [1, *(at for at, column in enumerate(columns, 2) if _is_soft(column))]
        return [width + (left / len(takers) if at in takers else 0.0) for at, width in enumerate(widths)]
    wanted = [width + (ROOM_LEAST / 2 if at in rooms else 0.0) for at, width in enumerate(widths)]
    soft = [at for at, column in enumerate(columns, 2) if _is_soft(column)]
    most = _cap([wanted[at] for at in (1, *soft)], whole - sum(wanted) + sum(wanted[at] for at in (1, *soft)))
    wanted = [min(width, most) if at in (1, *soft) else width for at, width in enumerate(wanted)]
    over = sum(wanted) - whole
    spare = {at: wanted[at] - TEXT_LEAST for at in (1, *soft, *rooms) if wanted[at] > TEXT_LEAST}
    if 0 < over <= sum(spare.values()):  # names and texts give way, so that no figure is broken
        return [width - over * spare.get(at, 0.0) / sum(spare.values()) for at, width in enumerate(wanted)]
    return [width * whole / sum(wanted) for width in wanted]


def _cap(widths: Sequence[float], room: float) -> float:
    """Return the width at which the widest columns are cut so that all fit; never less than a text needs."""
    left = sorted(widths)
    while left and left[0] * len(left) <= room:
        room -= left.pop(0)
    return max(room / len(left), TEXT_LEAST) if left else math.inf


def _with_wants(
    wanted: Sequence[float], asked: Sequence[float], room: float, *, spread: bool
) -> tuple[tuple[float, float, frozenset[int]], bool]:
    """Return the heights of rows (see `_heights`), and whether wants stand in them: they are worth no further page."""
    without = _heights(wanted, room, spread=spread)
    told = _heights(list(map(max, wanted, asked)), room, spread=spread)
    is_asked = any(asked) and len(told[2]) <= len(without[2])
    return (told if is_asked else without), is_asked


def _heights(wanted: Sequence[float], room: float, *, spread: bool) -> tuple[float, float, frozenset[int]]:
    """Return the least height of a row in mm, what is left for notes, and the rows that begin a page.

    If rows are `spread`, they are higher where there are few, as long as that takes no more pages.

    `wanted` is what each row needs, `room` the height of a page. The last page has about as much on it as the others;
    without spreading, the first is filled.
    """
    if not spread:
        room -= UNSURE
    pages = len(_pages(wanted, room, even=spread)) + 1
    even = max(room * pages / max(len(wanted), 1), ROW_LEAST)
    roomy = max([ROW_MOST, *(ROOMY * each for each in wanted)])
    for height in (min(even, roomy), min(even, ROW_MOST), ROW_LEAST) if spread else (ROW_LEAST,):
        tall = [max(height, needed) for needed in wanted]
        begin = _pages(tall, room, even=spread)
        if len(begin) < pages:
            break
    last = sum(tall[max(begin, default=1) - 1 :])
    left = room - last - (PADDING + LINE if begin else 0.0)
    return height, left - PADDING if left >= NOTES_LEAST else 0.0, begin


def _pages(tall: Sequence[float], room: float, *, even: bool) -> frozenset[int]:
    """Return the rows that begin a page behind the first, on as few pages as will do, about as high if `even`."""
    begin = set[int]()
    for pages in range(math.ceil(sum(tall) / room), len(tall) + 1):
        filled, begin = 0.0, set()
        for number, part in enumerate(tall, 1):
            if filled and (filled + part > room + TINY or (even and filled + part / 2 > sum(tall) / pages)):
                begin.add(number)
                filled = 0.0
            filled += part
        if len(begin) < pages:
            break
    if not even and len(tall) in begin and len(tall) > 2:  # nobody stands alone on the last page
        begin = begin - {len(tall)} | {len(tall) - 1}
    return frozenset(begin)


def _lines(roster: Roster, row: _Row, widths: Sequence[float], ruler: _Ruler, dense_from: int) -> float:
    """About how many lines of text the tallest cell of a row has."""
    counts: list[float] = [2 * math.ceil(row.width / widths[1])]
    for block in roster.blocks:
        tall = [_cell_lines(roster.columns[at], row.cells[at], widths[at + 2], ruler) for at in block]
        rows = [max(lines) for lines in zip(*tall, strict=True)] if len(block) > 1 else tall[0]
        counts.append(sum(rows) * (DENSE if len(block) > 1 and len(rows) > dense_from else 1))
    return max(counts)


def _cell_lines(column: RosterColumn, cell: tuple[str, ...], width: float, ruler: _Ruler) -> list[float]:
    """About how many lines each line of a cell takes."""
    if column.ticks and cell:
        return [TICK_LINES * math.ceil(int(cell[0]) / max((width - PADDING + SPARE) // TICK, 1))]
    if column.pencil:
        return []
    return [max(math.ceil(ruler(line, TEXT_PT) / max(width - PADDING, 1.0)), 1) for line in cell]


def _column(column: RosterColumn, cells: Sequence[tuple[str, ...]]) -> dict[str, object]:
    """Return what the template is told of a column; where no cell is longer than a code, it is set as a `figure`."""
    kinds = {
        "room": _is_room(column),
        "ticks": column.ticks,
        "slots": column.slots,
        "level": column.pencil,
        "text": True,
    }
    kind = next(kind for kind, holds in kinds.items() if holds)
    figure = kind == "text" and _is_figure(cells)
    return {"title": column.title, "hint": column.hint, "kind": kind, "slots": column.slots, "figure": figure}


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
