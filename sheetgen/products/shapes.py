"""The shapes in which people are printed: a sheet or a card each, one roster for all, or a form that stays open.

In what is told of people, each number that the house rules make another has their sign behind it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from importlib import import_module
from itertools import pairwise

from sheetgen.documents.people.card import CARD, CARD_MORE, INDEX, TOKEN, TOKEN_BACK, card_values, token_values
from sheetgen.documents.people.npc_page import NPC, NPC_MORE, npc_page_values
from sheetgen.documents.people.sheet import MORE, TEMPLATE, sheet_values
from sheetgen.geometry import CARDS, PAPERS, PEOPLE_PAPERS, SHEET_PAPERS, SMALL_SHEET, Size, mm
from sheetgen.model.book import HOUSE_RULE
from sheetgen.model.cast import GroupTitle
from sheetgen.model.character import PICTURE, Character
from sheetgen.model.system import System
from sheetgen.model.wording import DOT
from sheetgen.pdf.fonts.bundled import SANS, measure_of, small_font
from sheetgen.pdf.fonts.face import AddedFont, FaceName
from sheetgen.pdf.form.stamp import Plate, Signature
from sheetgen.pdf.pictures import in_grey
from sheetgen.people.ordering import Order
from sheetgen.people.rolling import roll_code
from sheetgen.press.drawn_marks import drawn_marks
from sheetgen.press.marks import (
    RULER_LABEL,
    WORDS_SIZE,
    MarginRoom,
    Marks,
    Words,
    beside_rule,
    check_rule,
    crop_marks,
    parting_marks,
)
from sheetgen.press.plan import PRINTER_MARGIN, side_by_side
from sheetgen.products.report import Report
from sheetgen.rules.registry import engine_of
from sheetgen.workspace.packs import Pack
from sheetgen.workspace.project import Project

LONGEST_SIGNED = 2_000  # letters of a text whose numbers are looked at
_NUMBER, _LAST = re.compile(r"\d+"), re.compile(r"\d+(?=\D*$)")
Values = Callable[[System, Character, Mapping[str, str]], dict[str, str]]
SHEET_FREE, SMALL_FREE = 10.0, 8.0  # mm: what full-page sheets leave free at the edges of their paper, and those of A5
HALF_FREE = 6.5
NPCS = "npcs"  # the file of many people in the usual shape
PEOPLE = "People"
MARGIN = FaceName(SANS, 400)  # of the words beside a ruler
Listing = Callable[..., Report]  # as `roster.write_roster`
Filled = Callable[[Project, Pack, Character, str], tuple[bytes, tuple[str, ...]]]
# Each name with the constant that declares it; a new shape is a module with such a constant, its templates, and a line.
SHAPES = {
    "sheet": "shapes.SHEET",
    "npc": "shapes.NPC_PAGE",
    "card": "shapes.CARD_EACH",
    "tarot": "shapes.TAROT_CARD",
    "index": "shapes.INDEX_CARD",
    "token": "shapes.TOKEN_EACH",
    "standee": "shapes.STANDEE",
    "tent": "shapes.TENT",
    "roster": "people.roster.ROSTER",
    "form": "people.printing.FORM",
}


def texts_of(system: System, values: Values) -> Callable[[Character], dict[str, str]]:
    """Return what gives the texts for the fields of a page; what house rules make another has their sign."""
    figures = engine_of(system).figures

    def told(character: Character) -> dict[str, str]:
        return values(system, character, figures(system, character))

    if system.printed is None:
        return told
    as_printed = texts_of(system.as_printed, values)
    return lambda character: signed(told(character), as_printed(character))


def signed(texts: Mapping[str, str], printed: Mapping[str, str]) -> dict[str, str]:
    """Return texts whose numbers have the sign of house rules where the printed rules say another."""
    found = dict(texts)
    for name, text in texts.items():
        before = printed.get(name, text)
        if text == before or text.startswith("data:") or len(text) > LONGEST_SIGNED:
            continue
        numbers = _NUMBER.findall(before)
        if len(numbers) == len(_NUMBER.findall(text)):
            waiting = iter(numbers)
            found[name] = _NUMBER.sub(lambda each: _sign(each[0], next(waiting)), text)  # noqa: B023
        elif "\n" not in text and (last := _LAST.search(text)):  # `1d6` became `1d6+1`
            found[name] = f"{text[: last.end()]}{HOUSE_RULE}{text[last.end() :]}"
    return found


def _sign(number: str, printed: str) -> str:
    return number if number == printed else f"{number}{HOUSE_RULE}"


@dataclass(frozen=True, slots=True)
class Shape:
    """How people are printed: each stamped onto a form of the templates, all in one `listing`, or a file `filled` for
    each.

    `say` is its help, `one` what a page of it is called, `named` what a file of many is. `values` are the texts for the
    fields, `cards` the size of the card for each paper, if it is one; `back` says whether it has another side, `free`
    what it leaves free at the edges of the paper, in mm, and `apart` how far its cards stay from them. `listing` writes
    everybody in a format, `filled` returns a fillable PDF of one person on a paper, and a line for each value that has
    no place in it. With `odds` the values tell chances, with `portrait` there is a place for one, with `asked` a row
    for what people want and say. What has another side `behind` is folded over its top, with that side upon the other.
    """

    say: str
    named: str
    template: str = TEMPLATE
    more: str = MORE
    values: Values = sheet_values
    one: str = "page"
    cards: Mapping[str, Size] = field(default_factory=dict)
    back: bool = False
    free: float = PRINTER_MARGIN
    apart: float = PRINTER_MARGIN
    listing: Listing | None = None
    filled: Filled | None = None
    code: bool = False
    portrait: bool = False
    asked: bool = False
    odds: bool = False
    behind: str = ""
    finish: str = ""

    @property
    def is_stamped(self) -> bool:
        """Whether each person is a page or a card of one file, which can have an index, and be shared out."""
        return self.listing is None and self.filled is None

    @property
    def papers(self) -> tuple[str, ...]:
        """The papers that it is made for."""
        return tuple(self.cards) or (PEOPLE_PAPERS if self.back or self.filled else SHEET_PAPERS)

    def free_on(self, paper: str) -> float:
        """Return what is left free at the edges of a paper, in mm."""
        return SMALL_FREE if paper == SMALL_SHEET and not self.cards else self.free

    def coded(self) -> Shape:
        """Return the shape with a QR code from which `npc` makes the person again."""
        return replace(self, code=True, values=partial(_with_code, self.values))

    def card(self, paper: str) -> Size | None:
        """Return the size of the card on this paper; None for a sheet, which is as large as the paper."""
        return self.cards[paper] if self.cards else None

    def plate(self, paper: str, system: System, again: str = "") -> Plate | None:
        """Return the page that the cards are placed on, with its marks; None for sheets, each a page.

        Beside the ruler stand game, credit and licence, how to roll the people `again`, and the number of the page.
        """
        card = self.card(paper)
        if card is None:
            return None
        layout = side_by_side(PAPERS[paper], card, margin=self.apart)
        cells, size = layout.cells, (mm(layout.paper.width), mm(layout.paper.height))
        kept = {"paper": paper, "card": [card.width, card.height], "backs": "none", "margin": self.apart}
        if not self.apart:
            lines = parting_marks(cells, layout.paper)
            return Plate(*size, cells, lines=lines, sheet={**kept, "marks": False})
        rule = check_rule(cells, layout.paper)
        words, signature = margin_words(beside_rule(cells, layout.paper, rule), system, again)
        cuts = (crop_marks(cells[:filled], layout.paper) for filled in range(1, len(cells) + 1))
        marks = (Marks(lines, rule=rule, words=words) for lines in cuts)
        letters = RULER_LABEL + "".join(each.text for each in words)
        return Plate(*size, cells, drawn_marks(layout.paper, marks, small_font(MARGIN, letters)), signature, sheet=kept)


def margin_words(
    room: Sequence[MarginRoom], system: System, again: str = ""
) -> tuple[tuple[Words, ...], Signature | None]:
    """Return the words of a margin, and where the number of the page ends them.

    Of the licence they tell as many sentences as there is room for, or the first without what it has in brackets; where
    that is still too long, the credit goes without its own, too, and then what stands behind the name of the licence.
    """
    if not room:
        return (), None
    last = room[-1]
    places = [(part, number) for part in room for number in range(part.lines)][:-1]
    legal = system.credit if system.title in system.credit else f"{system.title} · {system.credit}"
    sentences = re.split(r"(?<=[.]) ", " ".join(system.licence.split()))
    shorter = [" ".join(sentences[:kept]) for kept in range(len(sentences), 0, -1)]
    bare = re.sub(r" \([^)]*\)", "", sentences[0])
    for text in (
        *(f"{legal}. {licence}" for licence in (*shorter, bare)),
        re.sub(r" \([^)]*\)", "", f"{legal}. {bare}"),
        f"{legal}. {bare.partition(':')[0]}",
    ):
        found, left = _beside_ruler(places, text)
        if not left:
            break
    if left and found:
        found[-1] = replace(found[-1], text=found[-1].text.rpartition(" ")[0] + " …")
    x, y = last.line(last.lines - 1, last.length)
    return tuple(found), Signature(x, y, WORDS_SIZE, f"{again}{DOT}page " if again else "page ", last.turned)


def _beside_ruler(places: Sequence[tuple[MarginRoom, int]], text: str) -> tuple[list[Words], list[str]]:
    """Return a text as lines of a margin, and the words for which there is no room.

    All of it stands on one side of the ruler, or else whole sentences on both, or what one side cannot hold.
    """
    sides = [[place for place in places if place[0] is side] for side in dict.fromkeys(part for part, _ in places)]
    for side in sides:
        found, left = _broken(side, text)
        if not left:
            return found, left
    for one, other in pairwise(sides):
        for end in reversed([*re.finditer(r"(?<=[.]) (?=[A-Z])", text)]):
            begun, left = _broken(one, text[: end.start()])
            ended, over = _broken(other, text[end.end() :])
            if not left and not over and " " in ended[-1].text:
                return [*begun, *ended], []
    return _broken(places, text)


def _broken(places: Iterable[tuple[MarginRoom, int]], text: str) -> tuple[list[Words], list[str]]:
    """Return a text as lines of a margin, and the words for which there is no room.

    No word stands in the last line alone: as many go with it as stand behind a comma, or else one.
    """
    left, found, measure = text.split(), list[tuple[MarginRoom, int, list[str]]](), measure_of(MARGIN)
    for part, number in places:
        line: list[str] = []
        while left and measure(" ".join((*line, left[0])), WORDS_SIZE) <= part.length:
            line.append(left.pop(0))
        if line:
            found.append((part, number, line))
    if not left and len(found) > 1 and len(found[-1][2]) == 1:
        (*_, above), (part, *_, last) = found[-2:]
        ends = (at for at in range(len(above) - 1, 0, -1) if above[at - 1].endswith((",", ";", ".")))
        moved = next((at for at in ends if measure(" ".join((*above[at:], *last)), WORDS_SIZE) <= part.length), -1)
        last[:0] = above[moved:]
        del above[moved:]
    return [Words(*part.line(number), " ".join(line), part.turned) for part, number, line in found if line], left


def _with_code(values: Values, system: System, character: Character, figures: Mapping[str, str]) -> dict[str, str]:
    return {**values(system, character, figures), "code": roll_code(system, character)}


def _with_tone(values: Values, system: System, character: Character, figures: Mapping[str, str]) -> dict[str, str]:
    """Return the values with a portrait that is grey where everything is."""
    texts = values(system, character, figures)
    if system.tone.greyscale and PICTURE in texts:
        texts[PICTURE] = in_grey(texts[PICTURE])
    return texts


SHEET = Shape("a sheet each", "npc-sheets", back=True, free=SHEET_FREE)
# Nine poker cards leave Letter a margin that many printers cannot print on; trading cards are a millimetre smaller.
CARD_EACH = Shape(
    "a card (nine to a page)",
    "npc-cards",
    CARD,
    CARD_MORE,
    card_values,
    "card",
    {"a4": CARDS["poker"], "letter": CARDS["trading"]},
)
INDEX_CARD = Shape(
    "an index card",
    "npc-index-cards",
    INDEX,
    CARD_MORE,
    card_values,
    "card",
    {"a4": CARDS["index"], "letter": CARDS["index"]},
)

TAROT_CARD = Shape(
    "a tarot card",
    "npc-tarot-cards",
    CARD,
    CARD_MORE,
    card_values,
    "card",
    {"a4": CARDS["tarot"], "letter": CARDS["tarot"]},
)

NPC_PAGE = Shape(
    "half a page each for the GM",
    NPCS,
    NPC,
    NPC_MORE,
    npc_page_values,
    "half page",
    {name: replace(PAPERS[name], height=PAPERS[name].height / 2) for name in SHEET_PAPERS}
    | {SMALL_SHEET: PAPERS[SMALL_SHEET].turned},
    free=HALF_FREE,
    apart=0.0,
    odds=True,
)

_FOLDED = Shape("", "", TOKEN, CARD_MORE, token_values, "piece", behind=TOKEN_BACK)
TOKEN_EACH = replace(
    _FOLDED,
    say="a token",
    named="npc-tokens",
    cards=dict.fromkeys(SHEET_PAPERS, Size(38.0, 38.0)),
    finish="glue the two sides together",
)
STANDEE = replace(
    _FOLDED,
    say="a standee",
    named="npc-standees",
    cards=dict.fromkeys(SHEET_PAPERS, Size(32.0, 64.0)),
    finish="glue the two sides together but for the feet, and fold those outward",
)
TENT = replace(
    _FOLDED,
    say="a tent card",
    named="npc-tents",
    cards=dict.fromkeys(SHEET_PAPERS, Size(95.0, 44.0)),
    finish="stand it up",
)


def shape_named(name: str) -> Shape:
    """Return the shape of that name; KeyError if there is none."""
    module, constant = SHAPES[name].rsplit(".", 1)
    made: Shape = getattr(import_module(f"sheetgen.products.{module}"), constant)
    return made


@dataclass(frozen=True, slots=True)
class RosterHeading:
    """The heading of a roster, and how to roll the same people again: in words, and as the text of a QR code.

    `is_group` says that title and line are those of a group.
    """

    title: str = PEOPLE
    say: str = ""
    reroll_hint: str = ""
    code: str = ""
    is_group: bool = False

    @property
    def group(self) -> GroupTitle | None:
        """The title and line of the group, for a file of characters; None for people who are no group."""
        return GroupTitle(self.title, self.say) if self.is_group else None


@dataclass(frozen=True, slots=True)
class PrintOptions:
    """How people are printed: shape, paper, order, and what stands before them.

    `roster` and `index` ask for a roster of everybody and for an index of pages in front; `workers` is how many
    processes compose the pages, `cluster` where else they may be, `shard` which part of how many is printed, from 1. If
    `strict`, the first who cannot be printed stops everything. With `code` each piece carries what makes the person
    again.
    """

    paper: str = "a4"
    shape: str = "sheet"
    back: bool = False
    order: Order = field(default_factory=Order)
    heading: RosterHeading = field(default_factory=RosterHeading)
    roster: bool = False
    index: bool = False
    workers: int = 1
    cluster: str = ""
    shard: tuple[int, int] | None = None
    strict: bool = False
    fonts: tuple[AddedFont, ...] = ()
    code: bool = False
    portraits: bool = False
    asked: bool = False
    backs: bool = False

    @property
    def kind(self) -> Shape:
        """The shape of that name, with its code if one is asked for, and with places for portraits and wants."""
        shape = shape_named(self.shape)
        if self.asked and shape is SHEET:
            shape = replace(shape, asked=True, values=partial(sheet_values, asked=True))
        if self.portraits:
            shape = replace(shape, portrait=True, values=partial(_with_tone, shape.values))
        return shape.coded() if self.code else shape

    @property
    def lists(self) -> bool:
        """Whether everybody is told of on a roster or in an index."""
        return self.roster or self.index or self.kind.listing is not None
