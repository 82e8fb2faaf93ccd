"""The decks of a game that is played with cards: the playing cards themselves, and characters ready to be played."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from sheetgen.batch.sandbox import PUBLICATION
from sheetgen.documents.cards import measures
from sheetgen.documents.deck.playing import faces
from sheetgen.documents.operator import deck_data, operator
from sheetgen.documents.render import environment, render
from sheetgen.documents.sheet import game
from sheetgen.errors import Place, UsageError
from sheetgen.geometry import CARDS, Size
from sheetgen.model.character import Character
from sheetgen.people.rolling import Run, roll
from sheetgen.products.card_faces import Faces
from sheetgen.products.form_cache import use_bundled_fonts
from sheetgen.rules.registry import engine_of
from sheetgen.workspace.packs import Pack, template_folders, template_root
from sheetgen.workspace.project import Project

PLAYING, OPERATORS = "deck/playing.html", "deck/operators.html"
PLAYING_SIZES = ("poker", "trading", "tarot", "a6")
OPERATOR_SIZES = ("tarot",)
MOST_OPERATORS = 100
DRAWN = Size(63.5, 88.9)  # the card that the faces are drawn for


def has_playing_cards(project: Project, pack: Pack) -> bool:
    """Whether a pack, or one that it extends, has a template for playing cards."""
    return _has(project, pack, PLAYING)


def has_operators(project: Project, pack: Pack) -> bool:
    """Whether a pack, or one that it extends, has a template for Operators."""
    return _has(project, pack, OPERATORS)


def playing_cards(project: Project, pack: Pack, size: str) -> Faces:
    """The 52 cards and two jokers, and the back that they share; UsageError for a size they are not drawn for."""
    _check(size, PLAYING_SIZES, "playing cards")
    return pack.do(lambda: _playing(project, pack, size), limits=PUBLICATION)


def operator_cards(project: Project, pack: Pack, size: str, run: Run) -> Faces:
    """The Operators of a run, each on a card, and the back that they share; UsageError for a size they do not fit."""
    _check(size, OPERATOR_SIZES, "Operators")
    if run.count > MOST_OPERATORS:
        raise UsageError(f"a deck has {MOST_OPERATORS} Operators at the most, not {run.count:,}")
    series = roll(pack, run)
    people = list(series.part(range(run.count)))
    return pack.do(lambda: _operators(project, pack, size, people), limits=PUBLICATION)


def _playing(project: Project, pack: Pack, size: str) -> Faces:
    card = CARDS[size]
    scale = min(card.width / DRAWN.width, card.height / DRAWN.height)
    scale = 1 if scale < 1 else scale  # a trading card only has a narrower margin
    room = Size(card.width / scale, card.height / scale)
    box = f"{-room.width / 2:g} {-room.height / 2:g} {room.width:g} {room.height:g}"
    drawn = tuple(faces(pack.system, room))
    names = tuple(_sentence(face.title) for face in drawn)
    shown = [{"title": face.title, "inside": face.inside, "box": box} for face in drawn]
    return _faces(project, pack, size=size, template=PLAYING, about={"faces": shown}, names=names)


def _operators(project: Project, pack: Pack, size: str, people: list[Character]) -> Faces:
    system = pack.system
    figures = engine_of(system).figures
    shown = [operator(system, each, figures(system, each)) for each in people]
    about = {**deck_data(system), "people": shown}
    places = {str(each["known"]): system.place for each in shown}
    names = tuple(str(each["name"]) for each in shown)
    return _faces(project, pack, size=size, template=OPERATORS, about=about, names=names, places=places)


def _faces(
    project: Project,
    pack: Pack,
    *,
    size: str,
    template: str,
    about: Mapping[str, object],
    names: tuple[str, ...],
    places: Mapping[str, Place] = MappingProxyType({}),
) -> Faces:
    """The pages that a template makes of a deck, the back last."""
    from sheetgen.pdf.flow.document import flow  # imports WeasyPrint

    use_bundled_fonts(project)
    data = {"game": game(pack.system), "card": measures(size), "steps": list(range(40)), **about}
    html = render(environment(template_folders(project, pack), project.shown), template, data)
    name = f"{pack.system.id} {template}"
    return Faces(flow(html, root=template_root(project, pack), name=name, places=places), size, names)


def _has(project: Project, pack: Pack, template: str) -> bool:
    return any((folder / template).is_file() for folder in template_folders(project, pack))


def _check(size: str, sizes: tuple[str, ...], what: str) -> None:
    if size not in sizes:
        raise UsageError(f"{what} are made on cards of {', '.join(sizes)}, not {size}")


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
