"""GM screens: panels of tables for the GM, and the same number with the quick reference for the players."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import cycle, islice

from sheetgen.batch.sandbox import PUBLICATION
from sheetgen.content.book.screens import chapters_as_moments, read_screen, screen_file
from sheetgen.documents.panel_columns import Board
from sheetgen.documents.screen import person_data
from sheetgen.documents.sheet import TemplateData
from sheetgen.errors import InputError, Place, UsageError
from sheetgen.geometry import PAPERS, Size, paper_name
from sheetgen.model.book import Moment, Screen
from sheetgen.people.rolling import RollOptions, roller
from sheetgen.products.chapter_files import folders_of, has_book, has_rule_with
from sheetgen.products.chapters import Rulebook, open_book
from sheetgen.products.options import TonedOptions, choice, millimetres, paper_option
from sheetgen.products.panel_layout import PanelLook, PanelPages, PanelSetting, fit_panels, panels_pdf, text_of
from sheetgen.products.product import ProductResult, default_stem, pack_product
from sheetgen.rules.registry import engine_of
from sheetgen.workspace.packs import Pack
from sheetgen.workspace.project import Project

SIDES = ("both", "gm", "players")
PANELS = (3, 4)
OUTER = 8.5  # mm to the edge of the paper; where panels meet, twice that
LEAST_MARGIN, MOST_MARGIN = 6.0, 15.0
SEED, MOST_PEOPLE, MOST_ROLLED = 7, 18, 24
ART = "screen/art.html"
GM = PanelLook("screen", (10, 10.5, 11, 11.5, 12, 12.5, 13, 14, 15), charts=1.3)
PLAYERS = PanelLook("screen", (11, 11.5, 12, 12.5, 13, 13.5, 14, 15, 16), charts=1.5)
CROWDED = replace(PLAYERS, sizes=(10, 10.5, *PLAYERS.sizes))


@dataclass(frozen=True, kw_only=True)
class ScreenOptions(TonedOptions):
    """How a screen is made; `panels` is 0 for as many as the pack has arranged, `margin` in mm."""

    panels: int = choice(0, "3 or 4 (default: as the pack says, or 3)", choices=PANELS, metavar="N")
    portrait: bool = choice(False, "panels that stand upright (default: on their side)")
    side: str = choice("both", "the GM’s tables, the players’ reference, or both", choices=SIDES)
    margin: float | None = choice(
        None,
        f"free around each panel, and twice that where two meet (default {OUTER:g})",
        read=millimetres(LEAST_MARGIN, MOST_MARGIN),
        metavar="MM",
    )
    paper: str = paper_option()


def open_screen(project: Project, pack: Pack, rulebook: Rulebook) -> Screen:
    """Return the moments of a pack's screen; InputError with every problem in its screen.yaml."""
    path = screen_file(folders_of(project, pack))
    if path is None:
        return chapters_as_moments(rulebook.book)
    return read_screen(path, project.library, rulebook.book)


def rules_and_screen(project: Project, pack: Pack) -> tuple[Rulebook, Screen]:
    """Return the rules and the screen of a pack; UsageError if it has none to show."""
    if not has_book(project, pack):
        raise UsageError(f"{pack.system.title} has nothing to put on a screen: its pack has no rules/ folder")
    rulebook = open_book(project, pack)
    found = open_screen(project, pack, rulebook)
    if not found.moments or not found.reference:
        raise UsageError(f"{pack.system.title} has nothing to put on a screen: no rule has a screen or a card")
    return rulebook, found


def has_screen(project: Project, pack: Pack) -> bool:
    """Return whether some rule of the pack has a `screen` or a `card`; its files are looked at, not checked."""
    return has_rule_with(project, pack, "screen") or has_rule_with(project, pack, "card")


def make_screen(project: Project, pack: Pack, options: ScreenOptions, form: str) -> ProductResult:
    """Return the panels as PDF; InputError at the first rule without room, UsageError for a pack without rules."""
    return pack.run_isolated(lambda: _screen_pdf(project, pack, options), limits=PUBLICATION)


def _screen_pdf(project: Project, pack: Pack, options: ScreenOptions) -> ProductResult:
    rulebook, found = rules_and_screen(project, pack)
    count = options.panels or found.panels
    board, title = board_of(options, count), pack.system.title
    sides, places = list[PanelPages](), dict[str, Place]()
    if options.side != "players":
        moments = found.moments if count == found.panels else unpinned(found.moments)
        people = people_of(pack, moments)
        text = text_of(pack, rulebook, moments, column=board.column, look=GM, people=people)
        side = _with_pictures(fit_panels(PanelSetting(project, pack, text, board, GM)))
        sides.append(_with_footers(side, board, f"{title}: the GM’s side"))
        places |= text.places
    if options.side != "gm":
        text = text_of(pack, rulebook, found.reference, column=board.column, look=PLAYERS)
        side = _players_side(PanelSetting(project, pack, text, board, PLAYERS))
        sides.append(_with_footers(side, board, f"{title}: the players’ side"))
        places |= text.places
    panels = [panel for side in sides for panel in side.panels]
    data = panels_pdf(PanelSetting(project, pack, text, board, GM), panels, places)
    return ProductResult(data, f"{count * len(sides)} panels of {title}", _advice(options, count))


