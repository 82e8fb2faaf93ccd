"""GM screens: panels of tables for the GM, and the same number with the quick reference for the players."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import cycle, islice

from sheetgen.batch.sandbox import PUBLICATION
from sheetgen.content.book.screens import chapters_as_moments, read_screen, screen_file
from sheetgen.documents.book import Plain
from sheetgen.documents.panel_columns import Board
from sheetgen.documents.screen import somebody
from sheetgen.errors import InputError, Place, UsageError
from sheetgen.geometry import PAPERS, Size, paper_name
from sheetgen.model.screen import Moment, Screen
from sheetgen.people.rolling import Run, roller
from sheetgen.products.chapters import Rulebook, folders_of, has_book, has_rule_with, open_book
from sheetgen.products.panel_layout import Look, Panelled, Setting, panelled, printed, text_of
from sheetgen.rules.registry import engine_of
from sheetgen.workspace.packs import Pack
from sheetgen.workspace.project import Project
from sheetgen.workspace.write import Write

SIDES = ("both", "gm", "players")
PANELS = (3, 4)
OUTER = 8.5  # mm to the edge of the paper; where panels meet, twice that
SEED, MOST_PEOPLE, MOST_ROLLED = 7, 18, 24
ART = "screen/art.html"
GM = Look("screen", (10, 10.5, 11, 11.5, 12, 12.5, 13, 14, 15), charts=1.3)
PLAYERS = Look("screen", (11, 11.5, 12, 12.5, 13, 13.5, 14, 15, 16), charts=1.5)
CROWDED = replace(PLAYERS, sizes=(10, 10.5, *PLAYERS.sizes))


@dataclass(frozen=True, slots=True)
class Wish:
    """What is wanted of a screen; `panels` is 0 for as many as the pack has arranged, `margin` in mm."""

    panels: int = 0
    portrait: bool = False
    paper: str = "a4"
    side: str = "both"
    margin: float | None = None


@dataclass(frozen=True, slots=True)
class Screened:
    """How many panels were made, how large their type is in pt, and what to do with them."""

    panels: int
    sizes: tuple[float, ...]
    advice: tuple[str, ...]


def open_screen(project: Project, pack: Pack, rulebook: Rulebook) -> Screen:
    """The moments of a pack's screen; InputError with every problem in its screen.yaml."""
    path = screen_file(folders_of(project, pack))
    if path is None:
        return chapters_as_moments(rulebook.book)
    return read_screen(path, project.library, rulebook.book)


def opened(project: Project, pack: Pack) -> tuple[Rulebook, Screen]:
    """The rules and the screen of a pack; UsageError if it has none to show."""
    if not has_book(project, pack):
        raise UsageError(f"{pack.system.title} has nothing to put on a screen: its pack has no rules/ folder")
    rulebook = open_book(project, pack)
    found = open_screen(project, pack, rulebook)
    if not found.moments or not found.reference:
        raise UsageError(f"{pack.system.title} has nothing to put on a screen: no rule has a screen or a card")
    return rulebook, found


def has_screen(project: Project, pack: Pack) -> bool:
    """Whether some rule of the pack says what it shows on a screen or a card: a look at its files, not a check."""
    return has_rule_with(project, pack, "screen") or has_rule_with(project, pack, "card")


def screen(project: Project, pack: Pack, write: Write, wish: Wish) -> Screened:
    """Writes the panels as PDF; InputError at the first rule that has no room, UsageError for a pack without rules."""
    if wish.side not in SIDES:
        raise UsageError(f"--side takes {', '.join(SIDES)}")
    data, made = pack.do(lambda: _made(project, pack, wish), limits=PUBLICATION)
    write(data)
    return made


