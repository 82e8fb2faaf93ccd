"""The layout of moments on the pages of a reference: measured, arranged in columns, in the largest type that fits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from sheetgen.documents.book import BookBuilder, BookResults
from sheetgen.documents.figures.icons import with_tone
from sheetgen.documents.panel_columns import (
    Board,
    Columns,
    Gaps,
    Overfull,
    Piece,
    PlacedPiece,
    arranged,
    overfull,
    placed,
    taken,
)
from sheetgen.documents.render import environment, render
from sheetgen.documents.screen import PANELS, moments_of
from sheetgen.documents.sheet import TemplateData, game
from sheetgen.errors import InputError, Place, Problem, quoted
from sheetgen.geometry import mm
from sheetgen.model.book import Moment
from sheetgen.products.chapters import Rulebook, canvas_of, work_out
from sheetgen.products.page_cache import heights_of, pdf_of
from sheetgen.workspace.packs import Pack, template_folders
from sheetgen.workspace.project import Project

NARROW = 55.0  # mm: no chart is drawn for less, but made smaller
_NOTHING = BookResults({}, {}, {})


@dataclass(frozen=True, slots=True)
class PanelLook:
    """What is made: its name in messages and styles, the sizes of type that may be tried in pt, how charts grow.

    Charts are left out where that is nothing; `tight` is how small the gaps are, as a part of the usual.
    """

    kind: str
    sizes: tuple[float, ...]
    charts: float = 1.0
    tight: float = 1.0

    def gaps(self, size: float) -> Gaps:
        """Return the gaps for a size of type, in mm."""
        em = size * 25.4 / 72
        return Gaps(piece=0.62 * em * self.tight, moment=1.15 * em * self.tight, stretch=1.5 * em)


@dataclass(frozen=True, slots=True)
class Text:
    """The moments of a product as data for a template, and where the words of each part come from.

    `pins` has the panel of each moment that has one.
    """

    moments: list[TemplateData]
    places: dict[str, Place]
    pins: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PanelSetting:
    """A text that is to be set on a board, and how it looks."""

    project: Project
    pack: Pack
    text: Text
    board: Board
    look: PanelLook

    @property
    def name(self) -> str:
        """What messages call it."""
        return f"{self.pack.system.id} {self.look.kind}"


@dataclass(frozen=True, slots=True)
class PanelPages:
    """Panels as data for the template, the size of their type in pt, and how full each column is, from 0 to 1."""

    panels: list[TemplateData]
    size: float
    fill: tuple[float, ...]


def text_of(
    pack: Pack,
    rulebook: Rulebook,
    moments: Sequence[Moment],
    *,
    column: float,
    look: PanelLook,
) -> Text:
    """Return the text of the moments, with charts and figures drawn for columns of `column` mm."""
    book = rulebook.book
    shown = [book.rules[each.rule] for moment in moments for each in moment.parts if each.extract(book).with_odds]
    # Curves are for the width of a page.
    bars = [replace(rule, charts=tuple(each for each in rule.charts if each.shape != "curve")) for rule in shown]
    charted = [rule for rule in bars if rule.charts] if look.charts else []
    canvas = canvas_of(pack, mm(max(column, NARROW)) / (look.charts or 1))
    performed = work_out(pack, charted, canvas) if charted else _NOTHING
    builder = BookBuilder(pack.system, book, performed, canvas, linked=False)
    made, places = moments_of(builder, moments)
    return Text(made, places, tuple(moment.panel for moment in moments))


def fit_panels(setting: PanelSetting) -> PanelPages:
    """Return the text in the largest type that fits; InputError that names the first rule without room."""
    sizes, best = list(setting.look.sizes), PanelPages([], 0.0, ())
    while sizes:  # the larger the type, the fewer sizes fit: halve what is in question
        middle = len(sizes) // 2
        try:
            best, sizes = _fit_at_size(setting, sizes[middle]), sizes[middle + 1 :]
        except InputError:
            if middle == 0 and not best.panels:
                raise
            sizes = sizes[:middle]
    return best


def _fit_at_size(setting: PanelSetting, size: float) -> PanelPages:
    """Return the text in type of one size; InputError if that is too large, or wrong at any size."""
    heights, gaps = _measure_parts(setting, size), setting.look.gaps(size)
    pieces = tuple(_pieces(setting.text, heights))
    columns = arranged(pieces, setting.board, gaps)
    if not columns:
        raise _overfull_error(setting, overfull(pieces, setting.board, gaps))
    return _fill_panels(setting, size, columns)


def _measure_parts(setting: PanelSetting, size: float) -> dict[str, float]:
    html = _html(setting, {"size": size, "mode": "measure", "moments": setting.text.moments, "panels": []})
    return heights_of(setting.project, setting.pack, html, name=setting.name, places=setting.text.places)


def _html(setting: PanelSetting, data: TemplateData) -> str:
    board = {name: getattr(setting.board, name) for name in (*Board.__slots__, "column", "room")}
    whole = {"game": game(setting.pack.system), "board": board, "look": setting.look.kind, **data}
    jinja = environment(template_folders(setting.project, setting.pack), setting.project.shown)
    return with_tone(render(jinja, PANELS, whole), setting.pack.system.tone)


def _pieces(text: Text, heights: Mapping[str, float]) -> Iterator[Piece]:
    for number, (moment, panel) in enumerate(zip(text.moments, text.pins, strict=True)):
        lead, again = heights[f"{moment['key']}.head"], heights[f"{moment['key']}.again"]
        for part in _parts(moment):
            key, height = str(part["key"]), heights[str(part["key"])]
            place = text.places[str(part["name"])]
            yield Piece(key, height, number, lead, again, place, panel)


def _parts(moment: TemplateData) -> list[TemplateData]:
    found = moment["pieces"]
    assert isinstance(found, list)
    return found


def _fill_panels(setting: PanelSetting, size: float, columns: Columns) -> PanelPages:
    board, gaps = setting.board, setting.look.gaps(size)
    panels: list[TemplateData] = [{"size": size, "boxes": []} for _ in range(board.panels)]
    moments = {str(part["key"]): (moment, part) for moment in setting.text.moments for part in _parts(moment)}
    for spot in placed(columns, board, gaps):
        boxes = panels[spot.column // board.columns]["boxes"]
        assert isinstance(boxes, list)
        moment, part = moments[spot.piece.key]
        where: TemplateData = {"kind": spot.kind, "x": board.x(spot.column), "y": spot.y}
        boxes.append({**where, **_box_data(spot, moment, part)})
    return PanelPages(panels, size, tuple(column.height(gaps) / board.room for column in taken(columns)))


def _box_data(spot: PlacedPiece, moment: TemplateData, part: TemplateData) -> TemplateData:
    """Return the template data of a heading, or of a part."""
    if spot.kind != "piece":
        height = spot.piece.lead if spot.kind == "head" else spot.piece.again
        return {"height": round(height, 3), "title": moment["title"], "name": moment["title"]}
    return {"height": round(spot.piece.height, 3), "piece": part, "name": part["name"]}


def _overfull_error(setting: PanelSetting, lacking: Overfull) -> InputError:
    name = next(name for name, place in setting.text.places.items() if place == lacking.piece.place)
    where = f"{setting.look.kind}, page {lacking.panel}"
    remedy = "show less in screen.yaml, or give the rule a shorter text under screen:"
    message = f"{where}: {quoted(name)} has {lacking.over:.1f} mm more than there is room for ({remedy})"
    return InputError([Problem(lacking.piece.place, message)])


def panels_pdf(
    setting: PanelSetting, panels: Sequence[TemplateData], places: Mapping[str, Place], *, flip: str = ""
) -> bytes:
    """Return panels as a tagged PDF, printed on both sides if it is to be turned over an edge.

    InputError names each part that is cut off.
    """
    html = _html(setting, {"size": setting.look.sizes[0], "mode": "print", "moments": [], "panels": list(panels)})
    return pdf_of(setting.project, setting.pack, html, name=setting.name, tagged=True, flip=flip, places=places)