def _with_footers(side: PanelPages, board: Board, title: str) -> PanelPages:
    """Return the panels of a side, each with its number and the name of the side at its foot."""
    count = len(side.panels)
    panels: list[TemplateData] = [
        {**panel, **footer_place(board, at), "foot": [title, f"panel {at + 1} of {count}"]}
        for at, panel in enumerate(side.panels)
    ]
    return replace(side, panels=panels)


def footer_place(board: Board, at: int) -> TemplateData:
    """Return the left and right distance of a panel's footer from the paper's edges, in mm."""
    left = board.left(at)
    across = board.columns * board.column + (board.columns - 1) * board.gutter
    return {"left": left, "right": round(board.width - left - across, 3)}


def board_of(options: ScreenOptions, panels: int) -> Board:
    """Return the panels on their paper."""
    upright = PAPERS[options.paper]
    paper: Size = upright if options.portrait else upright.turned
    outer = OUTER if options.margin is None else options.margin
    return Board(
        width=paper.width,
        height=paper.height,
        panels=panels,
        columns=2 if options.portrait else 3,
        outer=outer,
        top=outer,
        bottom=max(outer + 4, 12.5),
        gutter=6.5,
        fold=outer,
    )


def unpinned(moments: Sequence[Moment]) -> tuple[Moment, ...]:
    """Return the moments without their fixed panels."""
    return tuple(Moment(each.title, each.parts, each.place, 0, each.people) for each in moments)


def people_of(pack: Pack, moments: Sequence[Moment]) -> list[TemplateData]:
    """Return people to improvise with, one of each archetype by turns, no manner twice; always the same ones."""
    if not any(moment.people for moment in moments) or not pack.system.creation.methods:
        return []
    figures, found = engine_of(pack.system).figures, dict[str, TemplateData]()
    archetypes = tuple(pack.system.cast.archetypes) or ("",)
    for number, archetype in enumerate(islice(cycle(archetypes), MOST_ROLLED), 1):
        character = roller(pack, RollOptions(SEED, archetype=archetype)).roll(number)
        manner = character.text("manner") or str(number)
        if len(found) < MOST_PEOPLE and manner not in found:
            found[manner] = person_data(pack.system, character, figures(pack.system, character))
    return list(found.values())


def _players_side(setting: PanelSetting) -> PanelPages:
    """Return the quick reference on all panels but one, which shows a picture; on all panels if there is much text."""
    board = setting.board
    try:
        made = fit_panels(replace(setting, board=replace(board, panels=board.panels - 1)))
    except InputError:
        return fit_panels(replace(setting, look=CROWDED))
    art = (board.panels - 1) // 2
    return _with_pictures(replace(made, panels=[*made.panels[:art], {"size": made.size}, *made.panels[art:]]))


def _with_pictures(side: PanelPages) -> PanelPages:
    """Return the panels of a side, with a picture on each that holds nothing."""
    picture: TemplateData = {"size": side.size, "template": ART}
    return replace(side, panels=[panel if panel.get("boxes") else picture for panel in side.panels])


def _advice(options: ScreenOptions, panels: int) -> tuple[str, ...]:
    """Return how to print the panels, and what to do with the paper."""
    name = f"{paper_name(options.paper)} {'upright' if options.portrait else 'on its side'}"
    sides = 1 if options.side != "both" else 2
    steps = [f"{sides * panels} sheets of {name}, printed on one side, at actual size (100 %)"]
    if sides == 2:
        steps.append(f"pages 1 to {panels} face the GM, {panels + 1} to {2 * panels} the players, from left to right")
    steps.append("slide them into the pockets of a screen, or tape them edge to edge; what meets has room for the fold")
    return tuple(steps)


SCREEN = pack_product(
    "screen",
    "the panels of a GM screen, and of its players’ side",
    formats=(".pdf",),
    options=ScreenOptions,
    make=make_screen,
    stem=lambda pack, options: default_stem(pack, "screen", options.paper),
    variants=lambda project, pack: [("screen", ScreenOptions())] if has_screen(project, pack) else [],
    shaped_by="rules",
)