def _made(project: Project, pack: Pack, wish: Wish) -> tuple[bytes, Screened]:
    rulebook, found = opened(project, pack)
    count = wish.panels or found.panels
    board, title = board_of(wish, count), pack.system.title
    sides, places = list[Panelled](), dict[str, Place]()
    if wish.side != "players":
        moments = found.moments if count == found.panels else unpinned(found.moments)
        people = people_of(pack, moments)
        text = text_of(pack, rulebook, moments, column=board.column, look=GM, people=people)
        sides.append(_told(panelled(Setting(project, pack, text, board, GM)), board, f"{title}: the GM’s side"))
        places |= text.places
    if wish.side != "gm":
        text = text_of(pack, rulebook, found.reference, column=board.column, look=PLAYERS)
        side = _of_players(Setting(project, pack, text, board, PLAYERS))
        sides.append(_told(side, board, f"{title}: the players’ side"))
        places |= text.places
    data = printed(Setting(project, pack, text, board, GM), [panel for side in sides for panel in side.panels], places)
    return data, Screened(count * len(sides), tuple(side.size for side in sides), _advice(wish, count))


def _told(side: Panelled, board: Board, title: str) -> Panelled:
    """The panels of a side, each with its number and the name of the side at its foot."""
    count = len(side.panels)
    panels: list[Plain] = [
        {**panel, **feet(board, at), "foot": [title, f"panel {at + 1} of {count}"]}
        for at, panel in enumerate(side.panels)
    ]
    return replace(side, panels=panels)


def feet(board: Board, at: int) -> Plain:
    """Where the foot of a panel stands: below its columns."""
    left = board.left(at)
    across = board.columns * board.column + (board.columns - 1) * board.gutter
    return {"left": left, "right": round(board.width - left - across, 3)}


def board_of(wish: Wish, panels: int) -> Board:
    """The panels on their paper."""
    upright = PAPERS[wish.paper]
    paper: Size = upright if wish.portrait else upright.turned
    outer = OUTER if wish.margin is None else wish.margin
    return Board(
        width=paper.width,
        height=paper.height,
        panels=panels,
        columns=2 if wish.portrait else 3,
        outer=outer,
        top=outer,
        bottom=max(outer + 4, 12.5),
        gutter=6.5,
        fold=outer,
    )


def unpinned(moments: Sequence[Moment]) -> tuple[Moment, ...]:
    """The moments wherever they fit."""
    return tuple(Moment(each.title, each.shown, each.place, 0, each.people) for each in moments)


def people_of(pack: Pack, moments: Sequence[Moment]) -> list[Plain]:
    """People to improvise with, one of each archetype by turns, no manner twice; always the same ones."""
    if not any(moment.people for moment in moments) or not pack.system.creation.methods:
        return []
    figures, found = engine_of(pack.system).figures, dict[str, Plain]()
    archetypes = tuple(pack.system.cast.archetypes) or ("",)
    for number, archetype in enumerate(islice(cycle(archetypes), MOST_ROLLED), 1):
        character = roller(pack, Run(SEED, archetype=archetype)).roll(number)
        manner = character.text("manner") or str(number)
        if len(found) < MOST_PEOPLE and manner not in found:
            found[manner] = somebody(pack.system, character, figures(pack.system, character))
    return list(found.values())


def _of_players(setting: Setting) -> Panelled:
    """The quick reference on all panels but one, which shows what the game looks like; without it if there is much."""
    board = setting.board
    try:
        made = panelled(replace(setting, board=replace(board, panels=board.panels - 1)))
    except InputError:
        return panelled(replace(setting, look=CROWDED))
    art = (board.panels - 1) // 2
    panels: list[Plain] = [*made.panels[:art], {"size": made.size, "template": ART}, *made.panels[art:]]
    return replace(made, panels=panels)


def _advice(wish: Wish, panels: int) -> tuple[str, ...]:
    """What to tell the printer and what to do with the paper then."""
    name = f"{paper_name(wish.paper)} {'upright' if wish.portrait else 'on its side'}"
    sides = 1 if wish.side != "both" else 2
    steps = [f"{sides * panels} sheets of {name}, printed on one side, at actual size (100 %)"]
    if sides == 2:
        steps.append(f"pages 1 to {panels} face the GM, {panels + 1} to {2 * panels} the players, from left to right")
    steps.append("slide them into the pockets of a screen, or tape them edge to edge; what meets has room for the fold")
    return tuple(steps)
