"""GM screens: panels of tables for the GM, and the same number with the quick reference for the players."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import cycle, islice
from math import ceil

from sheetgen.batch.sandbox import PUBLICATION
from sheetgen.content.book.references import References
from sheetgen.content.book.screens import FEWEST_PANELS, PANEL_OF, chapters_as_moments, read_screen, screen_file
from sheetgen.documents.book.rolled_tables import drawn_lines
from sheetgen.documents.markdown import html_of, unbroken
from sheetgen.documents.session.screen import Board, person_data
from sheetgen.errors import InputError, Problem, UsageError, quoted
from sheetgen.geometry import PAPERS, Size, mm, paper_name
from sheetgen.model.book import Moment, Screen
from sheetgen.model.data import TemplateData
from sheetgen.people.rolling import RollOptions, roller
from sheetgen.products.chapter_files import book_folders, has_book, has_rule_with
from sheetgen.products.chapters import Rulebook, curve_warnings, open_book
from sheetgen.products.options import TonedOptions, choice, millimetres, paper_option
from sheetgen.products.product import ProductResult, default_stem, pack_product
from sheetgen.products.session.zone_layout import ZonePanels, ZoneSetting, fit_zones, zone_text, zones_pdf
from sheetgen.rules.registry import engine_of
from sheetgen.workspace.packs import Pack
from sheetgen.workspace.project import Project

SIDES = ("both", "gm", "players")
PANELS = (3, 4)
OUTER = 8.5  # mm to the edge of the paper; where panels meet, twice that
LEAST_MARGIN, MOST_MARGIN = 6.0, 15.0
PLAYERS = "screen/players.html"
LEAST_LINE, MOST_LINE = 20.0, 32.0  # pt, of what players read from a metre and a half away
LINE_PITCH = 1.36 * 25.4 / 72  # mm for each pt of type, from line to line
LETTER = 0.5  # em, a letter of a line on an average
LEAST_ART = 0.4  # of a panel
_DRAWING, _TAG = re.compile("<svg.*?</svg>"), re.compile("<[^>]*>")
SEED, MOST_PEOPLE, MOST_ROLLED = 7, 24, 48
MORE = "give screen.yaml more moments, such as `{title: 'Somebody, at once', people: 6}`"


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
    joined: bool = choice(
        False,
        "the panels of a side next to each other on one page, to look at or to print as a strip",
        label="joined in a strip",
    )
    paper: str = paper_option()


def open_screen(project: Project, pack: Pack, rulebook: Rulebook) -> Screen:
    """Return the moments of a pack's screen; InputError with every problem in its screen.yaml."""
    path = screen_file(book_folders(project, pack))
    if path is None:
        return chapters_as_moments(rulebook.book)
    found = read_screen(path, project.library, rulebook.book)
    references = References(pack.system, rulebook.book)
    problems = [problem for prose in found.prose for problem in references.problems(prose)]
    for table in found.spare:
        try:
            drawn_lines(pack.system, table, 1)
        except ValueError as error:
            problems.append(Problem(table.place, f"spare: {error}"))
    if problems:
        raise InputError(problems)
    return found


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
    setting, found, count = _setting(project, pack, options)
    board, title = setting.board, pack.system.title
    panels = list[TemplateData]()
    if options.side != "players":
        made = _with_footers(fitted(setting, found, count).panels, board, title)
        panels += made if options.joined else [each for each in made if each["steps"]]
    sides = [panels] if panels else []
    if options.side != "gm":
        sides.append(_players_side(pack, open_book(project, pack), found, board))
    data = zones_pdf(setting, sides, joined=options.joined)
    notes = tuple(map(str, curve_warnings(open_book(project, pack).book, cards=False)))
    return ProductResult(data, f"{count} panels of {title}", _advice(options, count, len(panels)), notes=notes)


def _setting(project: Project, pack: Pack, options: ScreenOptions) -> tuple[ZoneSetting, Screen, int]:
    """Return what is to be set on the panels of the GM, the whole screen, and how many panels a side has."""
    rulebook, found = rules_and_screen(project, pack)
    count = options.panels or found.panels
    board = board_of(options, count)
    moments = on_panels(found.moments, count, found.panels)
    people = people_of(pack, moments)
    text = zone_text(
        pack, rulebook, moments, column=board.column, numbers=found.numbers, people=people, spare=found.spare
    )
    return ZoneSetting(project, pack, text, board), found, count


