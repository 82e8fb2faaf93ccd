"""The layout of zones on the panels of a screen: measured, packed into columns, in the largest type that fits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, TypeAlias, TypeVar, cast

from sheetgen.documents.book.book import BookBuilder, BookResults
from sheetgen.documents.figures.charts import OddsTable
from sheetgen.documents.figures.icons import with_tone
from sheetgen.documents.people.sheet import game
from sheetgen.documents.render import environment, render
from sheetgen.documents.session.screen import ZONES, Board, spare_moment, zones_of
from sheetgen.documents.zones import (
    Filled,
    PlacedHead,
    PlacedZone,
    Strip,
    Zone,
    ZoneColumns,
    ZoneGaps,
    filled,
    joined_heads,
    packed,
    placed_column,
    with_spare,
)
from sheetgen.errors import InputError, Place, Problem, quoted
from sheetgen.geometry import mm
from sheetgen.model.book import KeyNumbers, Moment, RandomTable
from sheetgen.model.data import TemplateData
from sheetgen.products.chapters import Rulebook, canvas_of, odds_of
from sheetgen.products.page_cache import heights_of, pdf_of
from sheetgen.workspace.packs import Pack, template_folders
from sheetgen.workspace.project import Project

Made = TypeVar("Made")
SIZES = tuple(10 + 0.25 * step for step in range(25))  # pt, of type; nothing on a screen is smaller
UNLIKE = 1.3  # how much larger the type of a panel may be than that of another
AIR = 1.3  # mm, that a row takes at the most to fill a column
STEP, STEPS = 1.5, 14  # mm, by which the numbers of a game may grow, and how often
WIDE = 0.64  # of its height, a figure
CHANCE = 1.9  # em, a chance in per cent with the gap before it
LEAST_NUMBER = 3.2  # in sizes of the type: 32 pt and more
FRAME = 3.0  # mm, within a zone on both sides
HEAD, HEAD_PADDING = 1.5, 0.52  # em: the head of a moment, and what is free in it on both sides, of its own size
COARSE = 2  # every second size is tried where panels share out their zones
ENOUGH = 0.1  # of a column free: what is fuller is full
TRIED = 4  # sizes below the largest that fits, which may fill a panel better


@dataclass(frozen=True, slots=True)
class ZoneText:
    """The moments of a screen as data for its template, where the words of each zone come from, and their panels."""

    moments: list[TemplateData]
    places: dict[str, Place]
    pins: tuple[int, ...]
    spare: TemplateData  # lists, whose zones fill what is free


@dataclass(frozen=True, slots=True)
class ZoneSetting:
    """A text that is to be set on the panels of a screen, and the sizes of type that may be tried, in pt."""

    project: Project
    pack: Pack
    text: ZoneText
    board: Board
    sizes: tuple[float, ...] = field(default_factory=lambda: SIZES)

    @property
    def name(self) -> str:
        """What messages call it."""
        return f"{self.pack.system.id} screen"


@dataclass(frozen=True, slots=True)
class ZonePanels:
    """Panels as data for the template, the size of the type of each in pt, and how much of each column is free."""

    panels: list[TemplateData]
    sizes: tuple[float, ...]
    free: tuple[float, ...]


def zone_text(
    pack: Pack,
    rulebook: Rulebook,
    moments: Sequence[Moment],
    *,
    column: float,
    numbers: KeyNumbers | None = None,
    people: Sequence[TemplateData] = (),
    spare: Sequence[RandomTable] = (),
) -> ZoneText:
    """Return the text of the moments, with odds as tables, and figures drawn for columns of `column` mm.

    ValueError for a spare list that the pack does not have.
    """
    rules = rulebook.book.rules
    names = [part.rule for moment in moments for part in moment.parts if part.extract(rulebook.book).with_odds]
    names += [numbers.odds] if numbers and numbers.odds else []
    odds: dict[str, list[OddsTable]] = {
        name: [odds_of(pack, chart) for chart in rules[name].charts if chart.shape == "bars"]  # curves are for a page
        for name in names
    }
    canvas = canvas_of(pack, mm(column - FRAME * 2))
    builder = BookBuilder(pack.system, rulebook.book, BookResults({}, {}, {}), canvas, linked=False)
    made, places = zones_of(builder, moments, numbers=numbers, odds=odds, people=people)
    lists = spare_moment(pack.system, spare, column - FRAME * 2)
    places.update({table.title: table.place for table in spare if table.title not in places})
    return ZoneText(made, places, tuple(moment.panel for moment in moments), lists)


@dataclass(frozen=True, slots=True)
class _Packed:
    """The columns of one panel in type of one size, and the gaps between their zones."""

    size: float
    gaps: ZoneGaps
    columns: tuple[Filled, ...]

    @property
    def worst(self) -> float:
        """How much of the emptiest column is free."""
        return max((each.free for each in self.columns), default=0.0)


Measured: TypeAlias = Callable[[float, frozenset[str]], tuple[list[Zone], ZoneGaps] | None]


def fit_zones(setting: ZoneSetting) -> ZonePanels:
    """Return the panels, each in the largest type that fills it; InputError that names the first zone without room."""

    @cache
    def measured(size: float, group: frozenset[str]) -> tuple[list[Zone], ZoneGaps] | None:
        """Return the zones of a group in type of one size, with their gaps; None where there is no room for a word."""
        if size > setting.sizes[0] and _crowded(setting, size, group):
            return None
        try:
            return _measure(setting, size, group)
        except InputError:
            if size == setting.sizes[0]:
                raise
            return None

    pages = _pages(setting, measured)
    largest = UNLIKE * min(max(each.size for each in page) for page in pages)
    chosen = [_best([each for each in page if each.size <= largest] or page[:1]) for page in pages]
    chosen, told = _with_spare(_with_short_lists(setting, chosen), chosen)
    panels = [_panel(setting, made, at, told) for at, made in enumerate(chosen)]
    return ZonePanels(
        panels, tuple(each.size for each in chosen), tuple(each.free for made in chosen for each in made.columns)
    )


def _crowded(setting: ZoneSetting, size: float, group: frozenset[str]) -> bool:
    """Return whether the figures of some odds would touch each other beside the names of their rows."""
    width = (setting.board.column - 2 * FRAME) / (size * 25.4 / 72)  # em
    zones = [zone for moment in setting.text.moments for zone in _zones_in(moment) if zone["key"] in group]
    tables: list[Any] = [table for zone in zones for table in cast(list[Any], zone["odds"])]
    return any(1.08 * each["names"] + CHANCE * len(each["head"]) > width for each in tables)


def _with_short_lists(setting: ZoneSetting, pages: Sequence[_Packed]) -> ZoneSetting:
    """Return the setting with as much of each list as there could be room for, since every line of it is measured."""
    free = setting.board.room * sum(column.free for page in pages for column in page.columns)
    most = int(free / (setting.sizes[0] * 25.4 / 72)) + 2  # a line is higher than its type is large
    zones = [{**zone, "people": _lines_of(zone)[:most]} for zone in _zones_in(setting.text.spare)]
    return replace(setting, text=replace(setting.text, spare={**setting.text.spare, "zones": zones}))


def _with_spare(setting: ZoneSetting, pages: Sequence[_Packed]) -> tuple[list[_Packed], dict[str, TemplateData]]:
    """Return the panels with lists at the foot of columns that are not full, by turns, and these zones by their key."""
    lists = {str(zone["key"]): _lines_of(zone) for zone in _zones_in(setting.text.spare)}
    found, told, turn = list[_Packed](), dict[str, TemplateData](), 0
    sized = {size: _offers(setting, size, frozenset(lists)) if lists else [] for size in {each.size for each in pages}}
    for page in pages:
        columns = list[Filled]()
        for column in page.columns:
            offers = sized[page.size]
            offers = offers[turn % len(offers) :] + offers[: turn % len(offers)] if offers else []
            left = [replace(each, more=each.more[-len(lists[each.key]) :]) for each in offers if lists[each.key]]
            filled_up = with_spare(column, setting.board.room, page.gaps, left)
            keys = dict[str, str]()
            for zone in filled_up.zones[len(column.zones) :]:
                count, key = filled_up.counts[zone.key], f"{zone.key}/{len(told)}"
                data = next(each for each in _zones_in(setting.text.spare) if each["key"] == zone.key)
                title = data["title"] if zone.moment < len(setting.text.moments) else ""  # which is its head then
                told[key] = {**data, "title": title, "people": lists[zone.key][:count], "least": count}
                lists[zone.key], keys[zone.key] = lists[zone.key][count:], key
                turn += 1
            zones = tuple(replace(each, key=keys.get(each.key, each.key)) for each in filled_up.zones)
            counts = {**column.counts, **dict.fromkeys(keys.values(), 0)}
            columns.append(Filled(zones, counts, filled_up.free))
        found.append(replace(page, columns=tuple(columns)))
    return found, told


def _offers(setting: ZoneSetting, size: float, lists: frozenset[str]) -> list[Zone]:
    """Return the lists as zones in type of one size; none where there is no room for a word."""
    try:
        return _measure(setting, size, lists)[0]
    except InputError:
        if size == setting.sizes[0]:
            raise
        return []


def _pages(setting: ZoneSetting, measured: Measured) -> list[list[_Packed]]:
    """Return for each panel how its zones can be packed, in type of each size that was tried and has room."""
    moments, found = list(zip(setting.text.moments, setting.text.pins, strict=True)), list[list[_Packed]]()
    panels, least = range(1, setting.board.panels + 1), setting.sizes[0]
    if all(setting.text.pins):
        groups = [
            frozenset(str(zone["key"]) for moment, pin in moments if pin == panel for zone in _zones_in(moment))
            for panel in panels
        ]
    else:
        least, groups = _shared_out(setting, measured)
    for panel, group in zip(panels, groups, strict=True):
        sizes = _sizes(setting, measured, group, least)
        if not sizes:
            zones, gaps = _measure(setting, least, group)
            raise _no_room(setting, zones, gaps, panel)
        found.append(sizes)
    return found


def _shared_out(setting: ZoneSetting, measured: Measured) -> tuple[float, list[frozenset[str]]]:
    """Return the largest type in which all zones have room together, and the keys of those on each panel."""
    board = setting.board
    strip = Strip(board.panels, board.columns, board.room)
    everything = frozenset(str(zone["key"]) for moment in setting.text.moments for zone in _zones_in(moment))

    def made(size: float) -> ZoneColumns:
        told = measured(size, everything)
        return packed(told[0], strip, told[1]) if told else ()

    tried = _largest(setting.sizes[::COARSE], made)
    if not tried:
        raise _no_room(setting, *_measure(setting, setting.sizes[0], everything), 0)
    least, best = max(tried.items())
    panels = (best[at : at + board.columns] for at in range(0, len(best), board.columns))
    return least, [frozenset(zone.key for column in panel for zone in column) for panel in panels]


def _sizes(setting: ZoneSetting, measured: Measured, group: frozenset[str], least: float) -> list[_Packed]:
    """Return how the zones of one panel are packed, in the largest type that has room and in sizes a little below."""
    board = setting.board
    strip = Strip(1, board.columns, board.room)

    def made(size: float) -> _Packed | None:
        told = measured(size, group)
        if told is None:
            return None
        zones, gaps = [replace(each, panel=0) for each in told[0]], told[1]
        columns = packed(zones, strip, gaps)
        return _Packed(size, gaps, tuple(filled(each, board.room, gaps) for each in columns)) if columns else None

    sizes = [each for each in setting.sizes if each >= least]
    fits = _largest(sizes, made)
    below = [each for each in sizes if fits and each <= max(fits)][-TRIED:]
    for size in reversed(below):  # smaller type only where the larger leaves too much free
        found = fits.get(size) or made(size)
        if found:
            fits[size] = found
        if found and found.worst <= ENOUGH:
            break
    return list(fits.values())


def _largest(sizes: Sequence[float], make: Callable[[float], Made | None]) -> dict[float, Made]:
    """Return what was made in the largest size that has room, and in those that were tried on the way to it."""
    low, high, fits = 0, len(sizes), dict[float, Made]()
    while low < high:  # the larger the type, the fewer sizes fit: halve what is in question
        middle = (low + high) // 2
        if found := make(sizes[middle]):
            fits[sizes[middle]] = found
            low = middle + 1
        else:
            high = middle
    return fits


def _best(pages: Sequence[_Packed]) -> _Packed:
    """Return the panel that leaves least free; of those that leave next to nothing the one in the largest type."""
    return min(pages, key=lambda each: (round(max(each.worst, ENOUGH), 2), -each.size))


def _measure(setting: ZoneSetting, size: float, group: frozenset[str]) -> tuple[list[Zone], ZoneGaps]:
    """Return some of the zones in type of one size, and the gaps between them; InputError where a word has no room."""
    moments: list[TemplateData] = [
        {**moment, "zones": [zone for zone in _zones_in(moment) if zone["key"] in group]}
        for moment in (*setting.text.moments, setting.text.spare)
    ]
    html = _html(setting, {"mode": "measure", "size": size, "moments": moments, "sheets": []})
    heights = heights_of(setting.project, setting.pack, html, name=setting.name, places=setting.text.places)
    em = size * 25.4 / 72
    gaps = ZoneGaps(head=heights["head"], below=0.28 * em, zone=0.42 * em, moment=0.7 * em)
    return _zones(setting, moments, heights, size), gaps


def _html(setting: ZoneSetting, data: TemplateData) -> str:
    board = {name: getattr(setting.board, name) for name in (*Board.__slots__, "column", "room")}
    whole = {"game": game(setting.pack.system), "board": board, **data}
    jinja = environment(template_folders(setting.project, setting.pack), setting.project.shown)
    return with_tone(render(jinja, ZONES, whole), setting.pack.system.tone)


def _zones(
    setting: ZoneSetting, moments: Sequence[TemplateData], heights: Mapping[str, float], size: float
) -> list[Zone]:
    text, found = setting.text, list[Zone]()
    for number, (moment, panel) in enumerate(zip(moments, (*text.pins, 0), strict=True)):
        spare = moment["key"] == setting.text.spare["key"]
        for at, zone in enumerate(_zones_in(moment)):
            key, rows = str(zone["key"]), zone["rows"]
            assert isinstance(rows, int)
            height, more = heights[key], tuple[float, ...]()
            title = height - heights["bare"] if spare else 0.0
            if "least" in zone:
                least = zone["least"]
                assert isinstance(least, int)
                people = [heights[name] for name in _people_of(key, heights)]
                height, more, rows = height + sum(people[:least]), tuple(people[least:]), least
            elif "numbers" in zone:
                more = (STEP,) * _steps(zone, setting.board.column, size)
            place = text.places[str(zone["name"])]
            moment_of = number + at if spare else number
            found.append(Zone(key, moment_of, height, rows, place, panel, more, "least" in zone, title))
    return found


def _people_of(key: str, heights: Mapping[str, float]) -> list[str]:
    """Return the keys of the people of a zone, in order."""
    names, number = list[str](), 1
    while f"{key}.{number}" in heights:
        names.append(f"{key}.{number}")
        number += 1
    return names


def _steps(zone: TemplateData, column: float, size: float) -> int:
    """Return by how many steps the numbers of a zone may grow until they touch."""
    numbers, names = zone["numbers"], zone["heads"]
    assert isinstance(numbers, list)
    assert isinstance(names, (int, float))
    em = size * 25.4 / 72
    longest = max((len(str(each["number"])) for each in numbers), default=1)
    room = (column - 2 * FRAME - 1.08 * names * em) / max(len(numbers), 1) - 2
    return max(0, min(STEPS, int((room / (WIDE * longest) - LEAST_NUMBER * em) / STEP)))


def _lines_of(zone: TemplateData) -> list[TemplateData]:
    found = zone["people"]
    assert isinstance(found, list)
    return found


def _zones_in(moment: TemplateData) -> list[TemplateData]:
    found = moment["zones"]
    assert isinstance(found, list)
    return found


def _panel(setting: ZoneSetting, made: _Packed, at: int, spare: Mapping[str, TemplateData]) -> TemplateData:
    """Return a panel for the template: the heads of its moments, and its zones."""
    board, heads, zones = setting.board, list[PlacedHead](), list[PlacedZone]()
    for number, column in enumerate(made.columns, at * board.columns):
        more = placed_column(column, number, board.top, board.room, made.gaps, air=AIR)
        heads += more[0]
        zones += more[1]
    moments, steps = setting.text.moments, list[TemplateData]()
    titles = [each["title"] for each in (*moments, *_zones_in(setting.text.spare))]
    told = {**{str(zone["key"]): zone for moment in moments for zone in _zones_in(moment)}, **spare}
    for head in joined_heads(heads, board.columns):
        x, last = board.x(head.column), board.x(head.column + head.across - 1)
        size = {"width": round(last + board.column - x, 3), "height": round(made.gaps.head, 3)}
        title = str(titles[head.moment])
        fitted = {"title": title, "type": head_size(title, mm(size["width"]) / made.size)}
        steps.append({"column": head.column, "x": x, "y": head.y, **size, **fitted})
    for spot in zones:
        place = {"column": spot.column, "x": board.x(spot.column), "y": spot.y, "height": spot.height}
        zone = _with_people(told[spot.zone.key], spot.count)
        steps.append({**place, "air": spot.air, "grown": round(STEP * spot.count, 2), "zone": zone})
    return {"size": made.size, "steps": sorted(steps, key=lambda step: (step["column"], step["y"]))}


def head_size(title: str, width: float) -> float:
    """Return how large the head of a moment is set so that it stands on one line; both in em of the text."""
    from sheetgen.pdf.fonts.bundled import text_width  # imports fontTools

    return min(HEAD, round(width / (text_width(title, 1.0, weight=700, serif=True) + 2 * HEAD_PADDING) - 0.005, 2))


def _with_people(zone: TemplateData, more: int) -> TemplateData:
    """Return a zone with the people that it must tell of and so many more."""
    people, least = zone.get("people"), zone.get("least")
    if not isinstance(people, list) or not isinstance(least, int):
        return zone
    return {**zone, "people": people[: least + more]}


def _no_room(setting: ZoneSetting, zones: Sequence[Zone], gaps: ZoneGaps, panel: int) -> InputError:
    """Return what is wrong where zones have no room in the smallest type: the first that is too much."""
    board = setting.board
    columns = board.columns if panel else board.columns * board.panels
    used, lacking, over = 0.0, zones[-1], 0.0
    for at, zone in enumerate(zones):
        alone = gaps.head + gaps.below + zone.height
        used = gaps.height(tuple(zones[: at + 1]))
        if alone > board.room or used > columns * board.room:
            lacking = zone
            over = alone - board.room if alone > board.room else gaps.height(tuple(zones)) - columns * board.room
            break
    name = next(name for name, place in setting.text.places.items() if place == lacking.place)
    where = f"panel {panel}" if panel else "the screen"
    remedy = "show less in screen.yaml, or give the rule a shorter text under screen:"
    lack = f"{over:.1f} mm more than there is room for" if over else "no room beside the others"
    return InputError([Problem(lacking.place, f"{where}: {quoted(name)} has {lack} ({remedy})")])


def zones_pdf(setting: ZoneSetting, sides: Sequence[Sequence[TemplateData]], *, joined: bool) -> bytes:
    """Return the panels of each side as a tagged PDF, a page each, or the panels of a side next to each other on one.

    InputError names each zone that is cut off.
    """
    rows = [list(side) for side in sides] if joined else [[panel] for side in sides for panel in side]
    data: TemplateData = {"mode": "print", "size": setting.sizes[0], "moments": [], "sheets": rows}
    return pdf_of(
        setting.project, setting.pack, _html(setting, data), name=setting.name, tagged=True, places=setting.text.places
    )
