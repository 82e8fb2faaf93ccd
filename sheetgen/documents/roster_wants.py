"""Where a roster tells what people want: at the head of room to write, below figures, or below a row, with a story."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sheetgen.documents.roster_columns import GUTTER, NUMBER, Ruler, is_room
from sheetgen.documents.sheet import DOT
from sheetgen.model.people_pages import Roster

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