def fitted(setting: ZoneSetting, found: Screen, count: int) -> ZonePanels:
    """Return the panels; where one of them is too full, moments leave the panels that are usual for them.

    InputError where there is no room either, or where the pack itself says on which panels they stand.
    """
    own = tuple(each.panel if count == found.panels else 0 for each in found.moments)
    try:
        return fit_zones(setting)
    except InputError:
        if own == setting.text.pins:
            raise
        with suppress(InputError):
            return fit_zones(replace(setting, text=replace(setting.text, pins=own)))
        raise


def _panels(project: Project, pack: Pack, options: ScreenOptions) -> dict[str, str]:
    """Return what can be drawn alone: the panels of the sides that are asked for."""
    count = options.panels or pack.run_isolated(lambda: rules_and_screen(project, pack)[1].panels, limits=PUBLICATION)
    sides = [side for side in ("gm", "players") if options.side in ("both", side)]
    told = {"gm": "panel {}", "players": "the players’ panel {}"}
    return {f"{side}-{at}": told[side].format(at) for side in sides for at in range(1, count + 1)}


def _make_panel(project: Project, pack: Pack, options: ScreenOptions, part: str) -> ProductResult:
    """Return one panel as it is in the whole screen; UsageError for a panel that is not there."""
    names = _panels(project, pack, options)
    if part not in names:
        raise UsageError(f"the screen of {pack.system.title} has no panel {quoted(part)}; it has {', '.join(names)}")
    side, at = part.split("-", maxsplit=1)[0], int(part.split("-")[1]) - 1

    def drawn() -> ProductResult:
        setting, found, count = _setting(project, pack, options)
        if side == "gm":
            panel = _with_footers(fitted(setting, found, count).panels, setting.board, pack.system.title)[at]
        else:
            panel = _players_side(pack, open_book(project, pack), found, setting.board)[at]
        return ProductResult(zones_pdf(setting, [[panel]], joined=False), names[part])

    return pack.run_isolated(drawn, limits=PUBLICATION)


def _players_side(pack: Pack, rulebook: Rulebook, found: Screen, board: Board) -> list[TemplateData]:
    """Return the panels of the players’ side: art across all of them, and lines to be read from afar beneath."""
    resolve = References(pack.system, rulebook.book).resolve
    lines = [unbroken(html_of(line.text, resolve, inline=True)) for line in found.lines]
    letters = [each for each in pack.system.title if not each.isspace()]
    told, shown = shared_evenly(lines, board.panels), shared_evenly(letters, board.panels)
    across = mm(board.width - 2 * board.outer - board.fold)
    widths = [[letters_of(line) * LETTER for line in each] for each in told]  # in em
    size = line_size([width for each in widths for width in each], across)
    rows = max(sum(max(1, ceil(width * size / across)) for width in each) for each in widths)
    art = round(board.height - board.bottom - rows * size * LINE_PITCH - 9, 2)
    if art < LEAST_ART * board.height:
        message = f"lines: {rows} of them on a panel leave no room for art (write fewer, or shorter ones)"
        raise InputError([Problem(found.lines[0].place, message)])
    return [
        {
            **footer_place(board, at),
            "size": size,
            "type": size,
            "template": PLAYERS,
            "at": at,
            "panels": board.panels,
            "wide": round(100 * board.width / art, 3),
            "art": art,
            "lines": told[at],
            "letters": shown[at],
            "first": sum(map(len, shown[:at])),
            "count": len(letters),
            "titled": at == (board.panels - 1) // 2,
            "foot": [pack.system.title, f"the players’ side · panel {at + 1} of {board.panels}"],
        }
        for at in range(board.panels)
    ]


def shared_evenly(things: Sequence[str], panels: int) -> list[list[str]]:
    """Return things in order, as many on each panel; what is over goes to the outer ones."""
    each, over = divmod(len(things), panels)
    outer = sorted(range(panels), key=lambda at: (min(at, panels - 1 - at), at))[:over]
    counts = [each + (at in outer) for at in range(panels)]
    starts = [sum(counts[:at]) for at in range(panels)]
    return [list(things[start : start + count]) for start, count in zip(starts, counts, strict=True)]


