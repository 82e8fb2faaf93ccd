"""How the columns of a roster share a page: its way, their widths, heads upright, and where people's wants are told."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import compress

from sheetgen.geometry import Size, millimetres
from sheetgen.model.people_pages import Roster, RosterColumn
from sheetgen.model.wording import DOT

MARGIN = 10.0
NUMBER, BOX, GAP, GUTTER = 9.0, 8.0, 1.2, 3.0
APART = 3.6  # between a box and the next number: a number stands next to its own box, and to no other
NAME_LEAST, NAME_TIGHT, NAME_MOST = 34.0, 44.0, 68.0
TEXT_LEAST, TEXT_TIGHT, TEXT_MOST, ROOM_LEAST = 15.0, 28.0, 44.0, 26.0
SLOT, LEVEL_LEAST, TICK, TICK_GUTTER, IN_A_ROW = 8.0, 6.0, 6.0, 1.0, 6
SMALL_BOX = 4.0  # beside a level, in place of a box to write in
TEXT_PT, FIGURE_PT, LEVEL_PT, HEAD_PT, INITIAL_PT = 9.0, 11.0, 13.0, 8.0, 12.0
SPARE = 0.4
UPRIGHT_LEAST = 3  # characters of a head, which takes more room than figures
FIGURE = 5  # characters at the most, 2d6+1: no room for a text is kept

Measure = Callable[[str, float, bool], float]


@dataclass(frozen=True, slots=True)
class Ruler:
    """Measures in mm, with a little to spare."""

    measure: Measure

    def __call__(self, text: str, size: float, *, bold: bool = False) -> float:
        """Return the width of the text."""
        return millimetres(self.measure(text, size, bold)) + SPARE

    def lines(self, text: str, size: float, width: float) -> int:
        """Return how many lines the text takes in a column of that width, broken between words."""
        line, count = "", 0
        for word in text.split(" ") if text else ():
            longer = f"{line} {word}" if line else word
            wide = self(longer, size)
            count += 1 if not line else 0
            if line and wide > width:
                longer, wide = word, self(word, size)
                count += 1
            count += max(math.ceil(wide / width) - 1, 0) if longer == word else 0
            line = longer
        return count


@dataclass(frozen=True, slots=True)
class SetOut:
    """How columns share a page: its size, their widths in mm, which heads stand upright and how high those are.

    Where columns are still too many, boxes are `stacked` below their levels.
    """

    size: Size
    widths: Sequence[float]
    upright: Sequence[bool]
    heads: float
    stacked: bool

    @property
    def told(self) -> dict[str, object]:
        """What the template is told of it."""
        paper = {"width": self.size.width, "height": self.size.height, "margin": MARGIN}
        gutters = {"gutter": GUTTER, "tick_gutter": TICK_GUTTER, "apart": APART, "gap": GAP}
        return {
            "paper": paper,
            "stacked": self.stacked,
            "widths": self.widths,
            "heads": round(self.heads, 2),
            **gutters,
        }


def set_out(
    roster: Roster,
    cells: Sequence[Sequence[tuple[str, ...]]],
    who: float,
    paper: Size,
    *,
    ruler: Ruler,
    code: float,
    beside: Sequence[int],
) -> SetOut:
    """Return how the columns share a page beside names of a width; `beside` is how many words of boxes each has."""
    columns, upright = roster.columns, [False] * len(cells)
    boxes = [{0: BOX, 1: SMALL_BOX}.get(words, words * BOX) for words in beside]
    natural = [_natural(*each, ruler, code) for each in zip(columns, cells, boxes, strict=True)]
    room = sum(ROOM_LEAST for column in columns if is_room(column))
    size = paper if NUMBER + who + sum(natural) + room <= paper.width - 2 * MARGIN else paper.turned
    if NUMBER + who + sum(natural) + room > size.width - 2 * MARGIN:
        upright = _upright(roster, cells)
        natural = [
            _natural(replace(column, title=""), each, BOX, ruler, code) if stands else width
            for column, each, stands, width in zip(columns, cells, upright, natural, strict=True)
        ]
    heads = max((ruler(each.title, HEAD_PT) for each in compress(columns, upright)), default=0.0)
    stacked = _least(columns, [who, *natural]) > size.width - 2 * MARGIN
    if stacked:
        natural = [_stacked(*each) for each in zip(columns, boxes, natural, strict=True)]
    widths = _shared_out(columns, [NUMBER, who, *natural], size.width - 2 * MARGIN)
    return SetOut(size, widths, upright, heads, stacked)


def _upright(roster: Roster, cells: Sequence[Sequence[tuple[str, ...]]]) -> list[bool]:
    """Return which heads stand upright where a page is too narrow for all: words above figures, longer than these.

    So do words above a single box to tick. The first column of several with the same rows says what these are.
    """
    firsts = {block[0] for block in roster.blocks if len(block) > 1}
    return [
        at not in firsts
        and len(column.title) >= UPRIGHT_LEAST
        and not (column.hint or column.pencil or is_room(column) or column.slots or column.words)
        and (is_figure(each) or not any(each))
        and not (column.ticks and any(cell != ("1",) for cell in each))
        for at, (column, each) in enumerate(zip(roster.columns, cells, strict=True))
    ]


def is_room(column: RosterColumn) -> bool:
    """Return whether a column is room to write and nothing else."""
    return not (column.shows or column.best or column.ticks or column.slots)


def pitch(column: RosterColumn, ruler: Ruler) -> float:
    """Return how wide a box to mark is with the room beside it, in mm: the longest word below one stands apart, too."""
    return max([TICK, *(ruler(word, HEAD_PT) + GAP for word in column.words)])


def _is_soft(column: RosterColumn) -> bool:
    return not (column.pencil or column.ticks or column.slots)


def is_figure(cells: Sequence[tuple[str, ...]]) -> bool:
    """Return whether no cell of a column is longer than a figure."""
    return any(cells) and all(len("".join(cell)) <= FIGURE for cell in cells)


def _natural(column: RosterColumn, cells: Sequence[tuple[str, ...]], box: float, ruler: Ruler, code: float) -> float:
    """Return the width in mm that the column would like: enough for its widest line and its head; `code` for a code.

    Room to write beside what is printed is a `box` wide.
    """
    if is_room(column):
        return 0.0
    head = ruler(column.title.upper(), INITIAL_PT if column.hint else HEAD_PT, bold=True) + GUTTER
    if column.slots:
        return max(head, column.slots * SLOT + GUTTER)
    if column.ticks:
        count = max((int(cell[0]) for cell in cells if cell), default=1)
        return max(
            head, (count if count <= IN_A_ROW else math.ceil(count / 2)) * pitch(column, ruler) + TICK_GUTTER + SPARE
        )
    if column.pencil:
        level = max((ruler(line, LEVEL_PT, bold=True) for cell in cells for line in cell), default=0.0)
        return max(head, min(level, TEXT_MOST) + GAP + box + APART)
    if all(len(line) <= FIGURE for cell in cells for line in cell):
        most = max((ruler(line, FIGURE_PT, bold=True) for cell in cells for line in cell), default=0.0)
        return max(head, most + GUTTER + SPARE, code if column.hint else LEVEL_LEAST)
    most = max((ruler(line, TEXT_PT) for cell in cells for line in cell), default=0.0)
    return max(head, min(max(most + GUTTER + SPARE, TEXT_LEAST), TEXT_MOST))


def _least(columns: Sequence[RosterColumn], widths: Sequence[float]) -> float:
    """Return the least width of a roster in mm: names and texts in two lines, and some room for notes."""
    who, *natural = widths
    texts = (
        width if column.pencil or column.ticks or column.slots else min(width, TEXT_TIGHT)
        for column, width in zip(columns, natural, strict=True)
    )
    return NUMBER + min(who, NAME_TIGHT) + sum(texts) + sum(ROOM_LEAST / 2 for each in columns if is_room(each))


def _stacked(column: RosterColumn, box: float, width: float) -> float:
    """Return the width of a column whose boxes stand below their levels."""
    return max(width - GAP - box, box + GUTTER) if column.pencil else width


def _shared_out(columns: Sequence[RosterColumn], widths: list[float], whole: float) -> list[float]:
    """Return the widths that fill the page: what is left goes to room to write, else to names and texts."""
    rooms = [at for at, column in enumerate(columns, 2) if is_room(column)]
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


WANTS = "Wants"
ROOM_WIDE, ROOM_BELOW, ROOM_PADDING = 30.0, 6.0, 2.3  # where a want stands at the head of room to write
ASKED, ASKED_PT = 3.5, 8.5
FIGURES_WIDE = 64.0  # from which on it stands behind what somebody is, below figures of one line
UNDER_PADDING = 1.4  # of those
ASKED_PADDING = 0.4  # below a want that has a line of its own, as there is no other place for it


@dataclass(frozen=True, slots=True)
class WantsPlace:
    """Where wants stand: `room`, `under` figures, `below` rows, or nowhere; how wide, and how high rows are with them.

    Below rows they are also `told` behind stories, which are what they come from.

    `at` is the column, whose head says what stands there, and `beside` what else; `lines` is the height in mm of the
    wants alone.
    """

    where: str
    heights: Sequence[float]
    lines: Sequence[float] = ()
    at: int | None = None
    width: float = 0.0
    head: str = ""
    beside: str = ""

    def told(self, wanted: Sequence[float], height: float) -> dict[str, object]:
        """What the template is told of it; a head says that there is room for notes, too, where most rows have some."""
        rows = zip(self.heights, wanted, self.lines, strict=True) if self.where == "room" else ()
        roomy = [max(height, full, want) - line >= ROOM_BELOW for full, want, line in rows]
        head = f"{self.head}{DOT}{self.beside}" if self.beside and 2 * sum(roomy) > len(roomy) else self.head
        return {"where": self.where, "at": self.at, "width": round(self.width, 2), "head": head}

    def below(self, wanted: Sequence[float], height: float) -> list[float]:
        """Return how high in mm each want is that stands below its row: it takes what the row does not need."""
        if self.where not in ("below", "told"):
            return [0.0] * len(wanted)
        return [round(max(height - each, line), 2) for each, line in zip(wanted, self.lines, strict=True)]


def asked_in(
    roster: Roster,
    asking: Sequence[tuple[str, str]],
    wanted: Sequence[float],
    names: Sequence[float],
    *,
    widths: Sequence[float],
    figures: int,
    ruler: Ruler,
) -> list[WantsPlace]:
    """Return where wants, with their stories, may stand in rows of which we know the heights wanted, the best first.

    `names` are the heights of the names, `figures` is how many columns of figures stand beside them. The best place is
    the first column that is room to write and wide enough. Without one it is below the row, behind the story; or, on
    fewer pages, behind what somebody is, below the figures beside the name; or else each want has a line below its row.
    """
    wants, stories = [want for want, _ in asking], [story for _, story in asking]
    if not any(wants):
        return [WantsPlace("", wanted)]

    def lines(width: float, before: str = f"{WANTS}: ", behind: Sequence[str] = ()) -> list[float]:
        texts = (f"{before}{want}" if want else "" for want in wants)
        told = (" ".join(filter(None, each)) for each in zip(behind or [""] * len(wants), texts, strict=True))
        return [ASKED * ruler.lines(each, ASKED_PT, width) for each in told]

    for at, column in enumerate(roster.columns):
        width = widths[at + 2] - GUTTER
        if is_room(column) and width >= ROOM_WIDE:
            high = lines(width, "")  # its head says so
            full = [max(each, line and line + ROOM_PADDING) for each, line in zip(wanted, high, strict=True)]
            return [WantsPlace("room", full, high, at, width, WANTS, column.title)]
    width = sum(widths[2 : figures + 2]) - GUTTER
    if width >= FIGURES_WIDE:
        high = lines(width)
        under = [max(each, name + line + UNDER_PADDING) for each, name, line in zip(wanted, names, high, strict=True)]
        places = [WantsPlace("under", under, high, width=width)]
        if any(stories):
            high = lines(sum(widths) - NUMBER, behind=stories)
            places.insert(0, WantsPlace("told", _with_a_line(wanted, high), high))
        return places
    high = lines(sum(widths) - NUMBER)
    return [WantsPlace("below", _with_a_line(wanted, high), high)]


def _with_a_line(wanted: Sequence[float], lines: Sequence[float]) -> list[float]:
    """Return how high rows are with the lines below them."""
    return [each + line + ASKED_PADDING for each, line in zip(wanted, lines, strict=True)]