def letters_of(html: str) -> int:
    """Return how many letters wide a line is, a drawing in it being as wide as two."""
    return len(_TAG.sub("", _DRAWING.sub("xx", html)))


def line_size(widths: Sequence[float], across: float) -> float:
    """Return the largest type in pt in which lines of these widths in em have room; never less than LEAST_LINE."""
    return max(LEAST_LINE, min(MOST_LINE, round(across / max(widths, default=1.0), 1)))


def _with_footers(panels: Sequence[TemplateData], board: Board, title: str) -> list[TemplateData]:
    """Return the panels of the GM’s side, each with the game and its number at its foot."""
    foot = [title, "the GM’s side"]
    return [
        {**panel, **footer_place(board, at), "foot": [*foot, f"panel {at + 1} of {len(panels)}"]}
        for at, panel in enumerate(panels)
    ]


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


def on_panels(moments: Sequence[Moment], count: int, arranged: int) -> tuple[Moment, ...]:
    """Return the moments, each on the panel that the pack says if it has arranged so many, or that is usual for it.

    Those of a pack that does not say of all where they are in play stand where they fit, and so do those on four.
    """
    pinned = [each.panel if count == arranged else 0 for each in moments]
    if count == FEWEST_PANELS and all(pin or each.at for pin, each in zip(pinned, moments, strict=True)):
        pinned = [pin or PANEL_OF[each.at] for pin, each in zip(pinned, moments, strict=True)]
    return tuple(replace(each, panel=pin) for pin, each in zip(pinned, moments, strict=True))


def people_of(pack: Pack, moments: Sequence[Moment]) -> list[TemplateData]:
    """Return people to improvise with: one of each archetype by turns, no manner or name twice; always the same.

    Those with the same numbers stand as far apart as they can.
    """
    if not any(moment.people for moment in moments) or not pack.system.creation.methods:
        return []
    figures, found, names = engine_of(pack.system).figures, dict[str, TemplateData](), set[str]()
    cast = pack.system.cast.archetypes
    met = [name for name, each in cast.items() if not each.method]  # who has a method of their own, players play
    archetypes = (tuple(met or cast) or ("",))[:MOST_ROLLED]
    rollers = {archetype: roller(pack, RollOptions(SEED, archetype=archetype)) for archetype in archetypes}
    for number, archetype in enumerate(islice(cycle(archetypes), MOST_ROLLED), 1):
        character = rollers[archetype].roll(number)
        manner = character.text("manner") or str(number)
        if manner not in found and character.text("name") not in names:
            names.add(character.text("name"))
            found[manner] = person_data(pack.system, character, figures(pack.system, character))
    return unlike_by_turns(list(found.values()))[:MOST_PEOPLE]


def unlike_by_turns(people: Sequence[TemplateData]) -> list[TemplateData]:
    """Return people so that nobody has the numbers of one before until all others have had their turn."""
    seen, turns = Counter[str](), list[tuple[int, int]]()
    for at, person in enumerate(people):
        turns.append((seen[str(person["numbers"])], at))
        seen[str(person["numbers"])] += 1
    return [people[at] for _, at in sorted(turns)]


def _advice(options: ScreenOptions, panels: int, facing_gm: int) -> tuple[str, ...]:
    """Return how to print the panels, of which some may face the GM, and what to do with the paper."""
    name = f"{paper_name(options.paper)} {'upright' if options.portrait else 'on its side'}"
    both = options.side == "both"
    if options.joined:
        width = (PAPERS[options.paper] if options.portrait else PAPERS[options.paper].turned).width * panels
        pages = "two pages, one a side," if both else "a page"
        return (f"{pages} {width:g} mm wide, to look at, or to print as a strip at actual size (100 %)",)
    total = facing_gm if options.side == "gm" else facing_gm + panels
    steps = [f"{total} sheet{'s' * (total > 1)} of {name}, printed on one side, at actual size (100 %)"]
    if both:
        gm = "page 1 faces" if facing_gm == 1 else f"pages 1 to {facing_gm} face"
        steps.append(f"{gm} the GM, {facing_gm + 1} to {total} the players, from left to right")
    if options.side != "players" and facing_gm < panels:
        bare = f"{panels - facing_gm} of the GM’s {panels} panels"
        steps.append(f"left out, since nothing stands on them: {bare} ({MORE})")
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
    parts=_panels,
    make_part=_make_panel,
)
